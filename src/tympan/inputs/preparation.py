"""Clips to what a model is called with: decode, resample, features, token ids."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tympan.errors import ContextTooLong, MalformedClip, PreparedTooLarge
from tympan.inputs.polling import Checkpoint, Poll

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tympan.cancel import Cancellation
    from tympan.inputs.checkpoint import Checkpoint as Model
    from tympan.inputs.clips import ClipRecord, Totals
    from tympan.inputs.families.base import Encode, Tensors
    from tympan.inputs.plan import Plan
    from tympan.sound.waveform import Samples


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text with the family's placeholders in it, the checkpoint's tokenizer, and the most tokens it may become."""

    text: str
    encode: Encode
    max_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request's features and ids, with everything that is recorded of it.

    `token_ids` is int32 [positions]: the whole prompt, or without one the clips' own ids one after the other.
    """

    family: str
    tensors: Tensors
    token_ids: NDArray[np.int32]
    records: tuple[ClipRecord, ...]
    totals: Totals
    latency_micros: int

    @property
    def size(self) -> int:
        """Bytes of all arrays."""
        return self.token_ids.nbytes + sum(tensor.nbytes for tensor in self.tensors.values())


def prepare(plan: Plan, model: Model, cancellation: Cancellation, prompt: Prompt | None = None) -> Prepared:
    """Carry out a plan. Raises an `InputError`, or `CancelledAt` with the step that noticed."""
    started = time.perf_counter_ns()
    waveforms = [_waveform(plan, index, model, cancellation) for index in range(len(plan.records))]
    sizes = [record.tokens for record in plan.records]
    Poll(cancellation, Checkpoint.FEATURE)()
    ids = _token_ids(model, sizes, prompt)
    tensors = model.frontend.extract(plan.shapes, waveforms, lambda clip: Poll(cancellation, Checkpoint.FEATURE, clip))
    Poll(cancellation, Checkpoint.FEATURE)()
    prepared = Prepared(
        family=model.family,
        tensors=tensors,
        token_ids=np.array(ids, np.int32),
        records=plan.records,
        totals=plan.totals,
        latency_micros=max(1, (time.perf_counter_ns() - started) // 1000),
    )
    if prepared.size > model.policy.max_prepared_result_bytes:
        raise PreparedTooLarge(prepared.size, model.policy.max_prepared_result_bytes)
    return prepared


def _waveform(plan: Plan, index: int, model: Model, cancellation: Cancellation) -> Samples:
    """Return one clip at the model's rate: float32 [n], with as many samples as the plan says."""
    encoded, record = plan.encoded[index], plan.records[index]
    samples = encoded.decode(Poll(cancellation, Checkpoint.DECODE, record.ordinal))
    if samples.size != encoded.frames:
        raise MalformedClip(record.ordinal, f"its header promises {encoded.frames} samples, it has {samples.size}")
    return model.frontend.resample(samples, encoded.rate, Poll(cancellation, Checkpoint.RESAMPLE, record.ordinal))


def _token_ids(model: Model, sizes: list[int], prompt: Prompt | None) -> list[int]:
    if prompt is None:
        return [one for size in sizes for one in model.frontend.audio_ids(size)]
    ids = model.frontend.token_ids(prompt.text, sizes, prompt.encode)
    if prompt.max_tokens is not None and len(ids) > prompt.max_tokens:
        raise ContextTooLong(len(ids), prompt.max_tokens)
    return ids
