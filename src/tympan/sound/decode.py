"""Encoded audio to frames, with FFmpeg's libraries through PyAV. Runs in a decoder process, never in the parent.

What is opened is a file object, so its name says nothing, and a format that could name further files is not taken.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

import av
import av.error
import av.stream
import numpy as np

from tympan.errors import (
    AudioTooLong,
    EmptyAudio,
    NoAudioStream,
    NonFiniteAudio,
    SampleRateRefused,
    TooManyChannels,
    UndecodableAudio,
)
from tympan.sound.media import MediaInfo
from tympan.sound.sniff import HEAD_BYTES, describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av import AudioFrame, AudioStream, Packet
    from av.container import InputContainer

    from tympan.sound.messages import DecodeLimits

# Demuxers that read one stream of bytes. Playlists, concat scripts, images, devices and subtitles are not here.
FORMATS = (
    "wav,w64,aiff,caf,au,flac,wv,tta,ape,mp3,aac,ac3,eac3,dts,amr,amrnb,amrwb,ogg,matroska,webm,"
    "mov,mp4,m4a,3gp,3g2,asf,avi,flv,mpegts,mpeg"
)
CONTAINER_NAMES = {"mov,mp4,m4a,3gp,3g2,mj2": "mp4", "matroska,webm": "webm"}  # FFmpeg's names that are lists
# FFmpeg's own sizes look for a film's sound inside a WAV for 5 MB, and cut it into packets of 4 KiB: these open a
# 44.1 kHz file in 1 ms instead of 30 and decode five times as fast.
WAV_OPTIONS = {"probesize": "32768", "max_size": "16384"}  # bytes
GUESSED_LENGTH = frozenset({"aac", "ac3", "eac3", "amr", "amrnb", "amrwb", "dts"})  # from the first bit rate
XING_MARKS = (b"Xing", b"Info", b"VBRI")  # an mp3 with one of these in its first frame states its length
READ_ATTEMPTS = 100  # broken reads in a row after which nothing more is expected of a container
DURATION_SLACK_S = 1.0  # a container's own duration may be off by a frame or a rounding; counting decides then
OVERRUN_S = 0.25  # the decode stops this far past a limit, as a file of exactly the limit may end in padding
GAP_S = 0.2  # timestamps jump further than this only where audio is missing; it stays silent, so times stay true
LONGEST_GAP_S = 3600.0  # a longer jump is a clock that was set, not a pause


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch without data, in seconds."""

    seconds: float


class AudioFile:
    """The first decodable audio stream of a file.

    `seconds` counts what was decoded, `silent_seconds` the gaps between, `bad_packets` what could not be decoded.
    Raises `EmptyAudio`, `UndecodableAudio`, `NoAudioStream`, `SampleRateRefused`, `TooManyChannels` or
    `AudioTooLong` before anything is decoded.
    """

    def __init__(self, file: BinaryIO, limits: DecodeLimits) -> None:
        self._limits = limits
        head = file.read(HEAD_BYTES)
        if not head:
            raise EmptyAudio
        states_length = _states_length(file, head)
        file.seek(0)
        self._container = _open(file, head)
        name = self._container.format.name
        container = CONTAINER_NAMES.get(name, name)
        streams = self._container.streams
        if not streams.audio:
            raise NoAudioStream(container)
        known = [each for each in streams.audio if each.codec_context is not None]
        if not known:
            raise UndecodableAudio("its audio codec is not known")
        self._stream = known[0]
        for stream in streams:
            if stream is not self._stream:
                stream.discard = av.stream.Discard.all
        codec = self._stream.codec_context
        codec.thread_count = 1  # one process a file is the parallelism; threads would only cost memory
        if not codec.sample_rate or not codec.channels:
            raise EmptyAudio(f"no decodable sample in this {container} file")
        self._check(codec.sample_rate, codec.channels)
        duration = self._container.duration
        stated = states_length if name == "mp3" else name not in GUESSED_LENGTH
        self.info = MediaInfo(
            container=container,
            codec=codec.name,
            rate=codec.sample_rate,
            channels=codec.channels,
            seconds=duration / av.time_base if stated and duration and duration > 0 else None,
        )
        if self.info.seconds is not None and self.info.seconds > limits.max_seconds + DURATION_SLACK_S:
            raise AudioTooLong(limits.max_seconds)
        self.bad_packets = 0
        self.seconds = 0.0
        self.silent_seconds = 0.0

    @property
    def stream_seconds(self) -> float | None:
        """What the container says of the audio alone: its picture may be longer."""
        if self.info.seconds is None:
            return None
        stream = self._stream
        if stream.duration and stream.time_base:
            return float(stream.duration * stream.time_base)
        return self.info.seconds if len(self._container.streams) == 1 else None

    def frames(self, max_seconds: float | None = None) -> Iterator[AudioFrame | Gap]:
        """Decode: frames as they are in the file, and gaps where its clock jumps.

        Raises `AudioTooLong` once more than `max_seconds` (of the caller) or the operator's bound came out, and
        `NonFiniteAudio` at the end of a file with such samples, when all of them are counted.
        """
        clock = _Clock((self._container.start_time or 0) / av.time_base)
        broken, first_broken_s = 0, 0.0
        for frame in self._decoded():
            self._check(frame.sample_rate, frame.layout.nb_channels)
            gap = clock.gap(frame.time)
            if gap:
                self.silent_seconds += gap
                self._check_length(clock.now_s, max_seconds)
                yield Gap(gap)
            not_finite = _not_finite(frame)
            if not_finite.size:
                if not broken:
                    first_broken_s = clock.now_s + int(not_finite[0]) / frame.sample_rate
                broken += int(not_finite.size)
            length = frame.samples / frame.sample_rate
            clock.now_s += length
            self.seconds += length
            self._check_length(clock.now_s, max_seconds)
            if not broken:
                yield frame
        if broken:
            raise NonFiniteAudio(broken, first_broken_s)

    def _check_length(self, now_s: float, max_seconds: float | None) -> None:
        if max_seconds is not None and now_s > max_seconds + OVERRUN_S:
            raise AudioTooLong(max_seconds, param="max_seconds")
        if now_s > self._limits.max_seconds + OVERRUN_S:
            raise AudioTooLong(self._limits.max_seconds)

    def _decoded(self) -> Iterator[AudioFrame]:
        for packet in self._packets():
            try:
                frames = self._stream.codec_context.decode(packet)
            except av.error.MemoryError:
                raise
            except av.error.FFmpegError:
                self.bad_packets += 1
                continue
            yield from frames

    def _packets(self) -> Iterator[Packet[AudioStream] | None]:
        failures = 0
        while failures < READ_ATTEMPTS:
            try:
                for packet in self._container.demux(self._stream):
                    failures = 0
                    yield packet
            except av.error.MemoryError:
                raise
            except av.error.FFmpegError:
                failures += 1
            else:
                return
        self.bad_packets += 1
        yield None  # what the decoder still holds

    def _check(self, rate: int, channels: int) -> None:
        limits = self._limits
        if not limits.min_rate <= rate <= limits.max_rate:
            raise SampleRateRefused(rate, limits.min_rate, limits.max_rate)
        if channels > limits.max_channels:
            raise TooManyChannels(channels, limits.max_channels)


