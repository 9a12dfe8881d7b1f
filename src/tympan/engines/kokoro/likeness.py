"""Whether two syntheses are the same speech: sample by sample they never are, since rounding decides the phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Samples = np.ndarray[Any, np.dtype[np.float32]]

FRAME = 1024  # samples, 43 ms
HOP = 256
FLOOR_DB = -60.0  # below the loudest: what lies deeper is not heard, and is made of rounding errors


def spectral_distance_db(first: Samples, second: Samples) -> float:
    """Return the mean difference in dB of two log spectra where either is heard; infinite when the lengths differ.

    Both are float32 [n] of at least 1024 samples.
    """
    if first.size != second.size:
        return float("inf")
    one, other = _spectrum(first), _spectrum(second)
    floor = max(one.max(), other.max()) * 10 ** (FLOOR_DB / 20)
    heard = (one > floor) | (other > floor)
    if not heard.any():
        return 0.0
    ratios = np.maximum(one[heard], floor) / np.maximum(other[heard], floor)
    return float(np.abs(20 * np.log10(ratios)).mean())


def _spectrum(samples: Samples) -> np.ndarray[Any, Any]:
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    return np.abs(np.fft.rfft(frames * np.hanning(FRAME)))
