"""The bounded stage between requests and models: one worker, a short queue, and results that wait to be fetched.

Everything a request holds is one reservation, from its admission until whoever fetched the result lets it go. What
is not fetched stops the worker: prepared features never pile up.
"""

from __future__ import annotations

import logging
import threading
import weakref
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tympan.cancel import Cancellation
from tympan.errors import Busy, FeatureCrash, InputError, InputWorkerGone, MemoryRefused, TympanError
from tympan.inputs.plan import make_plan
from tympan.inputs.polling import CancelledAt, Checkpoint, Poll
from tympan.inputs.preparation import prepare
from tympan.inputs.tally import Tally
from tympan.inputs.wav import read_wav

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Self

    from tympan.errors import Rejection
    from tympan.inputs.budget import Budget, Reservation
    from tympan.inputs.checkpoint import Checkpoint as Model
    from tympan.inputs.clips import Clip, ClipReader
    from tympan.inputs.plan import Plan
    from tympan.inputs.preparation import Prepared, Prompt

QUEUE_DEPTH, RESULT_DEPTH = 8, 2
RETRY_S = 1.0  # a full queue of half-minute clips is done within this

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lease:
    """A prepared result and the memory that it holds until `release`, or until nobody refers to it."""

    prepared: Prepared
    reservation: Reservation

    def release(self) -> None:
        """Give the memory back; further calls do nothing."""
        self.reservation.release()

    def __enter__(self) -> Prepared:
        return self.prepared

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class _Job:
    """A request in the stage. What is in it changes under the stage's lock."""

    def __init__(self, work: _Work, reservation: Reservation) -> None:
        self.work: _Work | None = work  # until it is begun, so that encoded bytes do not wait with a result
        self.reservation: Reservation | None = reservation  # until a lease has it
        self.cancellation = Cancellation()
        self.outcome: Lease | TympanError | None = None
        self.unlink: Callable[[], None] = lambda: None  # from the request's own cancellation


class _Work(NamedTuple):
    plan: Plan
    model: Model
    prompt: Prompt | None


class Ticket:
    """A caller's hold on its request; when it is dropped, so is the request."""

    def __init__(self, stage: Stage, job: _Job) -> None:
        self._stage = stage
        self._job = job
        self._drop = weakref.finalize(self, job.cancellation.cancel)
        self._drop.atexit = False

    def take(self, timeout_s: float | None = None) -> Lease:
        """Wait for the result and fetch it. Raises the request's error, or `TimeoutError`; a ticket is taken once."""
        lease = self._stage._take(self._job, timeout_s)  # noqa: SLF001  (one thing in two classes)
        self._drop.detach()
        return lease


