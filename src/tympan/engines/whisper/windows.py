"""How long a window a span is decoded in, and which spans may share one. Pure, and free of any native runtime."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tympan.engines.protocols import IdentifyItem, Span
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Hashable

FULL_WINDOW_S = 30.0  # what Whisper was trained on
WINDOW_STEP_S = 0.5
BATCH_AUDIO_S = 32.0  # windows that share a batch: four of 8 s, one of 20 s; a short clip waits no longer than that


def window_s(span_s: float, floor_s: float, pad_s: float) -> float:
    """Return the decoding window for `span_s` seconds, in whole steps so that many spans have the same.

    The silence behind a span is `pad_s`, twice as much where the span is longer than the floor: of ten merged spans
    of 9 to 20 s two ran away with one second of it, none with two.
    """
    pad_s = pad_s if span_s <= floor_s else 2 * pad_s
    return min(FULL_WINDOW_S, math.ceil(max(span_s + pad_s, floor_s) / WINDOW_STEP_S) * WINDOW_STEP_S)


def batch_key(item: Span | IdentifyItem, floor_s: float, pad_s: float) -> Hashable:
    """Return what items must have in common to be decoded together.

    Equal windows and equal prompts: so no text depends on who else is being served.
    """
    seconds = item.samples.size / SAMPLE_RATE
    if isinstance(item, IdentifyItem):
        return "identify"
    options = item.options
    return window_s(seconds, floor_s, pad_s), options.prompt, options.keywords, options.temperature


def batch_size(item: Span | IdentifyItem, most: int, floor_s: float, pad_s: float) -> int:
    """Return how many items like this one may share a batch, `most` at the most."""
    if isinstance(item, IdentifyItem):
        return 1
    return max(1, min(most, int(BATCH_AUDIO_S / window_s(item.samples.size / SAMPLE_RATE, floor_s, pad_s))))
