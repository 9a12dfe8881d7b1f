"""Bringing what is missing into the store: several files at a time, each from the first source that has it."""

from __future__ import annotations

from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from tympan.cancel import Cancellation
from tympan.errors import FetchFailed, SourceUnavailable, StoreUnwritable, WrongBytes
from tympan.weights.catalog import load_catalog
from tympan.weights.partial import PartialFile
from tympan.weights.sources import open_sources
from tympan.weights.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.settings import Settings, SourceSettings
    from tympan.weights.catalog import CatalogFile
    from tympan.weights.progress import Progress
    from tympan.weights.sources.base import WeightSource

LOCK_POLL_S = 0.2  # how often a process that waits looks whether it is cancelled
MAX_TRIES = 6  # of one source for one file, as long as each brings further bytes
EARLIER_FETCH = "an earlier fetch"  # who gave a partial file that turns out to be whole


def ensure(names: Sequence[str], settings: Settings, progress: Progress, cancellation: Cancellation) -> Store:
    """Fetch what is missing of bundles and sets; return the store, which then has all their files.

    Raises `UnknownBundle`, `FetchFailed`, `StoreUnwritable` and `Cancelled`.
    """
    store = Store(settings.weights)
    fetch(load_catalog().files(names), store, settings.sources, progress, cancellation)
    return store


def fetch(
    files: Sequence[CatalogFile],
    store: Store,
    settings: SourceSettings,
    progress: Progress,
    cancellation: Cancellation,
) -> None:
    """Fetch the files that are missing. A store that has them all is only read.

    One process at a time fetches into a store; another waits, and then finds the files there. When a file
    cannot be had, those in progress are finished and no further one is begun.
    Raises `FetchFailed`, `StoreUnwritable` and `Cancelled`.
    """
    if not store.missing(files):
        return
    with exclusive(store, progress, cancellation):
        missing = store.missing(files)
        if not missing:
            return
        stop = Cancellation()
        remove = cancellation.on_cancel(stop.cancel)
        progress.begin(missing)
        try:
            with open_sources(settings, stop) as sources, ThreadPoolExecutor(settings.parallel) as pool:
                fetcher = _Fetcher(store, sources, progress, stop)
                _all_or_first_error([pool.submit(fetcher.fetch, file) for file in missing], stop)
        finally:
            progress.end()
            remove()


@contextmanager
def exclusive(store: Store, progress: Progress, cancellation: Cancellation) -> Iterator[None]:
    """Hold the store's lock, which the system releases when a process dies.

    Raises `Cancelled` while it waits and `StoreUnwritable` when there can be no lock.
    """
    lock = FileLock(store.lock_path)
    told = False
    try:
        store.root.mkdir(parents=True, exist_ok=True)
        while not lock.is_locked:
            cancellation.check()
            try:
                lock.acquire(timeout=LOCK_POLL_S)
            except Timeout:
                if not told:
                    progress.say(f"Waiting for another process that fetches into {store.root}")
                told = True
    except OSError as error:
        raise StoreUnwritable(store.root, (error.strerror or str(error)).lower()) from error
    try:
        yield
    finally:
        lock.release()


def _all_or_first_error(futures: Sequence[Future[None]], stop: Cancellation) -> None:
    try:
        wait(futures, return_when=FIRST_EXCEPTION)
        for future in futures:
            future.cancel()  # does nothing to those that run
        wait(futures)
    except BaseException:  # an interrupt from the keyboard: nobody waits any more
        stop.cancel()
        raise
    for future in futures:
        if not future.cancelled():
            future.result()


class _Fetcher:
    """One fetch; `fetch` runs in several threads."""

    def __init__(
        self, store: Store, sources: Sequence[WeightSource], progress: Progress, cancellation: Cancellation
    ) -> None:
        self._store = store
        self._sources = sources
        self._progress = progress
        self._cancellation = cancellation

    def fetch(self, file: CatalogFile) -> None:
        """Bring one file into its place, from the first source that gives the right bytes."""
        reasons: list[tuple[str, str]] = []
        with PartialFile(file, self._store.path(file), self._cancellation) as partial:
            if partial.complete and self._is_right(partial):
                self._progress.finish(file, EARLIER_FETCH)
                return
            for source in self._sources:
                if not source.offers(file):
                    continue
                self._cancellation.check()
                self._progress.asking(file, source.name)
                try:
                    self._take(source, file, partial)
                except (SourceUnavailable, WrongBytes) as error:
                    reasons.append((source.name, error.reason))
                    self._progress.say(f"{file.path}: {source.name}: {error.reason}")
                else:
                    self._progress.finish(file, source.name)
                    return
        raise FetchFailed(file.path, reasons, self._store.root)

    def _is_right(self, partial: PartialFile) -> bool:
        try:
            partial.commit(EARLIER_FETCH)
        except WrongBytes:
            partial.restart()
            return False
        return True

    def _take(self, source: WeightSource, file: CatalogFile, partial: PartialFile) -> None:
        """Take the file from one source.

        A connection that broke is picked up where it ended. Wrong bytes that began in an earlier try are
        thrown away and the source is asked for all of them, since it may be free of blame.
        """
        for tries_left in reversed(range(MAX_TRIES)):
            before = partial.position
            try:
                with source.open(file, before) as stream:
                    partial.continue_at(stream.start)
                    for chunk in stream.chunks:
                        self._cancellation.check()
                        partial.write(chunk, source.name)
                        self._progress.at(file, partial.position)
                partial.commit(source.name)
            except WrongBytes:
                blameless = partial.continued
                partial.restart()
                if not (blameless and tries_left):
                    raise
            except SourceUnavailable:
                if partial.position <= before or not tries_left:
                    raise
            else:
                return
