"""Spoken chunks to one stream: the silence around each cut to a known rest, pauses between, no clicks.

Kokoro begins every call with about 0.3 s of silence and ends it with 0.5 s. Where speech begins and ends is decided
on the level of 10 ms hops against the speech of the same chunk, so that neither a quiet voice nor a soft h, f or s
at its edge is taken for silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tympan.sound.waveform import SPEECH_RATE, Samples

HOP_SAMPLES = 240  # 10 ms
SPEECH_PERCENTILE = 95  # of the levels of all hops: the loud vowels, also where half of a chunk is silence
# In six Kokoro voices the breath and noise around speech lies 50 to 66 dB below its vowels, the softest first or
# last sound rises above 45.
THRESHOLD_DB = -45.0
SILENCE_RMS = 10 ** (-70 / 20)  # -70 dBFS: a chunk that is nowhere louder has no speech
LEAD_SAMPLES = 960  # 40 ms kept before the first hop above the threshold: a th swells for as long below it
TAIL_SAMPLES = 1_200  # 50 ms kept behind the last one: releases and room fade more slowly than onsets rise
FADE_SAMPLES = 120  # 5 ms, a raised cosine at every cut: within what is kept beside the speech


class Extent(NamedTuple):
    """The part of a chunk that is kept: `start` inclusive, `end` exclusive, in samples."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Joined:
    """What a chunk adds to the stream.

    `samples`: float32 [n], the pause before the chunk and its kept part. `start`: where that part begins in the
    stream. `trimmed`: how many samples of the chunk were cut before it. So the chunk's sample i is the stream's
    sample i + start - trimmed.
    """

    samples: Samples
    start: int
    trimmed: int


class Joiner:
    """The stream of one request. The pause behind the last chunk is never made."""

    def __init__(self) -> None:
        self._length = 0
        self._pause_samples = 0

    def push(self, samples: Samples, pause_s: float) -> Joined:
        """Add a chunk, finite float32 [n] at 24 kHz, and note the pause that belongs behind it, in seconds.

        What is heard as silence is the pause and the 90 ms that are left beside speech. A chunk without speech adds
        its pause only; the pause before the first speech is left out.
        """
        extent = speech_extent(samples)
        if extent.start == extent.end:
            if self._length:
                self._pause_samples += round(pause_s * SPEECH_RATE)
            return Joined(np.empty(0, np.float32), self._length, extent.start)
        before = np.zeros(self._pause_samples, np.float32)
        start = self._length + before.size
        kept = faded(samples[extent.start : extent.end])
        self._length = start + kept.size
        self._pause_samples = round(pause_s * SPEECH_RATE)
        return Joined(np.concatenate([before, kept]), start, extent.start)


def speech_extent(samples: Samples) -> Extent:
    """Find what to keep of float32 [n] at 24 kHz: the speech with its margins; nothing where there is none."""
    whole = -(-samples.size // HOP_SAMPLES)
    hops = np.zeros(whole * HOP_SAMPLES, np.float32)
    hops[: samples.size] = samples
    levels = np.sqrt(np.square(hops.reshape(whole, HOP_SAMPLES)).mean(axis=1))  # RMS of each hop
    if not whole or levels.max() < SILENCE_RMS:
        return Extent(samples.size, samples.size)
    speech = float(np.percentile(levels, SPEECH_PERCENTILE))
    loud = np.flatnonzero(levels >= max(speech * 10 ** (THRESHOLD_DB / 20), SILENCE_RMS))
    start = int(loud[0]) * HOP_SAMPLES - LEAD_SAMPLES
    end = (int(loud[-1]) + 1) * HOP_SAMPLES + TAIL_SAMPLES
    return Extent(max(start, 0), min(end, samples.size))


def faded(samples: Samples) -> Samples:
    """Return float32 [n] that rises from nothing and falls to nothing, so that it can stand beside silence."""
    length = min(FADE_SAMPLES, samples.size // 2)
    ramp = (0.5 - 0.5 * np.cos(np.pi * np.arange(length) / FADE_SAMPLES)).astype(np.float32)
    out = samples.copy()
    out[:length] *= ramp
    out[samples.size - length :] *= ramp[::-1]
    return out
