"""The edge between the fetcher and the places that bytes come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from tympan.weights.catalog import CatalogFile


@dataclass(frozen=True, slots=True)
class ByteStream:
    """A file's bytes from `start` on; the chunks are of any size. Reading raises `SourceUnavailable`."""

    start: int
    chunks: Iterator[bytes]


class WeightSource(Protocol):
    """One kind of place. Made for one fetch and used from several threads."""

    @property
    def name(self) -> str:
        """The word that settings, reports and errors use."""

    def offers(self, file: CatalogFile) -> bool:
        """Whether this kind of place can have the file at all; says nothing of whether it can be reached."""

    def open(self, file: CatalogFile, offset: int) -> AbstractContextManager[ByteStream]:
        """Give the file's bytes from `offset` where that is possible, else from the start.

        Raises `SourceUnavailable` with the reason, here or while the bytes are read, and `Cancelled`.
        """
