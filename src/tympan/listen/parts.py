"""What a transcription is made with: something that decodes, and the engines' runners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Runner
    from tympan.sound.media import DecodeReport, Media, MediaInfo
    from tympan.sound.waveform import Block


class Decoding(Protocol):
    """An audio being decoded, block by block."""

    @property
    def info(self) -> MediaInfo:
        """What the container says of itself."""
        ...

    @property
    def report(self) -> DecodeReport:
        """After the last block."""
        ...

    def __iter__(self) -> Iterator[Block]:
        """Blocks in order."""
        ...

    def close(self) -> None:
        """Stop."""
        ...


class Decoder(Protocol):
    """Opens media; raises the `AudioError` of what cannot be read."""

    def open(
        self, media: Media, *, split: bool = False, max_seconds: float | None = None, cancellation: Cancellation
    ) -> Decoding:
        """Begin to decode."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What a transcription is made with."""

    decoder: Decoder
    voice: Runner
    recognizer: Runner
    ahead: int
