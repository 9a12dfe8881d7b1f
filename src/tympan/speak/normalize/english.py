"""English, as in the United States and as in Britain."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.english_rules import english_rules
from tympan.speak.normalize.english_units import CURRENCIES, UNITS
from tympan.speak.normalize.english_words import (
    ABBREVIATIONS,
    BEFORE_NAMES,
    BEFORE_NUMBERS,
    FINAL_ABBREVIATIONS,
    MONTHS,
    NUMBERED,
    REGNAL,
    SPELLED,
    STARTERS,
    SYMBOLS,
    WEB,
)
from tympan.speak.normalize.grammar import Grammar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.speak.normalize.rules import Rule
    from tympan.speak.reading import Language

_HUNDRED: Final = 100
_NOON: Final = 12
_MAX_SAID_DENOMINATOR: Final = 20
_KNOWN_PAIRS: Final = {(24, 7), (50, 50), (9, 11), (20, 20), (60, 40), (80, 20), (70, 30), (90, 10)}


class AmericanEnglish(Grammar):
    """English of the United States."""

    language: ClassVar[Language] = "en-us"
    numbers = "en"
    point_word = "point"
    day_first = False
    minus = "minus"
    to = "to"
    ratio = "to"
    over = "over"
    squared = "squared"
    cubed = "cubed"
    power = "to the power of"
    conjunction = "and"
    months = MONTHS
    units = UNITS
    currencies = CURRENCIES
    magnitudes: ClassVar[Mapping[str, str]] = {
        "trillion": "trillion",
        "billion": "billion",
        "million": "million",
        "thousand": "thousand",
        "bn": "billion",
        "mn": "million",
        "tn": "trillion",
        "k": "thousand",
        "K": "thousand",
        "M": "million",
        "B": "billion",
        "T": "trillion",
    }
    symbols = SYMBOLS
    web = WEB
    abbreviations = ABBREVIATIONS
    before_numbers = BEFORE_NUMBERS
    before_names = BEFORE_NAMES
    starters = STARTERS
    final_abbreviations = FINAL_ABBREVIATIONS
    ordinal_suffixes = "st|nd|rd|th|ST|ND|RD|TH"
    spelled = SPELLED
    numbered = NUMBERED
    regnal = REGNAL

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number, without the "and" of British English."""
        return super().cardinal(number, feminine=feminine).replace(" and ", " ")

    def decimals(self, digits: str) -> str:
        """Say digits one by one."""
        return self.digits(digits)

    def year(self, year: int) -> str:
        """Say a year in two pairs, where that is the custom."""
        century, rest = divmod(year, _HUNDRED)
        if rest == 0 and century % 10:
            return f"{self.cardinal(century)} hundred"
        if year // 10 in {100, 200} or (century % 10 == 0 and rest == 0):
            return self.cardinal(year)
        tail = f"oh {self.cardinal(rest)}" if rest < 10 else self.cardinal(rest)  # noqa: PLR2004
        return f"{self.cardinal(century)} {tail}"

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a half, two thirds, seven over twenty-three."""
        if (numerator, denominator) in _KNOWN_PAIRS:
            return f"{self.cardinal(numerator)} {self.cardinal(denominator)}"
        if not 1 < denominator <= _MAX_SAID_DENOMINATOR or numerator >= _HUNDRED:
            return super().fraction(numerator, denominator)
        part = {2: "half", 4: "quarter"}.get(denominator) or self.ordinal(denominator)
        if numerator != 1:
            part = "halves" if part == "half" else f"{part}s"
        return f"{self.cardinal(numerator)} {part}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half."""
        part = self.fraction(numerator, denominator)
        return f"{self.cardinal(whole)} and {part.replace('one ', 'a ', 1) if numerator == 1 else part}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "March third, twenty twenty-four"."""
        said = f"{self.months[month - 1]} {self.ordinal(day)}"
        return said if year is None else f"{said}, {self.year(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "ten thirty a m", "fourteen oh five", "nine o'clock"."""
        said = self.cardinal(hour)
        if minute:
            said += f" oh {self.cardinal(minute)}" if minute < 10 else f" {self.cardinal(minute)}"  # noqa: PLR2004
        elif minute == 0 and not half:
            said += " hundred" if hour > _NOON or hour == 0 else " o'clock"
        if second is not None:
            unit = self.units["s"]
            said += f" and {self.quantity(str(second), '', unit)}"
        return f"{said} {half.upper()} M" if half else said

    def regnal_number(self, number: int, name: str) -> str:
        """Say "the second"."""
        del name
        return f"the {self.ordinal(number)}"

    def extra_rules(self) -> list[Rule]:
        """Return the rules of `english_rules`."""
        return english_rules(self)


class BritishEnglish(AmericanEnglish):
    """English of Britain: the day first, and "and" after hundreds."""

    language: ClassVar[Language] = "en-gb"
    day_first = True

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number."""
        return Grammar.cardinal(self, number, feminine=feminine)

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "the third of March, twenty twenty-four"."""
        said = f"the {self.ordinal(day)} of {self.months[month - 1]}"
        return said if year is None else f"{said}, {self.year(year)}"
