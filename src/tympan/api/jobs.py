"""Blocking transcriptions in threads of their own, seen from the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from tympan.errors import Busy
from tympan.listen.results import Segment, Summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from tympan.cancel import Cancellation
    from tympan.listen.request import ListenRequest
    from tympan.listen.results import Listener

Item = Segment | Summary
MAX_RETRY_AFTER_S = 30.0  # whoever waits longer has gone


class Quiet(Exception):
    """Nothing came in time; the work goes on."""


class Job:
    """One transcription under way.

    A slow reader does not slow the work: what it has not read waits here, a megabyte of text for ten hours of
    speech. That way its place in the service is free as soon as the work is done.
    """

    def __init__(self, cancellation: Cancellation) -> None:
        self._cancellation = cancellation
        self._loop = asyncio.get_running_loop()
        self._items: asyncio.Queue[Item | BaseException] = asyncio.Queue()
        self._ended = asyncio.Event()

    async def next(self, timeout_s: float | None = None) -> Item:
        """Return the next segment, or the summary as the last item.

        Raises what ended the work, and `Quiet` when nothing came for `timeout_s` seconds.
        """
        try:
            async with asyncio.timeout(timeout_s):
                item = await self._items.get()
        except TimeoutError:
            raise Quiet from None
        if isinstance(item, BaseException):
            raise item
        return item

    async def stop(self) -> None:
        """Cancel what is still under way and wait until its thread lets go of the upload."""
        self._cancellation.cancel()
        await self._ended.wait()

    def run(self, listener: Listener, request: ListenRequest) -> None:
        """Do the work; runs in a thread."""
        try:
            transcription = listener.transcribe(request, self._cancellation)
            try:
                for segment in transcription:
                    self._post(segment)
                    self._cancellation.check()
                self._post(transcription.summary)
            finally:
                transcription.close()
        except BaseException as error:  # noqa: BLE001  (it is raised where the result is awaited)
            self._post(error)

    def end(self) -> None:
        """Say that the thread is done."""
        self._call(self._ended.set)

    def _post(self, item: Item | BaseException) -> None:
        self._call(lambda: self._items.put_nowait(item))

    def _call(self, callback: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits
            self._loop.call_soon_threadsafe(callback)


class Jobs:
    """Starts transcriptions; at most `limit` are under way. To be used from one event loop."""

    def __init__(self, listener: Listener, limit: int) -> None:
        self._listener = listener
        self._limit = limit
        self._threads = ThreadPoolExecutor(limit, thread_name_prefix="tympan-request")
        self._lock = threading.Lock()
        self._running: set[Cancellation] = set()
        self._finished = 0
        self._seconds = 0.0

    def check_room(self) -> None:
        """Raise `Busy` when no further transcription can start now: before an upload is read for nothing."""
        with self._lock:
            self._require_room()

    def start(self, request: ListenRequest, cancellation: Cancellation) -> Job:
        """Begin in a thread; raises `Busy`."""
        with self._lock:
            self._require_room()
            self._running.add(cancellation)
        job = Job(cancellation)
        self._threads.submit(self._work, job, request, cancellation)
        return job

    def close(self) -> None:
        """Cancel everything and wait for the threads."""
        with self._lock:
            running = list(self._running)
        for cancellation in running:
            cancellation.cancel()
        self._threads.shutdown(cancel_futures=True)

    def _work(self, job: Job, request: ListenRequest, cancellation: Cancellation) -> None:
        started = time.monotonic()
        try:
            job.run(self._listener, request)
        finally:
            with self._lock:
                self._running.discard(cancellation)
                self._finished += 1
                self._seconds += time.monotonic() - started
            job.end()

    def _require_room(self) -> None:
        """Raise `Busy` with the mean time between two ends of transcriptions while all places are taken."""
        if len(self._running) >= self._limit:
            mean_s = self._seconds / self._finished if self._finished else 1.0
            raise Busy("service", min(MAX_RETRY_AFTER_S, mean_s / self._limit))
