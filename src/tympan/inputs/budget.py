"""Host memory for model input: reserved at admission, given back exactly once."""

from __future__ import annotations

import threading
import weakref

from tympan.errors import MemoryRefused


class Reservation:
    """Bytes that a request holds. They go back with `release`, or when nobody refers to this any more."""

    def __init__(self, budget: Budget, encoded: int, host: int) -> None:
        self.encoded = encoded
        self.host = host
        # a finalizer runs once, whoever calls it: release, the collector, or both at the same time
        self._give_back = weakref.finalize(self, budget._return, encoded, host)  # noqa: SLF001  (its own guard)
        self._give_back.atexit = False

    def release(self) -> None:
        """Give the bytes back; further calls do nothing."""
        self._give_back()


class Budget:
    """Two counters with ceilings: bytes of encoded audio, and of all memory that requests take. Any thread."""

    def __init__(self, max_encoded: int, max_host: int) -> None:
        self.max_encoded = max_encoded
        self.max_host = max_host
        self._lock = threading.RLock()  # the collector may give back within a call of `reserve`
        self._encoded = 0
        self._host = 0

    @property
    def encoded(self) -> int:
        """Bytes of encoded audio held now."""
        return self._encoded

    @property
    def host(self) -> int:
        """Bytes of memory held now, encoded audio among them."""
        return self._host

    def reserve(self, encoded: int, host: int) -> Reservation:
        """Hold both amounts, or none. Raises `MemoryRefused`."""
        with self._lock:
            if self._encoded + encoded > self.max_encoded:
                raise MemoryRefused("bytes of encoded audio", encoded, self.max_encoded - self._encoded)
            if self._host + host > self.max_host:
                raise MemoryRefused("bytes of memory", host, self.max_host - self._host)
            self._encoded += encoded
            self._host += host
        return Reservation(self, encoded, host)

    def _return(self, encoded: int, host: int) -> None:
        with self._lock:
            self._encoded -= encoded
            self._host -= host
