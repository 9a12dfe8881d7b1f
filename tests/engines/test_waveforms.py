import numpy as np
import pytest

from tympan.engines.waveforms import checked
from tympan.errors import AudioTooShort, EngineFailed


def ok(samples):
    return checked("whisper", samples, at_most=32_000)


def test_good_samples_pass_as_they_are():
    samples = np.full(1600, 0.5, np.float32)
    assert ok(samples) is samples


@pytest.mark.parametrize(
    "samples",
    [
        np.full(1600, np.nan, np.float32),
        np.full(1600, np.inf, np.float32),
        np.full(1600, 1e30, np.float32),
        np.full(1600, 1.01, np.float32),
        np.full(1600, 1000, np.int16),
        np.full(1600, 0.5, np.float64),
        np.full((2, 1600), 0.5, np.float32),
        np.full(32_001, 0.5, np.float32),
        None,
        [0.5] * 1600,
    ],
    ids=["nan", "inf", "huge", "over one", "int16", "float64", "two dimensions", "too long", "nothing", "list"],
)
def test_hostile_samples_never_reach_a_runtime(samples):
    with pytest.raises(EngineFailed):
        ok(samples)


@pytest.mark.parametrize("size", [0, 1, 1599])
def test_too_short(size):
    with pytest.raises(AudioTooShort):
        ok(np.zeros(size, np.float32))
