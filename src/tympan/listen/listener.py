"""The listening job: which models answer, and how a transcription begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors import UnknownModel
from tympan.listen.parts import Parts
from tympan.listen.transcription import StreamingTranscription
from tympan.model_card import ModelCard

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Runner
    from tympan.engines.stats import EngineReport
    from tympan.listen.parts import Decoder
    from tympan.listen.request import ListenRequest
    from tympan.listen.results import Transcription

OPENAI_IDS = (
    "whisper-1",
    "gpt-transcribe",
    "gpt-4o-transcribe",
    "gpt-4o-mini-transcribe",
    "gpt-4o-mini-transcribe-2025-12-15",
    "gpt-4o-transcribe-diarize",
)
"""OpenAI's own ids mean the default model, so that a client's default settings work."""

CARDS = {
    "whisper": ModelCard(
        id="whisper",
        created=1663718400,  # 2022-09-21, when its weights were published
        owned_by="openai",
        description="Whisper: speech in 99 languages to text, or to English",
    )
}


class SpeechListener:
    """Implements `listen.results.Listener`. `recognizers` is a runner for each model id."""

    def __init__(
        self, decoder: Decoder, voice: Runner, recognizers: Mapping[str, Runner], *, default: str, ahead: int
    ) -> None:
        if default not in recognizers:
            raise UnknownModel(default)
        self._decoder = decoder
        self._voice = voice
        self._recognizers = dict(recognizers)
        self._default = default
        self._ahead = ahead

    def models(self) -> Sequence[ModelCard]:
        """Return the models that answer, the default first, with OpenAI's ids as its aliases."""
        ids = sorted(self._recognizers, key=lambda model: model != self._default)
        cards = [CARDS.get(model, ModelCard(model, 0, "tympan", model)) for model in ids]
        return [
            ModelCard(card.id, card.created, card.owned_by, card.description, OPENAI_IDS if place == 0 else ())
            for place, card in enumerate(cards)
        ]

    def resolve(self, model: str) -> str:
        """Return the id that an id or an alias stands for; raises `UnknownModel`."""
        if model in self._recognizers:
            return model
        if model in OPENAI_IDS:
            return self._default
        raise UnknownModel(model)

    def transcribe(self, request: ListenRequest, cancellation: Cancellation) -> Transcription:
        """Begin; the work is done as its segments are asked for."""
        recognizer = self._recognizers[self.resolve(request.model)]
        parts = Parts(self._decoder, self._voice, recognizer, self._ahead)
        return StreamingTranscription(request, parts, cancellation)

    def engines(self) -> Sequence[EngineReport]:
        """Return the state of every engine."""
        return [runner.report() for runner in (self._voice, *self._recognizers.values())]
