"""The check that every waveform passes before a native call: hostile samples never reach a runtime."""

from __future__ import annotations

import numpy as np

from tympan.errors import AudioTooShort, EngineFailed
from tympan.errors.audio import MIN_AUDIO_S
from tympan.sound.waveform import SAMPLE_RATE, Samples

MIN_SAMPLES = int(MIN_AUDIO_S * SAMPLE_RATE)  # 1600


def checked(engine: str, samples: object, *, at_least: int = MIN_SAMPLES, at_most: int) -> Samples:
    """Return `samples` if it is float32 [n] within ±1, finite, with a length that the engine takes.

    Raises `AudioTooShort` below `at_least`, else `EngineFailed`. NaN makes Whisper write "!!!!" for half a
    minute, int16 passed as float makes it invent a sentence, and an empty array ends other runtimes' process.
    """
    if not isinstance(samples, np.ndarray) or samples.dtype != np.float32 or samples.ndim != 1:
        raise EngineFailed(engine, "samples must be one dimension of float32")
    if samples.size < at_least:
        raise AudioTooShort
    if samples.size > at_most:
        raise EngineFailed(engine, f"{samples.size} samples are more than the {at_most} it takes at once")
    peak = float(np.abs(samples).max()) if samples.size else 0.0
    if not peak <= 1.0:  # also true for NaN
        raise EngineFailed(engine, "samples must be finite and within ±1")
    return samples
