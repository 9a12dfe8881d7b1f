"""Running a package manager as a child process, with cancellation and a limit on silence."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from tympan.errors import SourceUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tympan.cancel import Cancellation

POLL_S = 0.1  # how often the child and its folder are looked at
MAX_REASON_CHARS = 300  # of what a package manager says


def run_program(  # noqa: PLR0913  (a child has this many facts)
    command: Sequence[str],
    *,
    source: str,
    folder: Path,
    environ: Mapping[str, str],
    explain: Callable[[Sequence[str]], str],
    stall_s: float,
    cancellation: Cancellation,
) -> None:
    """Run `command` inside `folder` until it ends.

    It is killed, with its own children, when `cancellation` is set (`Cancelled`) or when neither a file in
    `folder` nor its output grew for `stall_s` seconds. When it does not succeed, `explain` finds the reason for
    `SourceUnavailable` in the lines that it wrote, of which there is at least one.
    """
    with tempfile.TemporaryFile() as output:
        try:
            child = subprocess.Popen(  # noqa: S603  (the command is ours, its arguments are the catalog's)
                command,
                cwd=folder,
                env=dict(environ),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # a group of its own, so that it can be ended with its children
            )
        except OSError as error:
            raise SourceUnavailable(source, f"{command[0]} does not start: {error.strerror or error}") from error
        try:
            seen, since = -1, time.monotonic()
            while child.poll() is None:
                if cancellation.wait(POLL_S):
                    cancellation.check()
                size = _bytes_under(folder) + os.fstat(output.fileno()).st_size
                if size != seen:
                    seen, since = size, time.monotonic()
                elif time.monotonic() - since > stall_s:
                    raise SourceUnavailable(source, f"no sign of life for {stall_s:g} s")
        finally:
            _end(child)
        if child.returncode != 0:
            output.seek(0)
            lines = [line.strip() for line in output.read().decode(errors="replace").splitlines() if line.strip()]
            reason = explain(lines) if lines else f"ended with code {child.returncode}"
            raise SourceUnavailable(source, reason[:MAX_REASON_CHARS])


def _bytes_under(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.stat(os.path.join(parent, name)).st_size  # noqa: PTH116, PTH118  (a hot loop of strings)
            except OSError:
                continue  # it was renamed meanwhile
    return total


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
