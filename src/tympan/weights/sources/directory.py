"""A folder that already holds the files, laid out as the store is. It is only read."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tympan.weights.sources.base import ByteStream
from tympan.weights.sources.chunks import open_local, read_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tympan.weights.catalog import CatalogFile


class DirectorySource:
    """Files at `root/bundle/name`."""

    name = "directory"

    def __init__(self, root: Path) -> None:
        self._root = root

    def offers(self, file: CatalogFile) -> bool:  # noqa: ARG002  (any file may be there)
        """Every file."""
        return True

    @contextmanager
    def open(self, file: CatalogFile, offset: int) -> Iterator[ByteStream]:
        """Read the file from `offset`."""
        with open_local(self._root / file.path, offset, self.name) as stream:
            yield ByteStream(offset, read_chunks(stream, self.name))
