"""Gemma 3n's features: 128 log-mel magnitudes of 32 ms frames every 10 ms.

The steps, their order and their roundings are those of transformers' extractor: pre-emphasis and window in float32,
the transform in float64 and rounded to complex64. Clips of a batch are padded with zeros to a common length, on the
side that the checkpoint names; the mask says which frames begin with a real sample.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np

from tympan.inputs.features.bank import BandedBank
from tympan.inputs.features.spectrum import BLOCK, Framing, Spectrometer
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

PaddingSide = Literal["left", "right"]

MELS = 128
FRAMING = Framing(frame=512, hop=160, transform=1024)
UNFOLD = FRAMING.frame + 1  # samples that must be there for a frame; the last one is not used
PAD_MULTIPLE = 128  # samples
FLOOR = np.float32(1e-5)  # of a magnitude
SILENCE = np.float32(np.log(np.float64(1e-5)))  # -11.512925, the feature of a frame of zeros
_LOW_HZ, _HIGH_HZ = 125.0, 7_600.0  # edges of the first and the last filter


def mel_bank() -> NDArray[np.float64]:
    """Return the filterbank: float64 [513, 128], triangles in Hz whose edges are equally spaced in HTK's mel."""
    low, high = (2595.0 * np.log10(1.0 + hertz / 700.0) for hertz in (_LOW_HZ, _HIGH_HZ))
    edges = 700.0 * (10.0 ** (np.linspace(low, high, MELS + 2) / 2595.0) - 1.0)
    at = np.arange(FRAMING.transform // 2 + 1)[:, None] * (SAMPLE_RATE / FRAMING.transform)
    widths = np.diff(edges)
    rising = (at - edges[:-2]) / widths[:-1]
    falling = (edges[2:] - at) / widths[1:]
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)))


def window() -> NDArray[np.float32]:
    """Return the periodic Hann window: float32 [512], computed in float32 as in transformers.

    A window rounded from float64 differs in its last bit, and features of quiet bins by up to 0.2.
    """
    angle = 2.0 * np.pi * np.arange(FRAMING.frame, dtype=np.float32) / FRAMING.frame
    return np.asarray(0.5 * (1.0 - np.cos(angle)), np.float32)


def padded_length(samples: int) -> int:
    """Return the length that a batch whose longest clip has `samples` is padded to."""
    return -(-samples // PAD_MULTIPLE) * PAD_MULTIPLE


def frame_count(samples: int) -> int:
    """Return the frames of a batch whose longest clip has `samples`; none for 512 or fewer."""
    padded = padded_length(samples)
    return 0 if padded < UNFOLD else (padded - UNFOLD) // FRAMING.hop + 1


class _Kit(threading.local):
    """What one thread computes with, kept for its next clip."""

    def __init__(self) -> None:
        self.bank = _bank()
        self.spectrometer = Spectrometer(FRAMING, window(), self.bank.bins)


@lru_cache(maxsize=1)
def _bank() -> BandedBank:
    return BandedBank(mel_bank())


_kits = _Kit()


def log_mel(
    samples: Samples,
    side: PaddingSide,
    longest: int,
    out: tuple[NDArray[np.float32], NDArray[np.bool_]],
    poll: Poll,
) -> None:
    """Write one clip of a batch whose longest has `longest` samples.

    `out` is float32 [frame_count(longest), 128] for the features and bool [frame_count(longest)] for the mask, which
    is true where a frame begins with a real sample. Frames without any are not computed.
    """
    features, mask = out
    start = padded_length(longest) - samples.size if side == "left" else 0
    begins = np.arange(len(features)) * FRAMING.hop
    np.logical_and(begins >= start, begins < start + samples.size, out=mask)
    touched = np.flatnonzero((begins + FRAMING.frame > start) & (begins < start + samples.size))
    low, high = int(touched[0]), int(touched[-1]) + 1
    features[:low] = features[high:] = SILENCE
    _compute(
        _cut(samples, low * FRAMING.hop - start, (high - low - 1) * FRAMING.hop + FRAMING.frame),
        features[low:high],
        poll,
    )


def _cut(samples: Samples, begin: int, length: int) -> Samples:
    """Return `samples[begin : begin + length]`, with zeros where there are none; a view when nothing is missing."""
    if begin >= 0 and begin + length <= samples.size:
        return samples[begin : begin + length]
    cut = np.zeros(length, np.float32)
    low, high = max(begin, 0), min(begin + length, samples.size)
    cut[low - begin : high - begin] = samples[low:high]
    return cut


def _compute(samples: Samples, out: NDArray[np.float32], poll: Poll) -> None:
    bank, spectrometer = _kits.bank, _kits.spectrometer
    firsts = np.zeros(BLOCK, np.float32)  # the window begins with zero
    for first in range(0, len(out), BLOCK):
        block = out[first : first + BLOCK]
        stretch = samples[first * FRAMING.hop :][: (len(block) - 1) * FRAMING.hop + FRAMING.frame]
        magnitudes = spectrometer.magnitudes(stretch, firsts[: len(block)], None, poll)
        bank.apply(magnitudes, block)
        np.log(np.maximum(block, FLOOR, out=block), out=block)
