"""A model's folder: which family it is of, and what its configuration makes of that family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.errors import CheckpointRefused
from tympan.inputs.families import FAMILIES
from tympan.inputs.keys import MODEL_FILE, Keys, read_keys
from tympan.inputs.policy import EXTRACTORS, AudioPolicy, exactly, read_policy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tympan.inputs.families.base import Family, Frontend


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A family with one checkpoint's policy and frontend."""

    family: str
    policy: AudioPolicy
    frontend: Frontend


def open_checkpoint(folder: Path, families: Sequence[Family] = FAMILIES) -> Checkpoint:
    """Read a model's folder. Raises `CheckpointRefused` or `PolicyRefused` before anything is served."""
    keys = read_keys(folder)
    kind = keys.find_in(MODEL_FILE, "model_type")
    family = next((one for one in families if isinstance(kind, str) and kind in one.model_types), None)
    if family is None:
        known = ", ".join(sorted(name for one in families for name in one.model_types))
        raise CheckpointRefused(
            str(folder / MODEL_FILE), f"'model_type' is {kind!r}; models that take audio here are {known}"
        )
    return configure(family, keys)


def configure(family: Family, keys: Keys) -> Checkpoint:
    """Apply a checkpoint's keys to a family. Raises `PolicyRefused`."""
    policy = read_policy(family.pinned, keys, family.frames)
    processor = keys.processor_only()
    for name, allowed in family.fixed.items():
        exactly(keys, tuple(f"{extractor}.{name}" for extractor in EXTRACTORS), allowed)
        exactly(processor, (name,), allowed)
    return Checkpoint(family=family.name, policy=policy, frontend=family.bind(keys))
