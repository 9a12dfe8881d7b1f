"""Dates and times of day in digits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.rules import Rule, at_line_end, capital_follows, rule, touches

if TYPE_CHECKING:
    import re

    from tympan.speak.normalize.grammar import Grammar

_MONTHS: Final = 12
_DAYS: Final = 31
_HOURS: Final = 24
_SIXTY: Final = 60
_CENTURY_PIVOT: Final = 70  # "12/25/69" is 2069, "12/25/70" is 1970: what most programs take


def date_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for dates; what is no day of the calendar is left to other rules."""

    def iso(match: re.Match[str]) -> str | None:
        return _date(grammar, int(match[3]), int(match[2]), int(match[1]))

    def written(match: re.Match[str]) -> str | None:
        first, second = int(match[1]), int(match[3])
        day_first = grammar.day_first or match[2] == "."  # dots are the mark of countries that put the day first
        day, month = (first, second) if day_first else (second, first)
        if month > _MONTHS:
            day, month = month, day
        return _date(grammar, day, month, _full_year(match[4]))

    return [
        rule("digit", r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d|[-/.]\d)T?(?=\D|$)", lambda m: iso_parts(grammar, m)),
        rule("digit", r"(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})(?!\d|[-/.]\d)", written),
        rule("digit", r"(\d{1,2})(\.)(\d{1,2})\.(\d{4})(?!\d|[-/.]\d)", written),
        rule("digit", r"(\d{4})-(\d{2})-(\d{2})T(?=\d)", iso),
    ]


def iso_parts(grammar: Grammar, match: re.Match[str]) -> str | None:
    """Say year, month and day as ISO 8601 orders them."""
    return _date(grammar, int(match[4]), int(match[3]), int(match[1]))


def time_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for times of day."""

    def clock(match: re.Match[str]) -> str | None:
        hour, minute, second = (int(match[name]) if match[name] else None for name in ("h", "m", "s"))
        if touches(match, ":") or hour is None or hour > _HOURS or max(minute or 0, second or 0) >= _SIXTY:
            return None
        half = (match["half"] or "").lower()
        said = grammar.time(hour, minute, second, half)
        ends = match[0].endswith(".") and (at_line_end(match) or capital_follows(match))
        return f"{said}." if ends else said

    half = r"(?: ?(?P<half>[aApP])\.? ?[mM](?:\.|(?![^\W\d_])))"
    colon = r"(?P<h>\d{1,2}):(?P<m>\d{2})(?::(?P<s>\d{2})(?:[.,]\d{1,6})?)?(?![\d:])"
    rules = [rule("digit", colon + half + "?" + (rf"(?: ?(?:{grammar.hours})(?!\w))?" if grammar.hours else ""), clock)]
    rules.append(rule("digit", rf"(?P<h>\d{{1,2}})(?P<m>(?!))?(?P<s>(?!))?{half}", clock))
    rules.append(rule("digit", rf"(?P<h>\d{{1,2}})\.(?P<m>\d{{2}})(?P<s>(?!))?{half}", clock))
    if grammar.hours:
        rules.append(
            rule(
                "digit",
                rf"(?P<h>\d{{1,2}}) ?(?:{grammar.hours}) ?(?P<m>\d{{2}})(?P<s>(?!))?(?P<half>(?!))?(?!\d)",
                clock,
            )
        )
    return rules


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) > 2:  # noqa: PLR2004  (four digits are a year as it is)
        return year
    return year + (2000 if year < _CENTURY_PIVOT else 1900)


def _date(grammar: Grammar, day: int, month: int, year: int) -> str | None:
    return grammar.date(day, month, year) if 1 <= day <= _DAYS and 1 <= month <= _MONTHS else None
