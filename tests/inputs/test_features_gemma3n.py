import numpy as np
import pytest
from tests.inputs.makers import noise, poll, signals
from tests.inputs.references import GEMMA_BANK, gemma_features

from tympan.inputs.features.gemma3n import SILENCE, frame_count, log_mel, mel_bank, padded_length, window
from tympan.inputs.features.spectrum import BLOCK, TILE

EXACT = 1e-6  # allowed distance from transformers' extractor
SIDES = ["left", "right"]


def features(clips, side):
    longest = max(clip.size for clip in clips)
    out = np.full((len(clips), frame_count(longest), 128), np.nan, np.float32)
    mask = np.zeros(out.shape[:2], bool)
    for index, clip in enumerate(clips):
        log_mel(clip, side, longest, (out[index], mask[index]), poll())
    return out, mask


def same(clips, side):
    got, mask = features(clips, side)
    expected, expected_mask = gemma_features(clips, side)
    assert got.shape == expected.shape
    np.testing.assert_array_equal(mask, expected_mask)
    np.testing.assert_allclose(got, expected, rtol=0, atol=EXACT)


def fixture():
    t = np.arange(1600) / 16000
    return (0.25 * np.sin(2 * np.pi * 440 * t) + 0.1 * np.cos(2 * np.pi * 1000 * t)).astype(np.float32)


def test_the_filterbank():
    bank = mel_bank()
    used = np.flatnonzero(bank.any(axis=1))
    assert [int(used[0]), int(used[-1]), int(np.count_nonzero(bank))] == [9, 486, 946]
    assert bank.any(axis=0).all()
    np.testing.assert_allclose(bank, GEMMA_BANK, atol=1e-12)


def test_the_window_is_periodic():
    assert window()[0] == 0
    assert window()[256] == 1
    assert window()[511] == window()[1] > 0


@pytest.mark.parametrize(
    ("samples", "frames"),
    [
        (512, 0),
        (513, 1),
        (1600, 8),
        (8000, 48),
        (16000, 97),
        (48000, 297),
        (160_000, 997),
        (479_999, 2997),
        (480_000, 2997),
    ],
)
def test_frame_counts(samples, frames):
    assert frame_count(samples) == frames


def test_golden_numbers_padded_left():
    got, _ = features([fixture()], "left")
    got = got[0]
    golden = {
        (0, 0): -4.375432,
        (0, 10): -2.8352168,
        (0, 64): -2.8754239,
        (1, 20): -0.9976531,
        (3, 100): -11.512925,
        (6, 127): -11.512925,
    }
    for at, value in golden.items():
        assert got[at] == pytest.approx(value, abs=EXACT)
    flat = got.astype(np.float64).ravel()
    assert flat.sum() == pytest.approx(-7277.96744954586, abs=2e-4)
    assert (flat**2).sum() == pytest.approx(69566.958, abs=2e-3)
    assert (flat * np.arange(1, flat.size + 1)).sum() == pytest.approx(-4151055.318, abs=0.01)


def test_golden_numbers_padded_right():
    got, _ = features([fixture()], "right")
    got = got[0]
    for at, value in {(0, 0): -6.4231277, (0, 10): -4.2380028, (0, 64): -9.2562761, (1, 20): -0.9983999}.items():
        assert got[at] == pytest.approx(value, abs=EXACT)
    assert got.astype(np.float64).sum() == pytest.approx(-7426.6422969, abs=2e-4)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", signals(10))
def test_every_length(kind, side):
    longest = signals(1000)[kind]
    for length in range(513, 1001):
        same([signals(length)[kind] if kind == "chirp" else longest[:length]], side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("kind", signals(10))
def test_across_blocks(kind, side):
    for frames in (TILE + 1, BLOCK, BLOCK + 1, 2 * BLOCK + 9):
        same([signals(513 + (frames - 1) * 160 + 3)[kind]], side)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "lengths", [(1000, 20_000), (20_000, 513, 7_000), (16_000, 16_000), (513, 50_000, 600, 49_999)]
)
def test_batches_of_unequal_lengths(lengths, side):
    same([noise(length, seed) for seed, length in enumerate(lengths)], side)


@pytest.mark.parametrize("side", SIDES)
def test_frames_without_a_sample_are_silence(side):
    got, mask = features([noise(30_000), noise(1_000, 1)], side)
    untouched = got[1, -150:] if side == "right" else got[1, :150]
    assert (untouched == SILENCE).all()
    assert mask[1].sum() == (7 if side == "right" else 3)


def test_silence():
    got, mask = features([np.zeros(16_000, np.float32)], "right")
    assert (got == SILENCE).all()
    assert mask.all()
    assert padded_length(16_000) == 16_000
