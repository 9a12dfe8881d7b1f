"""Answers that come before the whole body has been read.

A socket that is closed while bytes are still arriving is reset, and the reset can overtake the answer: the client
would see a broken connection instead of a 413. So the answer goes out whole, what still comes is thrown away for a
while, and only then is the connection closed.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LINGER_S = 5.0  # a client reads its answer within a round trip or two; one that goes on sending is cut off


class Linger:
    """Middleware: closes connections with an unread body gently."""

    def __init__(self, app: ASGIApp, linger_s: float = LINGER_S) -> None:
        self._app = app
        self._linger_s = linger_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        unread = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
        closing = False

        async def counted_receive() -> Message:
            nonlocal unread
            message = await receive()
            unread = unread and message["type"] == "http.request" and message.get("more_body", False)
            return message

        async def lingering_send(message: Message) -> None:
            nonlocal closing
            if message["type"] == "http.response.start" and unread:
                closing = True
                MutableHeaders(scope=message)["connection"] = "close"
            if message["type"] == "http.response.body" and closing and not message.get("more_body", False):
                await send({**message, "more_body": True})
                try:
                    async with asyncio.timeout(self._linger_s):
                        while unread:
                            await counted_receive()
                except TimeoutError:
                    pass
                message = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(message)

        await self._app(scope, counted_receive, lingering_send)
