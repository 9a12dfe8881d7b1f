"""Frames of any kind to blocks of 16 kHz float samples. Runs in a decoder process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from av import AudioFrame, AudioResampler

from tympan.errors import MIN_AUDIO_S, AudioTooShort, EmptyAudio
from tympan.sound.decode import AudioFile, Gap
from tympan.sound.downmix import DownMixer
from tympan.sound.media import BLOCK_SAMPLES, DecodeReport
from tympan.sound.waveform import SAMPLE_RATE, Block, Samples

if TYPE_CHECKING:
    from collections.abc import Iterator

# The shortest audio in samples, less a millisecond: resampling may round a tenth of a second down.
MIN_SAMPLES = round((MIN_AUDIO_S - 0.001) * SAMPLE_RATE)
MISSING_S = 0.2  # audio shorter than declared by less than this is padding and rounding
CLIPPED_SHARE = 0.001  # of all samples; a lossy codec overshoots in a few
MISSING_SHARE = 0.002  # the same for long files: 7 s in an hour, what a clock in milliseconds can drift


class Rendering:
    """The blocks of a file: [1, n] mixed to mono, or with `split` [C, n] as its channels are."""

    def __init__(self, audio: AudioFile, *, split: bool) -> None:
        self._audio = audio
        self._width = audio.info.channels if split else 1
        self._split = split
        self._mixer = DownMixer(audio.info.channels)
        self._mixer_channels = audio.info.channels
        self._clipped = 0
        self._repaired = 0
        self._samples = 0

    def blocks(self) -> Iterator[Block]:
        """Decode. Every block has `BLOCK_SAMPLES` samples but the last.

        Raises `EmptyAudio`, `AudioTooShort`, and what `AudioFile.frames` raises.
        """
        for samples in _in_pieces(self._conform(piece) for piece in _in_pieces(self._resampled())):
            block = Block(channels=samples, start=self._samples)
            self._samples = block.end
            yield block
        if self._audio.seconds == 0:
            raise EmptyAudio(f"no decodable sample in this {self._audio.info.container} file")
        if self._samples < MIN_SAMPLES:
            raise AudioTooShort

    def report(self) -> DecodeReport:
        """Return what was met, once `blocks` has ended."""
        return DecodeReport(
            samples=self._samples,
            clipped=self._clipped,
            bad_packets=self._audio.bad_packets,
            warnings=tuple(self._warnings()),
        )

    def _warnings(self) -> Iterator[str]:
        audio = self._audio
        declared = audio.stream_seconds
        if audio.bad_packets:
            yield f"{audio.bad_packets} damaged packets could not be decoded."
        found = audio.seconds + audio.silent_seconds
        if declared is not None and declared - found > max(MISSING_S, MISSING_SHARE * declared):
            yield f"The file declares {declared:.1f} s of audio; {audio.seconds:.1f} s could be decoded."
        if audio.silent_seconds:
            yield f"{audio.silent_seconds:.1f} s without data are silence, so that times stay those of the file."
        if self._clipped > CLIPPED_SHARE * self._samples:
            yield f"{self._clipped} samples were beyond full scale and are clipped."
        if self._repaired:
            yield f"{self._repaired} samples came out of the decoder as no numbers and are silence."

    def _resampled(self) -> Iterator[Samples]:
        """Give samples [C, n] at 16 kHz, of any n; C follows the stream."""
        resampler = _Resampler()
        channels = self._audio.info.channels
        for item in self._audio.frames():
            if isinstance(item, Gap):
                yield from resampler.drain()
                yield from _silence(channels, round(item.seconds * SAMPLE_RATE))
            else:
                channels = item.layout.nb_channels
                yield from resampler.push(item)
        yield from resampler.drain()

    def _conform(self, piece: Samples) -> Samples:
        """Make samples finite, within ±1, and of the width that blocks have."""
        finite = np.isfinite(piece)
        if not finite.all():
            self._repaired += int(piece.size - np.count_nonzero(finite))
            piece = np.where(finite, piece, np.float32(0))
        beyond = int(np.count_nonzero(np.abs(piece) > 1))
        if beyond:
            self._clipped += beyond
            piece = np.clip(piece, -1, 1)
        if self._split and piece.shape[0] == self._width:
            return piece
        if piece.shape[0] != self._mixer_channels:
            self._mixer, self._mixer_channels = DownMixer(piece.shape[0]), piece.shape[0]
        mono = self._mixer.mix(piece)[None]
        # Where a stream changes its channels half way, every channel of a split gets all that is said.
        return np.repeat(mono, self._width, axis=0) if self._width > 1 else mono


class _Resampler:
    """FFmpeg's resampler, made anew when what comes in changes."""

    def __init__(self) -> None:
        self._resampler = _new_resampler()
        self._key: tuple[int, str, str] | None = None

    def push(self, frame: AudioFrame) -> Iterator[Samples]:
        """Resample a frame to float32 [C, n]; a part of it may come with a later frame."""
        key = (frame.sample_rate, frame.format.name, frame.layout.name)
        if key != self._key:
            yield from self.drain()
            self._key = key
        frame.pts = None  # samples are counted; timestamps that jump back would only confuse the filter
        for out in self._resampler.resample(frame):
            yield _array(out)

    def drain(self) -> Iterator[Samples]:
        """Give what the filter still holds, and begin anew."""
        if self._key is not None:
            # Where there was nothing to convert it answers [None].
            yield from (_array(out) for out in self._resampler.resample(None) if out is not None)
        self._resampler, self._key = _new_resampler(), None


def _new_resampler() -> AudioResampler:
    # Packed: planar frames of eight channels or more cannot be read as an array (PyAV 18.1).
    return AudioResampler(format="flt", rate=SAMPLE_RATE)


def _array(frame: AudioFrame) -> Samples:
    samples: Samples = np.asarray(frame.to_ndarray(), np.float32)
    return samples.reshape(-1, frame.layout.nb_channels).T


def _silence(channels: int, samples: int) -> Iterator[Samples]:
    for start in range(0, samples, BLOCK_SAMPLES):
        yield np.zeros((channels, min(BLOCK_SAMPLES, samples - start)), np.float32)


def _in_pieces(parts: Iterator[Samples]) -> Iterator[Samples]:
    """Join parts [C, n] to pieces of exactly `BLOCK_SAMPLES`; a shorter one where C changes and at the end."""
    held: list[Samples] = []
    length = 0
    for part in parts:
        if held and part.shape[0] != held[0].shape[0]:
            yield np.concatenate(held, axis=1)
            held, length = [], 0
        held.append(part)
        length += part.shape[1]
        if length < BLOCK_SAMPLES:
            continue
        joined = np.concatenate(held, axis=1)
        whole = length - length % BLOCK_SAMPLES
        for start in range(0, whole, BLOCK_SAMPLES):
            yield np.ascontiguousarray(joined[:, start : start + BLOCK_SAMPLES])
        held, length = [joined[:, whole:]], length - whole
    if length:
        yield np.concatenate(held, axis=1)
