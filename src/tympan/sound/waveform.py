"""Audio in memory, with its facts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 16_000  # Hz; what every recognizer and the voice detector here are trained on
SPEECH_RATE = 24_000  # Hz; what Kokoro makes

Samples = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a longer audio, on the clock of the original file.

    `channels` is float32 [channels, n] within ±1 and finite, at 16 kHz; `start` is the index of its first sample.
    """

    channels: Samples
    start: int

    @property
    def end(self) -> int:
        """Index one past the last sample."""
        return self.start + int(self.channels.shape[1])


def seconds(samples: int) -> float:
    """Duration of `samples` samples at 16 kHz, in seconds."""
    return samples / SAMPLE_RATE
