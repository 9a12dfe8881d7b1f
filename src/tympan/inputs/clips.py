"""One clip: as it comes, as it is read, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

MICROS = 1_000_000  # microseconds in a second


class ClipSource(StrEnum):
    """Where a clip's bytes came from."""

    FILE = "file"
    INLINE = "inline"
    DATA_URI = "data_uri"
    URL = "url"


@dataclass(frozen=True, slots=True)
class Clip:
    """Encoded audio with its one-based ordinal in the request."""

    ordinal: int
    data: bytes
    source: ClipSource


@dataclass(frozen=True, slots=True)
class SourceBounds:
    """What a policy allows of the source: sample rates in Hz, length in whole seconds."""

    min_rate: int
    max_rate: int
    max_seconds: int


class EncodedClip(Protocol):
    """A clip whose headers have been read and nothing else: `frames` sample frames at `rate` Hz."""

    @property
    def rate(self) -> int:
        """Sample rate in Hz."""

    @property
    def channels(self) -> int:
        """Channels, at least 1."""

    @property
    def frames(self) -> int:
        """Samples of each channel, at least 1."""

    def decode(self, poll: Poll) -> Samples:
        """Return the average of the channels: float32 [frames], finite, within ±1."""


class ClipReader(Protocol):
    """Reads headers before anything is allocated. The WAV reader is one; a media decoder can be another."""

    def __call__(self, clip: Clip, bounds: SourceBounds, poll: Poll) -> EncodedClip:
        """Raise an `InputError` that names the clip when it is malformed or out of bounds."""


@dataclass(frozen=True, slots=True)
class ClipRecord:
    """What is recorded of a clip. Samples count mono frames; `start` and `end` are in the request's normalized stream.

    A clip that Phi takes as 8 kHz has that as its `effective_rate`.
    """

    ordinal: int
    source: ClipSource
    source_rate: int
    channels: int
    source_samples: int
    source_micros: int
    encoded_bytes: int
    effective_rate: int
    normalized_samples: int
    frames: int
    tokens: int
    start: int

    @property
    def end(self) -> int:
        """One past the last normalized sample."""
        return self.start + self.normalized_samples


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over the clips of a request."""

    clips: int
    source_samples: int
    source_micros: int
    encoded_bytes: int
    normalized_samples: int
    frames: int
    tokens: int
