"""What a caller asks of the listening job."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tympan.engines.protocols import Task
    from tympan.sound.media import Media

OPEN_THRESHOLD = 0.5  # voice probability above which a span opens: Silero's own
HOLD_BELOW_OPEN = 0.15  # a span holds while the probability stays above opening less this
MIN_QUIET_S = 0.3  # quiet that ends a span; neighbours merge again when they are close
SPAN_PAD_S = 0.5  # Silero starts late on soft onsets: with 0.25 s "The quick brown fox" lost its first word


@dataclass(frozen=True, slots=True)
class Cutting:
    """How voice is found and cut; the defaults are the measured ones.

    `threshold` is a probability, the others seconds.
    """

    threshold: float = OPEN_THRESHOLD
    min_quiet_s: float = MIN_QUIET_S
    pad_s: float = SPAN_PAD_S

    @property
    def hold(self) -> float:
        """Probability above which an open span stays open."""
        return max(0.01, self.threshold - HOLD_BELOW_OPEN)


@dataclass(frozen=True, slots=True)
class ListenRequest:
    """One audio to transcribe or to translate into English.

    `language` is a code that `listen.language` gave, or None to identify it (among `candidates`, if any).
    `max_seconds` refuses longer audio before a model runs. `split_channels` hears each channel on its own.
    `early` cuts the first excerpt short, for a reader who waits for the first words.
    `words` asks for word times; `readable` for segments of subtitle length, which takes word times, too.
    """

    media: Media
    model: str = "whisper"
    task: Task = "transcribe"
    language: str | None = None
    candidates: tuple[str, ...] = ()
    prompt: str = ""
    keywords: tuple[str, ...] = ()
    temperature: float = 0.0
    words: bool = False
    readable: bool = True
    early: bool = False
    logprobs: bool = False
    split_channels: bool = False
    max_seconds: float | None = None
    cutting: Cutting = field(default_factory=Cutting)
