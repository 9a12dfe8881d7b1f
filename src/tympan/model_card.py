"""A model as the models list shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelCard:
    """`aliases` are further ids that mean the same; `created` is in seconds since 1970."""

    id: str
    created: int
    owned_by: str
    description: str
    aliases: tuple[str, ...] = ()
