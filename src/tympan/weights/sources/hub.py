"""A model hub's repository at a pinned revision.

huggingface-hub says what the environment says (`HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_OFFLINE`, `HF_HOME`): the URL,
the token, whether the network may be used, and what its cache already has. The bytes come over our own client,
which continues, counts and cancels, and stores them once instead of twice.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from huggingface_hub import constants, get_token, hf_hub_url, try_to_load_from_cache

from tympan.errors import SourceUnavailable
from tympan.weights.sources.base import ByteStream
from tympan.weights.sources.chunks import open_local, read_chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.weights.catalog import CatalogFile
    from tympan.weights.sources.ranged import RangedClient


class HubSource:
    """Files of hub repositories."""

    name = "hub"

    def __init__(self, client: RangedClient) -> None:
        self._client = client

    def offers(self, file: CatalogFile) -> bool:
        """Whether a repository is known that has the file."""
        return file.hub is not None

    @contextmanager
    def open(self, file: CatalogFile, offset: int) -> Iterator[ByteStream]:
        """Read the file from the hub's own cache, or GET it, from `offset`."""
        origin = file.hub
        if origin is None:
            raise SourceUnavailable(self.name, "no repository is known that has the file")
        cached = try_to_load_from_cache(origin.repository, origin.filename, revision=origin.revision)
        if isinstance(cached, str):
            with open_local(Path(cached), offset, self.name) as local:
                yield ByteStream(offset, read_chunks(local, self.name))
        elif constants.HF_HUB_OFFLINE:
            raise SourceUnavailable(self.name, "offline mode, and the hub's cache does not have it")
        else:
            url = hf_hub_url(origin.repository, origin.filename, revision=origin.revision)
            token = get_token()
            headers = {"Authorization": f"Bearer {token}"} if token else {}  # dropped on redirects to other hosts
            with self._client.open(url, offset, headers) as stream:
                yield stream
