"""Counters of one engine. They never go down."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field


@dataclass(slots=True)
class EngineStats:
    """What an engine has done. Seconds are wall time."""

    batches: int = 0
    items: int = 0
    restarts: int = 0
    crashes: int = 0
    loads: int = 0
    busy_seconds: float = 0.0
    wait_seconds: float = 0.0
    load_seconds: float = 0.0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, **amounts: float) -> None:
        """Add to counters by name."""
        with self._lock:
            for name, amount in amounts.items():
                setattr(self, name, getattr(self, name) + amount)

    def seconds_per_item(self) -> float:
        """Return the mean busy time of an item, 0.5 s before there is one."""
        return self.busy_seconds / self.items if self.items else 0.5


@dataclass(frozen=True, slots=True)
class EngineReport:
    """The state of one engine, for readiness and metrics. Counters never go down."""

    name: str
    state: str  # "starting", "ready", "asleep", "restarting", "failed", "stopped"
    detail: str = ""
    queue_depth: int = 0
    running: int = 0  # items in the child now
    batches: int = 0
    items: int = 0
    restarts: int = 0
    crashes: int = 0  # items that ended as `engine_crashed`
    busy_seconds: float = 0.0
    wait_seconds: float = 0.0  # time that items have waited in the queue, in total
    loads: int = 0
    load_seconds: float = 0.0
    memory_bytes: int = 0  # resident memory of its process, 0 when it has none
