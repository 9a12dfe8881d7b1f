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
from tympan.api.transcriptions import transcriptions_router
from tympan.api.translations import translations_router

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tympan.compose import Readiness
    from tympan.listen.results import Listener
    from tympan.settings import Settings


def create_app(settings: Settings, listener: Listener, *, readiness: Callable[[], Readiness]) -> FastAPI:
    """Return the application; `readiness` is asked with each request for work and by `/healthz`; it must not block.

    Its lifespan cancels what is under way when it ends; `listener` stays open and belongs to the caller.
    """
    services = Services.build(settings, listener, readiness)

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await services.close()

    app = FastAPI(
        title="Tympan",
        description="Speech to text over OpenAI's audio API.",
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
    for router in (
        transcriptions_router(services),
        translations_router(services),
        models_router(listener),
        health_router(services),
    ):
        app.include_router(router)
    return app
