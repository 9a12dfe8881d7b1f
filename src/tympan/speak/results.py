"""What the speaking job gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.engines.stats import EngineReport
    from tympan.model_card import ModelCard
    from tympan.sound.waveform import Samples
    from tympan.speak.request import SpeakRequest


@dataclass(frozen=True, slots=True)
class TimedText:
    """When a part of the original text is spoken: seconds from the first sample, and code points of the text."""

    start: float
    end: float
    text_start: int
    text_end: int


@dataclass(frozen=True, slots=True)
class SpokenPiece:
    """A piece of the speech, gapless with the one before: float32 [n] at 24 kHz within ±1.

    `words` are the words that it speaks, perhaps a little beyond its end; `text_end` is how far into the original
    text, in code points, the speech has come.
    """

    samples: Samples
    words: tuple[TimedText, ...]
    text_end: int


@dataclass(frozen=True, slots=True)
class SpeechSummary:
    """What is known once all is spoken. `tokens` counts phonemes, `characters` code points of the text."""

    seconds: float
    tokens: int
    characters: int
    chunks: int


class Speech(Protocol):
    """A speech under way: iterate for the pieces as they come, then ask for the summary.

    Not pulling any more pieces stops the work; so does `close`, at any time, twice, and from another thread.
    """

    def __iter__(self) -> Iterator[SpokenPiece]:
        """Pieces in order; raises the `TympanError` that ended the work."""
        ...

    @property
    def summary(self) -> SpeechSummary:
        """Only after the last piece."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


class Speaker(Protocol):
    """The speaking job as the command line and the HTTP service use it."""

    def models(self) -> Sequence[ModelCard]:
        """Return the models that answer."""
        ...

    def resolve(self, model: str) -> str:
        """Return the id that a model id or alias stands for; raises `UnknownModel`."""
        ...

    def speak(self, request: SpeakRequest, cancellation: Cancellation) -> Speech:
        """Begin; returns at once. Raises `NothingToSay` and `UnreadableScript` for what can be seen in the text."""
        ...

    def engines(self) -> Sequence[EngineReport]:
        """Return the state of every engine."""
        ...
