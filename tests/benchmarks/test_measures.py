"""The arithmetic between what an engine said and what a table shows."""

import pytest
from benchmarks.corpus import Clip
from benchmarks.recognition import Run, start_errors, summarize
from benchmarks.recognizers import Heard
from benchmarks.server_load import quantile
from benchmarks.voices import word_starts


def clip(text: str, seconds: float = 2.0, starts: tuple[float | None, ...] = ()) -> Clip:
    return Clip("name", "english", "en", text, "made up", seconds, starts)


def test_a_word_starts_in_the_middle_of_a_space_and_at_its_first_phoneme_after_a_pause():
    durations = [("^", 10), ("a", 5), ("b", 5), (" ", 4), ("c", 4), (",", 6), (" ", 2), ("d", 3), (".", 2), ("$", 1)]
    assert word_starts(durations) == [10, 22, 36]


def test_only_words_that_both_know_are_timed():
    spoken = clip("The cat sat down.", starts=(0.1, 0.4, None, 1.2))
    heard = Heard("", ((" The", 0.0), (" fat", 0.2), (" cat", 0.5), (" sat", 0.7), (" down.", 1.2)))
    assert start_errors(spoken, heard) == pytest.approx([-0.1, 0.1, 0.0])


def test_rows_add_up_and_compare_with_the_baseline():
    clips = [clip("one two three four"), clip("five", 8.0)]
    runs = [
        *[Run("faster-whisper, beam 1", each, 2.0, 2.1, Heard(each.text)) for each in clips],
        Run("tympan", clips[0], 0.4, 0.5, Heard("one two three")),
        Run("tympan", clips[1], 0.6, 0.7, Heard("five " * 20, fallbacks=2)),
    ]
    _, ours = summarize("all", runs)
    assert (ours.engine, ours.clips, ours.audio_s) == ("tympan", 2, 10.0)
    assert ours.speedup == pytest.approx(4.0)
    assert ours.rtf == pytest.approx(0.1)
    assert ours.error_rate == pytest.approx((1 + 19) / 5)
    assert (ours.loops, ours.fallbacks) == (1, 2)


@pytest.mark.parametrize(("share", "expected"), [(0.5, 51), (0.95, 96), (0.99, 100), (1.0, 100)])
def test_quantiles(share: float, expected: float):
    assert quantile(list(range(100, 0, -1)), share) == expected
