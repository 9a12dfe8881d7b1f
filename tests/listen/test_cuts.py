from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.standins import quiet, tone

from tympan.listen.cuts import LONGEST, MERGE_TO, SEAM_OVERLAP, Cutter, quietest
from tympan.listen.request import Cutting
from tympan.sound.waveform import SAMPLE_RATE

WINDOW = 512


def cut(samples, *, windows_at_once=64, cutting=None, early=False):
    """Cut with a detector by amplitude, some windows at a time."""
    padded = np.pad(samples, (0, -samples.size % WINDOW))
    cutter = Cutter(cutting or Cutting(), early=early)
    excerpts = []
    for start in range(0, padded.size, windows_at_once * WINDOW):
        piece = padded[start : start + windows_at_once * WINDOW]
        loud = np.abs(piece.reshape(-1, WINDOW)).mean(axis=1) > 0.01
        excerpts += cutter.feed(piece, loud.astype(float).tolist())
    return excerpts + cutter.finish(samples.size)


def bounds(excerpts):
    return [
        (
            round(excerpt.start / SAMPLE_RATE, 2),
            round(excerpt.speech_start / SAMPLE_RATE, 2),
            round(excerpt.speech_end / SAMPLE_RATE, 2),
            round((excerpt.start + excerpt.samples.size) / SAMPLE_RATE, 2),
        )
        for excerpt in excerpts
    ]


def join(*pieces):
    return np.concatenate(pieces)


def test_half_a_second_either_side():
    [(left, start, end, right)] = bounds(cut(join(quiet(3), tone(1, 2), quiet(3))))
    assert (start, end) == (pytest.approx(3, abs=0.04), pytest.approx(5, abs=0.04))
    assert start - left == pytest.approx(0.5, abs=0.011)
    assert right - end == pytest.approx(0.5, abs=0.011)


