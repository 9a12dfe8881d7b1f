import threading

import pytest

from tympan.weights.sources.once import OncePerKey


def test_many_callers_get_one_thing():
    once: OncePerKey[object] = OncePerKey()
    gate = threading.Event()
    made: list[object] = []
    got: list[object] = []

    def make():
        gate.wait(5)
        made.append(object())
        return made[-1]

    threads = [threading.Thread(target=lambda: got.append(once.get("key", make))) for _ in range(4)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert got == made * 4
    assert once.get("other", lambda: 7) == 7


def test_an_error_is_the_answer_for_every_caller():
    once: OncePerKey[str] = OncePerKey()

    def fail():
        raise OSError("gone")

    for make in (fail, lambda: "too late"):
        with pytest.raises(OSError, match="gone"):
            once.get("key", make)
