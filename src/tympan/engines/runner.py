"""An engine in its child process, behind its fair queue: batches out, results in, deaths survived."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tympan.child import Child, resident_bytes
from tympan.engines.queue import FairQueue, Job
from tympan.engines.stats import EngineReport, EngineStats
from tympan.errors import EngineCrashed, EngineFailed, EngineUnavailable, TympanError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from tympan.cancel import Cancellation
    from tympan.engines.child import EngineSpec

POLL_S = 0.5  # how often a running batch's age is looked at
FIRST_BACKOFF_S = 1.0  # before a failed start is tried again; doubles
LAST_BACKOFF_S = 30.0
LOAD_TIMEOUT_S = 300.0  # a big model from a cold disk


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one engine. `batch(item)` is how many items like this may share a batch."""

    batch: Callable[[Any], int]
    key: Callable[[Any], Hashable]
    queue: int = 256
    timeout_s: float = 300.0
    idle_unload_s: float = 0.0  # 0: never


@dataclass(slots=True)
class _Batch:
    jobs: list[Job]
    sent_at: float


class EngineRunner:
    """Runs one engine. Safe from any thread.

    When the child dies, what was running is tried again item by item in a fresh child, nothing else beside it;
    an item with which the child dies again ends as `EngineCrashed`. All others finish.
    """

    def __init__(self, spec: EngineSpec, limits: Limits) -> None:
        self.spec = spec
        self.stats = EngineStats()
        self._limits = limits
        self._queue = FairQueue(spec.name, limits.queue, limits.key, self._retry_after)
        self._changed = threading.Condition()
        self._child: Child | None = None
        self._running: dict[int, _Batch] = {}
        self._suspects: deque[Job] = deque()
        self._next_batch = 0
        self._state = "stopped"
        self._detail = ""
        self._killed_because = ""
        self._wanted = False
        self._closed = False
        self._backoff_s = 0.0
        self._not_before = 0.0
        self._last_used = time.monotonic()
        self._receiver: threading.Thread | None = None
        self._sending = threading.Lock()  # held by who writes to the pipe, and by who closes it
        self._thread = threading.Thread(target=self._dispatch, name=f"{spec.name}-dispatch", daemon=True)
        self._thread.start()

    # -- what callers use ---------------------------------------------------------------------------------------

    def submit(self, item: Any, *, owner: Hashable, cancellation: Cancellation, wait: bool = False) -> Future[Any]:
        """Queue an item; the future gives its result, its `TympanError`, or is cancelled with `cancellation`.

        Raises `Busy` when the queue is full, unless `wait`.
        """
        job = Job(item, owner)
        self._queue.put(job, wait=wait, cancelled=lambda: cancellation.cancelled)

        def drop() -> None:
            self._queue.remove(job)
            job.future.cancel()  # a batch already running goes on; its result is dropped

        forget = cancellation.on_cancel(drop)
        job.future.add_done_callback(lambda _: forget())
        return job.future

    def start(self) -> None:
        """Begin to load, without waiting for it."""
        with self._changed:
            self._wanted = True
            if self._state == "stopped":
                self._state = "starting"
        self._queue.wake()

    def wait_ready(self, timeout_s: float) -> bool:
        """Wait until the engine has loaded and answered its probe."""
        with self._changed:
            return self._changed.wait_for(lambda: self._state in {"ready", "asleep", "failed"}, timeout_s) and (
                self._state != "failed"
            )

    def report(self) -> EngineReport:
        """Return the state and the counters."""
        child = self._child
        stats = self.stats
        return EngineReport(
            name=self.spec.name,
            state=self._state,
            detail=self._detail,
            queue_depth=len(self._queue),
            running=sum(len(batch.jobs) for batch in list(self._running.values())),
            batches=stats.batches,
            items=stats.items,
            restarts=stats.restarts,
            crashes=stats.crashes,
            busy_seconds=stats.busy_seconds,
            wait_seconds=stats.wait_seconds,
            loads=stats.loads,
            load_seconds=stats.load_seconds,
            memory_bytes=resident_bytes(child.pid) if child else 0,
        )

    @property
    def pid(self) -> int | None:
        """The child's process id, while there is one."""
        return self._child.pid if self._child else None

    def close(self) -> None:
        """End the child; what waits or runs is cancelled."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._queue.close()
        if self._child:
            self._child.kill()  # a decode under way has nobody to answer
        self._thread.join()
        if self._child:
            self._child.kill()  # one that has loaded meanwhile
        if self._receiver:
            self._receiver.join()
        for job in [*self._suspects, *(job for batch in self._running.values() for job in batch.jobs)]:
            job.future.cancel()
        self._state = "stopped"

    # -- the dispatcher's thread --------------------------------------------------------------------------------

    def _dispatch(self) -> None:
        while not self._closed:
            jobs = self._next_jobs()
            now = time.monotonic()
            jobs = [job for job in jobs if not job.future.done()]
            if not jobs:
                continue
            self.stats.add(wait_seconds=sum(now - job.queued_at for job in jobs if not job.suspect))
            try:
                while not self._send(self._ensure_child(), jobs):
                    pass
            except Exception as error:  # noqa: BLE001  (this thread must go on, whatever one batch meets)
                for job in jobs:
                    _settle(job, error)

    def _send(self, child: Child, jobs: list[Job]) -> bool:
        """Hand a batch to the child; false when it has died before the batch was its."""
        with self._changed:
            if self._child is not child:
                return False
            batch_id = self._next_batch
            self._next_batch += 1
            self._running[batch_id] = _Batch(jobs, time.monotonic())
        with self._sending, contextlib.suppress(OSError):  # it is dying: the receiver takes care of what it had
            child.connection.send((batch_id, [job.item for job in jobs]))
        return True

    def _next_jobs(self) -> list[Job]:
        """Wait for a free place and for work."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._free_places() > 0)
            if self._closed:
                return []
            if self._suspects:
                return [self._suspects.popleft()]
            free = self._free_places()
        if self._wanted and self._child is None and time.monotonic() >= self._not_before:
            with contextlib.suppress(TympanError):
                self._ensure_child()
        idle_s = self._limits.idle_unload_s
        jobs = self._queue.take(lambda item, waiting: self._batch_size(item, waiting, free), self._patience_s())
        if not jobs and idle_s and self._child is not None and self._idle_since() >= idle_s:
            self._unload()
        return jobs

    def _free_places(self) -> int:
        if self._suspects or any(job.suspect for batch in self._running.values() for job in batch.jobs):
            return 0 if self._running else 1  # a suspect runs alone, so that a death names its cause
        return self.spec.threads - len(self._running)

    def _batch_size(self, item: Any, waiting: int, free: int) -> int:
        return max(1, min(self._limits.batch(item), -(-waiting // free)))  # idle threads share what waits

    def _patience_s(self) -> float | None:
        if self._wanted and self._child is None:
            return max(0.0, self._not_before - time.monotonic())
        return self._limits.idle_unload_s or None

    def _idle_since(self) -> float:
        with self._changed:
            return 0.0 if self._running else time.monotonic() - self._last_used

    # -- the child ----------------------------------------------------------------------------------------------

    def _ensure_child(self) -> Child:
        if self._child is not None:
            return self._child
        if time.monotonic() < self._not_before:
            raise EngineUnavailable(self.spec.name, self._detail)
        self._wanted = True
        self._set_state("restarting" if self.stats.loads else "starting")
        began = time.monotonic()
        child = self._start_child()
        self._backoff_s = 0.0
        self.stats.add(loads=1, load_seconds=time.monotonic() - began)
        self._killed_because = ""
        self._last_used = time.monotonic()
        self._child = child
        self._set_state("ready")
        self._receiver = threading.Thread(
            target=self._receive, args=(child,), name=f"{self.spec.name}-receive", daemon=True
        )
        self._receiver.start()
        return child

    def _start_child(self) -> Child:
        """Start a child and wait until it has loaded. Raises `EngineUnavailable`, and remembers to try later."""
        try:
            child = Child("tympan.engines.child:main", self.spec)
        except OSError as error:  # no more processes, files or memory just now
            raise self._failed(error.strerror or str(error)) from error
        try:
            ready, detail = self._first_word(child)
        except (EOFError, OSError):
            ready, detail = "failed", child.how_it_ended()
        if ready == "ready":
            return child
        child.kill()
        child.stop()
        raise self._failed(str(detail))

    def _failed(self, reason: str) -> EngineUnavailable:
        self._backoff_s = min(LAST_BACKOFF_S, self._backoff_s * 2 or FIRST_BACKOFF_S)
        self._not_before = time.monotonic() + self._backoff_s
        self._set_state("failed", reason)
        return EngineUnavailable(self.spec.name, reason)

    def _first_word(self, child: Child) -> tuple[str, object]:
        deadline = time.monotonic() + LOAD_TIMEOUT_S
        while not self._closed and time.monotonic() < deadline:
            if child.connection.poll(POLL_S):
                word: tuple[str, object] = child.connection.recv()
                return word
        return "failed", "it was closed" if self._closed else "it did not load in time"

    def _unload(self) -> None:
        """End the process: only so does the memory really come back."""
        with self._changed:
            child, self._child = self._child, None
            self._wanted = False
            self._set_state("asleep")
        if child:
            with self._sending, contextlib.suppress(OSError):
                child.connection.send(None)

    # -- the receiver's thread ----------------------------------------------------------------------------------

    def _receive(self, child: Child) -> None:
        try:
            while True:
                if not child.connection.poll(POLL_S):
                    self._end_overdue(child)
                    continue
                batch_id, results = child.connection.recv()
                with self._changed:
                    batch = self._running.pop(batch_id)
                    self._last_used = time.monotonic()
                    self._changed.notify_all()
                self.stats.add(batches=1, items=len(results), busy_seconds=time.monotonic() - batch.sent_at)
                for job, result in zip(batch.jobs, results, strict=True):
                    _settle(job, result)
        except Exception as error:  # noqa: BLE001  (a result that cannot be read is as good as no child)
            if not isinstance(error, EOFError | OSError):
                self._killed_because = f"its answer could not be read ({type(error).__name__})"
                child.kill()
            if self._child is child and not self._closed:
                self._bury(child)
            child.reap()
            with self._sending:
                child.stop()

    def _end_overdue(self, child: Child) -> None:
        with self._changed:
            oldest = min((batch.sent_at for batch in self._running.values()), default=time.monotonic())
        if time.monotonic() - oldest > self._limits.timeout_s:
            self._killed_because = f"it took longer than {self._limits.timeout_s:g} seconds"
            child.kill()

    def _bury(self, child: Child) -> None:
        reason = self._killed_because or child.how_it_ended()
        crashed: list[Job] = []
        with self._changed:
            self._child = None
            for batch in self._running.values():
                for job in batch.jobs:
                    if job.suspect:
                        crashed.append(job)
                    else:
                        job.suspect = True
                        self._suspects.append(job)
            self._running.clear()
            self._set_state("restarting", reason)
        self.stats.add(restarts=1, crashes=len(crashed))
        for job in crashed:
            _settle(job, EngineCrashed(self.spec.name, reason))
        self._queue.wake()

    def _set_state(self, state: str, detail: str = "") -> None:
        with self._changed:
            self._state, self._detail = state, detail
            self._changed.notify_all()

    def _retry_after(self, waiting: int) -> float:
        return waiting * self.stats.seconds_per_item() / self.spec.threads


def _settle(job: Job, result: object) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled while it ran
        if isinstance(result, TympanError):
            job.future.set_exception(result)
        elif isinstance(result, BaseException):
            job.future.set_exception(EngineFailed("engine", f"{type(result).__name__}: {result}"))
        else:
            job.future.set_result(result)
