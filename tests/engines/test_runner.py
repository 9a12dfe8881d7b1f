import os
import signal
import time
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path

import pytest

from tympan.cancel import Cancellation
from tympan.child import Child
from tympan.engines.child import EngineSpec
from tympan.engines.runner import EngineRunner, Limits
from tympan.errors import Busy, EngineCrashed, EngineFailed, EngineUnavailable


@contextmanager
def running(*, threads=1, batch=4, queue=100, timeout_s=30.0, idle_unload_s=0.0, target="Faulty", **arguments):
    spec = EngineSpec("faulty", f"tests.engines.faulty:{target}", arguments, threads=threads)
    limits = Limits(
        batch=lambda _: batch, key=lambda _: None, queue=queue, timeout_s=timeout_s, idle_unload_s=idle_unload_s
    )
    runner = EngineRunner(spec, limits)
    try:
        yield runner
    finally:
        runner.close()


def submit(runner, *items, owner="a", cancellation=None):
    cancellation = cancellation or Cancellation()
    return [runner.submit(item, owner=owner, cancellation=cancellation) for item in items]


def wait_until(condition, timeout_s=10.0):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


def test_results_come_from_another_process_in_order():
    with running() as runner:
        results = [future.result(20) for future in submit(runner, *[("echo", n) for n in range(10)])]
        assert [value for _, value in results] == list(range(10))
        assert {pid for pid, _ in results} == {runner.pid}
        assert runner.pid != os.getpid()


def test_what_waits_is_batched(tmp_path: Path):
    log = tmp_path / "log"
    with running(log=str(log)) as runner:
        first = submit(runner, ("sleep", 0.3))
        wait_until(lambda: runner.report().running)
        rest = submit(runner, *[("echo", n) for n in range(6)])
        for future in first + rest:
            future.result(20)
    assert log.read_text().splitlines()[1:] == ["0.3", "0 1 2 3", "4 5"]


def test_a_failing_item_harms_none_beside_it():
    with running() as runner:
        blocker = submit(runner, ("sleep", 0.2))
        futures = submit(runner, ("echo", 1), ("raise", "no such thing"), ("echo", 2))
        assert futures[0].result(20)[1] == 1
        assert futures[2].result(20)[1] == 2
        with pytest.raises(EngineFailed, match="no such thing"):
            futures[1].result(20)
        blocker[0].result(20)
        assert runner.report().restarts == 0


def test_a_wrong_number_of_results_is_an_error():
    with running(target="WrongCount") as runner:
        [future] = submit(runner, "x")
        with pytest.raises(EngineFailed, match="0 results for 1 items"):
            future.result(20)


def test_the_item_that_kills_the_child_twice_fails_and_all_others_finish():
    with running() as runner:
        blocker = submit(runner, ("sleep", 0.2))
        futures = submit(runner, ("echo", 1), ("exit", 0), ("echo", 2), ("echo", 3))
        later = submit(runner, ("echo", 4), owner="b")
        assert [futures[n].result(30)[1] for n in (0, 2, 3)] == [1, 2, 3]
        with pytest.raises(EngineCrashed, match="ended with code 3"):
            futures[1].result(30)
        assert later[0].result(30)[1] == 4
        report = runner.report()
        assert (report.restarts, report.crashes) == (2, 1)
        blocker[0].result(0)


def test_an_item_that_kills_the_child_once_is_answered(tmp_path: Path):
    with running() as runner:
        [future] = submit(runner, ("exit-once", str(tmp_path / "marker")))
        assert future.result(30)
        assert runner.report().crashes == 0


def test_a_killed_child_is_replaced_without_anybody_noticing():
    with running(threads=2) as runner:
        runner.start()
        assert runner.wait_ready(20)
        before = runner.pid
        futures = submit(runner, *[("sleep", 0.2) for _ in range(6)])
        wait_until(lambda: runner.report().running)
        os.kill(before, signal.SIGKILL)
        assert [future.result(30)[1] for future in futures] == [0.2] * 6
        assert runner.pid != before
        assert runner.report().restarts == 1


def test_an_idle_child_that_dies_is_started_again():
    with running() as runner:
        runner.start()
        assert runner.wait_ready(20)
        before = runner.pid
        os.kill(before, signal.SIGKILL)
        wait_until(lambda: runner.report().state == "ready" and runner.pid not in {None, before})


def test_a_batch_that_takes_too_long_ends_its_child():
    with running(timeout_s=0.5) as runner:
        [future] = submit(runner, ("sleep", 60))
        with pytest.raises(EngineCrashed, match=r"longer than 0\.5 seconds"):
            future.result(30)
        [after] = submit(runner, ("echo", 1))
        assert after.result(30)[1] == 1


@pytest.mark.parametrize(("how", "reason"), [("bad model", "ValueError: bad model"), ("exit", "ended with code 7")])
def test_a_child_that_does_not_load_says_why_and_is_tried_again(how, reason):
    with running(fail_to_load=how) as runner:
        [future] = submit(runner, ("echo", 1))
        with pytest.raises(EngineUnavailable, match=reason):
            future.result(30)
        assert runner.report().state == "failed"
        assert not runner.wait_ready(0)
        [again] = submit(runner, ("echo", 1))  # within the pause before the next try: refused at once
        with pytest.raises(EngineUnavailable, match=reason):
            again.result(1)


def test_a_probe_that_fails_is_a_failed_load():
    with running(probe=("raise", "no answer")) as runner:
        runner.start()
        assert not runner.wait_ready(20)
        assert "no answer" in runner.report().detail


