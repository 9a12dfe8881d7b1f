"""A request body as it comes: counted, bounded, and never waited for without end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tympan.errors import BodyTooLarge, Cancelled, MalformedBody

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.datastructures import Headers
    from starlette.types import Receive

MIB = 2**20
STALL_S = 60.0  # a body of which no byte comes for so long is given up; phones on a train pause for seconds


class Body:
    """The body of one request; iterate once.

    `limit` is in bytes. Raises `BodyTooLarge` from the Content-Length header before anything is read, and from
    the counted bytes where there is no such header; `Cancelled` when the client closes; `MalformedBody` when it
    falls silent.
    """

    def __init__(self, headers: Headers, receive: Receive, *, limit: int) -> None:
        declared = headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > limit:
            raise BodyTooLarge(limit, int(declared))
        self._receive = receive
        self._limit = limit
        self.size = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Give the pieces in order, none of them empty."""
        more = True
        while more:
            try:
                async with asyncio.timeout(STALL_S):
                    message = await self._receive()
            except TimeoutError:
                raise MalformedBody(f"no byte came for {STALL_S:g} s") from None
            if message["type"] == "http.disconnect":
                raise Cancelled
            more = message.get("more_body", False)
            piece = message.get("body", b"")
            self.size += len(piece)
            if self.size > self._limit:
                raise BodyTooLarge(self._limit, self.size)
            if piece:
                yield piece

    async def read(self, limit: int) -> bytes:
        """Return the whole body, of at most `limit` bytes."""
        limit = min(limit, self._limit)
        pieces = []
        async for piece in self:
            if self.size > limit:
                raise BodyTooLarge(limit, self.size)
            pieces.append(piece)
        return b"".join(pieces)
