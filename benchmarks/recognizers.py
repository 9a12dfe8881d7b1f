"""The engines that are compared: same weights, one thread, audio in memory, the language named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from tympan.engines.protocols import DecodeOptions, Span

if TYPE_CHECKING:
    from pathlib import Path

    from tympan.sound.waveform import Samples

FULL_WINDOW_S = 30.0  # what Whisper was trained on, and what every peer decodes in


@dataclass(frozen=True, slots=True)
class Heard:
    """What an engine made of a clip. `words` are texts with their starts in seconds, when they were asked for."""

    text: str
    words: tuple[tuple[str, float], ...] = ()
    fallbacks: int = 0  # further decodes; 0 where an engine does not say


class Recognizer(Protocol):
    """An engine under measurement."""

    name: str

    def transcribe(self, samples: Samples, language: str, *, words: bool = False) -> Heard:
        """Decode float32 [n] at 16 kHz, at most 30 s."""
        ...


class Tympan:
    """Our engine, in this process, with one decoding window or another."""

    def __init__(self, name: str, folder: Path, window_floor_s: float | None = None) -> None:
        from tympan.engines.whisper.model import WhisperEngine

        self.name = name
        window = {} if window_floor_s is None else {"window_floor_s": window_floor_s}
        self._engine = WhisperEngine(folder, threads=1, compute_type="int8", **window)

    def transcribe(self, samples: Samples, language: str, *, words: bool = False) -> Heard:
        """Decode the whole clip as one span."""
        span = Span(samples, DecodeOptions(language=language, words=words))
        found = self._engine.recognize([span])[0]
        return Heard(found.text, tuple((word.text, word.start) for word in found.words), found.fallbacks)


class FasterWhisper:
    """faster-whisper on int8 with its defaults, and the beam that is named."""

    def __init__(self, name: str, folder: Path, beam_size: int) -> None:
        from faster_whisper import WhisperModel

        self.name = name
        self._beam_size = beam_size
        self._model: Any = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)

    def transcribe(self, samples: Samples, language: str, *, words: bool = False) -> Heard:
        """Decode as its README does: all segments of one call."""
        segments, _ = self._model.transcribe(
            samples, language=language, beam_size=self._beam_size, word_timestamps=words
        )
        found = list(segments)
        timed = tuple((word.word, float(word.start)) for segment in found for word in segment.words or ())
        return Heard("".join(segment.text for segment in found), timed)


def recognizers(folder: Path) -> list[Recognizer]:
    """Return what is compared: ours, ours at the full window, and the peer, which all others are set against."""
    return [
        Tympan("tympan", folder),
        Tympan("tympan, 30 s window", folder, FULL_WINDOW_S),
        FasterWhisper("faster-whisper, beam 1", folder, beam_size=1),
        FasterWhisper("faster-whisper, defaults", folder, beam_size=5),
    ]
