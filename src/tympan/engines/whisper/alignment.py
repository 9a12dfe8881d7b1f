"""Word times from the alignment of tokens to audio frames, with starts moved to where the sound begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tympan.engines.protocols import Word
from tympan.sound.waveform import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from collections.abc import Sequence

FRAME_S = 0.02  # the encoder halves the 10 ms of the features
ENVELOPE_S = 0.01  # resolution of the onset search
ENVELOPE_HOP = int(ENVELOPE_S * SAMPLE_RATE)
ONSET_BELOW_PEAK_DB = 25.0  # a word begins where its sound comes this near to its loudest 10 ms
MIN_WORD_S = 0.06  # what an onset may leave of a word
ALIGNMENT_LAG_S = 0.05  # measured on human speech with known word times (and on synthetic): -77 ms becomes -30


def word_times(
    words: Sequence[tuple[str, list[int]]],
    alignment: Sequence[tuple[int, int]],
    token_probabilities: Sequence[float],
    samples: Samples,
) -> tuple[Word, ...]:
    """Return the words with times in seconds from the first sample, each start at an onset of sound.

    `alignment` is the path of (token, frame of 20 ms) pairs; `samples` float32 [n] at 16 kHz.
    """
    duration = samples.size / SAMPLE_RATE
    starts = _token_starts(alignment, sum(len(tokens) for _, tokens in words))
    envelope = level_db(samples)
    timed: list[Word] = []
    place = 0
    for text, tokens in words:
        after = place + len(tokens)
        start = min(float(starts[place]) * FRAME_S, duration)
        end = max(start, min(float(starts[after]) * FRAME_S, duration))
        onset = onset_in(start, end, envelope)
        if onset is None and timed and timed[-1].end == round(start, 3):
            # no sound begins here: one word runs into the next, and the boundary between them is heard too early
            onset = min(start + ALIGNMENT_LAG_S, max(start, end - MIN_WORD_S))
            timed[-1] = replace(timed[-1], end=round(onset, 3))
        start = start if onset is None else onset
        probability = float(np.mean(token_probabilities[place:after])) if tokens else 0.0
        timed.append(Word(text, round(start, 3), round(end, 3), round(min(1.0, probability), 4), tuple(tokens)))
        place = after
    return tuple(timed)


def level_db(samples: Samples) -> Samples:
    """Return the level of each 10 ms of float32 [n], float32 [ceil(n / 160)] in dB of full scale, at least -100."""
    padded = np.pad(samples, (0, -samples.size % ENVELOPE_HOP))
    power = np.square(padded.reshape(-1, ENVELOPE_HOP)).mean(axis=1)
    return np.asarray(10.0 * np.log10(np.maximum(power, 1e-10)), np.float32)


def onset_in(start: float, end: float, envelope: Samples) -> float | None:
    """Return where sound begins inside [start, end] seconds, None when it goes on from before.

    The alignment gives the pause before a word to the word. A start so found leaves at least 60 ms of the word.
    """
    first, last = int(start / ENVELOPE_S), min(len(envelope), round(end / ENVELOPE_S))
    if last - first < 2:  # noqa: PLR2004  (nothing to choose from)
        return None
    levels = envelope[first:last]
    loud = int(np.argmax(levels >= levels.max() - ONSET_BELOW_PEAK_DB))
    if not loud:
        return None
    return min(max(start, (first + loud) * ENVELOPE_S), max(start, end - MIN_WORD_S))


def _token_starts(alignment: Sequence[tuple[int, int]], tokens: int) -> list[int]:
    """Return the frame at which each token begins, and one more: where the last one ends."""
    starts = [-1] * (tokens + 1)
    for token, frame in alignment:
        if token <= tokens and starts[token] < 0:
            starts[token] = frame
    last = alignment[-1][1] + 1 if alignment else 0
    for token in range(tokens, -1, -1):  # tokens that the path skips take no time
        if starts[token] < 0:
            starts[token] = last
        last = starts[token]
    return starts
