"""The speaking job: which models answer, and how a speech begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors import NothingToSay, UnknownModel
from tympan.model_card import ModelCard
from tympan.speak.scripts import check_readable
from tympan.speak.synthesis import SpeakParts, StreamingSpeech

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Runner
    from tympan.engines.stats import EngineReport
    from tympan.speak.request import SpeakRequest
    from tympan.speak.results import Speech

KOKORO = ModelCard(
    id="kokoro",
    created=1736899200,  # 2025-01-15, about when version 1.0 of its weights was published
    owned_by="hexgrad",
    description="Kokoro-82M: speech in 54 voices of nine languages",
    aliases=("tts-1", "tts-1-hd", "gpt-4o-mini-tts"),
)


class KokoroSpeaker:
    """Implements `speak.results.Speaker`."""

    def __init__(self, reader: Runner, synthesizer: Runner, *, ahead: int) -> None:
        self._made_with = SpeakParts(reader, synthesizer, ahead)

    def models(self) -> Sequence[ModelCard]:
        """Return the models that answer."""
        return (KOKORO,)

    def resolve(self, model: str) -> str:
        """Return the id that an id or an alias stands for; raises `UnknownModel`."""
        if model == KOKORO.id or model in KOKORO.aliases:
            return KOKORO.id
        raise UnknownModel(model)

    def speak(self, request: SpeakRequest, cancellation: Cancellation) -> Speech:
        """Begin; the work is done as its pieces are asked for.

        Raises `NothingToSay` and `UnreadableScript` for what can be seen in the text.
        """
        if not request.text.strip():
            raise NothingToSay
        check_readable(request.text, request.voice.language, request.voice.name)
        return StreamingSpeech(request, self._made_with, cancellation)

    def engines(self) -> Sequence[EngineReport]:
        """Return the state of every engine."""
        return [self._made_with.reader.report(), self._made_with.synthesizer.report()]
