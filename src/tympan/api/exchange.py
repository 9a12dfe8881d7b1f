"""One request and its answer under one roof."""

from __future__ import annotations

import asyncio
import contextlib
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from tympan.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from starlette.types import Receive, Scope, Send

    from tympan.cancel import Cancellation

READER_STALL_S = 600.0  # a player that is paused holds its place for so long; one that has hung, no longer


class Exchange(Response):
    """A response that reads the request's body and writes its answer in one coroutine.

    An endpoint returns it instead of doing the work itself, so that what the work holds (an upload's file, a
    place, a thread) lives exactly until the last byte of the answer is out.
    """

    def __init__(self, serve: Callable[[Request, Send], Awaitable[None]]) -> None:
        super().__init__()
        self._serve = serve

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve the request."""
        await self._serve(Request(scope, receive, send), send)


async def send_stream(send: Send, headers: Mapping[str, str], pieces: AsyncIterator[bytes]) -> None:
    """Send a 200 and its body as it comes. Where `pieces` raises, the body stays without its end.

    Raises `Cancelled` when the client takes nothing for `READER_STALL_S` seconds.
    """
    head = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": HTTPStatus.OK, "headers": head})
    async for piece in pieces:
        try:
            async with asyncio.timeout(READER_STALL_S):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except TimeoutError:
            raise Cancelled from None
    await send({"type": "http.response.body", "body": b"", "more_body": False})


@contextlib.asynccontextmanager
async def cancel_on_disconnect(receive: Receive, cancellation: Cancellation) -> AsyncIterator[None]:
    """Set `cancellation` when the client closes its connection. The request's body must have been read."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        cancellation.cancel()

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watcher
