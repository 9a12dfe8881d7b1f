"""What an engine is, seen from outside: small, typed, batch-first.

Everything here is plain data that pickles, since it crosses into a child process (or another machine).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from concurrent.futures import Future
    from typing import Any

    from tympan.cancel import Cancellation
    from tympan.engines.stats import EngineReport
    from tympan.sound.waveform import Samples

Task = Literal["transcribe", "translate"]

WINDOW_SAMPLES = 512  # what one voice probability speaks of: 32 ms
SAMPLES_PER_FRAME = 600  # 25 ms, the unit of a synthesizer's durations
MIN_SPEED, MAX_SPEED = 0.25, 4.0


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """How a span is to be decoded.

    `language` is an ISO-639-1 code (or Whisper's own code where ISO has none), or None to identify it, then
    among `candidates` when there are any. `temperature` 0 means greedy with fallback.
    """

    task: Task = "transcribe"
    language: str | None = None
    candidates: tuple[str, ...] = ()
    prompt: str = ""
    keywords: tuple[str, ...] = ()
    temperature: float = 0.0
    words: bool = False
    logprobs: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """Speech to decode: float32 [n] at 16 kHz mono, finite, within ±1, 0.1 s to 30 s."""

    samples: Samples
    options: DecodeOptions = field(default_factory=DecodeOptions)


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its times, in seconds on the clock of whatever holds it. `text` keeps its leading space."""

    text: str
    start: float
    end: float
    probability: float = 1.0
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """A token's text, natural log-probability (≤ 0) and UTF-8 bytes."""

    token: str
    logprob: float
    bytes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recognition:
    """What a recognizer made of one span; times count from the span's first sample.

    What an engine does not know keeps the neutral value given here.
    """

    text: str
    language: str
    language_probability: float = 1.0
    tokens: tuple[int, ...] = ()
    words: tuple[Word, ...] = ()
    logprobs: tuple[TokenLogprob, ...] = ()
    temperature: float = 0.0
    avg_logprob: float = 0.0
    compression_ratio: float = 1.0
    no_speech_prob: float = 0.0
    fallbacks: int = 0  # how many further decodes it took


@dataclass(frozen=True, slots=True)
class IdentifyItem:
    """Speech whose language is asked for: float32 [n] at 16 kHz, up to 30 s; among `candidates`, if there are any."""

    samples: Samples
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """An identified language and its probability, 0 to 1, among the candidates."""

    language: str
    probability: float


@dataclass(frozen=True, slots=True)
class VoiceState:
    """What the voice detector carries from one piece of a stream to the next; None at the start."""

    hidden: Samples  # float32 [1, 1, 128]
    cell: Samples  # float32 [1, 1, 128]
    context: Samples  # float32 [64], the last samples of the piece before


@dataclass(frozen=True, slots=True)
class VoicePiece:
    """A piece of a stream to look for voice in: float32 [512 * k] at 16 kHz, and the state before it."""

    samples: Samples
    state: VoiceState | None = None


@dataclass(frozen=True, slots=True)
class VoiceAnswer:
    """One voice probability (float32, 0 to 1) for each window of 512 samples, and the state after."""

    probabilities: Samples
    state: VoiceState


@dataclass(frozen=True, slots=True)
class SpeechChunk:
    """Phonemes to speak in one go: 1 to 510 tokens of the model's vocabulary, without those at both ends.

    `voice` names voices with their weights, which are relative. `speed` is the model's own, 0.25 to 4.
    """

    tokens: tuple[int, ...]
    voice: tuple[tuple[str, float], ...]
    speed: float = 1.0


@dataclass(frozen=True, slots=True)
class Synthesis:
    """A spoken chunk: float32 [n] at 24 kHz, finite, and how many frames of 600 samples each token lasts.

    `durations` has one more than the chunk's tokens at both ends, for the silence there; their sum times 600 is n.
    It is empty when the engine does not know them.
    """

    samples: Samples
    durations: tuple[int, ...]


class Engine(Protocol):
    """What runs in a child: takes batches, gives as many results in the same order.

    An exception fails the whole batch, which is then tried item by item.
    """

    def run(self, batch: Sequence[Any]) -> Sequence[Any]:
        """Process a batch of items with equal keys."""
        ...

    def probe(self) -> Any:
        """Return a small item that proves that the engine works."""
        ...


class Recognizer(Engine, Protocol):
    """Speech to text, and to language: `Span` to `Recognition`, `IdentifyItem` to `LanguageGuess`."""


class VoiceDetector(Engine, Protocol):
    """Audio to voice probabilities: `VoicePiece` to `VoiceAnswer`."""


class Synthesizer(Engine, Protocol):
    """Phonemes to speech: `SpeechChunk` to `Synthesis`."""


class Runner(Protocol):
    """An engine as a job uses it, wherever it runs: items in, futures out."""

    def submit(self, item: Any, *, owner: Hashable, cancellation: Cancellation, wait: bool = False) -> Future[Any]:
        """Queue an item for `owner`, who takes turns with others.

        The future gives its result, its `TympanError`, or is cancelled with `cancellation`. Raises `Busy` when
        the queue is full, unless `wait`.
        """
        ...

    def report(self) -> EngineReport:
        """Return the state and the counters."""
        ...
