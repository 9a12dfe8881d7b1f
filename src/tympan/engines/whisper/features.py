"""Whisper's log-mel features."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tympan.sound.waveform import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_FFT = 400  # samples: 25 ms
HOP = 160  # samples: 10 ms
FLOOR = -10.0  # decades: what silence is set to
DYNAMIC_RANGE = 8.0  # decades below the loudest value that are kept
MEL_BREAK_HZ = 1000.0  # Slaney's scale is linear below and logarithmic above
MEL_LINEAR_HZ = 200.0 / 3  # Hz in one mel of the linear part
MEL_LOG_STEP = np.log(6.4) / 27  # natural logarithm of the ratio of one mel of the upper part


def log_mel(samples: Samples, n_mels: int, silence: int = 0) -> NDArray[np.float32]:
    """Return float32 [n_mels, frames], scaled as Whisper was trained (about -1 to 1).

    `samples` is float32 [n] at 16 kHz, followed by `silence` zeros; frames = (n + silence) // 160. Padding the
    samples is Whisper's way; features that are padded afterwards make the decoder repeat itself. Frames that hold
    nothing but padding are not computed, since they are known.
    """
    frames = (samples.size + silence) // HOP
    heard = min(frames, -(-(samples.size + N_FFT // 2) // HOP)) if silence >= N_FFT else frames
    tail = min(silence, heard * HOP + N_FFT - samples.size) if silence else 0
    padded = np.pad(np.pad(samples, (0, tail)), N_FFT // 2, mode="reflect")
    framed = np.lib.stride_tricks.sliding_window_view(padded, N_FFT)[::HOP][:heard]
    spectrum = np.fft.rfft(framed * _window(), axis=1)
    power = spectrum.real**2 + spectrum.imag**2
    mel = np.full((n_mels, frames), FLOOR, np.float32)
    mel[:, :heard] = np.log10(np.maximum(mel_filters(n_mels) @ power.T, 10.0**FLOOR))
    return np.asarray((np.maximum(mel, mel.max() - DYNAMIC_RANGE) + 4.0) / 4.0, np.float32)


@cache
def mel_filters(n_mels: int) -> NDArray[np.float32]:
    """Return float32 [n_mels, 201]: triangles on Slaney's mel scale from 0 to 8 kHz, each of unit area."""
    bins = np.linspace(0.0, SAMPLE_RATE / 2, N_FFT // 2 + 1)
    edges = _mel_to_hz(np.linspace(0.0, _hz_to_mel(SAMPLE_RATE / 2), n_mels + 2))
    widths = np.diff(edges)
    rising = (bins - edges[:-2, None]) / widths[:-1, None]
    falling = (edges[2:, None] - bins) / widths[1:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


@cache
def _window() -> NDArray[np.float32]:
    return np.hanning(N_FFT + 1)[:-1].astype(np.float32)


def _hz_to_mel(hz: float) -> float:
    if hz < MEL_BREAK_HZ:
        return hz / MEL_LINEAR_HZ
    return MEL_BREAK_HZ / MEL_LINEAR_HZ + float(np.log(hz / MEL_BREAK_HZ) / MEL_LOG_STEP)


def _mel_to_hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    at_break = MEL_BREAK_HZ / MEL_LINEAR_HZ
    upper = MEL_BREAK_HZ * np.exp(MEL_LOG_STEP * (mel - at_break))
    return np.where(mel < at_break, mel * MEL_LINEAR_HZ, upper)
