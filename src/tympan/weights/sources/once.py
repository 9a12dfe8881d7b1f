"""One piece of work for many callers."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Made = TypeVar("Made")


class OncePerKey(Generic[Made]):
    """Makes a thing at the first call for its key; callers meanwhile and later get the same thing, or error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[Hashable, Future[Made]] = {}

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what `make` returned for `key`, or raise what it raised."""
        with self._lock:
            future = self._made.get(key)
            first = future is None
            if future is None:
                future = self._made[key] = Future()
        if first:
            try:
                future.set_result(make())
            except BaseException as error:  # noqa: BLE001  (raised again by result(), for every caller)
                future.set_exception(error)
        return future.result()
