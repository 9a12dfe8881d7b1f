import threading
import time

import pytest

from tympan.engines.queue import FairQueue, Job
from tympan.errors import Busy


def make_queue(limit: int = 100) -> FairQueue:
    return FairQueue("test", limit, key=lambda item: item[0], retry_after=lambda waiting: waiting * 2.0)


def put_all(queue: FairQueue, *jobs: tuple[str, str, int]) -> None:
    for owner, key, number in jobs:
        queue.put(Job((key, number), owner))


def take(queue: FairQueue, most: int) -> list[tuple[object, int]]:
    return [(job.owner, job.item[1]) for job in queue.take(lambda _item, _waiting: most, 0)]


def test_requests_take_turns():
    queue = make_queue()
    put_all(queue, *[("long", "k", n) for n in range(5)], ("short", "k", 100), ("other", "k", 200))
    order = [take(queue, 1)[0] for _ in range(7)]
    assert order == [("long", 0), ("short", 100), ("other", 200), ("long", 1), ("long", 2), ("long", 3), ("long", 4)]


def test_a_batch_takes_from_every_request_before_a_second_of_one():
    queue = make_queue()
    put_all(queue, ("a", "k", 0), ("a", "k", 1), ("a", "k", 2), ("b", "k", 10), ("c", "k", 20))
    assert take(queue, 4) == [("a", 0), ("b", 10), ("c", 20), ("a", 1)]
    assert take(queue, 4) == [("a", 2)]


def test_only_equal_keys_share_a_batch():
    queue = make_queue()
    put_all(queue, ("a", "8", 0), ("b", "9", 1), ("c", "8", 2))
    assert take(queue, 4) == [("a", 0), ("c", 2)]
    assert take(queue, 4) == [("b", 1)]


def test_the_whole_queue_is_never_waited_for():
    queue = make_queue()
    put_all(queue, ("a", "k", 0))
    began = time.monotonic()
    assert len(queue.take(lambda _item, _waiting: 4, 10)) == 1
    assert time.monotonic() - began < 1


def test_full_is_busy_and_says_when_to_come_back():
    queue = make_queue(limit=3)
    put_all(queue, *[("a", "k", n) for n in range(3)])
    with pytest.raises(Busy) as caught:
        put_all(queue, ("b", "k", 0))
    assert caught.value.retry_after_s == 6
    assert len(queue) == 3


def test_who_has_begun_waits_for_room():
    queue = make_queue(limit=1)
    put_all(queue, ("a", "k", 0))
    waiter = threading.Thread(target=lambda: queue.put(Job(("k", 1), "a"), wait=True))
    waiter.start()
    time.sleep(0.05)
    assert waiter.is_alive()
    assert take(queue, 1) == [("a", 0)]
    waiter.join(5)
    assert take(queue, 1) == [("a", 1)]


def test_who_waits_for_room_can_be_cancelled():
    queue = make_queue(limit=1)
    put_all(queue, ("a", "k", 0))
    gone = threading.Event()
    job = Job(("k", 1), "a")
    waiter = threading.Thread(target=lambda: queue.put(job, wait=True, cancelled=gone.is_set))
    waiter.start()
    gone.set()
    waiter.join(5)
    assert job.future.cancelled()
    assert len(queue) == 1


def test_a_removed_job_is_not_taken():
    queue = make_queue()
    job = Job(("k", 0), "a")
    queue.put(job)
    put_all(queue, ("b", "k", 1))
    assert queue.remove(job)
    assert not queue.remove(job)
    assert take(queue, 4) == [("b", 1)]


def test_closing_cancels_what_waits_and_wakes_who_takes():
    queue = make_queue()
    job = Job(("k", 0), "a")
    queue.put(job)
    queue.close()
    assert job.future.cancelled()
    assert queue.take(lambda _item, _waiting: 1, None) == []
    late = Job(("k", 0), "a")
    queue.put(late)
    assert late.future.cancelled()


def test_wake_returns_without_work():
    queue = make_queue()
    threading.Timer(0.05, queue.wake).start()
    assert queue.take(lambda _item, _waiting: 1, 10) == []
