import contextlib
import gc
import random
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

import pytest
from tests.inputs.makers import clips, encoded, model, silence

from tympan.cancel import Cancellation
from tympan.errors import (
    Busy,
    ContextTooLong,
    FeatureCrash,
    InputOverflow,
    InputWorkerGone,
    LimitExceeded,
    MalformedClip,
    MemoryRefused,
    TympanError,
)
from tympan.inputs.budget import Budget
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.preparation import Prompt
from tympan.inputs.stage import Stage
from tympan.inputs.tally import REASONS

GEMMA = model("gemma3n")
WAIT_S = 30.0
TINY = silence(800, 8000)


def budget():
    return Budget(512 * 2**20, 1280 * 2**20)


@dataclass(frozen=True)
class Gate:
    """A frontend that stands still in its features until it is opened, and notes who came."""

    inner: Any
    open: threading.Event
    came: list[int]

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def extract(self, shapes, waveforms, poll):
        self.came.append(shapes[0].samples)
        while not self.open.wait(0.001):
            poll(1)()
        return self.inner.extract(shapes, waveforms, poll)


def gated():
    gate = Gate(GEMMA.frontend, threading.Event(), [])
    return replace(GEMMA, frontend=gate), gate


def until(condition):
    deadline = time.monotonic() + WAIT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def settled(stage):
    gc.collect()
    until(lambda: (stage.budget.encoded, stage.budget.host) == (0, 0))


def test_a_result_holds_its_memory_until_it_is_released():
    with Stage(budget()) as stage:
        lease = stage.submit(clips(TINY), GEMMA, Cancellation()).take(WAIT_S)
        assert stage.budget.encoded == len(TINY)
        assert stage.budget.host > lease.prepared.size + len(TINY)
        with lease as prepared:
            assert prepared.totals.source_samples == 800
            assert prepared.totals.normalized_samples == 1600
            assert prepared.totals.tokens == 188
        assert (stage.budget.encoded, stage.budget.host) == (0, 0)


def test_a_result_that_is_dropped_gives_its_memory_back():
    with Stage(budget()) as stage:
        lease = stage.submit(clips(TINY), GEMMA, Cancellation()).take(WAIT_S)
        del lease
        settled(stage)


