"""The strict WAV reader: PCM16 or float32, headers first, every doubt an error.

Kept strict on purpose: a size that does not fit its file, a channel count of zero or a NaN is a broken upload, and a
model would answer about audio that was never sent. The RIFF size, the byte rate and the block align are not read:
recorders write nonsense there, and nothing depends on them.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from tympan.errors import EmptyClip, LimitExceeded, MalformedClip, NonFiniteClip

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.inputs.clips import Clip, SourceBounds
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

    Values = NDArray[Any]  # int16 or float32 [frames, channels]

MAX_CHUNKS = 256  # looked at before a file is given up; real ones have under a dozen
STREAMED = 0xFFFFFFFF  # data size written by a recorder that cannot seek: the chunk runs to the end
RIFF_HEAD, CHUNK_HEAD = 12, 8  # bytes
FMT_BYTES = 16  # of the fmt chunk, at least
EXTENSIBLE_BYTES = 40  # of an extensible fmt chunk, at least
PCM, FLOAT, EXTENSIBLE = 0x0001, 0x0003, 0xFFFE  # format tags
GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")  # of every sub-format that stands for a format tag
INT16_STEP = 2.0**-15

BLOCK_VALUES = 1 << 16  # samples of all channels decoded between two looks at the cancellation: well under 1 ms
MAX_COLUMNS = 8  # channels added column by column; more are summed along the row

Encoding = Literal["pcm16", "float32"]
_ENCODINGS: dict[tuple[int, int], Encoding] = {(PCM, 16): "pcm16", (FLOAT, 32): "float32"}
_DTYPES: dict[Encoding, str] = {"pcm16": "<i2", "float32": "<f4"}


@dataclass(frozen=True, slots=True)
class WavClip:
    """An inspected WAV: its samples begin at byte `start` of the clip's data."""

    clip: Clip
    encoding: Encoding
    rate: int
    channels: int
    frames: int
    start: int

    def decode(self, poll: Poll) -> Samples:
        """Return the average of the channels, clamped to ±1: float32 [frames].

        The average is made in float64 and clamped afterwards. Raises `NonFiniteClip` with the first bad frame.
        """
        values: Values = np.frombuffer(
            self.clip.data, _DTYPES[self.encoding], count=self.frames * self.channels, offset=self.start
        ).reshape(self.frames, self.channels)
        mono = np.empty(self.frames, np.float32)
        step = max(1, BLOCK_VALUES // self.channels)
        for first in range(0, self.frames, step):
            poll()
            block = values[first : first + step]
            if self.encoding == "float32":
                self._check_finite(block, first)
            self._mix(block, mono[first : first + step])
        return mono

    def _check_finite(self, block: Values, first: int) -> None:
        finite = np.isfinite(block)
        if not finite.all():
            raise NonFiniteClip(self.clip.ordinal, first + int(np.argmin(finite.all(axis=1))))

    def _mix(self, block: Values, out: Samples) -> None:
        scale = np.float32(INT16_STEP if self.encoding == "pcm16" else 1.0)
        if self.channels == 1:
            np.multiply(block[:, 0], scale, out=out)  # exact: a power of two
            np.clip(out, -1.0, 1.0, out=out)
            return
        if self.channels <= MAX_COLUMNS:
            total = block[:, 0].astype(np.float64)
            for column in range(1, self.channels):
                total += block[:, column]
        else:  # one addition after the other as above, without a call for each of up to 65535 channels
            total = np.cumsum(block, axis=1, dtype=np.float64)[:, -1]
        total *= scale
        total /= self.channels
        out[:] = np.clip(total, -1.0, 1.0, out=total)


def read_wav(clip: Clip, bounds: SourceBounds, poll: Poll) -> WavClip:
    """Inspect a WAV without decoding it.

    Raises `EmptyClip`, `MalformedClip` or `LimitExceeded`.
    """
    poll()
    data = clip.data
    if len(data) < RIFF_HEAD or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise MalformedClip(clip.ordinal, "it does not begin as RIFF/WAVE")
    fmt, body = _find_chunks(clip, poll)
    tag, channels, rate = struct.unpack_from("<HHI", fmt)
    bits = int.from_bytes(fmt[14:16], "little")
    if channels == 0 or rate == 0:
        raise MalformedClip(clip.ordinal, f"{channels} channels at {rate} Hz")
    if rate < bounds.min_rate:
        raise MalformedClip(clip.ordinal, f"sample rate {rate} Hz is below the minimum of {bounds.min_rate} Hz")
    if rate > bounds.max_rate:
        raise LimitExceeded("source sample rate", rate, bounds.max_rate, clip.ordinal)
    encoding = _ENCODINGS.get((_plain_tag(tag, bits, fmt), bits))
    if encoding is None:
        raise MalformedClip(clip.ordinal, f"format {tag:#06x} with {bits} bits is neither 16-bit PCM nor 32-bit float")
    if body.size == 0:
        raise EmptyClip(clip.ordinal, "the data chunk is empty")
    frame_bytes = bits // 8 * channels
    if body.size % frame_bytes:
        raise MalformedClip(clip.ordinal, f"{body.size} data bytes are no multiple of the {frame_bytes} of a frame")
    frames = body.size // frame_bytes
    if frames > rate * bounds.max_seconds:
        raise LimitExceeded("source duration samples", frames, rate * bounds.max_seconds, clip.ordinal)
    return WavClip(clip=clip, encoding=encoding, rate=rate, channels=channels, frames=frames, start=body.start)


class _Chunk(NamedTuple):
    name: bytes
    start: int
    size: int

    @property
    def next(self) -> int:
        """Where the next chunk begins: chunks are padded to an even size."""
        return self.start + self.size + (self.size & 1)


def _find_chunks(clip: Clip, poll: Poll) -> tuple[bytes, _Chunk]:
    """Walk the chunks up to a data chunk that follows a fmt chunk; of several, the last one counts."""
    fmt: _Chunk | None = None
    body: _Chunk | None = None
    offset = RIFF_HEAD
    for _ in range(MAX_CHUNKS):
        if offset == len(clip.data) or (fmt and body and body.start > fmt.start):
            break
        chunk = _chunk_at(clip, offset)
        if chunk.name == b"fmt ":
            fmt = chunk
        elif chunk.name == b"data":
            body = chunk
        offset = chunk.next
        poll()
    if fmt is None:
        raise MalformedClip(clip.ordinal, "it has no fmt chunk")
    if body is None:
        raise MalformedClip(clip.ordinal, "it has no data chunk")
    return clip.data[fmt.start : fmt.start + min(fmt.size, EXTENSIBLE_BYTES)], body


def _chunk_at(clip: Clip, offset: int) -> _Chunk:
    start = offset + CHUNK_HEAD
    if start > len(clip.data):
        raise MalformedClip(clip.ordinal, f"it ends within a chunk header at byte {len(clip.data)}")
    name, size = struct.unpack_from("<4sI", clip.data, offset)
    left = len(clip.data) - start
    if name == b"data" and size == STREAMED:
        size = left
    if size > left:
        raise MalformedClip(clip.ordinal, f"its {_shown(name)} chunk claims {size} bytes and {left} are there")
    if name == b"fmt " and size < FMT_BYTES:
        raise MalformedClip(clip.ordinal, f"its fmt chunk has {size} of {FMT_BYTES} bytes")
    return _Chunk(name, start, size)


def _plain_tag(tag: int, bits: int, fmt: bytes) -> int:
    """Return the format tag that an extensible header stands for, if it says that all its bits are valid."""
    if tag != EXTENSIBLE or len(fmt) < EXTENSIBLE_BYTES:
        return tag
    valid_bits, plain = int.from_bytes(fmt[18:20], "little"), int.from_bytes(fmt[24:26], "little")
    return plain if valid_bits == bits and fmt[26:40] == GUID_TAIL else tag


def _shown(name: bytes) -> str:
    return name.decode("ascii", "backslashreplace").strip()
