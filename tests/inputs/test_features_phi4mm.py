import numpy as np
import pytest
from tests.inputs.makers import noise, poll, signals, tone
from tests.inputs.references import PHI_BANK, phi_features, phi_resample

from tympan.cancel import Cancellation
from tympan.inputs.families.phi4mm import effective
from tympan.inputs.features.phi4mm import frame_count, log_mel, mel_bank
from tympan.inputs.features.spectrum import BLOCK, TILE
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.resampling.polyphase import resample_polyphase

EXACT = 2e-6  # allowed distance from the published algorithm


def features(samples, rate=16000, stop=None):
    out = np.full((frame_count(samples.size, rate), 80), np.nan, np.float32)
    log_mel(samples, rate, out, stop or poll())
    return out


def from_source(samples, rate):
    label, factor = effective(rate)
    return features(resample_polyphase(samples, factor, poll()), label)


def test_the_filterbank():
    bank = mel_bank()
    assert bank.shape == (257, 80)
    assert np.count_nonzero(bank) == 482
    for at, value in (
        ((1, 0), 0.57565),
        ((100, 54), 0.6164795),
        ((245, 79), 0.13145284),
        ((246, 79), 0),
        ((256, 79), 0),
    ):
        assert bank[at] == pytest.approx(value, abs=1e-6)
    np.testing.assert_allclose(bank, PHI_BANK, atol=1e-7)


@pytest.mark.parametrize(
    ("samples", "rate", "count"),
    [
        (399, 16000, 0),
        (400, 16000, 1),
        (559, 16000, 1),
        (560, 16000, 2),
        (16000, 16000, 98),
        (480_000, 16000, 2998),
        (28_800_000, 16000, 179_998),
        (199, 8000, 0),
        (200, 8000, 1),
        (14_400_000, 8000, 179_998),
    ],
)
def test_frame_counts(samples, rate, count):
    assert frame_count(samples, rate) == count


def test_golden_numbers_at_16_khz():
    got = features(tone(1600))
    assert got.shape == (8, 80)
    golden = {
        (0, 0): 10.0753746,
        (0, 10): 10.1059294,
        (0, 20): 14.4933023,
        (0, 30): 12.3130751,
        (1, 10): 9.9824228,
        (3, 20): 13.9716091,
        (7, 79): 8.6484060,
    }
    for at, value in golden.items():
        assert got[at] == pytest.approx(value, abs=EXACT)


def test_golden_numbers_of_24_khz_taken_as_16():
    got = from_source((0.25 * np.sin(2 * np.pi * 440 * np.arange(24000) / 24000)).astype(np.float32), 24000)
    assert got.shape == (148, 80)
    golden = {
        (0, 0): 12.4758463,
        (0, 10): 22.9357529,
        (0, 20): 12.0393753,
        (1, 10): 22.9397449,
        (50, 20): 11.7373219,
        (147, 79): 9.3701973,
    }
    for at, value in golden.items():
        assert got[at] == pytest.approx(value, abs=EXACT)


def test_silence_is_exactly_zero():
    for rate in (8000, 16000):
        assert not features(np.zeros(20_000, np.float32), rate).any()


@pytest.mark.parametrize("rate", [16000, 8000])
@pytest.mark.parametrize("kind", signals(10))
def test_every_length_equals_the_published_algorithm(kind, rate):
    for length in range(400, 1001):
        samples = signals(length)[kind] if kind == "chirp" else LONGEST[kind][:length]
        np.testing.assert_allclose(features(samples, rate), phi_features(samples, rate), rtol=0, atol=EXACT)


LONGEST = signals(1000)


@pytest.mark.parametrize("kind", signals(10))
@pytest.mark.parametrize("rate", [8000, 16000])
def test_long_audio_equals_the_published_algorithm_across_blocks(kind, rate):
    hop = 160 if rate == 16000 else 80
    for frames in (TILE, TILE + 1, BLOCK, BLOCK + 1, 2 * BLOCK + 37):
        samples = signals(400 * rate // 16000 + (frames - 1) * hop + 11)[kind]
        got = features(samples, rate)
        assert len(got) == frames
        np.testing.assert_allclose(got, phi_features(samples, rate), rtol=0, atol=EXACT)


@pytest.mark.parametrize("rate", [8000, 11025, 15999, 16000, 22050, 24000, 31999, 32000, 44100, 48000, 96000, 192000])
def test_every_source_rate_equals_the_published_algorithm(rate):
    for kind, samples in signals(rate // 3 + 17).items():
        got, expected = from_source(samples, rate), phi_features(samples, rate)
        assert got.shape == expected.shape, kind
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-5 if rate >= 32000 else EXACT)


def test_half_a_kilohertz_off_is_a_label_and_no_resampling():
    samples = noise(44100)
    assert len(from_source(samples, 44100)) == 136  # 22050 samples taken as 16 kHz
    assert phi_resample(samples, 11025)[1] == 8000


def test_narrow_audio_has_nothing_above_4_khz():
    got = features(noise(8000), 8000)
    assert got[:, 79].max() == 0.0
    assert got[:, 20].min() > 10


def test_it_can_be_cancelled_within_a_clip():
    cancellation = Cancellation()
    looks = []

    def stop():
        looks.append(1)
        if len(looks) == 2:
            cancellation.cancel()
        poll(Checkpoint.FEATURE, cancellation)()

    with pytest.raises(CancelledAt):
        features(noise(16000 * 10), stop=stop)
    assert len(looks) == 2
