"""`POST /v1/audio/translations`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import APIRouter

from tympan.api.exchange import Exchange
from tympan.api.fields import TRANSLATION_FIELDS, parse_translation
from tympan.api.listening import Endpoint, listen
from tympan.api.openapi import translation_docs

if TYPE_CHECKING:
    from starlette.responses import Response

    from tympan.api.services import Services
    from tympan.listen.results import Listener

PATH = "/v1/audio/translations"


def translations_router(services: Services, listener: Listener) -> APIRouter:
    """Return the route."""
    router = APIRouter()
    serve = partial(listen, services, listener, Endpoint(TRANSLATION_FIELDS, parse_translation))

    @router.post(PATH, tags=["listen"], summary="Speech to English text", **translation_docs())
    async def translate() -> Response:
        """Translate any audio file into English."""
        return Exchange(serve)

    return router
