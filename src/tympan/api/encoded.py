"""A speech as the bytes of one file, piece by piece as it is made."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.sound.encode import open_encoder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.sound.encode import SpeechFormat
    from tympan.speak.results import Speech, SpeechSummary, TimedText


@dataclass(frozen=True, slots=True)
class EncodedPiece:
    """The next bytes of the file, perhaps none; `words` are those of the `SpokenPiece` they were made from."""

    data: bytes
    words: tuple[TimedText, ...] = ()


@dataclass(frozen=True, slots=True)
class EncodedSummary:
    """The speech's summary, and the seconds that making it took, without those when nobody asked for more."""

    speech: SpeechSummary
    worked_s: float


class EncodedSpeech:
    """Iterate for the pieces, then ask for the summary; a `Work` of jobs."""

    def __init__(self, speech: Speech, speech_format: SpeechFormat) -> None:
        self._speech = speech
        self._format = speech_format
        self._worked_s = 0.0

    def __iter__(self) -> Iterator[EncodedPiece]:
        """Pieces in order; raises what the speech raises."""
        resumed = time.monotonic()
        encoder = open_encoder(self._format)
        for spoken in self._speech:
            piece = EncodedPiece(encoder.push(spoken.samples), spoken.words)
            self._worked_s += time.monotonic() - resumed
            yield piece
            resumed = time.monotonic()
        rest = encoder.finish()
        self._worked_s += time.monotonic() - resumed
        yield EncodedPiece(rest)

    @property
    def summary(self) -> EncodedSummary:
        """Only after the last piece."""
        return EncodedSummary(self._speech.summary, self._worked_s)

    def close(self) -> None:
        """Stop the work."""
        self._speech.close()
