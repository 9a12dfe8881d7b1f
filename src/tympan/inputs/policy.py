"""What a model takes: pinned for each family, and lowered, never raised, by its checkpoint.

Every bound of a request is an aggregate over its clips.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from tympan.errors import PolicyRefused
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tympan.inputs.keys import Keys

LIMIT_GROUPS = ("tympan_audio_limits", "mlxcel_audio_limits")  # the second as existing checkpoints write it
EXTRACTORS = ("audio_processor", "feature_extractor")
DTYPES = ("f32", "float32")  # two names of one thing


@dataclass(frozen=True, slots=True)
class AudioPolicy:
    """Rates in Hz, durations in seconds or microseconds, sizes in bytes, all bounds inclusive."""

    family: str
    reference: str  # the revision that the pinned values were read from
    min_source_rate: int
    max_source_rate: int
    resampling: str
    max_seconds: int
    max_samples_per_clip: int
    max_clips: int
    max_encoded_bytes_per_clip: int
    max_encoded_bytes_per_request: int
    max_source_samples_per_request: int
    max_normalized_samples_per_request: int
    max_source_micros_per_request: int
    max_frames_per_clip: int
    max_frames_per_request: int
    max_waveform_result_bytes: int
    max_waveform_working_bytes: int
    max_prepared_result_bytes: int
    frame_lengths: tuple[int, ...]  # the names that the extractor's one frame has in checkpoints
    frame_hop: int
    from_checkpoint: tuple[str, ...] = ()  # the keys that were found, as "file: key"
    sample_rate: int = SAMPLE_RATE
    channels: int = 1
    dtype: str = "float32"

    @property
    def source(self) -> str:
        """Where the values come from."""
        return "checkpoint" if self.from_checkpoint else f"pinned default {self.reference}"

    def bounds(self) -> dict[str, int]:
        """Return every bound by its name."""
        return {item.name: getattr(self, item.name) for item in fields(self) if item.name.startswith("max_")}


RATE_KEYS = (
    "audio_processor.sampling_rate",
    "audio_processor.sample_rate",
    "feature_extractor.sampling_rate",
    "sampling_rate",
)
SAMPLE_KEYS = ("audio_processor.max_audio_samples", "feature_extractor.max_length", "max_audio_samples")
DURATION_KEYS = tuple(
    f"{place}{name}"
    for place in ("audio_processor.", "feature_extractor.", "")
    for name in ("max_audio_duration", "max_duration_seconds")
)
LIMITS = {  # key within a limit group: field, in the order in which they are checked
    "max_encoded_bytes_per_clip": "max_encoded_bytes_per_clip",
    "max_clips": "max_clips",
    "max_encoded_bytes_per_request": "max_encoded_bytes_per_request",
    "max_source_samples_per_request": "max_source_samples_per_request",
    "max_normalized_samples_per_request": "max_normalized_samples_per_request",
    "max_frames_per_request": "max_frames_per_request",
    "max_waveform_result_bytes_per_request": "max_waveform_result_bytes",
    "max_waveform_working_bytes_per_request": "max_waveform_working_bytes",
    "max_prepared_result_bytes_per_request": "max_prepared_result_bytes",
    "max_source_duration_micros_per_request": "max_source_micros_per_request",
    "maximum_source_sample_rate": "max_source_rate",
}


def read_policy(pinned: AudioPolicy, keys: Keys, frames: Callable[[int], int]) -> AudioPolicy:
    """Return the family's pinned policy as lowered by a checkpoint; `frames` counts those of a clip at 16 kHz.

    Raises `PolicyRefused`, which names file, key, value and what was expected.
    """
    exactly(keys, RATE_KEYS, (pinned.sample_rate,))
    samples = keys.integer(SAMPLE_KEYS, at_most=pinned.max_samples_per_clip)
    per_clip = pinned.max_samples_per_clip if samples is None else samples
    seconds = keys.integer(DURATION_KEYS, at_most=pinned.max_seconds)
    if seconds is not None:
        per_clip = min(per_clip, seconds * pinned.sample_rate)
    lowered: dict[str, Any] = {}
    for key, field in LIMITS.items():
        lowest = pinned.min_source_rate if field == "max_source_rate" else 1
        value = keys.integer(_limit(key), at_least=lowest, at_most=getattr(pinned, field))
        if value is not None:
            lowered[field] = value
    exactly(keys, ("audio_processor.frame_length_samples", "feature_extractor.frame_length"), pinned.frame_lengths)
    exactly(keys, ("audio_processor.frame_hop_samples", "feature_extractor.hop_length"), (pinned.frame_hop,))
    exactly(keys, _both("channels"), (pinned.channels,))
    exactly(keys, _both("dtype"), DTYPES)
    exactly(keys, _limit("resampling_algorithm"), (pinned.resampling,))
    return replace(
        pinned,
        **lowered,
        max_samples_per_clip=per_clip,
        max_seconds=-(-per_clip // pinned.sample_rate),
        max_frames_per_clip=frames(per_clip),
        from_checkpoint=keys.found,
    )


def exactly(keys: Keys, names: tuple[str, ...], allowed: tuple[object, ...]) -> None:
    """Refuse the first of these keys that is there with any other value, or a value of another type."""
    found = keys.find(names)
    if found is None:
        return
    if not any(type(found.value) is type(one) and found.value == one for one in allowed):
        expected = " or ".join(repr(one) for one in allowed)
        raise PolicyRefused(found.file, found.key, found.shown, expected)


def _limit(key: str) -> tuple[str, ...]:
    return tuple(f"{group}.{key}" for group in LIMIT_GROUPS)


def _both(name: str) -> tuple[str, ...]:
    return tuple(f"{extractor}.{name}" for extractor in EXTRACTORS)
