"""Telling a person how a fetch goes: bars on a terminal, one line a file elsewhere."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Protocol

from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress import Progress as RichBars

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from tympan.weights.catalog import CatalogFile

ESTIMATE_FROM = 0.1  # share of all bytes below which the time left would be a guess


class Progress(Protocol):
    """What a fetch reports, from several threads. Positions count a file's bytes from its start."""

    def begin(self, files: Sequence[CatalogFile]) -> None:
        """Take note of the files that will be fetched."""

    def asking(self, file: CatalogFile, source: str) -> None:
        """Take note that a source is asked: no byte has come yet, and a package manager may be at work for long."""

    def at(self, file: CatalogFile, position: int) -> None:
        """Take note of the bytes that are there: fewer than before when a file has to start again."""

    def finish(self, file: CatalogFile, source: str) -> None:
        """Take note that a file is verified and in its place."""

    def say(self, sentence: str) -> None:
        """Pass on something else that a person wants to know."""

    def end(self) -> None:
        """Take note that the fetch is over, well or not."""


class BarProgress:
    """A bar for each file in progress and one for all bytes, with the time left."""

    def __init__(self, console: Console) -> None:
        self._bars = RichBars(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._total: TaskID | None = None
        self._tasks: dict[str, TaskID] = {}
        self._positions: dict[str, int] = {}
        self._lock = threading.Lock()

    def begin(self, files: Sequence[CatalogFile]) -> None:
        """Show the bar of all bytes."""
        self._total = self._bars.add_task("all files", total=sum(file.size for file in files))
        self._bars.start()

    def asking(self, file: CatalogFile, source: str) -> None:
        """Show a bar that only moves to and fro."""
        with self._lock:
            if file.path not in self._tasks:
                self._tasks[file.path] = self._bars.add_task(file.path, total=None)
            task = self._tasks[file.path]
        self._bars.update(task, description=f"{file.path} (asking {source})")

    def at(self, file: CatalogFile, position: int) -> None:
        """Move the file's bar and that of all bytes."""
        with self._lock:
            task = self._tasks.get(file.path)
            self._positions[file.path] = position
            done = sum(self._positions.values())
        if task is not None:
            self._bars.update(task, description=file.path, total=file.size, completed=position)
        if self._total is not None:
            self._bars.update(self._total, completed=done)

    def finish(self, file: CatalogFile, source: str) -> None:
        """Put a line in place of the bar."""
        self.at(file, file.size)
        with self._lock:
            task = self._tasks.pop(file.path, None)
        if task is not None:
            self._bars.remove_task(task)
        self.say(f"{file.path}: {decimal(file.size)} from {source}")

    def say(self, sentence: str) -> None:
        """Print above the bars."""
        self._bars.console.print(sentence, markup=False, highlight=False, soft_wrap=True)

    def end(self) -> None:
        """Take the bars away."""
        self._bars.stop()


class LineProgress:
    """One line for each finished file, given to `emit`: with the count, all bytes and the time left."""

    def __init__(self, emit: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._emit = emit
        self._clock = clock
        self._lock = threading.Lock()
        self._begun = 0.0
        self._sizes: dict[str, int] = {}
        self._positions: dict[str, int] = {}
        self._finished = 0

    def begin(self, files: Sequence[CatalogFile]) -> None:
        """Say how much there is to do."""
        self._begun = self._clock()
        self._sizes = {file.path: file.size for file in files}
        self._emit(
            f"Fetching {len(files)} {'file' if len(files) == 1 else 'files'}, {decimal(sum(self._sizes.values()))}"
        )

    def asking(self, file: CatalogFile, source: str) -> None:
        """Nothing: a finished file's line names its source."""

    def at(self, file: CatalogFile, position: int) -> None:
        """Count, for the time left."""
        with self._lock:
            self._positions[file.path] = position

    def finish(self, file: CatalogFile, source: str) -> None:
        """Write the file's line."""
        with self._lock:
            self._positions[file.path] = file.size
            self._finished += 1
            done, total = sum(self._positions.values()), sum(self._sizes.values())
            left = ""
            if ESTIMATE_FROM * total <= done < total:
                left = f", about {(self._clock() - self._begun) * (total - done) / done:.0f} s left"
            self._emit(
                f"{file.path}: {decimal(file.size)} from {source} "
                f"({self._finished} of {len(self._sizes)} files, {decimal(done)} of {decimal(total)}{left})"
            )

    def say(self, sentence: str) -> None:
        """Write a line."""
        self._emit(sentence)

    def end(self) -> None:
        """Nothing: every line is out."""


def progress_on(console: Console) -> Progress:
    """Return bars when `console` is a terminal, else lines."""
    if console.is_terminal:
        return BarProgress(console)
    return LineProgress(lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True))
