"""Where work on model input looks whether anybody still waits for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tympan.errors import Cancelled

if TYPE_CHECKING:
    from tympan.cancel import Cancellation


class Checkpoint(StrEnum):
    """The steps between which a request can be given up."""

    ACQUISITION = "acquisition"
    QUEUE = "queue"
    DECODE = "decode"
    RESAMPLE = "resample"
    FEATURE = "feature"


class CancelledAt(Cancelled):
    """Cancelled, and where: `clip` is a one-based ordinal, or None."""

    def __init__(self, checkpoint: Checkpoint, clip: int | None = None) -> None:
        super().__init__()
        self.checkpoint = checkpoint
        self.clip = clip


@dataclass(frozen=True, slots=True)
class Poll:
    """Called between blocks of work; raises `CancelledAt` once the request is cancelled."""

    cancellation: Cancellation
    checkpoint: Checkpoint
    clip: int | None = None

    def __call__(self) -> None:
        """Look once."""
        if self.cancellation.cancelled:
            raise CancelledAt(self.checkpoint, self.clip)
