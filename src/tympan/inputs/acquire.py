"""Bytes of clips: from files and from the text of a request, never more than a budget.

These ceilings hold before any model is known; a model's own policy is stricter.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING

from tympan.errors import EmptyClip, LimitExceeded, UndecodableClip, UnreadableFile
from tympan.inputs.clips import Clip, ClipSource

if TYPE_CHECKING:
    from pathlib import Path

    from tympan.inputs.polling import Poll

MAX_CLIPS = 16
MAX_ENCODED_BYTES = 500 * 2**20  # of one clip, and of all clips of a request
FILE_BLOCK = 64 * 2**10  # bytes read between two looks at the cancellation
_DATA_URI = re.compile(r"data:audio/[^,]{0,200};base64,", re.IGNORECASE)


def read_file(path: Path, ordinal: int, budget: int, poll: Poll) -> Clip:
    """Read a file of up to `budget` bytes. Raises `UnreadableFile`, `EmptyClip`, `LimitExceeded`."""
    data = bytearray()
    try:
        with path.open("rb") as file:
            poll()
            while block := file.read(FILE_BLOCK):
                poll()
                if len(data) + len(block) > budget:
                    raise LimitExceeded("encoded bytes", max(path.stat().st_size, budget + 1), budget, ordinal)
                data += block
    except OSError as error:
        raise UnreadableFile(str(path), error.strerror or str(error)) from error
    if not data:
        raise EmptyClip(ordinal, "the file is empty")
    return Clip(ordinal, bytes(data), ClipSource.FILE)


def read_inline(text: str, ordinal: int, budget: int, poll: Poll) -> Clip:
    """Decode canonical base64, or a `data:audio/...;base64,` URI with it, of up to `budget` bytes.

    Anything else is refused: another alphabet, white space, missing padding, stray bits behind the last byte. The
    number of characters is checked before anything is decoded. Raises `UndecodableClip`, `EmptyClip`,
    `LimitExceeded`.
    """
    poll()
    source, start = ClipSource.INLINE, 0
    if text[:5].lower() == "data:":
        head = _DATA_URI.match(text)
        if head is None:
            raise UndecodableClip(ordinal, "a data URI must begin with 'data:audio/...;base64,'")
        source, start = ClipSource.DATA_URI, head.end()
    characters = len(text) - start
    if characters > 4 * -(-budget // 3):
        raise LimitExceeded("encoded bytes", characters // 4 * 3, budget, ordinal)
    try:
        coded = text[start:].encode("ascii")
        data = binascii.a2b_base64(coded, strict_mode=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise UndecodableClip(ordinal, "it is no canonical base64") from error
    if base64.b64encode(data) != coded:
        raise UndecodableClip(ordinal, "it is no canonical base64")
    poll()
    if not data:
        raise EmptyClip(ordinal, "the data is empty")
    if len(data) > budget:
        raise LimitExceeded("encoded bytes", len(data), budget, ordinal)
    return Clip(ordinal, data, source)
