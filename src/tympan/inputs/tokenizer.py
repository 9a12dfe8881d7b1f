"""A checkpoint's own tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors import CheckpointRefused

if TYPE_CHECKING:
    from pathlib import Path

    from tympan.inputs.families.base import Encode

TOKENIZER_FILE = "tokenizer.json"
BOS = "<bos>"


def load_encode(folder: Path) -> Encode | None:
    """Return the function that turns text into ids, or None when the folder has no tokenizer.

    The tokenizer's own beginning is added unless the text has it already. Raises `CheckpointRefused`.
    """
    path = folder / TOKENIZER_FILE
    if not path.exists():
        return None
    from tokenizers import Tokenizer  # noqa: PLC0415  (most uses of this room have their own)

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises a bare Exception
        raise CheckpointRefused(str(path), f"no tokenizer: {error}") from error

    def encode(text: str) -> list[int]:
        return list(tokenizer.encode(text, add_special_tokens=not text.startswith(BOS)).ids)

    return encode
