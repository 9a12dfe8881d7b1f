"""Encoded audio on its way in, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

Media = bytes | Path
"""Encoded audio: its bytes, or a seekable file. Content decides what it is, never a name."""

BLOCK_SAMPLES = 32_768  # 64 voice windows of 512 samples: 2.048 s at 16 kHz


@dataclass(frozen=True, slots=True)
class MediaInfo:
    """What a container says of itself. `seconds` is None when it does not say."""

    container: str
    codec: str
    rate: int
    channels: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class DecodeReport:
    """What decoding met. `samples` counts what came out, at 16 kHz."""

    samples: int
    clipped: int = 0
    bad_packets: int = 0
    warnings: tuple[str, ...] = ()
