"""The formats that FFmpeg's libraries encode, through PyAV, which lets other threads run while it works.

MP3 and AAC frames hold 1152 and 1024 samples, and their encoders begin early. A stream cannot say how much of its end
is filling, and most of its readers keep the silence in front. At 24 kHz that makes up to 72 ms in MP3 and 85 in AAC;
at 48 kHz it is 49 and 43, and with 80 kbit/s speech comes out closer to what went in than at 24 kHz with 64.
Ogg and FLAC are exact, and so is an MP3 file whose head is written once more at the end.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final, cast

import av
import numpy as np
from av import AudioCodecContext, AudioFrame, AudioStream

from tympan.sound.encode import finite, to_int16
from tympan.sound.lame_tag import MP3_BIT_RATE, MP3_RATE, info_frame
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from av import Packet

    from tympan.sound.encode import Encoder, SpeechFormat
    from tympan.sound.waveform import Samples

AAC_RATE = 48_000  # Hz
AAC_BIT_RATE = 80_000
LAME_LEVEL = 0.95  # LAME's own scale, against clipping by loud music; undone, so that all formats are equally loud
OPUS_BIT_RATE = 32_000  # speech of 12 kHz bandwidth
# Pages of 20 ms, a packet each, cost a third more bytes; FFmpeg's own of a second would wait for that long.
OPUS_PAGE_US = 100_000
LEAST_SAMPLES = 240  # 10 ms: FFmpeg's resampler makes nothing at all of fewer than 22
FLAC_LAST_BLOCK = 0x80  # the only metadata block, of type STREAMINFO (0), RFC 9639 section 8.1


class _Codec:
    """One FFmpeg encoder, fed at 24 kHz with pieces of any length."""

    def __init__(self, context: AudioCodecContext, *, gain: float = 1.0) -> None:
        self._context = context
        self._gain = np.float32(gain)
        self.samples = 0

    def push(self, samples: Samples) -> list[Packet[AudioStream]]:
        if not samples.size:
            return []  # FFmpeg cannot make a frame without samples
        if self._context.format.name == "s16":
            frame = AudioFrame.from_ndarray(to_int16(samples)[None], format="s16", layout="mono")
        else:
            frame = AudioFrame.from_ndarray((finite(samples) * self._gain)[None], format="flt", layout="mono")
        frame.sample_rate = SPEECH_RATE
        frame.time_base = Fraction(1, SPEECH_RATE)
        frame.pts = self.samples
        self.samples += samples.size
        return self._context.encode(frame)

    def finish(self) -> list[Packet[AudioStream]]:
        if not self.samples:
            return []
        missing = LEAST_SAMPLES - self.samples if self._context.sample_rate != SPEECH_RATE else 0
        filled = self.push(np.zeros(max(missing, 0), np.float32))
        return filled + self._context.encode(None)


class Mp3Encoder:
    """LAME's frames as they are, behind a frame that states the delay."""

    def __init__(self) -> None:
        self._codec = _Codec(_context("libmp3lame", "fltp", MP3_RATE, MP3_BIT_RATE), gain=1 / LAME_LEVEL)
        self._frames: int | None = None

    def push(self, samples: Samples) -> bytes:
        """See `Encoder`."""
        return self._written(self._codec.push(samples))

    def finish(self) -> bytes:
        """See `Encoder`."""
        return self._written(self._codec.finish())

    def head(self) -> bytes:
        """See `Encoder`."""
        if not self._frames:
            return info_frame()
        return info_frame(audio_frames=self._frames, samples=self._codec.samples * MP3_RATE // SPEECH_RATE)

    def _written(self, packets: list[Packet[AudioStream]]) -> bytes:
        head = b""
        if self._frames is None:
            head, self._frames = info_frame(), 0
        self._frames += len(packets)
        return head + b"".join(bytes(packet) for packet in packets)


class FlacEncoder:
    """FLAC's frames of 96 ms behind the stream's description."""

    def __init__(self) -> None:
        self._context = _context("flac", "s16", SPEECH_RATE, None)
        self._context.open()
        self._codec = _Codec(self._context)
        self._begun = False

    def push(self, samples: Samples) -> bytes:
        """See `Encoder`."""
        return self._written(self._codec.push(samples))

    def finish(self) -> bytes:
        """See `Encoder`."""
        return self._written(self._codec.finish())

    def head(self) -> bytes:
        """See `Encoder`."""
        description = self._context.extradata or b""
        return b"fLaC" + bytes((FLAC_LAST_BLOCK,)) + len(description).to_bytes(3, "big") + description

    def _written(self, packets: list[Packet[AudioStream]]) -> bytes:
        head = b"" if self._begun else self.head()
        self._begun = True
        # The last packet has no bytes: it only carries the final description.
        return head + b"".join(bytes(packet) for packet in packets)


class _Sink:
    """A file that only takes bytes, so that FFmpeg does not expect to come back."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, piece: bytes) -> int:
        self._pieces.append(bytes(piece))
        return len(piece)

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


class _MuxedEncoder:
    """An encoder whose packets FFmpeg puts into a container, which states the delay where it can."""

    def __init__(self, container: str, codec: str, rate: int, bit_rate: int, options: dict[str, str]) -> None:
        self._sink = _Sink()
        # Without `flush_packets` 32 KiB would gather before anything leaves.
        self._container = av.open(
            self._sink, "w", format=container, container_options={"flush_packets": "1", **options}
        )
        stream = cast("AudioStream", self._container.add_stream(codec, rate=rate, layout="mono"))
        stream.codec_context.bit_rate = bit_rate
        self._codec = _Codec(stream.codec_context)
        self._container.start_encoding()

    def push(self, samples: Samples) -> bytes:
        """See `Encoder`."""
        self._container.mux(self._codec.push(samples))
        return self._sink.take()

    def finish(self) -> bytes:
        """See `Encoder`."""
        self._container.mux(self._codec.finish())
        self._container.close()
        return self._sink.take()

    def head(self) -> bytes:
        """See `Encoder`."""
        return b""


class OpusEncoder(_MuxedEncoder):
    """Opus in Ogg: pre-skip and the last page's position give the exact length (RFC 7845 section 4)."""

    def __init__(self) -> None:
        super().__init__("ogg", "libopus", SPEECH_RATE, OPUS_BIT_RATE, {"page_duration": str(OPUS_PAGE_US)})


class AacEncoder(_MuxedEncoder):
    """AAC-LC in ADTS, which cannot state its 1024 samples (21 ms) of priming; decoders that do not guess keep them."""

    def __init__(self) -> None:
        super().__init__("adts", "aac", AAC_RATE, AAC_BIT_RATE, {})


def _context(codec: str, sample_format: str, rate: int, bit_rate: int | None) -> AudioCodecContext:
    context = cast("AudioCodecContext", AudioCodecContext.create(codec, "w"))
    context.sample_rate = rate
    context.layout = "mono"
    context.format = sample_format
    if bit_rate is not None:
        context.bit_rate = bit_rate
    return context


ENCODERS: Final[Mapping[SpeechFormat, Callable[[], Encoder]]] = {
    "mp3": Mp3Encoder,
    "opus": OpusEncoder,
    "aac": AacEncoder,
    "flac": FlacEncoder,
}
