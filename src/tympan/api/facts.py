"""What becomes known of a request while it is served; the access log and the metrics read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import Scope

SCOPE_KEY = "tympan.facts"


@dataclass(slots=True)
class Facts:
    """`model` is an id that exists, "" before one is known; `code` names an error; `audio_s` is in seconds."""

    request_id: str
    model: str = ""
    code: str = ""
    audio_s: float | None = None
    bytes_in: int = 0


def facts_of(scope: Scope) -> Facts:
    """Return the facts of the request that `scope` belongs to."""
    facts: Facts = scope[SCOPE_KEY]
    return facts
