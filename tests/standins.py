"""Stand-ins for engines, exact and instant: a voice detector by amplitude, a recognizer that names tones."""

from __future__ import annotations

from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np

from tympan.engines.child import run_batch
from tympan.engines.protocols import (
    IdentifyItem,
    LanguageGuess,
    Recognition,
    Span,
    VoiceAnswer,
    VoicePiece,
    VoiceState,
    Word,
)
from tympan.engines.silero import fresh_state
from tympan.engines.stats import EngineReport
from tympan.sound.media import BLOCK_SAMPLES, DecodeReport, Media, MediaInfo
from tympan.sound.waveform import SAMPLE_RATE, Block

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Engine

WINDOW = 512
LOUD = 0.01  # mean amplitude above which a window is voice
TONE_STEP_HZ = 100  # tone k has 300 + 100 k Hz
TONE_BASE_HZ = 300
FRAME = 160


class AmplitudeDetector:
    """Voice is what is loud."""

    def run(self, batch: Sequence[VoicePiece]) -> list[VoiceAnswer]:
        return [self._detect(piece) for piece in batch]

    def probe(self) -> VoicePiece:
        return VoicePiece(np.zeros(WINDOW, np.float32))

    def _detect(self, piece: VoicePiece) -> VoiceAnswer:
        windows = piece.samples.reshape(-1, WINDOW)
        state: VoiceState = piece.state or fresh_state()
        return VoiceAnswer((np.abs(windows).mean(axis=1) > LOUD).astype(np.float32), state)


class ToneNamer:
    """Hears tones: each stretch of one tone is a word `tK`, timed to 10 ms. Its language is always English."""

    def run(self, batch: Sequence[Span | IdentifyItem]) -> list[Recognition | LanguageGuess]:
        return [
            LanguageGuess(item.candidates[0] if item.candidates else "en", 0.9)
            if isinstance(item, IdentifyItem)
            else self._name(item)
            for item in batch
        ]

    def probe(self) -> Span:
        return Span(np.zeros(SAMPLE_RATE, np.float32))

    def _name(self, span: Span) -> Recognition:
        words = tuple(name_tones(span.samples))
        language = span.options.language or (span.options.candidates[0] if span.options.candidates else "en")
        return Recognition("".join(word.text for word in words), language, words=words)


def name_tones(samples: np.ndarray) -> list[Word]:
    """Return a word for each stretch of one tone."""
    words: list[Word] = []
    current, begin = -1, 0
    samples = samples[: samples.size // FRAME * FRAME]
    frames = samples.reshape(-1, FRAME)
    crossings = np.diff(np.signbit(samples), prepend=False).reshape(-1, FRAME).sum(axis=1)
    loud = np.abs(frames).mean(axis=1) > LOUD
    hz = crossings * SAMPLE_RATE / FRAME / 2
    names = np.where(loud, np.round((hz - TONE_BASE_HZ) / TONE_STEP_HZ), -1).astype(int)
    for place, name in enumerate([*names, -1]):
        if name != current:
            if current >= 0 and place - begin >= 3:
                words.append(Word(f" t{current}", begin / 100, place / 100))
            current, begin = name, place
    return words


def tone(number: int, seconds: float, *, level: float = 0.3) -> np.ndarray:
    """Return tone `number`: float32 [n] at 16 kHz."""
    t = np.arange(round(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    hz = TONE_BASE_HZ + TONE_STEP_HZ * number
    return (level * np.sin(2 * np.pi * hz * t + 0.1)).astype(np.float32)


def quiet(seconds: float) -> np.ndarray:
    """Return digital silence: float32 [n] at 16 kHz."""
    return np.zeros(round(seconds * SAMPLE_RATE), np.float32)


class InlineRunner:
    """Runs each item at once, in the calling thread."""

    def __init__(self, name: str, engine: Engine) -> None:
        self._name = name
        self._engine = engine
        self.items: list[Any] = []

    def submit(self, item: Any, *, owner: Hashable, cancellation: Cancellation, wait: bool = False) -> Future[Any]:
        del owner, wait
        future: Future[Any] = Future()
        if cancellation.cancelled:
            future.cancel()
            return future
        self.items.append(item)
        [result] = run_batch(self._name, self._engine, [item])
        if isinstance(result, BaseException):
            future.set_exception(result)
        else:
            future.set_result(result)
        return future

    def report(self) -> EngineReport:
        return EngineReport(name=self._name, state="ready", items=len(self.items))


class ArrayDecoding:
    """A waveform handed out in blocks, as a decoder hands out a file."""

    def __init__(self, channels: np.ndarray, block: int) -> None:
        self._channels = channels
        self._block = block
        self.blocks_given = 0
        self.closed = False
        self.info = MediaInfo("array", "float32", SAMPLE_RATE, len(channels), None)

    @property
    def report(self) -> DecodeReport:
        return DecodeReport(self._channels.shape[1])

    def __iter__(self) -> Iterator[Block]:
        for start in range(0, self._channels.shape[1], self._block):
            self.blocks_given += 1
            yield Block(self._channels[:, start : start + self._block], start)

    def close(self) -> None:
        self.closed = True


class ArrayDecoder:
    """Decodes what is an array already: the media of a request is the bytes of float32 [channels, n]."""

    def __init__(self, channels: int = 1, block: int = BLOCK_SAMPLES) -> None:
        self._channels = channels
        self._block = block
        self.opened: list[ArrayDecoding] = []

    def open(self, media: Media, **_: object) -> ArrayDecoding:
        assert isinstance(media, bytes)
        channels = np.frombuffer(media, np.float32).reshape(self._channels, -1)
        self.opened.append(ArrayDecoding(channels, self._block))
        return self.opened[-1]
