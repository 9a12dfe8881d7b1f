"""The error tree over HTTP: every error in OpenAI's shape."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from tympan.api.facts import facts_of
from tympan.errors import (
    Cancelled,
    InternalError,
    InvalidApiKey,
    InvalidValue,
    MalformedBody,
    MethodNotAllowed,
    TympanError,
    UnknownRoute,
)

if TYPE_CHECKING:
    from fastapi.exceptions import RequestValidationError
    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tympan.api.facts import Facts
    from tympan.api.wire import ErrorFacts

logger = logging.getLogger("tympan.api")


def error_facts(error: TympanError) -> ErrorFacts:
    """Return the four keys that every error has."""
    return {"message": error.message, "type": error.type, "param": error.param, "code": error.code}


def error_headers(error: TympanError) -> dict[str, str]:
    """Return the headers that tell a client whether and when to try again, and with what."""
    headers = {}
    if error.retry_after_s is not None:
        headers["retry-after"] = str(error.retry_after_s)
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not error.retry:
        headers["x-should-retry"] = "false"  # the openai SDK repeats a failed upload twice otherwise
    if isinstance(error, InvalidApiKey):
        headers["www-authenticate"] = "Bearer"
    return headers


def error_response(error: TympanError) -> Response:
    """Return the response of an error."""
    return JSONResponse(
        {"error": error_facts(error), **error.extra}, status_code=error.status, headers=error_headers(error)
    )


def as_tympan_error(error: Exception) -> TympanError:
    """Return what can be shown of an error: itself when it is of the tree, else that something went wrong."""
    return error if isinstance(error, TympanError) else InternalError()


def note_error(error: Exception, facts: Facts) -> TympanError:
    """Return what can be shown of an error; its code goes to `facts`, and a fault of ours to the log."""
    shown = as_tympan_error(error)
    facts.code = shown.code or f"http_{shown.status}"
    if shown is not error:
        logger.error("request %s failed", facts.request_id, exc_info=error)
    return shown


class Errors:
    """Middleware: answers what the application raises.

    Once the status is out, the body stays without its end: the server breaks the connection off, and the client sees
    that something is missing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Exception as error:  # noqa: BLE001  (this is where the outermost handler stands)
            shown = note_error(error, facts_of(scope))
            if not started and not isinstance(shown, Cancelled):
                await error_response(shown)(scope, receive, send)


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer what the router raises: no such path, no such method."""
    status = error.status_code if isinstance(error, HTTPException) else HTTPStatus.INTERNAL_SERVER_ERROR
    shown: TympanError
    if status == HTTPStatus.NOT_FOUND:
        shown = UnknownRoute(request.method, request.url.path)
    elif status == HTTPStatus.METHOD_NOT_ALLOWED:
        shown = MethodNotAllowed(request.method, request.url.path)
    elif status < HTTPStatus.INTERNAL_SERVER_ERROR:
        shown = MalformedBody(HTTPStatus(status).phrase)
    else:
        shown = InternalError()
    facts_of(request.scope).code = shown.code or f"http_{shown.status}"
    response = error_response(shown)
    if isinstance(error, HTTPException) and error.headers:
        response.headers.update(error.headers)  # Allow
    return response


async def answer_validation_error(request: Request, error: RequestValidationError) -> Response:
    """Answer what FastAPI finds wrong with a parameter."""
    first = error.errors()[0]
    param = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    shown = InvalidValue(param, first.get("input"), expected=str(first["msg"]).lower())
    facts_of(request.scope).code = shown.code or ""
    return error_response(shown)
