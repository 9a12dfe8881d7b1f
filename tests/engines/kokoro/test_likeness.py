import numpy as np
import pytest

from tympan.engines.kokoro.likeness import spectral_distance_db


def tone(hertz, phase=0.0, level=1.0, size=24_000):
    return (level * np.sin(2 * np.pi * hertz * np.arange(size) / 24_000 + phase)).astype(np.float32)


def test_the_same_is_at_no_distance():
    assert spectral_distance_db(tone(200), tone(200)) == 0


def test_phases_and_what_is_not_heard_do_not_count():
    hiss = np.random.default_rng(0).standard_normal(24_000).astype(np.float32) * 1e-5
    assert spectral_distance_db(tone(200), tone(200, phase=1.0) + hiss) < 0.5


@pytest.mark.parametrize("other", [tone(300), tone(200, level=0.1), np.zeros(24_000, np.float32)])
def test_other_sounds_are_far_away(other):
    assert spectral_distance_db(tone(200), other) > 0.5


def test_another_length_is_another_sound():
    assert spectral_distance_db(tone(200), tone(200, size=23_400)) == float("inf")


def test_silence_is_like_silence():
    assert spectral_distance_db(np.zeros(2048, np.float32), np.zeros(2048, np.float32)) == 0
