import threading
import time

import pytest

from tympan.cancel import Cancellation
from tympan.errors import Cancelled, NotReady
from tympan.sound.turns import Turns


def waiting(turns, number):
    deadline = time.monotonic() + 5
    while len(turns._waiting) != number:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def queue_up(turns, names, order, cancellations=None):
    def wait(name):
        try:
            turns.enter((cancellations or {}).get(name) or Cancellation())
            order.append(name)
        except (Cancelled, NotReady) as error:
            order.append((name, type(error)))

    threads = []
    for name in names:
        threads.append(threading.Thread(target=wait, args=(name,)))
        threads[-1].start()
        waiting(turns, len(threads))
    return threads


def test_first_come_first_served():
    turns = Turns(1)
    order: list[object] = []
    turns.enter(Cancellation())
    threads = queue_up(turns, "abc", order)
    for number, thread in enumerate(threads, 1):
        turns.leave()
        thread.join(5)
        assert order == list("abc")[:number]
    turns.leave()
    turns.enter(Cancellation())


def test_who_cancels_leaves_the_queue_and_takes_no_place():
    turns, cancellation = Turns(1), Cancellation()
    order: list[object] = []
    turns.enter(Cancellation())
    threads = queue_up(turns, "ab", order, {"a": cancellation})
    cancellation.cancel()
    threads[0].join(5)
    turns.leave()
    threads[1].join(5)
    assert order == [("a", Cancelled), "b"]


def test_closing_ends_every_wait():
    turns = Turns(1)
    order: list[object] = []
    turns.enter(Cancellation())
    threads = queue_up(turns, "ab", order)
    turns.close()
    for thread in threads:
        thread.join(5)
    assert sorted(order, key=str) == [("a", NotReady), ("b", NotReady)]
    with pytest.raises(NotReady):
        turns.enter(Cancellation())
