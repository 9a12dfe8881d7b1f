"""One cancellation object, handed down every path of a request and checked at every step."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tympan.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable


class Cancellation:
    """A flag that is set once and never cleared; safe from any thread.

    Whoever holds work for a request registers a callback, so that waiting work leaves its queue at once
    instead of when somebody next looks.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._event = threading.Event()
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next_handle = 0

    @property
    def cancelled(self) -> bool:
        """Whether the work is no longer wanted."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Set the flag and run every callback once, in the calling thread. Further calls do nothing."""
        with self._lock:
            if self._event.is_set():
                return
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        for callback in callbacks:
            callback()

    def check(self) -> None:
        """Raise `Cancelled` when the flag is set."""
        if self._event.is_set():
            raise Cancelled

    def wait(self, timeout_s: float) -> bool:
        """Wait up to `timeout_s` seconds; true when cancelled."""
        return self._event.wait(timeout_s)

    def on_cancel(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` when cancelled, at once if that has happened; returns what removes it again."""
        with self._lock:
            if not self._event.is_set():
                handle = self._next_handle
                self._next_handle += 1
                self._callbacks[handle] = callback

                def remove() -> None:
                    with self._lock:
                        self._callbacks.pop(handle, None)

                return remove
        callback()
        return lambda: None
