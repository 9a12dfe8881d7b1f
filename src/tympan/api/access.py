"""One log line and one count for each request; never a transcript, a file name, a prompt or a key."""

from __future__ import annotations

import json
import logging
import time
from typing import TYPE_CHECKING

from tympan.api.facts import facts_of
from tympan.errors import Cancelled

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from tympan.api.metrics import Metrics

logger = logging.getLogger("tympan.access")
MAX_PATH_CHARACTERS = 200
UNMATCHED = "unmatched"  # one label for all paths that do not exist


class Access:
    """Middleware: watches a request from its first byte to the last of its answer."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.monotonic()
        status = Cancelled.status
        bytes_out = 0

        async def counted_send(message: Message) -> None:
            nonlocal status, bytes_out
            if message["type"] == "http.response.start":
                status = message["status"]
            else:
                bytes_out += len(message.get("body", b""))
            await send(message)

        try:
            with self._metrics.in_progress.track_inprogress():
                await self._app(scope, receive, counted_send)
        finally:
            facts = facts_of(scope)
            seconds = time.monotonic() - started
            route = getattr(scope.get("route"), "path", UNMATCHED)
            self._metrics.count_request(route, facts.model, status, seconds, facts.code)
            logger.info(
                "%s",
                json.dumps(
                    {
                        "id": facts.request_id,
                        "method": scope["method"],
                        "path": scope["path"][:MAX_PATH_CHARACTERS],
                        "status": status,
                        "seconds": round(seconds, 4),
                        "bytes_in": facts.bytes_in,
                        "bytes_out": bytes_out,
                        "model": facts.model or None,
                        "audio_seconds": facts.audio_s,
                        "code": facts.code or None,
                    }
                ),
            )
