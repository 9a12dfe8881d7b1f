"""A house without models: its listener says what the media's bytes tell it to."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.standin_speaker import ScriptedSpeaker

from tympan.engines.protocols import Word
from tympan.engines.stats import EngineReport
from tympan.errors import TympanError, UndecodableAudio, UnknownModel
from tympan.listen.results import Segment, Summary
from tympan.model_card import ModelCard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.listen.request import ListenRequest
    from tympan.settings import Settings
    from tympan.sound.media import Media


def script(*lines: str) -> bytes:
    """Return media: each line is a segment of one second, but for `warn: TEXT`, `fail: TEXT` and `interrupt`."""
    return "\n".join(lines).encode()


def content(media: Media) -> bytes:
    return media if isinstance(media, bytes) else media.read_bytes()


class ScriptedTranscription:
    def __init__(self, request: ListenRequest, between: Callable[[], None]) -> None:
        self._lines = content(request.media).decode().splitlines()
        self._words = request.words
        self._between = between
        self.closed = False

    @property
    def stated_seconds(self) -> float:
        return float(len(self._lines))

    def __iter__(self) -> Iterator[Segment]:
        for place, line in enumerate(self._lines):
            if line.startswith("fail: "):
                raise UndecodableAudio(line.removeprefix("fail: "))
            if line == "interrupt":
                raise KeyboardInterrupt
            if not line.startswith("warn: "):
                yield self._segment(place, line)
                self._between()

    def _segment(self, place: int, line: str) -> Segment:
        texts = line.split()
        words = tuple(
            Word(f" {text}", place + n / len(texts), place + (n + 1) / len(texts)) for n, text in enumerate(texts)
        )
        return Segment(place, float(place), place + 1.0, f" {line}", channel=place % 2, words=words * self._words)

    @property
    def summary(self) -> Summary:
        warnings = tuple(line.removeprefix("warn: ") for line in self._lines if line.startswith("warn: "))
        return Summary(self.stated_seconds, self.stated_seconds, "en", 1.0, 1, warnings=warnings)

    def close(self) -> None:
        self.closed = True


@dataclass
class ScriptedListener:
    requests: list[ListenRequest] = field(default_factory=list)
    media: list[bytes] = field(default_factory=list)
    transcriptions: list[ScriptedTranscription] = field(default_factory=list)
    between: Callable[[], None] = lambda: None

    def models(self) -> Sequence[ModelCard]:
        return [ModelCard("whisper", 0, "openai", "Whisper", aliases=("whisper-1",))]

    def resolve(self, model: str) -> str:
        if model not in {"whisper", "whisper-1"}:
            raise UnknownModel(model)
        return "whisper"

    def transcribe(self, request: ListenRequest, cancellation: Cancellation) -> ScriptedTranscription:
        del cancellation
        self.requests.append(request)
        self.media.append(content(request.media))
        self.transcriptions.append(ScriptedTranscription(request, self.between))
        return self.transcriptions[-1]

    def engines(self) -> Sequence[EngineReport]:
        return [EngineReport("whisper", "ready", loads=1, load_seconds=0.5, memory_bytes=200_000_000)]


@dataclass(frozen=True)
class Ready:
    ready: bool = True
    reason: str = ""
    waiting: dict[str, str] = field(default_factory=dict)


@dataclass
class StandInHouse:
    listener: ScriptedListener = field(default_factory=ScriptedListener)
    speaker: ScriptedSpeaker = field(default_factory=ScriptedSpeaker)
    problem: TympanError | None = None
    opened: int = 0
    closed: int = 0
    fetch: bool | None = None

    def engines(self) -> Sequence[EngineReport]:
        return self.listener.engines()

    @contextmanager
    def open_house(
        self, settings: Settings, *, fetch: bool = True, progress: object = None, jobs: object = None
    ) -> Iterator[StandInHouse]:
        """Stand in for `tympan.compose.open_house`."""
        del settings, progress, jobs
        self.opened += 1
        self.fetch = fetch
        try:
            yield self
        finally:
            self.closed += 1

    def require_ready(self, timeout_s: float) -> None:
        del timeout_s
        if self.problem is not None:
            raise self.problem

    def readiness(self) -> Ready:
        return Ready()
