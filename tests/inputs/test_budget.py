import gc
import threading

import pytest

from tympan.errors import MemoryRefused
from tympan.inputs.budget import Budget


def test_both_amounts_are_held_and_given_back_once():
    budget = Budget(100, 1000)
    held = budget.reserve(30, 400)
    assert (budget.encoded, budget.host) == (30, 400)
    held.release()
    held.release()
    del held
    gc.collect()
    assert (budget.encoded, budget.host) == (0, 0)


def test_what_nobody_refers_to_is_given_back():
    budget = Budget(100, 1000)
    held = budget.reserve(30, 400)
    del held
    gc.collect()
    assert (budget.encoded, budget.host) == (0, 0)


def test_ceilings_at_their_value_and_one_past():
    budget = Budget(100, 1000)
    first = budget.reserve(60, 600)
    with pytest.raises(MemoryRefused, match="41 bytes of encoded audio; 40 are free"):
        budget.reserve(41, 1)
    with pytest.raises(MemoryRefused, match="401 bytes of memory; 400 are free") as caught:
        budget.reserve(1, 401)
    assert caught.value.status == 503
    assert caught.value.retry_after_s == 1
    assert (budget.encoded, budget.host) == (60, 600)  # a refusal holds nothing
    second = budget.reserve(40, 400)
    first.release()
    second.release()
    assert (budget.encoded, budget.host) == (0, 0)


def release(held):
    for one in held:
        one.release()


def test_many_threads_release_the_same_reservations():
    budget = Budget(10**6, 10**6)
    held = [budget.reserve(1, 3) for _ in range(2000)]
    threads = [threading.Thread(target=lambda: release(held)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (budget.encoded, budget.host) == (0, 0)
