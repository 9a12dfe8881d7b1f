"""Phi-4 Multimodal's features: 80 log-mel energies of 25 ms frames every 10 ms.

The steps, their order and their roundings are those of the processor published with the model: pre-emphasis and
scaling in float32, window and transform in float64, spectrum rounded to complex64, magnitude squared in float32.
Audio labelled 8 kHz has frames of as many milliseconds, half the transform, and nothing above 4 kHz.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tympan.inputs.features.bank import BandedBank
from tympan.inputs.features.spectrum import BLOCK, PREEMPHASIS, Framing, Spectrometer
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

MELS = 80
NARROW_RATE = 8_000  # Hz; what rates between it and 16 kHz are taken as
FRAMING = {
    SAMPLE_RATE: Framing(frame=400, hop=160, transform=512),
    NARROW_RATE: Framing(frame=200, hop=80, transform=256),
}
FULL_SCALE = np.float32(32_768)  # the features are those of 16-bit samples
FLOOR = np.float32(1.0)  # of an energy; its logarithm, 0, is what silence gives
_BINS = 257  # of the transform at 16 kHz
_TOP_HZ = 7_690  # upper edge of the last filter
_FIRST_BIN, _END_BIN = 1, 246  # SpeechLib leaves out the bins outside, also where a triangle would reach them


def mel_bank() -> NDArray[np.float64]:
    """Return SpeechLib's filterbank: float64 [257, 80], triangles in the mel scale, none normalized."""
    edges = np.linspace(0.0, _mel(_TOP_HZ), MELS + 2)
    step = edges[-1] / (MELS + 1)
    at = _mel(np.arange(_BINS) * (SAMPLE_RATE / (2 * (_BINS - 1))))
    bank = 1.0 - np.abs(edges[1:-1] - at[:, None]) / step
    inside = (at[:, None] > edges[:-2]) & (at[:, None] < edges[2:])
    inside[:_FIRST_BIN] = inside[_END_BIN:] = False
    return np.where(inside, bank, 0.0)


def _mel(hertz: NDArray[np.floating[Any]] | float) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log(1.0 + np.asarray(hertz) / 700.0))


def frame_count(samples: int, rate: int) -> int:
    """Return how many whole frames fit; a tail shorter than a hop is dropped."""
    framing = FRAMING[rate]
    return 0 if samples < framing.frame else (samples - framing.frame) // framing.hop + 1


class _Kit(threading.local):
    """What one thread computes with, kept for its next clip."""

    def __init__(self) -> None:
        self.bank, self.spectrometers = _kit()


def _kit() -> tuple[BandedBank, dict[int, Spectrometer]]:
    bank = _bank()
    nyquist = FRAMING[NARROW_RATE].transform // 2  # left out: the published code drops that bin
    bins = {SAMPLE_RATE: bank.bins, NARROW_RATE: slice(bank.bins.start, nyquist)}
    return bank, {
        rate: Spectrometer(framing, np.hamming(framing.frame), bins[rate]) for rate, framing in FRAMING.items()
    }


@lru_cache(maxsize=1)
def _bank() -> BandedBank:
    return BandedBank(mel_bank())


_kits = _Kit()


def log_mel(samples: Samples, rate: int, out: NDArray[np.float32], poll: Poll) -> None:
    """Write the features of float32 [n] at 16000 or 8000 Hz to float32 [frame_count(n), 80]."""
    framing, bank, spectrometer = FRAMING[rate], _kits.bank, _kits.spectrometers[rate]
    full = np.zeros((BLOCK, bank.bins.stop - bank.bins.start), np.float32) if rate == NARROW_RATE else None
    for first in range(0, len(out), BLOCK):
        block = out[first : first + BLOCK]
        stretch = samples[first * framing.hop :][: (len(block) - 1) * framing.hop + framing.frame]
        firsts = stretch[:: framing.hop][: len(block)]
        power = spectrometer.magnitudes(stretch, (firsts - PREEMPHASIS * firsts) * FULL_SCALE, FULL_SCALE, poll)
        np.square(power, out=power)
        if full is not None:
            full[: len(block), : power.shape[1]] = power
            power = full[: len(block)]
        bank.apply(power, block)
        np.log(np.maximum(block, FLOOR, out=block), out=block)