class _Clock:
    """Where the decode is on the file's own clock, in seconds."""

    def __init__(self, origin_s: float) -> None:
        self._origin_s = origin_s
        self.now_s = 0.0

    def gap(self, stamp_s: float | None) -> float:
        """Return the seconds missing before a frame with this timestamp, and count them."""
        if stamp_s is None:
            return 0.0
        lag = stamp_s - self._origin_s - self.now_s
        if GAP_S < lag <= LONGEST_GAP_S:
            self.now_s += lag
            return lag
        if abs(lag) > GAP_S:  # joined files start their clock again
            self._origin_s += lag
        return 0.0


def _open(file: BinaryIO, head: bytes) -> InputContainer:
    options = WAV_OPTIONS if head[8:12] == b"WAVE" else {}
    try:
        return av.open(
            file,
            "r",
            container_options={"format_whitelist": FORMATS, "protocol_whitelist": "none", **options},
            io_open=_refuse,
            metadata_errors="replace",
        )
    except av.error.MemoryError:
        raise
    except (av.error.FFmpegError, OSError) as error:
        raise UndecodableAudio(describe(head) or "its format is not recognised") from error


def _refuse(url: str, _flags: int, _options: dict[str, str]) -> object:
    raise PermissionError(url)  # a file may not make us open another


def _states_length(file: BinaryIO, head: bytes) -> bool:
    """Whether an mp3 says how long it is; otherwise its length is a guess from its first bit rate."""
    if head[:3] == b"ID3":
        # An ID3v2 header is ten bytes; its last four are the size, seven bits each (id3.org, ID3v2.4 section 3.1).
        size = sum((byte & 0x7F) << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0), strict=False))
        file.seek(10 + size, os.SEEK_SET)
        head = file.read(HEAD_BYTES)
    return any(mark in head for mark in XING_MARKS)


def _not_finite(frame: AudioFrame) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Return where a frame of packed float samples, as PCM has them, holds no numbers: sample indices, ascending.

    Planar floats come from a lossy decoder, where they are damage rather than content; they are looked at after
    resampling, also because `to_ndarray` of eight planes or more reads past their end (PyAV 18.1).
    """
    if frame.format.name not in ("flt", "dbl"):
        return np.empty(0, np.intp)
    samples = frame.to_ndarray()
    if np.isfinite(samples).all():
        return np.empty(0, np.intp)
    return np.flatnonzero(~np.isfinite(samples.ravel())) // frame.layout.nb_channels
