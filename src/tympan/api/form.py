"""Named values, the same whether they came as a form or as JSON.

Clients write an array as `name[]`, `name[0]`, repeated `name` or a comma list, and an object as `name[member]`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from tympan.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

NAME = re.compile(r"([^\[\]]+)(?:\[([^\[\]]*)\])?")
ARRAYS = frozenset(
    {
        "include",
        "keywords",
        "known_speaker_names",
        "known_speaker_references",
        "languages",
        "timestamp_granularities",
    }
)
TOKENS = frozenset({"include", "languages", "timestamp_granularities"})  # arrays whose values hold no comma


class Fields:
    """The values of a request by the plain name of their field; empty ones count as absent.

    `known` are the names that are read; all others are ignored, as OpenAI's service does.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], known: Container[str]) -> None:
        self._values: dict[str, list[str]] = defaultdict(list)
        self._members: dict[str, dict[str, str]] = defaultdict(dict)
        for written, value in pairs:
            match = NAME.fullmatch(written.strip())
            if match is None or match[1] not in known or not value.strip():
                continue
            name, index = match[1], match[2]
            if index and not index.isdecimal():
                self._members[name][index] = value.strip()
            elif name in ARRAYS and (index is None or name in TOKENS):
                self._values[name] += [part.strip() for part in value.split(",") if part.strip()]
            else:
                self._values[name].append(value.strip())

    @classmethod
    def from_json(cls, members: Mapping[str, object], known: Container[str]) -> Fields:
        """Read the members of a JSON object; raises `InvalidValue` for a known one that is nested too deeply."""
        return cls(
            [pair for name, value in members.items() if name in known for pair in _flatten(name, value)],
            known,
        )

    def one(self, name: str) -> str | None:
        """Return the value of a field that has one; raises `InvalidValue` when it was sent with several."""
        values = self._values.get(name, [])
        if len(set(values)) > 1:
            raise InvalidValue(name, values, expected="one value")
        if name in self._members:
            raise InvalidValue(name, self._members[name], expected="a plain value")
        return values[0] if values else None

    def many(self, name: str) -> tuple[str, ...]:
        """Return the values of an array, in order."""
        if name in self._members:
            raise InvalidValue(name, self._members[name], expected="an array")
        return tuple(self._values.get(name, []))

    def members(self, name: str) -> Mapping[str, str]:
        """Return the members of an object."""
        return self._members.get(name, {})


def _flatten(name: str, value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [(f"{name}[{key}]", _plain(name, inner)) for key, inner in value.items() if inner is not None]
    if isinstance(value, list):
        return [(f"{name}[]", _plain(name, inner)) for inner in value if inner is not None]
    return [] if value is None else [(name, _plain(name, value))]


def _plain(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise InvalidValue(name, value, expected="a plain value or an array of plain values")
