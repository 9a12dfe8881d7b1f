"""How far a transcription or a speech is, on a terminal."""

from __future__ import annotations

import time
from textwrap import shorten
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import Console

SHOWN_CHARACTERS = 40  # of a sentence, so that the bar fits a terminal of 80


class Meter:
    """A bar on stderr; nothing where `console` is None.

    A context manager for one file. It leaves the standard output alone, so results may be piped meanwhile.
    """

    def __init__(self, console: Console | None, label: str) -> None:
        self._begun = time.monotonic()
        self._task: TaskID | None = None
        self._bar: Progress | None = None
        if console is not None:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[state]}", markup=False),
                TimeRemainingColumn(),
                console=console,
                transient=True,
                redirect_stdout=False,  # else the results would go to stderr
            )
            self._task = self._bar.add_task(label, total=None, state="")

    def at(self, seconds: float, total: float | None) -> None:
        """Show that the audio is transcribed up to `seconds` of `total`, where that is known."""
        state = clock(seconds) + (f" of {clock(total)}" if total else "") + f", {self._speed(seconds)}"
        self._show(min(seconds, total or seconds), total, state)

    def spoken(self, sentence: str, characters: int, total: int, seconds: float) -> None:
        """Show the sentence that `characters` of `total` end with, and that `seconds` of speech were made."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, description=shorten(sentence, SHOWN_CHARACTERS, placeholder="…"))
        self._show(characters, total, f"{clock(seconds)} of speech, {self._speed(seconds)}")

    def _speed(self, seconds: float) -> str:
        return f"{seconds / max(time.monotonic() - self._begun, 1e-3):.0f} times real time"

    def _show(self, done: float, total: float | None, state: str) -> None:
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=done, total=total, state=state)

    def __enter__(self) -> Self:
        """Show the bar."""
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


def clock(seconds: float) -> str:
    """Return seconds as `m:ss` or `h:mm:ss`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