def test_speech_from_the_first_sample_gets_a_silent_lead_in():
    [excerpt] = cut(join(tone(1, 2), quiet(3)))
    assert excerpt.start == -SAMPLE_RATE // 2
    assert excerpt.speech_start == 0
    assert not excerpt.samples[: SAMPLE_RATE // 2].any()
    np.testing.assert_array_equal(excerpt.samples[SAMPLE_RATE // 2 :][:1000], tone(1, 2)[:1000])


def test_never_past_half_way_to_the_neighbour():
    close = cut(join(quiet(1), tone(1, 19), quiet(0.6), tone(2, 19), quiet(1)))
    assert [excerpt.cut_before or excerpt.cut_after for excerpt in close] == [False, False]
    first, second = bounds(close)
    assert first[3] == second[0]
    assert first[3] == pytest.approx(20.3, abs=0.03)


def test_neighbours_merge_when_they_are_close_and_short():
    assert len(cut(join(tone(1, 3), quiet(1.9), tone(2, 3)))) == 1
    assert len(cut(join(tone(1, 3), quiet(2.1), tone(2, 3)))) == 2
    first = (tone(0, 1), quiet(3))
    assert len(cut(join(*first, tone(1, 10), quiet(1), tone(2, 9)))) == 2
    assert len(cut(join(*first, tone(1, 10), quiet(1), tone(2, 9.5)))) == 3  # 20.5 s in all


@pytest.mark.parametrize(("early", "seconds"), [(True, [9, 18, 18]), (False, [18, 18, 9])])
def test_the_first_excerpt_is_short_where_first_words_are_to_come_early(early, seconds):
    excerpts = cut(np.tile(join(tone(1, 4), quiet(0.5)), 10), early=early)
    assert [round(excerpt.samples.size / SAMPLE_RATE) for excerpt in excerpts] == seconds


@pytest.mark.parametrize("pad_s", [0.0, 0.5, 3.0, 5.0])
@pytest.mark.parametrize("speech_s", [2, 19, 25, 27.2])
def test_pads_give_way_to_speech(pad_s, speech_s):
    audio = join(quiet(6), tone(1, speech_s), quiet(6))
    [excerpt] = cut(audio, cutting=Cutting(pad_s=pad_s))
    assert excerpt.start <= excerpt.speech_start
    assert excerpt.start + excerpt.samples.size >= excerpt.speech_end
    assert excerpt.samples.size <= LONGEST


@pytest.mark.parametrize("min_quiet_s", [1.0, 2.0, 8.0])
@pytest.mark.parametrize("speech_s", [22, 25.7, 26.9])
def test_a_long_pause_that_does_not_end_a_span_leaves_no_open_seam(min_quiet_s, speech_s):
    excerpts = cut(join(tone(1, speech_s), quiet(40)), cutting=Cutting(min_quiet_s=min_quiet_s))
    assert not excerpts[-1].cut_after
    assert excerpts[-1].speech_end == pytest.approx(speech_s * SAMPLE_RATE, abs=WINDOW)


def test_speech_without_a_pause_is_cut_at_its_quietest_place():
    dip = 22.37
    audio = join(tone(1, dip), tone(1, 0.1, level=0.04), tone(1, 40 - dip - 0.1))
    first, second = cut(audio)
    assert first.speech_end / SAMPLE_RATE == pytest.approx(dip + 0.05, abs=0.011)
    assert second.speech_start == first.speech_end
    assert first.cut_after
    assert second.cut_before
    assert first.start + first.samples.size == first.speech_end + SEAM_OVERLAP
    assert second.start == first.speech_end - SEAM_OVERLAP


@pytest.mark.parametrize("length_s", [27.0, 27.2, 27.4, 27.6, 60, 200])
def test_nothing_is_longer_than_28_s_and_everything_is_heard(length_s):
    excerpts = cut(tone(1, length_s))
    assert all(excerpt.samples.size <= LONGEST for excerpt in excerpts)
    assert excerpts[0].speech_start == 0
    assert excerpts[-1].speech_end >= length_s * SAMPLE_RATE - WINDOW
    for left, right in pairwise(excerpts):
        assert left.speech_end == right.speech_start
        assert left.cut_after
        assert right.cut_before


def test_what_nobody_needs_any_more_is_forgotten():
    cutter = Cutter(Cutting())
    for _ in range(500):
        cutter.feed(quiet(64 * WINDOW / SAMPLE_RATE), [0.0] * 64)
    assert cutter._held.size <= SAMPLE_RATE


def test_chosen_padding_and_pause():
    cutting = Cutting(min_quiet_s=1.0, pad_s=0.1)
    [(left, start, _, _)] = bounds(cut(join(quiet(1), tone(1, 2), quiet(0.8), tone(2, 2), quiet(1)), cutting=cutting))
    assert start - left == pytest.approx(0.1, abs=0.011)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(0.1, 35), st.floats(0.05, 4)),  # seconds of tone, seconds of quiet behind it
        min_size=1,
        max_size=6,
    ),
    st.integers(1, 200),
)
def test_cuts_do_not_depend_on_how_audio_arrives(pieces, windows_at_once):
    audio = join(*[part for number, (sound, rest) in enumerate(pieces) for part in (tone(number, sound), quiet(rest))])
    at_once = cut(audio, windows_at_once=10_000_000)
    bit_by_bit = cut(audio, windows_at_once=windows_at_once)
    assert bounds(at_once) == bounds(bit_by_bit)
    for one, other in zip(at_once, bit_by_bit, strict=True):
        np.testing.assert_array_equal(one.samples, other.samples)
    # every excerpt is the audio itself, in order, without overlap but at seams
    for excerpt in at_once:
        lead = max(0, -excerpt.start)
        expected = audio[max(0, excerpt.start) :][: excerpt.samples.size - lead]
        np.testing.assert_array_equal(excerpt.samples[lead:], expected)
        assert excerpt.samples.size <= LONGEST
    for left, right in pairwise(at_once):
        assert left.speech_end <= right.speech_start
        if not left.cut_after:
            assert left.start + left.samples.size <= right.start + 1


def test_limits_fit_the_model():
    assert LONGEST <= 29 * SAMPLE_RATE
    assert MERGE_TO + SAMPLE_RATE <= LONGEST


def test_quietest():
    samples = np.ones(SAMPLE_RATE, np.float32)
    samples[5000:7000] = 0.1
    assert 5700 <= quietest(samples) <= 6300
