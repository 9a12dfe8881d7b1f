"""Reading and writing audio for the benchmarks, without any of the code that is measured."""

from __future__ import annotations

import wave
from typing import TYPE_CHECKING

import av
import numpy as np

from tympan.sound.waveform import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FULL_SCALE = 32_767  # of 16-bit samples


def read_audio(path: Path) -> Samples:
    """Decode a whole file to float32 [n] at 16 kHz mono."""
    with av.open(str(path)) as container:
        resampler = av.AudioResampler("flt", "mono", SAMPLE_RATE)
        frames = [part for frame in container.decode(audio=0) for part in resampler.resample(frame)]
        frames += resampler.resample(None)
    return np.concatenate([frame.to_ndarray()[0] for frame in frames]).astype(np.float32)


def resample(samples: Samples, rate: int) -> Samples:
    """Bring float32 [n] mono from `rate` to 16 kHz."""
    frame = av.AudioFrame.from_ndarray(samples.astype(np.float32)[None], format="flt", layout="mono")
    frame.sample_rate = rate
    resampler = av.AudioResampler("flt", "mono", SAMPLE_RATE)
    parts = resampler.resample(frame) + resampler.resample(None)
    return np.concatenate([part.to_ndarray()[0] for part in parts]).astype(np.float32)


def write_wav(path: Path, pieces: Iterable[Samples]) -> float:
    """Write float32 pieces at 16 kHz as one 16-bit mono wav; the name appears when it is whole. Returns seconds."""
    partial = path.with_suffix(".partial")
    count = 0
    with wave.open(str(partial), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(SAMPLE_RATE)
        for piece in pieces:
            count += piece.size
            out.writeframes((np.clip(piece, -1, 1) * FULL_SCALE).round().astype("<i2").tobytes())
    partial.replace(path)
    return count / SAMPLE_RATE


def read_wav(path: Path) -> Samples:
    """Read what `write_wav` wrote."""
    with wave.open(str(path), "rb") as source:
        data = source.readframes(source.getnframes())
    return (np.frombuffer(data, "<i2") / FULL_SCALE).astype(np.float32)
