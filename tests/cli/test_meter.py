import io
import sys

import pytest
from rich.console import Console

from tympan.cli.meter import Meter, clock


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.0, "0:00"), (59.9, "0:59"), (60.0, "1:00"), (3599.0, "59:59"), (36_061.0, "10:01:01")]
)
def test_audio_time_is_shown_as_a_clock(seconds: float, shown: str):
    assert clock(seconds) == shown


def test_the_bar_counts_seconds_of_audio_and_leaves_stdout_alone(monkeypatch: pytest.MonkeyPatch):
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    with Meter(Console(file=err, force_terminal=True, width=120), "[talk].wav") as meter:
        meter.at(90.0, 180.0)
        print("a result")  # noqa: T201  (what is piped meanwhile)
    assert "[talk].wav" in err.getvalue()
    assert "1:30 of 3:00" in err.getvalue()
    assert out.getvalue() == "a result\n"


def test_without_a_length_the_bar_tells_the_place():
    err = io.StringIO()
    with Meter(Console(file=err, force_terminal=True, width=120), "stdin") as meter:
        meter.at(90.0, None)
    assert "1:30, " in err.getvalue()
