"""A speaker without a model: a tone for each word, sentence by sentence, or whatever a script says."""

from __future__ import annotations

import re
import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from tympan.engines.stats import EngineReport
from tympan.errors import NothingToSay, UnknownModel
from tympan.sound.waveform import SPEECH_RATE
from tympan.speak.results import SpeechSummary, SpokenPiece, TimedText
from tympan.speak.scripts import check_readable
from tympan.speak.speaker import KOKORO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tympan.cancel import Cancellation
    from tympan.model_card import ModelCard
    from tympan.sound.waveform import Samples
    from tympan.speak.request import SpeakRequest

    Script = Callable[[SpeakRequest, Cancellation], Iterator[SpokenPiece]]

WORD_S = 0.25  # how long a word is spoken at speed 1
TONE_HZ = 440.0


def tone(seconds: float) -> Samples:
    times = np.arange(round(seconds * SPEECH_RATE)) / SPEECH_RATE
    return (0.3 * np.sin(2 * np.pi * TONE_HZ * times)).astype(np.float32)


def reading(request: SpeakRequest, _cancellation: Cancellation) -> Iterator[SpokenPiece]:
    """Speak sentence by sentence, each word for the same time."""
    word_s = WORD_S / request.speed
    now = 0.0
    for sentence in re.finditer(r"[^.!?]*\w[^.!?]*", request.text):
        words = []
        for word in re.finditer(r"\w+", sentence[0]):
            words.append(TimedText(now, now + word_s, sentence.start() + word.start(), sentence.start() + word.end()))
            now += word_s
        yield SpokenPiece(tone(word_s * len(words)), tuple(words), words[-1].text_end)


def until_cancelled(_request: SpeakRequest, cancellation: Cancellation) -> Iterator[SpokenPiece]:
    """Wait like a speech in a queue: for the engine or for the end of its caller, whichever comes first."""
    cancellation.wait(30)
    cancellation.check()
    yield SpokenPiece(tone(1.0), (), 1)


def endless(_request: SpeakRequest, cancellation: Cancellation) -> Iterator[SpokenPiece]:
    """Speak piece after piece, with no end."""
    while True:
        time.sleep(0.02)
        cancellation.check()
        yield SpokenPiece(tone(0.5), (), 1)


def failing(error: BaseException, pieces: int = 0) -> Script:
    def script(request: SpeakRequest, cancellation: Cancellation) -> Iterator[SpokenPiece]:
        for _ in range(pieces):
            yield from reading(request, cancellation)
        raise error

    return script


def slowly(*pauses: float) -> Script:
    """Wait before each piece of half a second."""

    def script(_request: SpeakRequest, cancellation: Cancellation) -> Iterator[SpokenPiece]:
        for pause in pauses:
            cancellation.wait(pause)
            cancellation.check()
            yield SpokenPiece(tone(0.5), (), 1)

    return script


class ScriptedSpeech:
    def __init__(self, speaker: ScriptedSpeaker, request: SpeakRequest, cancellation: Cancellation) -> None:
        self._speaker = speaker
        self._request = request
        self._cancellation = cancellation
        self._samples = 0
        self._pieces = 0
        self._closed = False

    def __iter__(self) -> Iterator[SpokenPiece]:
        for piece in self._speaker.script(self._request, self._cancellation):
            self._samples += piece.samples.size
            self._pieces += 1
            self._speaker.pulled += 1
            yield piece

    @property
    def summary(self) -> SpeechSummary:
        text = self._request.text
        return SpeechSummary(self._samples / SPEECH_RATE, 3 * len(text.split()), len(text), self._pieces)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._speaker.note_end(cancelled=self._cancellation.cancelled)


class ScriptedSpeaker:
    """Implements `Speaker`; keeps what it was asked, and counts pieces, speeches under way and cancelled ones."""

    def __init__(self) -> None:
        self.script: Script = reading
        self.refusal: Exception | None = None
        self.requests: list[SpeakRequest] = []
        self.pulled = 0
        self.cancelled = 0
        self.active = 0
        self._lock = threading.Lock()

    def models(self) -> Sequence[ModelCard]:
        return [KOKORO]

    def resolve(self, model: str) -> str:
        if model not in {KOKORO.id, *KOKORO.aliases}:
            raise UnknownModel(model)
        return KOKORO.id

    def speak(self, request: SpeakRequest, cancellation: Cancellation) -> ScriptedSpeech:
        if self.refusal is not None:
            raise self.refusal
        if not any(character.isalnum() for character in request.text):
            raise NothingToSay
        check_readable(request.text, request.voice.language, request.voice.name)
        with self._lock:
            self.requests.append(request)
            self.active += 1
        return ScriptedSpeech(self, request, cancellation)

    def note_end(self, *, cancelled: bool) -> None:
        with self._lock:
            self.active -= 1
            self.cancelled += cancelled

    def engines(self) -> Sequence[EngineReport]:
        return [EngineReport("kokoro", "ready", items=5)]


def pitch_of(samples: Samples, rate: int) -> float:
    """Return the strongest frequency of float [n], in Hz."""
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(samples.size)))
    return float(np.argmax(spectrum) * rate / samples.size)
