import pytest

from tympan.cancel import Cancellation
from tympan.errors import Cancelled


def test_it_is_set_once_and_tells_everybody_once():
    cancellation = Cancellation()
    calls = []
    cancellation.on_cancel(lambda: calls.append("kept"))
    remove = cancellation.on_cancel(lambda: calls.append("removed"))
    remove()
    cancellation.check()
    cancellation.cancel()
    cancellation.cancel()
    assert calls == ["kept"]
    with pytest.raises(Cancelled):
        cancellation.check()


def test_who_comes_late_is_told_at_once():
    cancellation = Cancellation()
    cancellation.cancel()
    calls = []
    cancellation.on_cancel(lambda: calls.append(1))()
    assert calls == [1]
    assert cancellation.wait(0)
