"""A Python child process at the other end of a pipe.

Started by command rather than by `multiprocessing`: its spawn method imports the caller's main module again in
every child, which costs start-up time and breaks programs that have no main guard. The child ends when the pipe
does, so it never outlives its parent.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Child:
    """A running child. `connection` is our end of the pipe.

    `target` is `package.module:function`; the function gets the child's end of the pipe and `args`, which must
    pickle. It runs in the main thread of a fresh interpreter with `environ` added to ours, and the process ends
    when it returns.
    """

    def __init__(self, target: str, *args: object, environ: Mapping[str, str] | None = None) -> None:
        ours, theirs = Pipe(duplex=True)
        self.connection: Connection = ours
        try:
            self._process = subprocess.Popen(  # noqa: S603  (our own interpreter, our own module)
                [sys.executable, "-m", "tympan.child", str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={**os.environ, **(environ or {})},
            )
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        with contextlib.suppress(OSError):  # it died at once: whoever reads the pipe next learns it
            ours.send_bytes(pickle.dumps((target, args, sys.path)))

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def exitcode(self) -> int | None:
        """None while it runs; below zero: the signal that ended it."""
        return self._process.poll()

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def stop(self, grace_s: float = 2.0) -> None:
        """Close the pipe, wait for the child to end, kill it when it does not."""
        self.connection.close()
        try:
            self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def reap(self, timeout_s: float = 5.0) -> int | None:
        """Wait for the end of a child that is ending; its exit code."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout_s)
        return self.exitcode

    def how_it_ended(self) -> str:
        """Return what the exit code says, in words."""
        code = self.reap()
        if code is None:
            return "its process does not answer"
        if code < 0:
            with contextlib.suppress(ValueError):
                return f"its process was ended by {signal.Signals(-code).name}"
        return f"its process ended with code {code}"


def resident_bytes(pid: int) -> int:
    """Return the resident memory of a process in bytes, 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return 0


def main() -> None:
    """Run in the child: take the target from the pipe and call it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the parent decides
    connection: Connection = Connection(int(sys.argv[1]))
    target: str
    args: tuple[Any, ...]
    try:
        target, args, path = pickle.loads(connection.recv_bytes())  # noqa: S301  (from our parent)
    except (EOFError, OSError):
        return
    sys.path[:] = path
    module, _, function = target.partition(":")
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        getattr(import_module(module), function)(connection, *args)


if __name__ == "__main__":
    main()
