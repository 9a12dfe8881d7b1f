"""What the tests of this room share: small catalog files, a progress that remembers, a server with faults."""

from __future__ import annotations

import hashlib
import http.server
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import pytest

from tympan.cancel import Cancellation
from tympan.weights.catalog import CatalogFile
from tympan.weights.store import Store


def catalog_file(path, data, **origins):
    return CatalogFile(path, len(data), hashlib.sha256(data).hexdigest(), **origins)


@dataclass
class Recorder:
    """A Progress that keeps what it is told."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    finished: list[tuple[str, str]] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    positions: dict[str, list[int]] = field(default_factory=dict)
    ended: int = 0

    def begin(self, files):
        self.total = sum(file.size for file in files)

    def asking(self, file, source):
        self.asked.append((file.path, source))

    def at(self, file, position):
        self.positions.setdefault(file.path, []).append(position)

    def finish(self, file, source):
        self.finished.append((file.path, source))

    def say(self, sentence):
        self.sentences.append(sentence)

    def end(self):
        self.ended += 1


class FileServer(http.server.ThreadingHTTPServer):
    """Serves `files` on loopback, with the faults that are switched on. `requests` are (path, Range)."""

    daemon_threads = True
    block_on_close = False

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.knows_range = True
        self.cut_after: int | None = None  # bytes of a body after which the connection is closed
        self.stall_after: int | None = None  # bytes of a body after which nothing comes any more
        self.pause_s = 0.0  # before each piece of 1000 bytes
        self.shift_range = 0  # how far off a range begins
        self.requests: list[tuple[str, str | None]] = []
        self.headers: list[dict[str, str]] = []
        self.redirect: dict[str, str] = {}
        self.closing = threading.Event()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def counts(self):
        return Counter(path for path, _ in self.requests)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FileServer

    def log_message(self, *args):
        pass

    def do_GET(self):
        server = self.server
        asked = self.headers.get("Range")
        server.requests.append((self.path, asked))
        server.headers.append(dict(self.headers))
        if self.path in server.redirect:
            self.send_response(302)
            self.send_header("Location", server.redirect[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path not in server.files:
            self.send_error(404)
            return
        body = server.files[self.path]
        start = 0
        if asked and server.knows_range:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(body):
                self.send_error(416)
                return
            start += server.shift_range
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self._send(body[start:])

    def _send(self, body):
        server = self.server
        for at in range(0, len(body), 1000):
            piece = body[at : at + 1000]
            if server.cut_after is not None and at + len(piece) > server.cut_after:
                self.wfile.write(piece[: server.cut_after - at])
                self.close_connection = True
                return
            if server.stall_after is not None and at >= server.stall_after:
                server.closing.wait(30)
                self.close_connection = True
                return
            time.sleep(server.pause_s)
            try:
                self.wfile.write(piece)
            except OSError:  # the client is gone
                self.close_connection = True
                return


@pytest.fixture
def server():
    with FileServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.closing.set()
        running.shutdown()
        thread.join()


@pytest.fixture
def unreachable():
    """A URL whose port is taken, so that nobody else gets it, and does not listen."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def make_file():
    return catalog_file


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def progress():
    return Recorder()


@pytest.fixture
def cancellation():
    return Cancellation()


@pytest.fixture
def left_over():
    """Names of everything in a store but its lock."""

    def names(store):
        found = (path.relative_to(store.root).as_posix() for path in store.root.rglob("*") if path.is_file())
        return sorted(name for name in found if name != ".lock")

    return names
