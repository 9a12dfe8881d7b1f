import numpy as np
import pytest
from tests.standins import quiet, tone

from tympan.engines.whisper.alignment import level_db, onset_in, word_times


def path(*frames):
    """Return an alignment in which token k begins at frames[k]; the last number is where the text ends."""
    return [(token, frame) for token, first in enumerate(frames[:-1]) for frame in range(first, frames[token + 1])] + [
        (len(frames) - 1, frames[-1])
    ]


def test_words_are_timed_by_their_tokens():
    samples = tone(1, 2)
    words = word_times([(" one", [1]), (" two", [2, 3])], path(0, 20, 40, 80), [0.9, 0.5, 0.7], samples)
    assert [(word.text, word.start, word.end) for word in words] == [(" one", 0, 0.45), (" two", 0.45, 1.6)]
    assert [word.probability for word in words] == [0.9, 0.6]
    assert [word.tokens for word in words] == [(1,), (2, 3)]


def test_a_start_moves_to_the_onset_of_sound():
    samples = np.concatenate([quiet(0.5), tone(1, 0.5), quiet(0.4), tone(2, 0.6)])
    first, second = word_times([(" one", [1]), (" two", [2])], path(0, 50, 100), [1, 1], samples)
    assert [first.start, first.end] == pytest.approx([0.5, 1.0], abs=0.011)
    assert [second.start, second.end] == pytest.approx([1.4, 2.0], abs=0.011)


def test_an_onset_leaves_something_of_the_word():
    samples = np.concatenate([quiet(0.99), tone(1, 0.01)])
    [word] = word_times([(" one", [1])], path(0, 50), [1], samples)
    assert word.end - word.start >= 0.06 - 1e-9


def test_times_stay_inside_the_audio_and_in_order():
    samples = tone(1, 1)
    words = word_times([(" a", [1]), (" b", [2]), (" c", [3])], path(0, 45, 60, 90), [1, 1, 1], samples)
    assert all(0 <= word.start <= word.end <= 1.0 for word in words)


def test_tokens_that_the_path_skips_take_no_time():
    alignment = [(0, 0), (0, 1), (2, 2), (2, 3)]
    words = word_times([(" a", [1]), (" b", [2]), (" c", [3])], alignment, [1, 1, 1], tone(1, 1))
    assert [word.text for word in words] == [" a", " b", " c"]
    assert words[1].start <= words[1].end <= words[2].end


def test_level():
    levels = level_db(np.concatenate([tone(1, 0.1, level=1.0), quiet(0.1)]))
    assert levels.shape == (20,)
    assert levels[5] == pytest.approx(-3.01, abs=0.2)
    assert levels[-1] == pytest.approx(-100)


def test_no_onset_where_sound_goes_on_or_nothing_can_be_chosen():
    levels = level_db(np.concatenate([quiet(0.2), tone(1, 1)]))
    assert onset_in(0.5, 1.0, levels) is None
    assert onset_in(0.5, 0.51, levels) is None
    assert onset_in(0.1, 1.0, levels) == pytest.approx(0.2)


def test_a_boundary_in_running_speech_moves_for_both_words_but_leaves_something_of_the_second():
    words = word_times([(" a", [1]), (" b", [2]), (" c", [3])], path(0, 20, 24, 60), [1, 1, 1], tone(1, 2))
    assert [(word.start, word.end) for word in words] == [(0, 0.42), (0.42, 0.53), (0.53, 1.2)]
