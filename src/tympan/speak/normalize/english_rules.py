"""Rules that only English has: dates with the month's name, decades, feet and inches, and a few set phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.english_words import MONTHS
from tympan.speak.normalize.rules import Rule, alternatives, rule

if TYPE_CHECKING:
    import re

    from tympan.speak.normalize.grammar import Grammar

_MONTH_NUMBERS: Final = {
    **{name: number for number, name in enumerate(MONTHS, 1)},
    **{name[:3]: number for number, name in enumerate(MONTHS, 1)},
    "Sept": 9,
}
_MONTH: Final = rf"(?P<month>{alternatives(_MONTH_NUMBERS)})\.?"
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:/]|[.,]\d)"
_YEAR: Final = r"(?:,? (?P<year>\d{4})(?![\d,]\d|\d))?"
_YEARS_FROM: Final = 1000  # earlier years are said as numbers
_LAST_DAY: Final = 31


def english_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules."""
    say = _Phrases(grammar)
    return [
        rule("letter", rf"{_MONTH} {_DAY}{_YEAR}", say.date),
        rule("digit", rf"{_DAY} (?:of )?{_MONTH}(?![^\W\d_]){_YEAR}", say.date),
        rule("letter", rf"{_MONTH} (?P<year>[12]\d{{3}})(?![\d,]\d|\d)", say.month),
        rule("digit", r"(?P<d>[1-9]\d{2}0|[2-9]0)'?s(?!\w)", say.decade),
        rule("sign", r"'(?P<d>[2-9]0)s(?!\w)", say.decade),
        rule("digit", r"(\d)' ?(\d{1,2})?(?:\"|''|(?=[\s.,;]))", say.height),
        rule("digit", r"(\d{1,3})(?:\.(\d{1,2}))?(?:\"|''|-inch(?!\w))", say.inches),
        rule("digit", r"(\d{1,5})(?:\.(\d{1,3}))? ?[x×](?= ?\d)", say.by),
        rule("digit", r"(\d{1,5})(?:\.(\d{1,3}))?[x×](?!\w)", say.times),
        rule("letter", r"St\.(?! ?[A-Z][a-z])", lambda _: "Street"),
        rule("digit", r"(\d{1,4}) (BCE|BC|AD|CE)(?!\w)", say.era),
    ]


class _Phrases:
    """What the rules say."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def date(self, match: re.Match[str]) -> str | None:
        """Say a date in the order in which it is written."""
        day, month = int(match["day"]), MONTHS[_MONTH_NUMBERS[match["month"]] - 1]
        if not 1 <= day <= _LAST_DAY:
            return None
        rank = self._grammar.ordinal(day)
        said = f"the {rank} of {month}" if match.start("day") < match.start("month") else f"{month} {rank}"
        return f"{said}, {self._grammar.year(int(match['year']))}" if match["year"] else said

    def month(self, match: re.Match[str]) -> str:
        """Say a month and its year."""
        return f"{MONTHS[_MONTH_NUMBERS[match['month']] - 1]} {self._grammar.year(int(match['year']))}"

    def decade(self, match: re.Match[str]) -> str:
        """Say "nineteen nineties", "two thousands"."""
        digits = match["d"]
        tens = self._grammar.cardinal(int(digits[-2:]))
        if int(digits[-2:]):
            plural = f"{tens[:-1]}ies" if tens.endswith("y") else f"{tens}s"
            return f"{self._grammar.cardinal(int(digits[:-2]))} {plural}" if digits[:-2] else plural
        if digits[-3] == "0":
            return f"{self._grammar.cardinal(int(digits[:-3]))} thousands"
        return f"{self._grammar.cardinal(int(digits[:-2]))} hundreds"

    def height(self, match: re.Match[str]) -> str:
        """Say feet and inches."""
        feet = self._grammar.quantity(match[1], "", self._grammar.units["ft"])
        return f"{feet} {self._grammar.quantity(match[2], '', self._grammar.units['inch'])}" if match[2] else feet

    def inches(self, match: re.Match[str]) -> str:
        """Say inches."""
        return self._grammar.quantity(match[1], match[2] or "", self._grammar.units["inch"])

    def by(self, match: re.Match[str]) -> str:
        """Say "four by" of "4x6"."""
        return f"{self._grammar.decimal(match[1], match[2] or '')} by"

    def times(self, match: re.Match[str]) -> str:
        """Say "ten times" for "10x"."""
        return f"{self._grammar.decimal(match[1], match[2] or '')} times"

    def era(self, match: re.Match[str]) -> str:
        """Say a year and its era."""
        year = int(match[1])
        said = self._grammar.year(year) if year >= _YEARS_FROM else self._grammar.cardinal(year)
        return f"{said} {' '.join(match[2])}"
