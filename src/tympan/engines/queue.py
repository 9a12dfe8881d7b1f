"""The fair queue in front of an engine: requests take turns, and what waits is batched across them."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tympan.errors import Busy

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable


@dataclass(eq=False, slots=True)
class Job:
    """One item of one request. `owner` is what takes turns."""

    item: Any
    owner: Hashable
    future: Future[Any] = field(default_factory=Future)
    queued_at: float = field(default_factory=time.monotonic)
    suspect: bool = False  # was running when a child died


class FairQueue:
    """Round robin between owners, first come first served within one; bounded; safe from any thread.

    `key` tells which items may share a batch. `retry_after` estimates, in seconds, when there will be room.
    """

    def __init__(
        self, name: str, limit: int, key: Callable[[Any], Hashable], retry_after: Callable[[int], float]
    ) -> None:
        self._name = name
        self._limit = limit
        self._key = key
        self._retry_after = retry_after
        self._changed = threading.Condition()
        self._waiting: OrderedDict[Hashable, deque[Job]] = OrderedDict()
        self._count = 0
        self._closed = False
        self._woken = False

    def __len__(self) -> int:
        return self._count

    def put(self, job: Job, *, wait: bool = False, cancelled: Callable[[], bool] = lambda: False) -> None:
        """Add a job; when the queue is full raise `Busy`, or with `wait` hold the caller until there is room.

        A request whose work has begun waits: it has its place already, and refusing it would lose what is done.
        """
        with self._changed:
            while self._count >= self._limit and not self._closed:
                if not wait:
                    raise Busy(f"{self._name} queue", self._retry_after(self._count))
                if cancelled():
                    job.future.cancel()
                    return
                self._changed.wait(0.1)
            if self._closed:
                job.future.cancel()
                return
            self._waiting.setdefault(job.owner, deque()).append(job)
            self._count += 1
            self._changed.notify_all()

    def remove(self, job: Job) -> bool:
        """Take a job out that is no longer wanted; false when it is not waiting any more."""
        with self._changed:
            jobs = self._waiting.get(job.owner)
            if jobs is None or job not in jobs:
                return False
            jobs.remove(job)
            self._took(job.owner)
            return True

    def take(self, most: Callable[[Any, int], int], timeout_s: float | None) -> list[Job]:
        """Wait for work and return a batch: the head of the owner whose turn it is, and heads that fit it.

        Other owners' heads come before a second one of the same owner. `most(item, waiting)` bounds the batch,
        given its first item and how many jobs wait. Empty when `timeout_s` passed, when the queue was closed or
        somebody called `wake`. Never waits to fill a batch.
        """
        with self._changed:
            self._woken = False
            self._changed.wait_for(lambda: self._count or self._closed or self._woken, timeout_s)
            if not self._count or self._closed:
                return []
            batch: list[Job] = []
            key: Hashable = None
            limit = most(next(iter(self._waiting.values()))[0].item, self._count)
            while len(batch) < limit:
                took = False
                for owner in list(self._waiting):
                    jobs = self._waiting[owner]
                    if batch and self._key(jobs[0].item) != key:
                        continue
                    job = jobs.popleft()
                    key = self._key(job.item)
                    batch.append(job)
                    took = True
                    self._took(owner)
                    if len(batch) == limit:
                        break
                if not took:
                    break
            return batch

    def wake(self) -> None:
        """Let whoever waits in `take` look again."""
        with self._changed:
            self._woken = True
            self._changed.notify_all()

    def close(self) -> None:
        """Cancel what waits; nothing more is taken."""
        with self._changed:
            self._closed = True
            for jobs in self._waiting.values():
                for job in jobs:
                    job.future.cancel()
            self._waiting.clear()
            self._count = 0
            self._changed.notify_all()

    def _took(self, owner: Hashable) -> None:
        self._count -= 1
        if self._waiting[owner]:
            self._waiting.move_to_end(owner)
        else:
            del self._waiting[owner]
        self._changed.notify_all()
