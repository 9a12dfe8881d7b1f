"""Values of fields that are numbers, flags, or one of a few names."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tympan.errors import InvalidValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.api.form import Fields


def number(fields: Fields, name: str, lowest: float, highest: float) -> float | None:
    """Return a field as a number, None when it is absent; raises as `parse_number`."""
    text = fields.one(name)
    return None if text is None else parse_number(name, text, lowest, highest)


def parse_number(name: str, text: str, lowest: float, highest: float) -> float:
    """Return a finite number from `lowest` to `highest`; raises `InvalidValue`."""
    expected = f"a number from {lowest:g}" + (f" to {highest:g}" if math.isfinite(highest) else "")
    try:
        value = float(text)
    except ValueError:
        raise InvalidValue(name, text, expected=expected) from None
    if not (math.isfinite(value) and lowest <= value <= highest):
        raise InvalidValue(name, text, expected=expected)
    return value


def flag(fields: Fields, name: str) -> bool:
    """Return a field as a truth value, false when it is absent; raises `InvalidValue`."""
    text = (fields.one(name) or "false").lower()
    if text not in {"true", "false", "1", "0"}:
        raise InvalidValue(name, text, expected="true or false")
    return text in {"true", "1"}


def choice(fields: Fields, name: str, allowed: Sequence[str]) -> str | None:
    """Return a field that has one of the `allowed` values, None when it is absent; raises `InvalidValue`."""
    value = fields.one(name)
    return None if value is None else _one_of(name, value, allowed)


def choices(fields: Fields, name: str, allowed: Sequence[str]) -> tuple[str, ...]:
    """Return the values of an array, each of them once; raises `InvalidValue`."""
    return tuple(dict.fromkeys(_one_of(name, value, allowed) for value in fields.many(name)))


def _one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise InvalidValue(name, value, expected="one of " + ", ".join(f"'{item}'" for item in allowed))
    return value
