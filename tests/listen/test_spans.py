import pytest

from tympan.engines.protocols import WINDOW_SAMPLES
from tympan.listen.request import Cutting
from tympan.listen.spans import SpanTracker, VoiceSpan


def spans(probabilities, cutting=None, samples=None):
    tracker = SpanTracker(cutting or Cutting())
    ended = tracker.feed(probabilities)
    return ended + tracker.finish(samples if samples is not None else len(probabilities) * WINDOW_SAMPLES)


def windows(first, last):
    return VoiceSpan(first * WINDOW_SAMPLES, last * WINDOW_SAMPLES)


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ([], []),
        ([0.5] * 20, []),  # opening takes more than the threshold
        ([0.51] * 20, [windows(0, 20)]),
        ([0.1] * 5 + [0.9] * 10 + [0.1] * 20, [windows(5, 15)]),
        ([0.9] * 10 + [0.36] * 50 + [0.1] * 20, [windows(0, 60)]),  # holding takes less
        ([0.9] * 10 + [0.35] * 20, [windows(0, 10)]),
        ([0.9] * 10 + [0.1] * 8 + [0.9] * 10, [windows(0, 28)]),  # 8 windows are 0.256 s: no pause yet
        ([0.9] * 10 + [0.1] * 9 + [0.9] * 10, [windows(0, 10), windows(19, 29)]),  # 9 are 0.288 s, rounded 0.3 s
        ([0.9, 0.9, 0.1] + [0.1] * 20, []),  # a click
        ([0.9, 0.4, 0.9, 0.4, 0.9] + [0.1] * 20, [windows(0, 5)]),
        ([0.9] * 10 + [0.1] * 3, [windows(0, 10)]),  # the file ends in a pause that is not over
    ],
)
def test_spans(probabilities, expected):
    assert spans(probabilities) == expected


def test_the_last_span_ends_with_the_audio():
    assert spans([0.9] * 10, samples=10 * WINDOW_SAMPLES - 100) == [VoiceSpan(0, 10 * WINDOW_SAMPLES - 100)]


def test_cutting_can_be_set():
    cutting = Cutting(threshold=0.8, min_quiet_s=0.064)
    assert cutting.hold == pytest.approx(0.65)
    probabilities = [0.79] * 5 + [0.9] * 5 + [0.66] * 5 + [0.6] * 2 + [0.9] * 5
    assert spans(probabilities, cutting) == [windows(5, 15), windows(17, 22)]


def test_an_open_span_can_be_cut_and_both_parts_know_it():
    tracker = SpanTracker(Cutting())
    tracker.feed([0.9] * 10)
    assert tracker.cut(3000) == VoiceSpan(0, 3000, cut_after=True)
    assert tracker.cut(4000) == VoiceSpan(3000, 4000, cut_before=True, cut_after=True)
    assert tracker.finish(5000) == [VoiceSpan(4000, 5000, cut_before=True)]
    with pytest.raises(ValueError, match="no open span"):
        tracker.cut(6000)


def test_a_cut_where_it_has_long_been_quiet_ends_the_span_with_the_voice():
    tracker = SpanTracker(Cutting(min_quiet_s=8))
    tracker.feed([0.9] * 10 + [0.1] * 20)
    assert tracker.cut(25 * WINDOW_SAMPLES) == windows(0, 10)
    assert tracker.open_since is None
    assert tracker.feed([0.9] * 10 + [0.1] * 250) == [windows(30, 40)]
