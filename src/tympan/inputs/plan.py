"""What a request will cost, from its headers alone: every bound is checked before anything is decoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.errors import (
    BadPlaceholder,
    ClipTooShort,
    EmptyClip,
    InputOverflow,
    LimitExceeded,
    NoClips,
    PreparedTooLarge,
)
from tympan.inputs.clips import MICROS, ClipRecord, SourceBounds, Totals
from tympan.inputs.families.base import FLOAT_BYTES, Shape
from tympan.inputs.polling import Checkpoint, Poll
from tympan.inputs.wav import read_wav
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.cancel import Cancellation
    from tympan.inputs.checkpoint import Checkpoint as Model
    from tympan.inputs.clips import Clip, ClipReader, EncodedClip
    from tympan.inputs.policy import AudioPolicy

MAX_COUNT = 2**63 - 1  # what NumPy can index
TOKEN_BYTES = 4  # of an id


@dataclass(frozen=True, slots=True)
class Plan:
    """A request that is within its policy. Sizes in bytes."""

    encoded: tuple[EncodedClip, ...]
    shapes: tuple[Shape, ...]
    records: tuple[ClipRecord, ...]
    totals: Totals
    working_bytes: int  # waveforms at their peak: all of them at the model's rate, and the longest at its own
    tensor_bytes: int  # features, masks and sizes

    @property
    def host_bytes(self) -> int:
        """Memory that the request takes from admission to the release of its result."""
        ids = TOKEN_BYTES * self.totals.tokens
        return self.totals.encoded_bytes + self.working_bytes + self.tensor_bytes + ids


def make_plan(clips: Sequence[Clip], model: Model, cancellation: Cancellation, reader: ClipReader = read_wav) -> Plan:
    """Inspect all clips and add them up. Raises an `InputError` that names the clip and the bound."""
    Poll(cancellation, Checkpoint.ACQUISITION)()
    if not clips:
        raise NoClips
    _within("clip count", len(clips), model.policy.max_clips)
    planner = _Planner(model, reader)
    for ordinal, clip in enumerate(clips, 1):
        planner.add(ordinal, clip, Poll(cancellation, Checkpoint.DECODE, ordinal))
    return planner.plan()


class _Planner:
    """Looks at one clip after the other; the order of the checks is the order in which they cost."""

    def __init__(self, model: Model, reader: ClipReader) -> None:
        self._policy = model.policy
        self._frontend = model.frontend
        self._reader = reader
        self._sums = _Sums(model.policy)
        self._encoded: list[EncodedClip] = []
        self._shapes: list[Shape] = []
        self._records: list[ClipRecord] = []

    def add(self, ordinal: int, clip: Clip, poll: Poll) -> None:
        policy, sums = self._policy, self._sums
        if clip.ordinal != ordinal:
            raise BadPlaceholder(f"clip {ordinal} has the ordinal {clip.ordinal}")
        if not clip.data:
            raise EmptyClip(ordinal, "it has no bytes")
        _within("encoded bytes per clip", len(clip.data), policy.max_encoded_bytes_per_clip, ordinal)
        sums.add("encoded bytes per request", len(clip.data), ordinal)
        bounds = SourceBounds(policy.min_source_rate, policy.max_source_rate, policy.max_seconds)
        one = self._reader(clip, bounds, poll)
        micros = one.frames * MICROS // one.rate
        sums.add("source samples per request", one.frames, ordinal)
        sums.add("source duration micros per request", micros, ordinal)
        start = sums["normalized samples per request"]
        shape = self._shape(ordinal, one)
        self._encoded.append(one)
        self._shapes.append(shape)
        self._records.append(
            ClipRecord(
                ordinal=ordinal,
                source=clip.source,
                source_rate=one.rate,
                channels=one.channels,
                source_samples=one.frames,
                source_micros=micros,
                encoded_bytes=len(clip.data),
                effective_rate=shape.rate,
                normalized_samples=shape.samples,
                frames=shape.frames,
                tokens=self._frontend.tokens(shape.frames),
                start=start,
            )
        )

    def _shape(self, ordinal: int, one: EncodedClip) -> Shape:
        shape = self._frontend.shape(ordinal, one.rate, one.frames)
        longest = self._policy.max_samples_per_clip * shape.rate // SAMPLE_RATE
        _within("duration samples", shape.samples, longest, ordinal)
        self._sums.add("normalized samples per request", shape.samples, ordinal)
        _within("feature frames per clip", shape.frames, self._policy.max_frames_per_clip, ordinal)
        self._sums.add("feature frames per request", shape.frames, ordinal)
        minimum = self._frontend.min_samples(shape.rate)
        if shape.samples < minimum:
            raise ClipTooShort(ordinal, shape.samples, minimum, shape.rate)
        return shape

    def plan(self) -> Plan:
        policy, sums = self._policy, self._sums
        totals = Totals(
            clips=len(self._records),
            source_samples=sums["source samples per request"],
            source_micros=sums["source duration micros per request"],
            encoded_bytes=sums["encoded bytes per request"],
            normalized_samples=sums["normalized samples per request"],
            frames=sums["feature frames per request"],
            tokens=sum(record.tokens for record in self._records),
        )
        waveforms = FLOAT_BYTES * totals.normalized_samples
        working = waveforms + FLOAT_BYTES * max(record.source_samples for record in self._records)
        tensors = self._frontend.tensor_bytes(self._shapes)
        _within("waveform result bytes per request", waveforms, policy.max_waveform_result_bytes)
        _within("waveform working bytes per request", working, policy.max_waveform_working_bytes)
        if tensors > policy.max_prepared_result_bytes:
            raise PreparedTooLarge(tensors, policy.max_prepared_result_bytes)
        return Plan(tuple(self._encoded), tuple(self._shapes), tuple(self._records), totals, working, tensors)


class _Sums:
    """Running totals of a request, each under its bound."""

    def __init__(self, policy: AudioPolicy) -> None:
        self._maxima = {
            "encoded bytes per request": policy.max_encoded_bytes_per_request,
            "source samples per request": policy.max_source_samples_per_request,
            "source duration micros per request": policy.max_source_micros_per_request,
            "normalized samples per request": policy.max_normalized_samples_per_request,
            "feature frames per request": policy.max_frames_per_request,
        }
        self._totals = dict.fromkeys(self._maxima, 0)

    def __getitem__(self, name: str) -> int:
        return self._totals[name]

    def add(self, name: str, amount: int, clip: int) -> None:
        total = self._totals[name] + amount
        if total > MAX_COUNT:
            raise InputOverflow(name)
        _within(name, total, self._maxima[name], clip)
        self._totals[name] = total


def _within(name: str, actual: int, maximum: int, clip: int | None = None) -> None:
    if actual > maximum:
        raise LimitExceeded(name, actual, maximum, clip)
