"""`POST /v1/audio/speech`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import APIRouter

from tympan.api.exchange import Exchange
from tympan.api.openapi import speech_docs
from tympan.api.speaking import speak

if TYPE_CHECKING:
    from starlette.responses import Response

    from tympan.api.services import Services
    from tympan.speak.results import Speaker

PATH = "/v1/audio/speech"


def speech_router(services: Services, speaker: Speaker, max_characters: int) -> APIRouter:
    """Return the route; a text has at most `max_characters` code points."""
    router = APIRouter()
    serve = partial(speak, services, speaker, max_characters)

    @router.post(PATH, tags=["speak"], summary="Text to speech", **speech_docs(max_characters))
    async def create_speech() -> Response:
        """Speak a text; the sound comes as it is made."""
        return Exchange(serve)

    return router
