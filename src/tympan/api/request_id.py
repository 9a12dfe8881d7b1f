"""`x-request-id`: taken over from the client where it is sane, made otherwise, in every response."""

from __future__ import annotations

import re
import uuid
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from tympan.api.facts import SCOPE_KEY, Facts

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER = "x-request-id"
SANE = re.compile(r"[A-Za-z0-9._~:/+=@-]{1,128}")


def new_request_id() -> str:
    """Return an id that no other request has."""
    return f"req_{uuid.uuid4().hex}"


class RequestId:
    """Middleware: gives each request its id and its facts. The outermost, so that no response is without."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(HEADER, "")
        request_id = given if SANE.fullmatch(given) else new_request_id()
        scope[SCOPE_KEY] = Facts(request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)[HEADER] = request_id
            await send(message)

        await self._app(scope, receive, send_with_id)
