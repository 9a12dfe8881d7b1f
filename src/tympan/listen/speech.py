"""Small decisions about an excerpt on its way to an engine and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tympan.sound.waveform import SAMPLE_RATE, Samples, seconds

if TYPE_CHECKING:
    from tympan.engines.protocols import Recognition
    from tympan.listen.cuts import Excerpt

SHORTEST = SAMPLE_RATE // 2  # a blip of 0.1 s is heard better with silence around it
SPARSE_FROM_S = 4.0
SPARSE_TOKENS_PER_SECOND = 1.0  # slow speech has two


def is_sparse(excerpt: Excerpt, recognition: Recognition) -> bool:
    """Whether far too little was recognized in an excerpt that has pauses to cut at.

    Whisper writes a sentence that is said again and again only once; from pause to pause it cannot.
    """
    voiced_s = seconds(excerpt.voiced)
    return (
        len(excerpt.spans) > 1
        and voiced_s >= SPARSE_FROM_S
        and 0 < len(recognition.tokens) < SPARSE_TOKENS_PER_SECOND * voiced_s
    )


def at_least(samples: Samples) -> Samples:
    """Return float32 [n] with silence behind it where it is shorter than engines take."""
    return np.pad(samples, (0, max(0, SHORTEST - samples.size)))


def speech_of(excerpt: Excerpt) -> Samples:
    """Return the part of an excerpt in which the voice was found."""
    first = excerpt.speech_start - excerpt.start
    return excerpt.samples[first : first + excerpt.speech_end - excerpt.speech_start]
