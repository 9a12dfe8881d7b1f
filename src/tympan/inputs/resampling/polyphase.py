"""Integer-ratio downsampling as Phi-4 Multimodal's published processor does it.

The low-pass filter is that of `scipy.signal.resample_poly(x, 1, factor)`: a sinc of 20 * factor + 1 taps under a
Kaiser window. Filtering and decimating are one matrix product: `OUTPUTS` neighbouring outputs need one stretch of
input, which a banded matrix maps to them. Every second stretch is a row of the input as it lies in memory, so that
nothing is copied. It multiplies twice as much as the filter has taps and is still several times faster than
filtering sample by sample, because BLAS does it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

MAX_FACTOR = 12  # 192 kHz to 16 kHz
HALF_TAPS = 10  # of the filter, on each side, for each unit of the factor
KAISER_BETA = 5.0
OUTPUTS = 2 * HALF_TAPS  # of one row: the shortest for which two rows cover one stretch of input
BLOCK_ROWS = 100  # rows between two looks at the cancellation: 2000 outputs, an eighth of a second


def taps(factor: int) -> int:
    """Return the length of the filter."""
    return 2 * HALF_TAPS * factor + 1


def polyphase_length(frames: int, factor: int) -> int:
    """Return how many samples come of `frames`."""
    return -(-frames // factor)


@lru_cache(maxsize=MAX_FACTOR)
def low_pass(factor: int) -> NDArray[np.float64]:
    """Return the filter: float64 [20 * factor + 1], symmetric, of sum 1."""
    at = np.arange(-HALF_TAPS * factor, HALF_TAPS * factor + 1)
    filt = np.sinc(at / factor) * np.kaiser(at.size, KAISER_BETA)
    return np.asarray(filt / filt.sum())


@lru_cache(maxsize=MAX_FACTOR)
def _banded(factor: int) -> NDArray[np.float64]:
    """Return the filter at each output's place: float64 [(OUTPUTS - 1) * factor + taps, OUTPUTS]."""
    filt = low_pass(factor)
    matrix = np.zeros(((OUTPUTS - 1) * factor + filt.size, OUTPUTS))
    for output in range(OUTPUTS):
        matrix[output * factor : output * factor + filt.size, output] = filt
    return matrix


def resample_polyphase(samples: Samples, factor: int, poll: Poll) -> Samples:
    """Filter and keep every `factor`-th sample: float32 [n] to float32 [ceil(n / factor)], computed in float64.

    Output k is centred on input k * factor; outside, the input is zero.
    """
    poll()
    if factor <= 1:
        return samples
    matrix = _banded(factor)
    stretch, reach = OUTPUTS * factor, HALF_TAPS * factor
    out = np.empty(polyphase_length(samples.size, factor), np.float32)
    block_outputs = BLOCK_ROWS * OUTPUTS
    padded = np.empty((BLOCK_ROWS - 1) * stretch + 2 * stretch)  # the last row reads beyond its own stretch
    made = np.empty((BLOCK_ROWS, OUTPUTS))
    for first in range(0, out.size, block_outputs):
        poll()
        block = out[first : first + block_outputs]
        begin = first * factor - reach
        _fill(padded, samples, begin)
        for parity in (0, 1):
            rows = padded[parity * stretch :][: BLOCK_ROWS // 2 * 2 * stretch].reshape(BLOCK_ROWS // 2, 2 * stretch)
            np.matmul(rows[:, : matrix.shape[0]], matrix, out=made[parity::2])
        block[:] = made.reshape(-1)[: block.size]
    return out


def _fill(into: NDArray[np.float64], samples: Samples, begin: int) -> None:
    """Copy `samples[begin:]`, with zeros where there are none."""
    low, high = max(begin, 0), min(begin + into.size, samples.size)
    into[: low - begin] = 0.0
    into[low - begin : high - begin] = samples[low:high]
    into[high - begin :] = 0.0
