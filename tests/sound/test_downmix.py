"""Nothing said on any channel is lost: levels in dB relative to a full-scale sine."""

import numpy as np
import pytest
from tests.sound.makers import level_db, tone, tone_db

from tympan.sound.downmix import HOP_SAMPLES, DownMixer
from tympan.sound.media import BLOCK_SAMPLES

A, B = tone(400, 4), tone(1000, 4)  # -6 dB each
NOTHING = np.zeros_like(A)
NOISE = 0.1 * np.random.default_rng(0).standard_normal((6, len(A)))
FIRST = np.arange(len(A)) < len(A) // 2


def mix(*channels, block=BLOCK_SAMPLES):
    samples = np.stack(channels).astype(np.float32)
    mixer = DownMixer(len(channels))
    return np.concatenate([mixer.mix(samples[:, at : at + block]) for at in range(0, samples.shape[1], block)])


def test_one_channel_is_untouched():
    block = A[None].astype(np.float32)
    assert DownMixer(1).mix(block) is not None
    assert np.shares_memory(DownMixer(1).mix(block), block)


@pytest.mark.parametrize(
    ("channels", "level"),
    [
        ((A, A), -6.0),  # the same on both
        ((A, -A), -6.0),  # opposite phase: a plain mean has nothing
        ((A, -0.5 * A), -6.0),  # opposite phase, one side quieter
        ((A, NOTHING), -6.0),  # left only: a plain mean is 6 dB quieter
        ((NOTHING, A), -6.0),
        ((NOTHING, NOTHING, A, NOTHING, NOTHING, NOTHING), -6.0),  # the centre of 5.1: a mean is 15.6 dB quieter
        ((A, -A, A, -A), -6.0),
        ((A, NOTHING, -A, NOTHING), -6.0),
    ],
)
def test_the_level_of_the_loudest_channel_is_kept(channels, level):
    mixed = mix(*channels)
    assert mixed.dtype == np.float32
    assert level_db(mixed) == pytest.approx(level, abs=0.1)
    assert tone_db(mixed, 400) == pytest.approx(level, abs=0.1)


def test_two_speakers_at_once_are_both_there():
    for channels in ((A, B), (A, B, NOTHING, NOTHING, NOTHING, NOTHING)):
        mixed = mix(*channels)
        assert tone_db(mixed, 400) == pytest.approx(-9, abs=0.3)
        assert tone_db(mixed, 1000) == pytest.approx(-9, abs=0.3)


@pytest.mark.parametrize("silent", [0, 4])
def test_one_speaker_left_then_another_right(silent):
    mixed = mix(A * FIRST, B * ~FIRST, *[NOTHING] * silent)
    half = len(A) // 2
    assert tone_db(mixed[:half], 400) == pytest.approx(-6, abs=0.3)
    assert tone_db(mixed[half:], 1000) == pytest.approx(-6, abs=0.3)
    turn = mixed[half - 4_000 : half + 4_000].reshape(-1, 400)
    assert min(level_db(piece) for piece in turn) > -9  # no hole where they take turns


def test_three_channels_that_cancel_in_any_polarity_leave_the_loudest():
    phases = [0.5 * np.sin(2 * np.pi * (400 * np.arange(len(A)) / 16_000 + third / 3)) for third in range(3)]
    assert level_db(np.mean(phases, axis=0)) < -100
    assert level_db(mix(*phases)) > -13


def test_polarity_that_changes_on_the_way_is_followed_within_a_hop_and_without_a_click():
    mixed = mix(A, np.where(FIRST, A, -A))
    half = len(A) // 2
    settled = np.concatenate([mixed[:half], mixed[half + HOP_SAMPLES :]])
    assert min(level_db(piece) for piece in settled[: len(settled) // 1_600 * 1_600].reshape(-1, 1_600)) > -7
    assert np.abs(np.diff(mixed)).max() < 2 * np.abs(np.diff(A)).max()


def test_signs_do_not_flap_on_channels_that_have_little_in_common():
    mixer = DownMixer(2)
    signs = set()
    for at in range(0, len(A) - HOP_SAMPLES, HOP_SAMPLES):
        mixer.mix(NOISE[:2, at : at + HOP_SAMPLES].astype(np.float32))
        signs.add(tuple(mixer._signs))
    assert signs == {(1.0, 1.0)}


def test_loud_channels_never_pass_full_scale():
    loud = np.sign(NOISE[:2])
    mixed = mix(*loud)
    assert np.abs(mixed).max() <= 1.0
    assert level_db(mixed) > -3


def test_blocks_of_any_size_give_the_same_level():
    for block in (100, 1_600, 5_000, BLOCK_SAMPLES):
        assert level_db(mix(A, -A, block=block)) == pytest.approx(-6, abs=0.1)
