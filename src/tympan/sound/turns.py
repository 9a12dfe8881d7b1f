"""A bounded number of places, given first come, first served."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING

from tympan.errors import Cancelled, NotReady

if TYPE_CHECKING:
    from tympan.cancel import Cancellation


class Turns:
    """Like a semaphore, but in order of arrival, and a wait ends when its request is cancelled."""

    def __init__(self, places: int) -> None:
        self._lock = threading.Lock()
        self._free = places  # above zero only while nobody waits
        self._waiting: deque[threading.Event] = deque()
        self._closed = False

    def enter(self, cancellation: Cancellation) -> None:
        """Take a place, when it is one's turn. Raises `Cancelled` or, once closed, `NotReady`."""
        cancellation.check()
        turn = threading.Event()
        with self._lock:
            if self._closed:
                raise NotReady("it is shutting down")
            if self._free:
                self._free -= 1
                return
            self._waiting.append(turn)
        remove = cancellation.on_cancel(turn.set)
        turn.wait()
        remove()
        with self._lock:
            given = turn not in self._waiting
            if not given:
                self._waiting.remove(turn)
                if self._closed:
                    raise NotReady("it is shutting down")
        if not given:
            raise Cancelled

    def leave(self) -> None:
        """Give a place to who waits longest."""
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._free += 1

    def close(self) -> None:
        """Let nobody in any more; who waits gets `NotReady`."""
        with self._lock:
            self._closed = True
            for turn in self._waiting:
                turn.set()