class Stage:
    """The queue and its worker. `submit` may be called from any thread."""

    def __init__(
        self,
        budget: Budget,
        *,
        queue_depth: int = QUEUE_DEPTH,
        result_depth: int = RESULT_DEPTH,
        reader: ClipReader = read_wav,
    ) -> None:
        self.budget = budget
        self.tally = Tally()
        self._queue_depth = queue_depth
        self._result_depth = result_depth
        self._reader = reader
        self._changed = threading.Condition(threading.RLock())  # a ticket may be dropped within any call
        self._queue: deque[_Job] = deque()
        self._running: _Job | None = None
        self._waiting: set[_Job] = set()  # jobs with a result that nobody has fetched
        self._closed = False
        self._worker = threading.Thread(target=self._work, name="model-input", daemon=True)
        self._worker.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def queued(self) -> int:
        """Requests that wait."""
        return len(self._queue)

    def submit(
        self, clips: Sequence[Clip], model: Model, cancellation: Cancellation, prompt: Prompt | None = None
    ) -> Ticket:
        """Check a request, reserve its memory and queue it.

        Raises an `InputError`, `MemoryRefused`, `Busy` or `InputWorkerGone`, each counted under its reason, or
        `CancelledAt`.
        """
        try:
            Poll(cancellation, Checkpoint.QUEUE)()
            plan = make_plan(clips, model, cancellation, self._reader)
            job = _Job(_Work(plan, model, prompt), self.budget.reserve(plan.totals.encoded_bytes, plan.host_bytes))
        except InputError as error:
            self.tally.rejected(error.rejection)
            raise
        except MemoryRefused:
            self.tally.rejected("memory_limit")
            raise
        except CancelledAt:
            self.tally.cancelled()
            raise
        job.cancellation.on_cancel(lambda: self._give_up(job))
        job.unlink = cancellation.on_cancel(job.cancellation.cancel)
        self._enqueue(job)
        return Ticket(self, job)

    def close(self) -> None:
        """Refuse what waits, drop what nobody fetched, and end the worker."""
        with self._changed:
            self._closed = True
            left = [*self._queue, *self._waiting]
            if self._running is not None:
                left.append(self._running)
        for job in left:
            job.cancellation.cancel()
        with self._changed:
            self._changed.notify_all()
        self._worker.join()

    def _enqueue(self, job: _Job) -> None:
        with self._changed:
            if not self._closed and len(self._queue) < self._queue_depth:
                self._queue.append(job)
                self._changed.notify_all()
                return
            error = InputWorkerGone() if self._closed else Busy("queue of audio for models", RETRY_S)
        job.unlink()
        _release(job)
        self.tally.rejected("worker_unavailable" if isinstance(error, InputWorkerGone) else "queue_full")
        raise error

    def _give_up(self, job: _Job) -> None:
        """Take a cancelled job out of wherever it waits; one that is being worked on notices by itself."""
        with self._changed:
            if job in self._queue:
                self._queue.remove(job)
                self._fail(job, CancelledAt(Checkpoint.QUEUE))
            elif job in self._waiting:
                self._waiting.remove(job)
                if isinstance(job.outcome, Lease):
                    job.outcome.release()
                self._fail(job, CancelledAt(Checkpoint.QUEUE))
            self._changed.notify_all()

    def _fail(self, job: _Job, error: TympanError) -> None:
        """End a job with an error, which is counted, and give its memory back."""
        if isinstance(error, CancelledAt) and self._closed:
            error = InputWorkerGone()
        if isinstance(error, CancelledAt):
            self.tally.cancelled()
        else:
            self.tally.rejected(_reason(error))
        with self._changed:
            _release(job)
            job.unlink()
            job.work = None
            job.outcome = error
            self._changed.notify_all()

    def _take(self, job: _Job, timeout_s: float | None) -> Lease:
        with self._changed:
            if not self._changed.wait_for(lambda: job.outcome is not None, timeout_s):
                raise TimeoutError
            outcome, job.outcome = job.outcome, InputWorkerGone()
            self._waiting.discard(job)
            self._changed.notify_all()
        job.unlink()
        if isinstance(outcome, Lease):
            return outcome
        raise outcome or InputWorkerGone()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._closed)
                if self._closed:
                    return
                job = self._running = self._queue.popleft()
            try:
                self._hand_off(job, self._prepared(job))
            except TympanError as error:
                self._fail(job, error)
            with self._changed:
                self._running = None
            del job  # a result belongs to whoever fetched it

    def _prepared(self, job: _Job) -> Prepared:
        work, job.work = job.work, None
        if work is None or job.cancellation.cancelled:
            raise CancelledAt(Checkpoint.QUEUE)
        try:
            return prepare(work.plan, work.model, job.cancellation, work.prompt)
        except TympanError:
            raise
        except MemoryError as error:
            raise MemoryRefused("bytes of memory", work.plan.host_bytes, 0) from error
        except BaseException as error:  # whatever it is, it is this request's and not the worker's end
            log.exception("preparing audio for %s failed", work.model.family)
            raise FeatureCrash(f"{type(error).__name__}: {error}") from error

    def _hand_off(self, job: _Job, prepared: Prepared) -> None:
        """Wait for room among the results; the worker stands still meanwhile."""
        with self._changed:
            self._changed.wait_for(
                lambda: len(self._waiting) < self._result_depth or job.cancellation.cancelled or self._closed
            )
            if job.cancellation.cancelled or self._closed or job.reservation is None:
                raise CancelledAt(Checkpoint.FEATURE)
            job.outcome, job.reservation = Lease(prepared, job.reservation), None
            self._waiting.add(job)
            self.tally.prepared(prepared)
            self._changed.notify_all()


def _release(job: _Job) -> None:
    if job.reservation is not None:
        job.reservation.release()
        job.reservation = None


def _reason(error: TympanError) -> Rejection:
    if isinstance(error, InputError):
        return error.rejection
    if isinstance(error, MemoryRefused):
        return "memory_limit"
    return "worker_unavailable" if isinstance(error, InputWorkerGone) else "feature_panic"
