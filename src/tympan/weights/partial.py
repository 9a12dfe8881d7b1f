"""A file on its way into the store: a hidden name beside the target, hashed while it is written.

Bytes get the real name in one step, after size and sha256 agree and the disk has them. What a broken fetch
leaves is continued by the next one and hashed as a whole.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, BinaryIO

from tympan.errors import StoreUnwritable, WrongBytes

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from tympan.cancel import Cancellation
    from tympan.weights.catalog import CatalogFile

READ_BYTES = 1 << 20  # 1 MiB: a step of hashing or copying, under 5 ms of SHA-256 on one core
PART_SUFFIX = ".part"


def partial_path(target: Path) -> Path:
    """Return the temporary name beside `target`."""
    return target.with_name(f".{target.name}{PART_SUFFIX}")


def hash_stream(stream: BinaryIO, cancellation: Cancellation) -> tuple[int, hashlib._Hash]:
    """Read a stream to its end; return the bytes read and their SHA-256. Raises `Cancelled` and OSError."""
    digest = hashlib.sha256()
    size = 0
    while chunk := stream.read(READ_BYTES):
        cancellation.check()
        digest.update(chunk)
        size += len(chunk)
    return size, digest


class PartialFile:
    """The temporary file of one fetch; a context manager.

    `position` is how many bytes it holds. `continued` tells whether some of them are from an earlier try, so
    that a wrong hash need not be the fault of the source that gave the last ones. Every failure to write is
    `StoreUnwritable`, and gives the room back: a full disk must not stay full of bytes that nobody can use.
    """

    def __init__(self, file: CatalogFile, target: Path, cancellation: Cancellation) -> None:
        self.position = 0
        self.continued = False
        self._file = file
        self._target = target
        self._path = partial_path(target)
        self._cancellation = cancellation
        self._digest = hashlib.sha256()
        self._stream: FileIO

    def __enter__(self) -> Self:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self._path.open("ab", buffering=0)  # made when missing, kept when there
        except OSError as error:
            raise StoreUnwritable(self._path, _reason(error)) from error
        try:
            with self._path.open("rb") as written:
                self.position, self._digest = hash_stream(written, self._cancellation)
            if self.position > self._file.size:
                self.restart()
        except OSError as error:
            self._stream.close()
            raise StoreUnwritable(self._path, _reason(error)) from error
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()
        if self.position == 0:
            self._path.unlink(missing_ok=True)

    @property
    def complete(self) -> bool:
        """Whether all bytes are there, right or wrong."""
        return self.position == self._file.size

    def continue_at(self, start: int) -> None:
        """Get ready for bytes from `start` on: where the last try ended, or the beginning."""
        if start != self.position:
            self.restart()
        self.continued = start > 0

    def restart(self) -> None:
        """Forget every byte."""
        try:
            self._stream.truncate(0)
        except OSError as error:
            raise StoreUnwritable(self._path, _reason(error)) from error
        self._digest = hashlib.sha256()
        self.position = 0
        self.continued = False

    def write(self, chunk: bytes, source: str) -> None:
        """Append bytes. Raises `WrongBytes` when they are more than the file has."""
        if self.position + len(chunk) > self._file.size:
            raise WrongBytes(self._file.path, source, expected=f"{self._file.size} bytes", found="more")
        try:
            rest = memoryview(chunk)
            while rest:
                rest = rest[self._stream.write(rest) :]
        except OSError as error:
            raise self._unwritable(error) from error
        self._digest.update(chunk)
        self.position += len(chunk)

    def commit(self, source: str) -> None:
        """Give the file its real name. Raises `WrongBytes` when size or sha256 differ."""
        if not self.complete:
            expected, found = f"{self._file.size} bytes", f"{self.position} bytes"
            raise WrongBytes(self._file.path, source, expected=expected, found=found)
        if (digest := self._digest.hexdigest()) != self._file.sha256:
            expected, found = f"sha256 {self._file.sha256}", f"sha256 {digest}"
            raise WrongBytes(self._file.path, source, expected=expected, found=found)
        try:
            os.fsync(self._stream.fileno())
            self._path.replace(self._target)
            _sync_folder(self._target.parent)
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> StoreUnwritable:
        self._path.unlink(missing_ok=True)
        return StoreUnwritable(self._target, f"{_reason(error)} ({self._file.size} bytes are needed)")


def _sync_folder(folder: Path) -> None:
    """Make a rename last: on POSIX the folder's own entry needs a sync, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
