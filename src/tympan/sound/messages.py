"""What the parent and a decoder process say to each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.errors import TympanError
from tympan.sound.media import DecodeReport, MediaInfo
from tympan.sound.waveform import Block

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class DecodeLimits:
    """What audio is taken: Hz, channels, seconds."""

    min_rate: int
    max_rate: int
    max_channels: int
    max_seconds: float


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What one file may cost: MiB on top of the process at its start, processor seconds."""

    memory_mib: int
    cpu_s: float


@dataclass(frozen=True, slots=True)
class Job:
    """A file to decode: a path, or None and as many bytes as follow in a message of their own."""

    path: Path | None
    size: int
    split: bool
    max_seconds: float | None


@dataclass(frozen=True, slots=True)
class Ready:
    """The process has started and takes its first job."""


@dataclass(frozen=True, slots=True)
class Working:
    """As much audio as a block holds was measured."""


@dataclass(frozen=True, slots=True)
class Stop:
    """To the process: the rest of this job is not wanted."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The job was given up as asked; the process takes the next one."""


Answer = Ready | Working | MediaInfo | Block | DecodeReport | TympanError | Stopped
"""What a process says. A report, an error or `Stopped` ends the job."""
