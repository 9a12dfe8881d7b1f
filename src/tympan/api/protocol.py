"""uvicorn's HTTP protocol with bounds that it lacks."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tympan.api.request_id import HEADER, new_request_id

if TYPE_CHECKING:
    import asyncio

MAX_HEAD_BYTES = 64 * 1024  # request line and headers, or what stands between two pieces of a chunked body
HEAD_TIMEOUT_S = 30.0  # for a whole request head, also of a connection that stays silent


class BoundedProtocol(HttpToolsProtocol):
    """Refuses endless heads with 431, closes connections that never finish one, and answers in OpenAI's shape."""

    _unproductive = 0  # bytes since the last byte of a body or end of a message
    _too_large = False
    _head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin."""
        super().connection_made(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self._stop_head_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes off the wire."""
        self._unproductive += len(data)
        super().data_received(data)
        if self._unproductive > MAX_HEAD_BYTES and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        """See a request begin."""
        super().on_message_begin()
        self._start_head_timer()

    def on_headers_complete(self) -> None:
        """See a head end."""
        self._stop_head_timer()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD_BYTES:
            self._too_large = True
            raise ValueError  # stops the parser; uvicorn then calls `send_400_response`
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """See a piece of a body."""
        self._unproductive = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """See a request end."""
        self._unproductive = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is no HTTP."""
        if self._too_large:
            self._refuse_head()
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, msg)

    def _refuse_head(self) -> None:
        self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, f"The head is over {MAX_HEAD_BYTES} bytes.")

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            error = {"message": message, "type": "invalid_request_error", "param": None, "code": "invalid_http"}
            body = json.dumps({"error": error}).encode()
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
                f"content-length: {len(body)}\r\n{HEADER}: {new_request_id()}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self.transport.close()

    def _start_head_timer(self) -> None:
        self._stop_head_timer()
        self._head_timer = self.loop.call_later(HEAD_TIMEOUT_S, self.transport.close)

    def _stop_head_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
