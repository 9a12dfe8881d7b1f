"""Linear interpolation in float32, without a low-pass filter: the contract of Gemma 3n's audio path.

What lies above half the target rate folds back. That is far from what a band-limited resampler gives, and it is
what makes the result the same to the last bit everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples


def linear_length(frames: int, rate: int) -> int:
    """Return how many samples at 16 kHz come of `frames` at `rate` Hz."""
    return -(-frames * SAMPLE_RATE // rate)


def resample_linear(samples: Samples, rate: int, poll: Poll) -> Samples:
    """Interpolate float32 [n] at `rate` Hz to float32 [ceil(n * 16000 / rate)] at 16 kHz.

    Output k lies between the inputs floor(k * rate / 16000) and the next; beyond the last input, that is held.
    """
    poll()
    if rate == SAMPLE_RATE:
        return samples
    # one second of output uses exactly one second of input, whatever the rate: positions repeat
    position = np.arange(SAMPLE_RATE, dtype=np.int64) * rate
    left = position // SAMPLE_RATE
    weight = (position % SAMPLE_RATE).astype(np.float32) / np.float32(SAMPLE_RATE)
    out = np.empty(linear_length(samples.size, rate), np.float32)
    last = samples.size - 1
    for second, first in enumerate(range(0, out.size, SAMPLE_RATE)):
        poll()
        block = out[first : first + SAMPLE_RATE]
        index = left[: block.size] + second * rate
        a = samples.take(np.minimum(index, last))
        np.subtract(samples.take(np.minimum(index + 1, last)), a, out=block)
        block *= weight[: block.size]
        block += a
    return out
