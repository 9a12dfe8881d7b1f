"""GET over HTTP, continued with Range where the server can; what the https and hub sources share."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

import httpx

from tympan.errors import SourceUnavailable
from tympan.weights.sources.base import ByteStream

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tympan.cancel import Cancellation

CONNECT_TIMEOUT_S = 5.0  # a host that is there answers in well under a second
CONTENT_RANGE = re.compile(r"bytes (\d+)-")


class RangedClient:
    """An HTTP client for one source; a context manager, used from several threads.

    A host that could not be reached is not tried again: with many files, each would wait for the same timeout.
    `stall_s` is how many seconds may pass without a byte.
    """

    def __init__(self, source: str, stall_s: float, cancellation: Cancellation) -> None:
        self._source = source
        self._cancellation = cancellation
        self._client = httpx.Client(
            timeout=httpx.Timeout(stall_s, connect=min(stall_s, CONNECT_TIMEOUT_S)),
            follow_redirects=True,
            headers={"Accept-Encoding": "identity"},  # offsets count the file's own bytes
        )
        self._lock = threading.Lock()
        self._unreachable: dict[str, str] = {}  # host: reason

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    @contextmanager
    def open(self, url: str, offset: int, headers: Mapping[str, str]) -> Iterator[ByteStream]:
        """Ask for the bytes of `url` from `offset` on. Raises `SourceUnavailable` and `Cancelled`."""
        with self._named_errors(url):
            request = self._client.build_request("GET", url, headers=dict(headers))
            if offset:
                request.headers["Range"] = f"bytes={offset}-"
            if reason := self._unreachable.get(request.url.host):
                raise SourceUnavailable(self._source, reason)
            response = self._client.send(request, stream=True)
        remove = self._cancellation.on_cancel(lambda: _wake_reader(response))
        try:
            yield ByteStream(self._start(response, offset), self._chunks(response))
        finally:
            remove()
            response.close()

    def _start(self, response: httpx.Response, offset: int) -> int:
        if response.status_code == HTTPStatus.OK:
            return 0  # a server that does not know Range sends everything
        if response.status_code == HTTPStatus.PARTIAL_CONTENT:
            stated = CONTENT_RANGE.match(response.headers.get("Content-Range", ""))
            if stated and int(stated[1]) == offset:
                return offset
            raise SourceUnavailable(self._source, f"{response.url.host} sent another range than it was asked for")
        status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
        raise SourceUnavailable(self._source, f"{response.url.host} answered {status}")

    def _chunks(self, response: httpx.Response) -> Iterator[bytes]:
        with self._named_errors(str(response.url)):
            yield from response.iter_bytes()

    @contextmanager
    def _named_errors(self, url: str) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            self._cancellation.check()  # a connection that cancelling broke is no fault of the source
            reason = str(error) or type(error).__name__
            with suppress(httpx.InvalidURL):
                host = httpx.URL(url).host
                reason = f"{host}: {reason}" if host else reason
                if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
                    with self._lock:
                        self._unreachable[host] = reason
            raise SourceUnavailable(self._source, reason) from error


def _wake_reader(response: httpx.Response) -> None:
    """End a read that waits for bytes. Closing would not wake the thread that reads; shutting down does."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if isinstance(connection, socket.socket):
        with suppress(OSError):
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
