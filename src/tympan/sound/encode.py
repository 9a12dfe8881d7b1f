"""Speech to encoded bytes, as it is made: six formats, each written front to back to something that cannot seek.

What is encoded is made by this service, so it happens in its own process. FFmpeg is loaded with the first encoder
that needs it.
"""

from __future__ import annotations

import struct
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, Protocol, get_args

import numpy as np

from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tympan.sound.waveform import Samples

SpeechFormat = Literal["mp3", "opus", "aac", "flac", "wav", "pcm"]
FORMATS: Final[tuple[SpeechFormat, ...]] = get_args(SpeechFormat)
MEDIA_TYPES: Final[Mapping[SpeechFormat, str]] = MappingProxyType(
    {
        "mp3": "audio/mpeg",
        "opus": "audio/ogg",  # RFC 7845 section 9; `audio/opus` is the payload of RTP
        "aac": "audio/aac",
        "flac": "audio/flac",
        "wav": "audio/wav",
        "pcm": "audio/pcm",
    }
)

FULL_SCALE = 32_768  # of 16 bits: the sample 1.0, which itself is clipped to 32767
PCM_BYTES = 2  # a sample
RIFF_UNKNOWN = 0xFFFF_FFFF  # the size of a RIFF chunk that is still being written
RIFF_HEAD_BYTES = 36  # from behind the RIFF size up to the first sample


class Encoder(Protocol):
    """One stream in one format. The pieces that `push` and `finish` give are one file.

    What a decoder makes of it holds every sample and at most 50 ms of silence around them, as `compressed` explains.
    Without a sample there is a header, where the format has one, and nothing else.
    """

    def push(self, samples: Samples) -> bytes:
        """Take float32 [n] at 24 kHz, any n; beyond ±1 it is clipped, what is no number is silence.

        The header comes with the first bytes. Of what was taken at most 0.15 s waits for the next call.
        """
        ...

    def finish(self) -> bytes:
        """Give what is left. Nothing may be pushed any more."""
        ...

    def head(self) -> bytes:
        """Return, after `finish`, what the file's first bytes are now that its length is known.

        They are as many as were written and may replace them in a file: exact sizes in WAV, length and delay in
        MP3, length and checksum in FLAC. Empty where there is nothing to replace.
        """
        ...


def open_encoder(speech_format: SpeechFormat) -> Encoder:
    """Begin a stream."""
    if speech_format == "pcm":
        return PcmEncoder()
    if speech_format == "wav":
        return WavEncoder()
    from tympan.sound import compressed  # noqa: PLC0415  (FFmpeg takes 0.1 s and 60 MB that wav and pcm do not need)

    return compressed.ENCODERS[speech_format]()


def encode(samples: Samples, speech_format: SpeechFormat) -> bytes:
    """Encode the whole of float32 [n] at 24 kHz, with its length stated where the format can."""
    encoder = open_encoder(speech_format)
    written = encoder.push(samples) + encoder.finish()
    head = encoder.head()
    return head + written[len(head) :]


def finite(samples: Samples) -> Samples:
    """Return float32 [n] within ±1, silence in place of what is no number."""
    return np.clip(np.nan_to_num(samples, nan=0.0), -1, 1)


def to_int16(samples: Samples) -> NDArray[np.int16]:
    """Return little-endian 16-bit samples [n], rounded and clipped."""
    scaled = np.rint(finite(samples) * np.float32(FULL_SCALE))
    clipped: NDArray[np.int16] = np.minimum(scaled, FULL_SCALE - 1).astype("<i2")
    return clipped


class PcmEncoder:
    """16-bit little-endian mono samples at 24 kHz and nothing else."""

    def push(self, samples: Samples) -> bytes:
        """See `Encoder`."""
        return to_int16(samples).tobytes()

    def finish(self) -> bytes:
        """See `Encoder`."""
        return b""

    def head(self) -> bytes:
        """See `Encoder`."""
        return b""


class WavEncoder:
    """The same samples behind a RIFF header, and nothing behind them."""

    def __init__(self) -> None:
        self._data_bytes: int | None = None  # None: the header has not left yet

    def push(self, samples: Samples) -> bytes:
        """See `Encoder`."""
        head = b""
        if self._data_bytes is None:
            head, self._data_bytes = wav_head(None), 0
        data = to_int16(samples).tobytes()
        self._data_bytes += len(data)
        return head + data

    def finish(self) -> bytes:
        """See `Encoder`."""
        return self.push(np.empty(0, np.float32))

    def head(self) -> bytes:
        """See `Encoder`."""
        return wav_head(self._data_bytes)


def wav_head(data_bytes: int | None) -> bytes:
    """Return the 44 bytes before the samples; None, or more than 4 GiB, is a length that is not known."""
    if data_bytes is None or RIFF_HEAD_BYTES + data_bytes > RIFF_UNKNOWN:
        riff_bytes = data_bytes = RIFF_UNKNOWN
    else:
        riff_bytes = RIFF_HEAD_BYTES + data_bytes
    layout = struct.pack("<HHIIHH", 1, 1, SPEECH_RATE, SPEECH_RATE * PCM_BYTES, PCM_BYTES, 8 * PCM_BYTES)
    return (
        struct.pack("<4sI4s4sI", b"RIFF", riff_bytes, b"WAVE", b"fmt ", len(layout))
        + layout
        + struct.pack("<4sI", b"data", data_bytes)
    )
