"""What is cut from spoken chunks, what is kept, and what stands between them. Levels are relative to the vowel."""

import numpy as np
import pytest

from tympan.sound.joints import FADE_SAMPLES, LEAD_SAMPLES, TAIL_SAMPLES, Joiner, faded, speech_extent
from tympan.sound.waveform import SPEECH_RATE

GENERATOR = np.random.default_rng(0)
LEAD_S, TAIL_S = 0.3, 0.5  # of a Kokoro call
HOP = 0.01 * SPEECH_RATE
VOWEL_RMS = 0.15
STEEPEST = 0.02  # of the vowel below, from sample to sample


def samples_of(seconds):
    return round(seconds * SPEECH_RATE)


def noise(seconds, level_db):
    """White noise, float32 [n], at a level relative to the vowel's."""
    white = GENERATOR.standard_normal(samples_of(seconds))
    return (VOWEL_RMS * 10 ** (level_db / 20) * white).astype(np.float32)


def vowel(seconds=0.6):
    """A low tone that swells and fades within 10 ms."""
    time = np.arange(samples_of(seconds)) / SPEECH_RATE
    edge = np.minimum(1, np.minimum(time, time[::-1]) / 0.01)
    return (VOWEL_RMS * np.sqrt(2) * edge * np.sin(2 * np.pi * 140 * time)).astype(np.float32)


def call(*speech, floor_db=-60):
    """What Kokoro gives: speech between silences that hold a little noise."""
    return np.concatenate([noise(LEAD_S, floor_db), *speech, noise(TAIL_S, floor_db)])


@pytest.mark.parametrize("loudness", [1.0, 0.1, 0.02])
@pytest.mark.parametrize("floor_db", [-52, -60, -150])
def test_silence_is_cut_to_a_known_rest(loudness, floor_db):
    extent = speech_extent(loudness * call(vowel(), floor_db=floor_db))
    assert extent.start == pytest.approx(samples_of(LEAD_S) - LEAD_SAMPLES, abs=HOP)
    assert extent.end == pytest.approx(samples_of(LEAD_S + 0.6) + TAIL_SAMPLES, abs=HOP)


@pytest.mark.parametrize("level_db", [-20, -30, -40])
def test_soft_onsets_and_releases_are_kept(level_db):
    soft = noise(0.08, level_db)  # an h, f or s
    chunk = call(soft, vowel(), soft)
    extent = speech_extent(chunk)
    assert extent.start <= samples_of(LEAD_S) - LEAD_SAMPLES + HOP
    assert extent.end >= samples_of(LEAD_S + 0.08 + 0.6 + 0.08) + TAIL_SAMPLES - HOP


def test_a_final_t_is_kept_behind_its_closure():
    chunk = call(vowel(), noise(0.12, -55), noise(0.015, -30))
    assert speech_extent(chunk).end >= samples_of(LEAD_S + 0.6 + 0.12 + 0.015) + TAIL_SAMPLES - HOP


def test_a_pause_inside_is_not_touched():
    chunk = call(vowel(), noise(0.7, -60), vowel())
    extent = speech_extent(chunk)
    assert extent.end - extent.start == pytest.approx(samples_of(1.9) + LEAD_SAMPLES + TAIL_SAMPLES, abs=2 * HOP)


def test_speech_up_to_the_edge_is_kept_whole():
    assert speech_extent(vowel()) == (0, samples_of(0.6))


@pytest.mark.parametrize("length", [0, 1, 100, 24_000])
def test_silence_has_no_speech(length):
    assert speech_extent(np.full(length, 1e-5, np.float32)) == (length, length)


@pytest.mark.parametrize("length", [1, 2, 3, 100, 2 * FADE_SAMPLES, 5_000])
def test_fades_begin_and_end_at_nothing(length):
    out = faded(np.ones(length, np.float32))
    assert len(out) == length
    np.testing.assert_allclose(out, out[::-1], atol=1e-6)
    assert length == 1 or out[0] == out[-1] == 0
    assert np.all(out[FADE_SAMPLES:-FADE_SAMPLES] == 1)
    assert np.abs(np.diff(out)).max(initial=0) < STEEPEST or length < 2 * FADE_SAMPLES


def test_chunks_follow_each_other_with_their_pauses():
    joiner = Joiner()
    first, second, third = (joiner.push(call(vowel()), pause_s) for pause_s in (0.25, 0.0, 0.45))
    assert first.start == 0
    kept = len(first.samples)
    assert kept == pytest.approx(samples_of(0.6) + LEAD_SAMPLES + TAIL_SAMPLES, abs=2 * HOP)
    assert second.start == kept + samples_of(0.25)
    assert not second.samples[: samples_of(0.25)].any()
    assert third.start == kept + len(second.samples)
    assert len(third.samples) == pytest.approx(kept, abs=2 * HOP)


def test_a_chunks_sample_is_found_in_the_stream():
    joiner = Joiner()
    chunks = [call(vowel(0.3)), call(vowel(0.5)), call(vowel(0.4))]
    joined = [joiner.push(chunk, 0.2) for chunk in chunks]
    stream = np.concatenate([part.samples for part in joined])
    for chunk, part in zip(chunks, joined, strict=True):
        inside = np.arange(samples_of(LEAD_S), samples_of(LEAD_S + 0.3))
        np.testing.assert_array_equal(stream[inside + part.start - part.trimmed], chunk[inside])


@pytest.mark.parametrize("pause_s", [0.0, 0.1])
def test_joints_do_not_click(pause_s):
    joiner = Joiner()
    cut = vowel()[1_234:-1_277]  # begins and ends at full swing
    stream = np.concatenate([joiner.push(chunk, pause_s).samples for chunk in (cut, cut, call(vowel()), cut)])
    assert np.abs(np.diff(cut)).max() < STEEPEST
    assert max(abs(cut[0]), abs(cut[-1])) > 2 * STEEPEST
    assert np.abs(np.diff(np.pad(stream, 1))).max() < STEEPEST


def test_chunks_without_speech_add_their_pause_only():
    joiner = Joiner()
    silence = np.zeros(SPEECH_RATE, np.float32)
    before = joiner.push(silence, 0.3)
    assert (len(before.samples), before.start, before.trimmed) == (0, 0, SPEECH_RATE)
    first = joiner.push(call(vowel()), 0.1)
    assert first.start == 0
    between = joiner.push(np.empty(0, np.float32), 0.2)
    assert len(between.samples) == 0
    assert joiner.push(call(vowel()), 0.0).start == len(first.samples) + samples_of(0.1) + samples_of(0.2)


def test_what_was_pushed_is_not_changed():
    chunk = vowel()[1_234:]
    before = chunk.copy()
    Joiner().push(chunk, 0.0)
    np.testing.assert_array_equal(chunk, before)
