"""What the listening job gives, the same for every engine. All times are seconds in the original file's clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import TokenLogprob, Word
    from tympan.engines.stats import EngineReport
    from tympan.listen.request import ListenRequest
    from tympan.model_card import ModelCard

FRAMES_PER_SECOND = 100  # Whisper counts `seek` in mel frames of 10 ms


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text with its times.

    `text` keeps the leading space that the language writes between words, so that the texts of all segments
    simply join. `channel` counts from 0 and is 0 unless channels are heard apart. Numbers that an engine does
    not know keep their neutral value: 0.0, and 1.0 for the compression ratio.
    """

    id: int
    start: float
    end: float
    text: str
    channel: int = 0
    tokens: tuple[int, ...] = ()
    temperature: float = 0.0
    avg_logprob: float = 0.0
    compression_ratio: float = 1.0
    no_speech_prob: float = 0.0
    words: tuple[Word, ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()

    @property
    def seek(self) -> int:
        """Where its decode started, in frames of 10 ms, as Whisper counts."""
        return int(self.start * FRAMES_PER_SECOND)


@dataclass(frozen=True, slots=True)
class Summary:
    """What is known once all segments are out.

    `language` is a code, "" when no voice was heard and none was named. `speech` is the seconds put before a
    decoder. `warnings` are sentences: something in the file could not be read, samples were clipped.
    """

    duration: float
    speech: float
    language: str
    language_probability: float
    channels: int
    fallbacks: int = 0
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole answer."""

    segments: tuple[Segment, ...]
    summary: Summary

    @property
    def text(self) -> str:
        """The whole text."""
        return join_text(self.segments)


def join_text(segments: Iterable[Segment]) -> str:
    """Join the texts of `segments`."""
    return "".join(segment.text for segment in segments).strip()


class Transcription(Protocol):
    """A transcription under way: iterate for the segments as they come, then ask for the summary.

    Not pulling any more segments stops the work; so does `close`, which may be called at any time, twice, and
    from another thread.
    """

    def __iter__(self) -> Iterator[Segment]:
        """Segments in time order; raises the `TympanError` that ended the work."""
        ...

    @property
    def stated_seconds(self) -> float | None:
        """The duration that the container states, once it is open: what progress is measured against."""
        ...

    @property
    def summary(self) -> Summary:
        """Only after the last segment."""
        ...

    def close(self) -> None:
        """Give back what is held."""
        ...


class Listener(Protocol):
    """The listening job as the command line and the HTTP service use it."""

    def models(self) -> Sequence[ModelCard]:
        """Return the models that answer."""
        ...

    def resolve(self, model: str) -> str:
        """Return the id that a model id or alias stands for; raises `UnknownModel`."""
        ...

    def transcribe(self, request: ListenRequest, cancellation: Cancellation) -> Transcription:
        """Begin; returns at once. Raises `Busy` when there is no room."""
        ...

    def engines(self) -> Sequence[EngineReport]:
        """Return the state of every engine."""
        ...
