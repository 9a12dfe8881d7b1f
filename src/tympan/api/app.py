"""The application: routes, and the layers that every request goes through."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

import tympan
from tympan.api.access import Access
from tympan.api.auth import ApiKeys
from tympan.api.errors import Errors, answer_http_exception, answer_validation_error
from tympan.api.health import health_router
from tympan.api.linger import Linger
from tympan.api.models import models_router
from tympan.api.openapi import error_docs
from tympan.api.request_id import RequestId
from tympan.api.services import Services
from tympan.api.speech import speech_router
from tympan.api.transcriptions import transcriptions_router
from tympan.api.translations import translations_router
from tympan.api.voices import voices_router

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fastapi import APIRouter

    from tympan.compose import Readiness
    from tympan.listen.results import Listener
    from tympan.settings import Settings
    from tympan.speak.results import Speaker


def create_app(
    settings: Settings,
    listener: Listener | None,
    *,
    readiness: Callable[[], Readiness],
    speaker: Speaker | None = None,
) -> FastAPI:
    """Return the application; `readiness` is asked with each request for work and by `/healthz`; it must not block.

    Without a `listener` or a `speaker` there are no routes of that job. Both stay open and belong to the caller; the
    application's lifespan cancels what is under way when it ends.
    """
    services = Services.build(settings, listener, speaker, readiness)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(
        title="Tympan",
        description="Speech to text and text to speech over OpenAI's audio API.",
        version=tympan.__version__,
        docs_url=None,  # its page loads scripts from elsewhere; the document itself is at /openapi.json
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
        responses=error_docs(),
        middleware=[  # from the outside in
            Middleware(RequestId),
            Middleware(Access, metrics=services.metrics),
            Middleware(Linger),
            Middleware(Errors),
            Middleware(ApiKeys, keys=settings.server.api_keys),
        ],
        exception_handlers={
            HTTPException: answer_http_exception,
            RequestValidationError: answer_validation_error,
        },
    )
    app.state.services = services  # the server ends what is under way before its own patience ends
    routers: list[APIRouter] = []
    if listener is not None:
        routers += [transcriptions_router(services, listener), translations_router(services, listener)]
    if speaker is not None:
        routers += [speech_router(services, speaker, settings.speak.max_characters), voices_router()]
    routers += [models_router([job for job in (listener, speaker) if job is not None]), health_router(services)]
    for router in routers:
        app.include_router(router)
    return app
