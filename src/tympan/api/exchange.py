"""One request and its answer under one roof."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.types import Receive, Scope, Send

    from tympan.cancel import Cancellation


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
