"""The service under measurement as a child process, and the memory of a process tree."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

import httpx

from benchmarks import corpus

if TYPE_CHECKING:
    from types import TracebackType

READY_S = 180.0  # loading the models, on a busy machine
STOP_S = 20.0
MIB = 1024 * 1024
LOG = corpus.cache() / "server.log"
SAMPLE_S = 0.5  # how often memory is looked at


class Server:
    """`tympan serve` on a free port of the loopback interface, with the environment's settings.

    What it writes goes to `server.log` in the cache folder.
    """

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        self.url = f"http://127.0.0.1:{port}"
        self._environ = {**os.environ, "TYMPAN_SERVER__HOST": "127.0.0.1", "TYMPAN_SERVER__PORT": str(port)}

    def __enter__(self) -> Self:
        command = [str(Path(sys.executable).with_name("tympan")), "serve"]
        LOG.parent.mkdir(parents=True, exist_ok=True)
        with LOG.open("wb") as log:
            self._child = subprocess.Popen(command, env=self._environ, stdout=log, stderr=log)
        try:
            self._wait_until_ready()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def tree_rss(self) -> int:
        """Return the resident bytes of the service and all its children, shared pages counted in each."""
        return tree_rss(self._child.pid)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_S
        while time.monotonic() < deadline:
            if self._child.poll() is not None:
                raise RuntimeError(f"tympan serve ended with code {self._child.returncode}: see {LOG}")
            try:
                if httpx.get(f"{self.url}/healthz", timeout=5).status_code == httpx.codes.OK:
                    return
            except httpx.TransportError:
                pass  # it does not listen yet
            time.sleep(0.1)
        raise TimeoutError(f"not ready after {READY_S:g} s")

    def _stop(self) -> None:
        self._child.terminate()
        try:
            self._child.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


class PeakMemory:
    """Watches a server's memory from a thread; `peak` is the most that was seen, in bytes."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak = 0

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.is_set():
            self.peak = max(self.peak, self._server.tree_rss())
            self._over.wait(SAMPLE_S)


def tree_rss(root: int) -> int:
    """Return the resident bytes of process `root` and all its descendants."""
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,rss="], check=True, capture_output=True, text=True).stdout
    rows = [tuple(map(int, line.split())) for line in listing.splitlines()]
    tree, grown = {root}, True
    while grown:
        found = {pid for pid, parent, _ in rows if parent in tree} - tree
        tree, grown = tree | found, bool(found)
    return sum(kib for pid, _, kib in rows if pid in tree) * 1024
