import numpy as np
import pytest

from tympan.engines.whisper.features import log_mel, mel_filters

RATE, N_FFT, HOP = 16_000, 400, 160


def plain_log_mel(samples, n_mels):
    """Whisper's features restated slowly, in float64, a frame and a triangle at a time."""

    def mel(hz):
        return hz * 3 / 200 if hz < 1000 else 15 + 27 * np.log(hz / 1000) / np.log(6.4)

    def hertz(value):
        return value * 200 / 3 if value < 15 else 1000 * 6.4 ** ((value - 15) / 27)

    edges = [hertz(mel(8000) * k / (n_mels + 1)) for k in range(n_mels + 2)]
    bank = np.zeros((n_mels, N_FFT // 2 + 1))
    for band in range(n_mels):
        low, top, high = edges[band : band + 3]
        for k in range(N_FFT // 2 + 1):
            hz = k * RATE / N_FFT
            bank[band, k] = max(0.0, min((hz - low) / (top - low), (high - hz) / (high - top))) * 2 / (high - low)
    x = np.concatenate([samples[1:201][::-1], samples, samples[-201:-1][::-1]]).astype(np.float64)
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N_FFT) / N_FFT)
    frames = [np.abs(np.fft.fft(x[k * HOP : k * HOP + N_FFT] * window)[:201]) ** 2 for k in range(samples.size // HOP)]
    logs = np.log10(np.maximum(bank @ np.array(frames).T, 1e-10))
    return (np.maximum(logs, logs.max() - 8) + 4) / 4


@pytest.mark.parametrize("n_mels", [80, 128])
@pytest.mark.parametrize("kind", ["noise", "chirp", "quiet", "tone"])
def test_equals_the_plain_algorithm(kind, n_mels):
    t = np.arange(RATE) / RATE
    samples = {
        "noise": np.random.default_rng(1).uniform(-1, 1, RATE),
        "chirp": np.sin(2 * np.pi * (50 * t + 3500 * t**2)),
        "quiet": np.random.default_rng(2).normal(0, 1e-4, RATE),
        "tone": 0.5 * np.sin(2 * np.pi * 440 * t),
    }[kind].astype(np.float32)
    features = log_mel(samples, n_mels)
    assert features.dtype == np.float32
    assert features.shape == (n_mels, 100)
    # in float32, as Whisper itself computes: far below what it was trained to tell apart
    assert np.abs(features - plain_log_mel(samples, n_mels)).max() < 2e-3


@pytest.mark.parametrize("length", [1600, 1601, 8000, 15_999, 16_000, 31_700, 31_999, 32_000])
def test_silence_behind_is_the_same_as_padding(length):
    samples = np.random.default_rng(3).normal(0, 0.1, length).astype(np.float32)
    for window in (32_000, 48_000):
        padded = np.pad(samples, (0, window - length))
        features = log_mel(samples, 80, silence=window - length)
        assert features.dtype == np.float32
        assert features == pytest.approx(log_mel(padded, 80), abs=1e-6)


def test_silence():
    features = log_mel(np.zeros(RATE, np.float32), 80)
    assert features == pytest.approx(np.full((80, 100), -1.5), abs=1e-6)


def test_filters_have_unit_area():
    filters = mel_filters(80)
    assert filters.shape == (80, 201)
    assert filters.dtype == np.float32
    areas = filters[20:].sum(axis=1) * RATE / N_FFT  # the lowest triangles are narrower than a bin
    assert areas == pytest.approx(np.ones(60), rel=0.2)
