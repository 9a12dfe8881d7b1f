"""`GET /v1/audio/voices`, in the shape that Open WebUI asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter

from tympan.api.wire import VoiceList  # noqa: TC001  (FastAPI reads the annotations)
from tympan.speak.voices import ALIASES, VOICES

if TYPE_CHECKING:
    from tympan.api.wire import Voice as WireVoice
    from tympan.speak.voices import Voice


def voices_router() -> APIRouter:
    """Return the route."""
    router = APIRouter(tags=["speak"])

    @router.get("/v1/audio/voices", summary="All voices, and OpenAI's names for some of them")
    async def list_voices() -> VoiceList:
        aliases: list[WireVoice] = [
            {**_wire(VOICES[voice], alias, alias.capitalize()), "alias_of": voice} for alias, voice in ALIASES.items()
        ]
        return {"voices": [_wire(voice, voice.id, voice.name) for voice in VOICES.values()] + aliases}

    return router


def _wire(voice: Voice, name: str, shown: str) -> WireVoice:
    # Clients show the name alone, and three voices are called Santa, so it says the language, too.
    return {"id": name, "name": f"{shown} ({voice.language})", "language": voice.language, "gender": voice.gender}
