"""A base URL under which files stand as they do in the store."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tympan.weights.catalog import CatalogFile
    from tympan.weights.sources.base import ByteStream
    from tympan.weights.sources.ranged import RangedClient


class HttpsSource:
    """Files at `base/bundle/name`."""

    name = "https"

    def __init__(self, base: str, client: RangedClient) -> None:
        self._base = base.rstrip("/")
        self._client = client

    def offers(self, file: CatalogFile) -> bool:  # noqa: ARG002  (any file may be there)
        """Every file."""
        return True

    def open(self, file: CatalogFile, offset: int) -> AbstractContextManager[ByteStream]:
        """GET the file, from `offset` where the server knows Range."""
        return self._client.open(f"{self._base}/{quote(file.path)}", offset, {})
