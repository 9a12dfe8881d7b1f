"""The verified store: a folder of model files at `bundle/name`, each with the bytes that the catalog names."""

from __future__ import annotations

from dataclasses import dataclass
from stat import S_ISREG
from typing import TYPE_CHECKING

from tympan.errors import StoreUnwritable, UnreadableFile
from tympan.weights.partial import hash_stream, partial_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tympan.cancel import Cancellation
    from tympan.weights.catalog import Bundle, CatalogFile

LOCK_NAME = ".lock"  # held by the process that fetches or removes


@dataclass(frozen=True, slots=True)
class Fault:
    """A file in the store that is not what the catalog names. The two sentences' ends are for a person."""

    file: CatalogFile
    expected: str
    found: str


class Store:
    """The store in one folder, which need not exist yet."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def path(self, file: CatalogFile) -> Path:
        """Where a file stands when it is there."""
        return self.root / file.path

    def folder(self, bundle: str) -> Path:
        """Where a bundle's files stand."""
        return self.root / bundle

    @property
    def lock_path(self) -> Path:
        """The file whose lock one fetching process holds."""
        return self.root / LOCK_NAME

    def present(self, file: CatalogFile) -> bool:
        """Whether a file of the right size is there: what boot relies on, since only verified bytes get that name."""
        try:
            status = self.path(file).stat()
        except OSError:
            return False
        return S_ISREG(status.st_mode) and status.st_size == file.size

    def missing(self, files: Iterable[CatalogFile]) -> list[CatalogFile]:
        """Return the files that are not present."""
        return [file for file in files if not self.present(file)]

    def verify(self, file: CatalogFile, cancellation: Cancellation) -> Fault | None:
        """Hash a file that is there; return what is wrong with it. Raises `Cancelled` and `UnreadableFile`."""
        path = self.path(file)
        try:
            size = path.stat().st_size
            if size != file.size:
                return Fault(file, f"{file.size} bytes", f"{size} bytes")
            with path.open("rb") as stream:
                _, digest = hash_stream(stream, cancellation)
        except OSError as error:
            raise UnreadableFile(str(path), error.strerror or str(error)) from error
        found = digest.hexdigest()
        return None if found == file.sha256 else Fault(file, f"sha256 {file.sha256}", f"sha256 {found}")

    def remove(self, bundle: Bundle) -> int:
        """Delete a bundle's files, whole and partial, and its empty folders; return the bytes that were freed.

        Files that the catalog does not name are left alone. Raises `StoreUnwritable`.
        """
        freed = 0
        folders: set[Path] = {self.folder(bundle.name)}
        for file in bundle.files:
            path = self.path(file)
            folders.update(folder for folder in path.parents if self.folder(bundle.name) in folder.parents)
            for candidate in (path, partial_path(path)):
                try:
                    size = candidate.stat().st_size
                    candidate.unlink()
                except FileNotFoundError:
                    continue
                except OSError as error:
                    raise StoreUnwritable(candidate, error.strerror or str(error)) from error
                freed += size
        for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        return freed


def sum_lines(folder: Path, cancellation: Cancellation) -> Iterator[str]:
    """Yield a catalog line, `sha256 size name`, for every file under a folder, by name.

    Names that begin with a dot are left out: they are locks and partial files. Raises `UnreadableFile`.
    """
    if not folder.is_dir():
        raise UnreadableFile(str(folder), "not a folder")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if any(part.startswith(".") for part in name.parts) or not path.is_file():
            continue
        try:
            with path.open("rb") as stream:
                size, digest = hash_stream(stream, cancellation)
        except OSError as error:
            raise UnreadableFile(str(path), error.strerror or str(error)) from error
        yield f"{digest.hexdigest()} {size} {name.as_posix()}"