def test_a_cancelled_job_leaves_the_queue_at_once_and_never_runs(tmp_path: Path):
    log = tmp_path / "log"
    with running(log=str(log)) as runner:
        [blocker] = submit(runner, ("sleep", 0.4))
        wait_until(lambda: runner.report().running)
        cancellation = Cancellation()
        waiting = submit(runner, ("echo", "unwanted"), cancellation=cancellation)
        cancellation.cancel()
        with pytest.raises(CancelledError):
            waiting[0].result(0)
        assert runner.report().queue_depth == 0
        blocker.result(20)
        submit(runner, ("echo", "last"))[0].result(20)
    assert "unwanted" not in log.read_text()


def test_cancelling_what_runs_drops_its_result_only():
    with running() as runner:
        cancellation = Cancellation()
        [running_now] = submit(runner, ("sleep", 0.3), cancellation=cancellation)
        wait_until(lambda: runner.report().running)
        cancellation.cancel()
        with pytest.raises(CancelledError):
            running_now.result(0)
        assert submit(runner, ("echo", 1))[0].result(20)[1] == 1
        assert runner.report().restarts == 0


def test_full_is_busy():
    with running(queue=2) as runner:
        submit(runner, ("sleep", 0.5))
        wait_until(lambda: runner.report().running)
        submit(runner, ("echo", 1), ("echo", 2))
        with pytest.raises(Busy):
            submit(runner, ("echo", 3))


def test_an_idle_engine_is_unloaded_and_wakes_again():
    with running(idle_unload_s=0.3) as runner:
        first_pid, _ = submit(runner, ("echo", 1))[0].result(20)
        wait_until(lambda: runner.report().state == "asleep")
        wait_until(lambda: not Path(f"/proc/{first_pid}").exists())  # the memory is really back
        assert runner.report().memory_bytes == 0
        assert runner.report().restarts == 0
        second_pid, _ = submit(runner, ("echo", 2))[0].result(20)
        assert second_pid != first_pid


def test_threads_run_batches_side_by_side():
    with running(threads=2, batch=1) as runner:
        runner.start()
        assert runner.wait_ready(20)
        began = time.monotonic()
        for future in submit(runner, ("sleep", 0.5), ("sleep", 0.5)):
            future.result(20)
        assert time.monotonic() - began < 0.95


def test_closing_cancels_what_waits_and_ends_the_child():
    with running() as runner:
        futures = submit(runner, ("sleep", 30), ("echo", 1))
        wait_until(lambda: runner.report().running)
        pid = runner.pid
    assert all(future.cancelled() for future in futures)
    assert not Path(f"/proc/{pid}").exists()


def test_a_child_that_dies_while_a_batch_is_being_sent_harms_nobody():
    with running() as runner:
        runner.start()
        assert runner.wait_ready(20)
        before = runner.pid
        os.kill(before, signal.SIGSTOP)
        big = [runner.submit(("echo", bytes(4_000_000)), owner="a", cancellation=Cancellation()) for _ in range(2)]
        wait_until(lambda: runner.report().running)
        time.sleep(0.1)  # now the pipe is full and the sender waits
        os.kill(before, signal.SIGKILL)
        assert [len(future.result(30)[1]) for future in big] == [4_000_000] * 2
        assert submit(runner, ("echo", 1))[0].result(30)[1] == 1


def test_closing_while_a_batch_is_being_sent_does_not_wait_for_it():
    with running() as runner:
        runner.start()
        assert runner.wait_ready(20)
        os.kill(runner.pid, signal.SIGSTOP)
        [future] = submit(runner, ("echo", bytes(4_000_000)))
        wait_until(lambda: runner.report().running)
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert future.cancelled()


def test_a_process_that_cannot_be_started_is_tried_again(monkeypatch):
    monkeypatch.setattr("tympan.engines.runner.FIRST_BACKOFF_S", 0.1)
    starts = []

    def start(*args):
        starts.append(1)
        if len(starts) == 1:
            raise OSError(24, "Too many open files")
        return Child(*args)

    monkeypatch.setattr("tympan.engines.runner.Child", start)
    with running() as runner:
        [refused] = submit(runner, ("echo", 1))
        with pytest.raises(EngineUnavailable, match="Too many open files"):
            refused.result(20)
        wait_until(lambda: runner.report().state == "ready")
        assert submit(runner, ("echo", 2))[0].result(20)[1] == 2


def test_whatever_the_dispatcher_meets_it_goes_on(monkeypatch):
    with running() as runner:
        monkeypatch.setattr(runner, "_ensure_child", lambda: 1 / 0)
        [future] = submit(runner, ("echo", 1))
        with pytest.raises(EngineFailed, match="ZeroDivisionError"):
            future.result(20)
        monkeypatch.undo()
        assert submit(runner, ("echo", 2))[0].result(20)[1] == 2


def test_an_engine_that_has_woken_up_is_ready_again_after_a_death():
    with running(idle_unload_s=0.3) as runner:
        submit(runner, ("echo", 1))[0].result(20)
        wait_until(lambda: runner.report().state == "asleep")
        submit(runner, ("echo", 2))[0].result(20)
        os.kill(runner.pid, signal.SIGKILL)
        wait_until(lambda: runner.report().state in {"ready", "asleep"} and runner.report().restarts == 1)


@pytest.mark.parametrize(("what", "error"), [("lambda", EngineFailed), ("unreadable", EngineCrashed)])
def test_an_answer_that_cannot_cross_is_an_error_at_once(what, error):
    with running() as runner:
        [future] = submit(runner, (what, 1))
        with pytest.raises(error, match="its answer c"):
            future.result(20)
        assert submit(runner, ("echo", 2))[0].result(20)[1] == 2
