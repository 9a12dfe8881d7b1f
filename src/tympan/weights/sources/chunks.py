"""Reading a local stream as a source does: in steps, with failures named for the source."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tympan.errors import SourceUnavailable
from tympan.weights.partial import READ_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import IO


@contextmanager
def open_local(path: Path, offset: int, source: str) -> Iterator[IO[bytes]]:
    """Open a file of this machine at `offset` bytes. Raises `SourceUnavailable`."""
    try:
        stream = path.open("rb")
    except OSError as error:
        raise SourceUnavailable(source, f"{path}: {error.strerror or error}") from error
    with stream:
        stream.seek(offset)
        yield stream


def read_chunks(stream: IO[bytes], source: str, limit: int | None = None) -> Iterator[bytes]:
    """Yield a stream's bytes to its end, or `limit` bytes. A failure to read is `SourceUnavailable`.

    Archives raise exceptions of many classes on damaged bytes (zlib, struct, zipfile, EOFError), hence the
    broad clause: all of them mean that this source cannot give the file.
    """
    left = limit
    while left is None or left > 0:
        try:
            chunk = stream.read(READ_BYTES if left is None else min(READ_BYTES, left))
        except Exception as error:
            raise SourceUnavailable(source, f"reading failed: {error}") from error
        if not chunk:
            return
        if left is not None:
            left -= len(chunk)
        yield chunk
