import numpy as np
import pytest
from scipy.signal import resample_poly
from tests.inputs.makers import Looks, noise, poll, signals
from tests.inputs.references import linear

from tympan.cancel import Cancellation
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.resampling.linear import linear_length, resample_linear
from tympan.inputs.resampling.polyphase import BLOCK_ROWS, OUTPUTS, low_pass, polyphase_length, resample_polyphase, taps

SHORT = np.array([0, 0.5, -0.25, 1, -1, 0.125, 0], np.float32)
BLOCK = BLOCK_ROWS * OUTPUTS


@pytest.mark.parametrize(
    ("samples", "rate", "expected"),
    [
        (SHORT, 48000, [0, 1, 0]),
        (SHORT, 44100, [0, 0.6953125, 0.0609375015]),
        (SHORT, 22050, [0, 0.216406226, 0.6953125, -0.848828137, 0.0609375015, 0]),
        (SHORT, 192000, [0]),
        (np.array([1, -1, 0], np.float32), 8000, [1, 0, -1, -0.5, 0, 0]),
        (SHORT, 16000, SHORT),
    ],
)
def test_golden_numbers_of_linear_interpolation(samples, rate, expected):
    np.testing.assert_array_equal(resample_linear(samples, rate, poll()), np.array(expected, np.float32))


@pytest.mark.parametrize("rate", [1, 7, 8000, 11025, 15999, 16001, 22050, 44100, 48000, 96000, 191999, 192000])
def test_linear_interpolation_equals_one_output_after_the_other(rate):
    count = max(3, min(rate * 2 + 5, 40_000)) if rate > 7 else 4
    samples = noise(count, rate)
    got = resample_linear(samples, rate, poll())
    assert got.dtype == np.float32
    assert got.size == linear_length(count, rate)
    np.testing.assert_array_equal(got, linear(samples, rate))


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (2, [0.00224687, 0.02834874, 0.05718002, 0.08459657]),
        (3, [0.00392183, 0.04240970, 0.08486806, 0.12377945]),
    ],
)
def test_golden_numbers_of_the_polyphase_filter(factor, expected):
    samples = (0.25 * np.sin(2 * np.pi * 440 * np.arange(64) / 48000)).astype(np.float32)
    got = resample_polyphase(samples, factor, poll())
    assert got.size == -(-64 // factor)
    np.testing.assert_allclose(got[:4], expected, atol=2e-8)


@pytest.mark.parametrize("factor", range(2, 13))
def test_the_filter_sums_to_one(factor):
    assert low_pass(factor).size == taps(factor) == 20 * factor + 1
    assert abs(low_pass(factor).sum() - 1) < 1e-15


@pytest.mark.parametrize("factor", range(2, 13))
@pytest.mark.parametrize("outputs", [1, 2, 19, 20, 21, 100, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 777])
def test_polyphase_equals_scipy_in_float64(factor, outputs):
    for count in {outputs * factor, outputs * factor - factor + 1}:
        samples = noise(count, factor)
        got = resample_polyphase(samples, factor, poll())
        assert got.dtype == np.float32
        assert got.size == polyphase_length(count, factor) == outputs
        exact = resample_poly(samples.astype(np.float64), 1, factor)
        assert np.abs(got - exact).max() < 6e-8  # the rounding to float32, and nothing else


@pytest.mark.parametrize("kind", signals(10))
def test_polyphase_on_every_signal(kind):
    samples = signals(50_000)[kind]
    exact = resample_poly(samples.astype(np.float64), 1, 3)
    assert np.abs(resample_polyphase(samples, 3, poll()) - exact).max() < 6e-8


def test_a_factor_of_one_leaves_samples_as_they_are():
    samples = noise(10)
    assert resample_polyphase(samples, 1, poll()) is samples


@pytest.mark.parametrize("work", [lambda p: resample_linear(SHORT, 8000, p), lambda p: resample_polyphase(SHORT, 3, p)])
def test_cancelling_stops_resampling(work):
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(CancelledAt) as caught:
        work(poll(Checkpoint.RESAMPLE, cancellation))
    assert caught.value.checkpoint is Checkpoint.RESAMPLE


def test_resampling_looks_at_the_cancellation_between_blocks():
    looks: list[int] = []
    note = Looks(Cancellation(), Checkpoint.RESAMPLE, 1, looks)
    resample_polyphase(noise(BLOCK * 3 * 4), 3, note)
    assert len(looks) >= 4
    looks.clear()
    resample_linear(noise(4 * 48000), 48000, note)
    assert len(looks) >= 4
