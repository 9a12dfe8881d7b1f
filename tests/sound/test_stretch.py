"""Length, pitch, ends and pieces of stretched speech."""

import numpy as np
import pytest
from tests.sound.makers import level_db, loudest_hz, tone

from tympan.sound.stretch import Stretcher
from tympan.sound.waveform import SPEECH_RATE

SPEEDS = [0.25, 0.3, 0.5, 0.75, 0.99, 1.0, 1.01, 1.25, 1.5, 2.0, 2.01, 3.0, 4.0]


def stretched(samples, speed, piece=12_000):
    stretcher = Stretcher(speed)
    made = [stretcher.push(samples[at : at + piece]) for at in range(0, len(samples), piece)]
    return np.concatenate([*made, stretcher.finish()])


def bursts(seconds=2.0, burst_s=0.05):
    """Silence between a tone of 1 kHz at the very beginning and one at the very end, float32 [n]."""
    samples = np.zeros(round(seconds * SPEECH_RATE), np.float32)
    burst = tone(1_000, burst_s, SPEECH_RATE)
    samples[: len(burst)] = samples[-len(burst) :] = burst
    return samples


@pytest.mark.parametrize("speed", SPEEDS)
def test_length_is_exact(speed):
    for length in (1, 100, 479, 480, 481, 1_000, 12_345, 60_000):
        made = stretched(tone(220, 3, SPEECH_RATE)[:length].astype(np.float32), speed)
        assert made.dtype == np.float32
        assert len(made) == round(length / speed), length


@pytest.mark.parametrize("speed", SPEEDS)
def test_pitch_and_level_stay(speed):
    made = stretched(tone(220, 4, SPEECH_RATE).astype(np.float32), speed)
    inside = made[len(made) // 10 : len(made) * 9 // 10]
    assert loudest_hz(inside, SPEECH_RATE) == pytest.approx(220, abs=2)
    assert level_db(inside) == pytest.approx(-6.02, abs=0.5)


@pytest.mark.parametrize("speed", SPEEDS)
def test_nothing_is_lost_at_either_end(speed):
    made = stretched(bursts(), speed)
    half = len(made) // 2
    heard = np.flatnonzero(np.abs(made) > 0.1)
    assert heard[0] < 0.001 * SPEECH_RATE
    assert len(made) - heard[-1] < 0.025 * SPEECH_RATE
    for part in (made[:half], made[half:]):
        assert 0.75 < np.sum(np.square(part)) * speed / np.sum(np.square(bursts()[: SPEECH_RATE // 2])) < 2


@pytest.mark.parametrize("speed", [0.5, 0.8, 1.5, 3.0])
def test_what_is_said_stays_in_its_place(speed):
    samples = np.zeros(4 * SPEECH_RATE, np.float32)
    for at in (1, 2, 3):
        samples[at * SPEECH_RATE :][:2_400] = tone(1_000, 0.1, SPEECH_RATE)
    made = np.abs(stretched(samples, speed))
    for at in (1, 2, 3):
        middle = round((at + 0.05) / speed * SPEECH_RATE)
        near = made[middle - round(0.5 / speed * SPEECH_RATE) : middle + round(0.5 / speed * SPEECH_RATE)]
        centre = np.average(np.arange(len(near)), weights=np.square(near)) - len(near) / 2
        assert abs(centre) < 0.03 * SPEECH_RATE


@pytest.mark.parametrize("speed", SPEEDS)
def test_pieces_give_what_the_whole_gives(speed):
    samples = (0.1 * np.random.default_rng(0).standard_normal(30_000)).astype(np.float32)
    whole = stretched(samples, speed, len(samples))
    for piece in (77, 480, 7_000):
        np.testing.assert_array_equal(stretched(samples, speed, piece), whole)


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_piece_does_not_wait_for_the_next(speed):
    made = Stretcher(speed).push(tone(220, 1, SPEECH_RATE).astype(np.float32))
    assert len(made) * speed / SPEECH_RATE >= 0.72


def test_unity_touches_nothing():
    stretcher = Stretcher(1.0)
    samples = bursts()
    assert stretcher.push(samples) is samples
    assert len(stretcher.finish()) == 0


@pytest.mark.parametrize("speed", [0.25, 1.0, 4.0])
def test_nothing_gives_nothing(speed):
    stretcher = Stretcher(speed)
    assert len(stretcher.push(np.empty(0, np.float32))) == 0
    assert len(stretcher.finish()) == 0
