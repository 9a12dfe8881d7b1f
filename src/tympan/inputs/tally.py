"""What has been prepared and what was refused, counted since the start."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, get_args

from tympan.errors import Rejection

if TYPE_CHECKING:
    from tympan.inputs.preparation import Prepared

REASONS: tuple[Rejection, ...] = get_args(Rejection)


@dataclass(frozen=True, slots=True)
class Counts:
    """Sums since the start; every reason for a rejection is there, also with zero."""

    prepared: int = 0
    source_micros: int = 0
    source_samples: int = 0
    normalized_samples: int = 0
    frames: int = 0
    tokens: int = 0
    prefill_tokens: int = 0
    latency_micros: int = 0
    cancelled: int = 0
    rejections: dict[Rejection, int] = field(default_factory=lambda: dict.fromkeys(REASONS, 0))


class Tally:
    """The counters; any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts = Counts()

    def counts(self) -> Counts:
        """Return the counters as they are now."""
        with self._lock:
            return replace(self._counts, rejections=dict(self._counts.rejections))

    def prepared(self, one: Prepared) -> None:
        """Count a result, once."""
        with self._lock:
            now, totals = self._counts, one.totals
            self._counts = replace(
                now,
                prepared=now.prepared + 1,
                source_micros=now.source_micros + totals.source_micros,
                source_samples=now.source_samples + totals.source_samples,
                normalized_samples=now.normalized_samples + totals.normalized_samples,
                frames=now.frames + totals.frames,
                tokens=now.tokens + totals.tokens,
                prefill_tokens=now.prefill_tokens + one.token_ids.size,
                latency_micros=now.latency_micros + one.latency_micros,
            )

    def rejected(self, reason: Rejection) -> None:
        """Count a refusal under its one reason."""
        with self._lock:
            self._counts.rejections[reason] += 1

    def cancelled(self) -> None:
        """Count a request that was given up."""
        with self._lock:
            self._counts = replace(self._counts, cancelled=self._counts.cancelled + 1)
