"""Blocking work in threads of its own, seen from the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from tympan.errors import Busy, Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tympan.cancel import Cancellation
    from tympan.errors import TympanError

ItemT = TypeVar("ItemT")
SummaryT = TypeVar("SummaryT")
ItemT_co = TypeVar("ItemT_co", covariant=True)
SummaryT_co = TypeVar("SummaryT_co", covariant=True)

MAX_RETRY_AFTER_S = 30.0  # whoever waits longer has gone


class Work(Protocol[ItemT_co, SummaryT_co]):
    """What a job does: a transcription or a speech under way."""

    def __iter__(self) -> Iterator[ItemT_co]:
        """Items in order, each made when it is asked for; raises what ended the work."""
        ...

    @property
    def summary(self) -> SummaryT_co:
        """Only after the last item."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


class Job(Generic[ItemT, SummaryT]):
    """One piece of work under way.

    With `room`, at most so many items wait unread, and a slow reader slows the work. Without, it does not: what has
    not been read waits here, and its place in the service is free as soon as the work is done.
    """

    def __init__(self, cancellation: Cancellation, room: int | None) -> None:
        self._cancellation = cancellation
        self._loop = asyncio.get_running_loop()
        self._items: asyncio.Queue[ItemT | SummaryT | BaseException] = asyncio.Queue()
        self._ended = asyncio.Event()
        self._room = None if room is None else threading.Semaphore(room)
        self._ended_by: TympanError | None = None

    async def next(self, timeout_s: float | None = None) -> ItemT | SummaryT | None:
        """Return the next item, or the summary as the last one; None when nothing came for `timeout_s` seconds.

        Raises what ended the work.
        """
        try:
            async with asyncio.timeout(timeout_s):
                item = await self._items.get()
        except TimeoutError:
            return None
        if self._room is not None:
            self._room.release()
        if isinstance(item, BaseException):
            raise item
        return item

    async def stop(self) -> None:
        """Cancel what is still under way and wait until its thread lets go of what the request holds."""
        self._cancellation.cancel()
        await self._ended.wait()

    def end_with(self, error: TympanError) -> None:
        """Stop the work; who waits for its items gets `error`."""
        self._ended_by = error
        self._cancellation.cancel()

    def run(self, begin: Callable[[], Work[ItemT, SummaryT]]) -> None:
        """Do the work; runs in a thread."""
        try:
            work = begin()
            try:
                for item in work:
                    self._wait_for_room()
                    self._post(item)
                    self._cancellation.check()
                self._post(work.summary)
            finally:
                work.close()
        except Cancelled as error:
            self._post(self._ended_by or error)
        except BaseException as error:  # noqa: BLE001  (it is raised where the result is awaited)
            self._post(error)

    def end(self) -> None:
        """Say that the thread is done."""
        self._call(self._ended.set)

    def _wait_for_room(self) -> None:
        if self._room is None or self._room.acquire(blocking=False):
            return
        forget = self._cancellation.on_cancel(self._room.release)
        self._room.acquire()
        forget()
        self._cancellation.check()

    def _post(self, item: ItemT | SummaryT | BaseException) -> None:
        self._call(lambda: self._items.put_nowait(item))

    def _call(self, callback: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits
            self._loop.call_soon_threadsafe(callback)


class Jobs:
    """Starts work of one kind; at most `limit` pieces are under way. To be used from one event loop."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._threads = ThreadPoolExecutor(limit, thread_name_prefix="tympan-request")
        self._lock = threading.Lock()
        self._running: dict[Cancellation, Job[Any, Any]] = {}
        self._finished = 0
        self._seconds = 0.0

    def check_room(self) -> None:
        """Raise `Busy` when nothing further can start now: before an upload is read for nothing."""
        with self._lock:
            self._require_room()

    def start(
        self, begin: Callable[[], Work[ItemT, SummaryT]], cancellation: Cancellation, *, room: int | None = None
    ) -> Job[ItemT, SummaryT]:
        """Begin in a thread; `room` is the `Job`'s. Raises `Busy`."""
        with self._lock:
            self._require_room()
            job: Job[ItemT, SummaryT] = Job(cancellation, room)
            self._running[cancellation] = job
        self._threads.submit(self._work, job, begin, cancellation)
        return job

    def end_all(self, error: TympanError) -> None:
        """Stop everything under way; its requests are answered with `error`."""
        with self._lock:
            running = list(self._running.values())
        for job in running:
            job.end_with(error)

    def close(self) -> None:
        """Cancel everything and wait for the threads."""
        self.end_all(Cancelled())
        self._threads.shutdown(cancel_futures=True)

    def _work(
        self, job: Job[ItemT, SummaryT], begin: Callable[[], Work[ItemT, SummaryT]], cancellation: Cancellation
    ) -> None:
        started = time.monotonic()
        try:
            job.run(begin)
        finally:
            with self._lock:
                del self._running[cancellation]
                self._finished += 1
                self._seconds += time.monotonic() - started
            job.end()

    def _require_room(self) -> None:
        """Raise `Busy` with the mean time between two ends of such work while all places are taken."""
        if len(self._running) >= self._limit:
            mean_s = self._seconds / self._finished if self._finished else 1.0
            raise Busy("service", min(MAX_RETRY_AFTER_S, mean_s / self._limit))
