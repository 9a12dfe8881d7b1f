"""Magnitudes of overlapping frames, in buffers that are allocated once and never grow with the audio.

Two things that published extractors do for each frame are done once for the stream here, because neighbouring
frames share most of their samples: pre-emphasis, and its rounding to float32. A frame's first sample, which has no
neighbour, is set afterwards. The transform is float64 and is rounded to complex64: a float32 transform is off by up
to 0.7 in the logarithm where a signal has quiet bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

BLOCK = 256  # frames handled by one call; the calls' own cost would show with fewer
TILE = 128  # frames transformed at once, so that they and their spectra stay in a core's own cache
PREEMPHASIS = np.float32(0.97)  # of both families


@dataclass(frozen=True, slots=True)
class Framing:
    """Samples of a frame, from one frame to the next, and points of the transform."""

    frame: int
    hop: int
    transform: int


class Spectrometer:
    """Frames to magnitudes, for one thread at a time.

    `window` [frame] is multiplied in its own precision: float32 rounds the product, as Gemma 3n's extractor does.
    """

    def __init__(self, framing: Framing, window: NDArray[np.float32] | NDArray[np.float64], bins: slice) -> None:
        self._framing = framing
        self._window = window
        self._bins = bins
        self._stream = np.zeros((BLOCK - 1) * framing.hop + framing.frame, window.dtype)
        self._emphasized = np.empty(self._stream.size, np.float32)
        self._product = np.empty((TILE, framing.frame), window.dtype)
        self._frames = np.zeros((TILE, framing.transform))  # zero behind each frame
        self._spectra = np.empty((TILE, framing.transform // 2 + 1), np.complex128)
        self._rounded = np.empty((BLOCK, bins.stop - bins.start), np.complex64)
        self._magnitudes = np.empty(self._rounded.shape, np.float32)

    def magnitudes(
        self, samples: Samples, firsts: NDArray[np.float32], scale: np.float32 | None, poll: Poll
    ) -> NDArray[np.float32]:
        """Return float32 [frames, bins] for up to `BLOCK` frames; the next call overwrites it.

        `samples` begins with the first frame and reaches to the end of the last. `firsts` [frames] are the
        emphasized first samples. `scale` multiplies what is emphasized, after rounding.
        """
        count, framing = firsts.size, self._framing
        self._emphasize(samples, scale)
        frames = sliding_window_view(self._stream, framing.frame)[:: framing.hop]
        for low in range(0, count, TILE):
            poll()
            high = min(low + TILE, count)
            self._transform(frames[low:high], firsts[low:high], self._rounded[low:high])
        return np.abs(self._rounded[:count], out=self._magnitudes[:count])

    def _emphasize(self, samples: Samples, scale: np.float32 | None) -> None:
        out = self._emphasized[1 : samples.size]
        np.multiply(samples[:-1], PREEMPHASIS, out=out)
        np.subtract(samples[1:], out, out=out)
        if scale is not None:
            out *= scale
        self._stream[1 : samples.size] = out

    def _transform(self, frames: NDArray[np.generic], firsts: NDArray[np.float32], out: NDArray[np.complex64]) -> None:
        count, length = frames.shape
        padded, spectra = self._frames[:count], self._spectra[:count]
        if self._window.dtype == np.float64:
            np.multiply(frames, self._window, out=padded[:, :length])
        else:
            padded[:, :length] = np.multiply(frames, self._window, out=self._product[:count])
        padded[:, 0] = firsts * self._window[0]
        np.fft.rfft(padded, out=spectra)
        np.copyto(out, spectra[:, self._bins], casting="same_kind")
