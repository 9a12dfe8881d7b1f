"""`POST /v1/audio/transcriptions`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import APIRouter

from tympan.api.exchange import Exchange
from tympan.api.fields import TRANSCRIPTION_FIELDS, parse_transcription
from tympan.api.listening import Endpoint, listen
from tympan.api.openapi import transcription_docs

if TYPE_CHECKING:
    from starlette.responses import Response

    from tympan.api.services import Services
    from tympan.listen.results import Listener

PATH = "/v1/audio/transcriptions"


def transcriptions_router(services: Services, listener: Listener) -> APIRouter:
    """Return the route."""
    router = APIRouter()
    serve = partial(listen, services, listener, Endpoint(TRANSCRIPTION_FIELDS, parse_transcription))

    @router.post(PATH, tags=["listen"], summary="Speech to text", **transcription_docs())
    async def transcribe() -> Response:
        """Transcribe any audio file in the language spoken."""
        return Exchange(serve)

    return router
