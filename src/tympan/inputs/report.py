"""What was prepared, as JSON and as lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tympan.inputs.clips import MICROS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.inputs.policy import AudioPolicy
    from tympan.inputs.preparation import Prepared


def policy_report(policy: AudioPolicy) -> dict[str, Any]:
    """Return a policy and where its values come from."""
    return {
        "family": policy.family,
        "source": policy.source,
        "keys": list(policy.from_checkpoint),
        "reference": policy.reference,
        "sample_rate": policy.sample_rate,
        "channels": policy.channels,
        "dtype": policy.dtype,
        "resampling": policy.resampling,
        "min_source_rate": policy.min_source_rate,
        **policy.bounds(),
    }


def prepared_report(prepared: Prepared, policy: AudioPolicy) -> dict[str, Any]:
    """Return all that is recorded of a request."""
    return {
        "family": prepared.family,
        "policy": policy_report(policy),
        "clips": [{**asdict(record), "end": record.end} for record in prepared.records],
        "total": asdict(prepared.totals),
        "token_ids": prepared.token_ids.size,
        "tensors": {
            name: {"dtype": str(tensor.dtype), "shape": list(tensor.shape)} for name, tensor in prepared.tensors.items()
        },
        "latency_ms": prepared.latency_micros / 1000,
    }


def policy_lines(policy: AudioPolicy) -> Iterator[str]:
    """Yield a policy, one bound a line."""
    yield f"family        {policy.family}"
    yield f"policy        {policy.source}"
    for key in policy.from_checkpoint:
        yield f"              {key}"
    yield f"resampling    {policy.resampling}, from {policy.min_source_rate} to {policy.max_source_rate} Hz"
    for name, value in policy.bounds().items():
        yield f"{name:<36}{value:>13,}"


def prepared_lines(prepared: Prepared, policy: AudioPolicy) -> Iterator[str]:
    """Yield a table with a line for each clip, and the totals."""
    yield f"{prepared.family}, policy: {policy.source}"
    head = ("clip", "from", "rate", "channels", "seconds", "samples", "normalized", "frames", "tokens", "bytes")
    rows: list[tuple[str, ...]] = [
        (
            str(record.ordinal),
            str(record.source),
            str(record.source_rate),
            str(record.channels),
            f"{record.source_micros / MICROS:.6f}",
            str(record.source_samples),
            str(record.normalized_samples),
            str(record.frames),
            str(record.tokens),
            str(record.encoded_bytes),
        )
        for record in prepared.records
    ]
    total = prepared.totals
    seconds = f"{total.source_micros / MICROS:.6f}"
    counts = (total.source_samples, total.normalized_samples, total.frames, total.tokens, total.encoded_bytes)
    rows.append(("all", "", "", "", seconds, *map(str, counts)))
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head))]
    for row in (head, *rows):
        yield "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
    yield f"{prepared.token_ids.size} token ids, {prepared.latency_micros / 1000:.3f} ms"