def test_first_come_first_served_and_everything_is_counted():
    model_, gate = gated()
    with Stage(budget(), queue_depth=32, result_depth=32) as stage:
        tickets = [stage.submit(clips(silence(800 + index)), model_, Cancellation()) for index in range(32)]
        gate.open.set()
        for index, ticket in enumerate(tickets):
            with ticket.take(WAIT_S) as prepared:
                assert prepared.totals.source_samples == 800 + index
        assert gate.came == [800 + index for index in range(32)]
        counts = stage.tally.counts()
        assert (counts.prepared, counts.tokens, counts.prefill_tokens) == (32, 32 * 188, 32 * 190)
        assert counts.source_samples == counts.normalized_samples == sum(range(800, 832))
        assert counts.latency_micros >= 32
        assert counts.frames == sum(1 + (-(-n // 128) * 128 - 513) // 160 for n in range(800, 832))
        settled(stage)


def test_a_full_queue_is_refused_and_holds_nothing():
    model_, gate = gated()
    with Stage(budget(), queue_depth=1) as stage:
        first = stage.submit(clips(TINY), model_, Cancellation())
        until(lambda: gate.came)
        second = stage.submit(clips(TINY), model_, Cancellation())
        before = stage.budget.host
        with pytest.raises(Busy) as caught:
            stage.submit(clips(TINY), model_, Cancellation())
        assert caught.value.status == 429
        assert stage.budget.host == before
        assert stage.tally.counts().rejections["queue_full"] == 1
        gate.open.set()
        first.take(WAIT_S).release()
        second.take(WAIT_S).release()
        settled(stage)


def test_a_stalled_consumer_stops_the_production():
    model_, gate = gated()
    gate.open.set()
    with Stage(budget(), result_depth=1) as stage:
        tickets = [stage.submit(clips(silence(800 + index)), model_, Cancellation()) for index in range(4)]
        until(lambda: len(gate.came) == 2)  # one result waits to be fetched, one to be handed over
        time.sleep(0.05)
        assert gate.came == [800, 801]
        tickets[0].take(WAIT_S).release()
        until(lambda: len(gate.came) == 3)
        for ticket in tickets[1:]:
            ticket.take(WAIT_S).release()
        settled(stage)


def test_a_caller_who_leaves_does_not_stop_the_others():
    model_, gate = gated()
    gate.open.set()
    with Stage(budget(), result_depth=1) as stage:
        left = stage.submit(clips(TINY), model_, Cancellation())
        cancellation = Cancellation()
        stage.submit(clips(silence(801)), model_, cancellation)
        other = stage.submit(clips(silence(802)), model_, Cancellation())
        until(lambda: len(gate.came) >= 2)
        del left  # dropped without a word
        cancellation.cancel()
        with other.take(WAIT_S) as prepared:
            assert prepared.totals.source_samples == 802
        settled(stage)


def test_cancelling_leaves_the_queue_at_once():
    model_, gate = gated()
    with Stage(budget()) as stage:
        running, waiting = Cancellation(), Cancellation()
        first = stage.submit(clips(TINY), model_, running)
        until(lambda: gate.came)
        held = stage.budget.host
        second = stage.submit(clips(TINY), model_, waiting)
        waiting.cancel()
        assert stage.queued == 0
        assert stage.budget.host == held
        with pytest.raises(CancelledAt) as caught:
            second.take(WAIT_S)
        assert caught.value.checkpoint is Checkpoint.QUEUE
        running.cancel()
        with pytest.raises(CancelledAt) as caught:
            first.take(WAIT_S)
        assert caught.value.checkpoint is Checkpoint.FEATURE
        assert stage.tally.counts().cancelled == 2
        assert sum(stage.tally.counts().rejections.values()) == 0
        settled(stage)


def test_a_request_that_is_cancelled_already_is_not_taken():
    cancellation = Cancellation()
    cancellation.cancel()
    with Stage(budget()) as stage:
        with pytest.raises(CancelledAt) as caught:
            stage.submit(clips(TINY), GEMMA, cancellation)
        assert caught.value.checkpoint is Checkpoint.QUEUE
        assert stage.tally.counts().cancelled == 1


def test_a_result_that_nobody_has_fetched_can_still_be_cancelled():
    with Stage(budget()) as stage:
        cancellation = Cancellation()
        ticket = stage.submit(clips(TINY), GEMMA, cancellation)
        until(lambda: stage.tally.counts().prepared)
        cancellation.cancel()
        assert stage.budget.host == 0
        with pytest.raises(CancelledAt):
            ticket.take(WAIT_S)


def test_a_take_can_time_out_and_be_tried_again():
    model_, gate = gated()
    with Stage(budget()) as stage:
        ticket = stage.submit(clips(TINY), model_, Cancellation())
        with pytest.raises(TimeoutError):
            ticket.take(0.01)
        gate.open.set()
        ticket.take(WAIT_S).release()


class Crash(Exception):
    pass


def crashing(error=Crash):
    def encode(_):
        raise error

    return Prompt("<audio_soft_token>", encode)


def rejected(stage, reason, error, *, opened=GEMMA, payload=TINY, prompt=None):
    with pytest.raises(error):
        stage.submit(clips(payload), opened, Cancellation(), prompt).take(WAIT_S)
    counts = stage.tally.counts()
    assert {name: count for name, count in counts.rejections.items() if count} == {reason: 1}
    settled(stage)


def test_every_reason_is_there_from_the_start():
    with Stage(budget()) as stage:
        assert stage.tally.counts().rejections == dict.fromkeys(REASONS, 0)
    assert len(REASONS) == 8


def test_reason_waveform():
    with Stage(budget()) as stage:
        rejected(stage, "waveform", MalformedClip, payload=b"RIFF")
    with Stage(budget()) as stage:
        rejected(stage, "waveform", LimitExceeded, payload=silence(31 * 16000))


def test_reason_feature():
    with Stage(budget()) as stage:
        rejected(stage, "feature", TympanError, prompt=Prompt("<audio_soft_token>", lambda _: [1]))


def test_reason_feature_panic_and_the_worker_lives_on():
    with Stage(budget()) as stage:
        rejected(stage, "feature_panic", FeatureCrash, prompt=crashing())
        stage.submit(clips(TINY), GEMMA, Cancellation()).take(WAIT_S).release()
        with pytest.raises(FeatureCrash, match="SystemExit"):
            stage.submit(clips(TINY), GEMMA, Cancellation(), crashing(SystemExit(3))).take(WAIT_S)
        stage.submit(clips(TINY), GEMMA, Cancellation()).take(WAIT_S).release()
        settled(stage)


def test_reason_context_limit():
    ids = [256_000, *[262_273] * 188, 262_272]
    prompt = Prompt("<audio_soft_token>", lambda _: ids, max_tokens=189)
    with Stage(budget()) as stage:
        rejected(stage, "context_limit", ContextTooLong, prompt=prompt)


def test_reason_memory_limit():
    with Stage(Budget(10, 10**9)) as stage:
        rejected(stage, "memory_limit", MemoryRefused)
    with Stage(budget()) as stage:
        rejected(stage, "memory_limit", MemoryRefused, prompt=crashing(MemoryError()))
    small = replace(GEMMA, policy=replace(GEMMA.policy, max_prepared_result_bytes=100))
    with Stage(budget()) as stage:
        rejected(stage, "memory_limit", TympanError, opened=small)


def test_reason_overflow():
    huge = replace(GEMMA, policy=replace(GEMMA.policy, max_source_samples_per_request=2**70))
    with Stage(budget(), reader=encoded(16000, 2**63)) as stage:
        rejected(stage, "overflow", InputOverflow, opened=huge)


def test_reason_worker_unavailable():
    stage = Stage(budget())
    stage.close()
    rejected(stage, "worker_unavailable", InputWorkerGone)


def test_shutdown_ends_what_runs_waits_and_was_not_fetched():
    model_, gate = gated()
    stage = Stage(budget())
    done = stage.submit(clips(TINY), GEMMA, Cancellation())
    until(lambda: stage.tally.counts().prepared)
    running = stage.submit(clips(TINY), model_, Cancellation())
    until(lambda: gate.came)
    waiting = stage.submit(clips(TINY), model_, Cancellation())
    stage.close()
    for ticket in (done, running, waiting):
        with pytest.raises(InputWorkerGone):
            ticket.take(WAIT_S)
    settled(stage)


def test_small_requests_run_side_by_side_under_the_ceiling():
    """What is reserved are the sizes in the headers, not the policy's: ten clips of Phi fit, not one."""
    model_, gate = model("phi4mm"), threading.Event()
    stopped = replace(model_, frontend=Gate(model_.frontend, gate, []))
    with Stage(budget(), queue_depth=16, result_depth=16) as stage:
        tickets = [stage.submit(clips(silence(16000)), stopped, Cancellation()) for _ in range(10)]
        assert stage.budget.host < 10 * 2**20
        gate.set()
        for ticket in tickets:
            ticket.take(WAIT_S).release()
        settled(stage)


def test_nothing_leaks_under_random_ends():
    """10,000 jobs that are fetched, dropped, cancelled, refused, crash, or are in the stage when it is closed."""
    shared = budget()
    for round_ in range(4):
        stage = Stage(shared)
        threads = [
            threading.Thread(target=_storm, args=(stage, random.Random(10 * round_ + index), 1250))
            for index in range(2)
        ]
        for thread in threads:
            thread.start()
        if round_ % 2:
            until(lambda stage=stage: stage.tally.counts().prepared > 100)
            stage.close()
        for thread in threads:
            thread.join()
        stage.close()
        gc.collect()
        assert (shared.encoded, shared.host) == (0, 0)
        counts = stage.tally.counts()
        assert counts.cancelled > 0
        assert counts.rejections["feature_panic"] > 0
        assert counts.rejections["waveform"] > 0


def _storm(stage, chance, jobs):
    for _ in range(jobs):
        cancellation = Cancellation()
        payload = b"RIFF" if chance.random() < 0.05 else TINY
        prompt = crashing() if chance.random() < 0.1 else None
        with contextlib.suppress(TympanError, TimeoutError):
            ticket = stage.submit(clips(payload), GEMMA, cancellation, prompt)
            match chance.randrange(6):
                case 0:
                    cancellation.cancel()
                    ticket.take(WAIT_S)
                case 1:
                    del ticket
                case 2:
                    ticket.take(0.0001)
                    cancellation.cancel()
                case 3:
                    threading.Timer(0.0005, cancellation.cancel).start()
                    ticket.take(WAIT_S).release()
                case _:
                    with ticket.take(WAIT_S):
                        pass
