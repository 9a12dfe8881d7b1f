"""API keys.

With keys set, every request must carry one of them as `Authorization: Bearer <key>`, but for what has to answer
without: health (orchestrators), the lists of models and voices (Open WebUI asks for them without a key), the OpenAPI
document and the greeting (clients open a connection with it ahead of time). `/metrics` needs a key.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from tympan.errors import InvalidApiKey

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Receive, Scope, Send

OPEN_PATHS = frozenset(
    {
        "/",
        "/v1",
        "/v1/",
        "/livez",
        "/healthz",
        "/openapi.json",
        "/v1/models",
        "/v1/audio/models",
        "/v1/audio/voices",
    }
)
OPEN_PREFIX = "/v1/models/"
OPEN_METHODS = frozenset({"GET", "HEAD"})


class ApiKeys:
    """Middleware: asks for a key. Without `keys` it lets everything pass."""

    def __init__(self, app: ASGIApp, keys: Sequence[str]) -> None:
        self._app = app
        self._digests = [_digest(key) for key in keys]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; raises `InvalidApiKey`."""
        if scope["type"] == "http" and self._digests and not _is_open(scope):
            key = bearer_key(Headers(scope=scope).get("authorization", ""))
            if not self._knows(key):
                raise InvalidApiKey(key)
        await self._app(scope, receive, send)

    def _knows(self, key: str) -> bool:
        """Compare with all keys, in a time that tells nothing of them."""
        digest = _digest(key)
        found = False
        for known in self._digests:
            found |= hmac.compare_digest(known, digest)
        return found


def bearer_key(authorization: str) -> str:
    """Return the key of an Authorization header, "" when it holds none."""
    scheme, _, key = authorization.strip().partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _is_open(scope: Scope) -> bool:
    path: str = scope["path"]
    return scope["method"] in OPEN_METHODS and (path in OPEN_PATHS or path.startswith(OPEN_PREFIX))


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogateescape")).digest()
