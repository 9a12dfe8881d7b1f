"""How a language says what is not written in words. One subclass for each language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Final

from num2words import num2words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.speak.normalize.rules import Rule
    from tympan.speak.reading import Language

MAX_NUMBER_DIGITS: Final = 15  # beyond, a number is read digit by digit: nobody says quadrillions


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted: its name for one and for more, and its grammatical gender."""

    one: str
    many: str
    feminine: bool = False


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency and its hundredth part, where it has one."""

    unit: Unit
    cent: Unit | None = None


class Grammar:
    """The facts of one language. What is shared by most stands here; a subclass changes what differs."""

    language: ClassVar[Language]
    numbers: ClassVar[str]  # num2words' name of the language
    group: ClassVar[str] = ","  # separates thousands, beside the space
    point: ClassVar[str] = "."
    point_word: ClassVar[str]
    day_first: ClassVar[bool] = True
    minus: ClassVar[str]
    to: ClassVar[str]  # "3-5"
    ratio: ClassVar[str]  # "16:9"
    over: ClassVar[str]  # "7/23"
    squared: ClassVar[str]
    cubed: ClassVar[str]
    power: ClassVar[str]
    months: ClassVar[tuple[str, ...]]
    units: ClassVar[Mapping[str, Unit]]
    currencies: ClassVar[Mapping[str, Currency]]
    magnitudes: ClassVar[Mapping[str, str]]  # as written after a number: as said
    big_units_take: ClassVar[str] = ""  # "un millón DE dólares"
    symbols: ClassVar[Mapping[str, str]]
    web: ClassVar[Mapping[str, str]]
    abbreviations: ClassVar[Mapping[str, str]]
    before_numbers: ClassVar[frozenset[str]] = frozenset()  # abbreviations only where a number follows: "No. 5"
    before_names: ClassVar[frozenset[str]] = frozenset()  # and only where a name follows: "Mt. Fuji"
    starters: ClassVar[frozenset[str]] = frozenset()  # words that begin a sentence, after "U.S." and the like
    final_abbreviations: ClassVar[frozenset[str]] = frozenset()  # those that can end a sentence
    ordinal_suffixes: ClassVar[str]  # a regular expression; a group "f" marks the feminine
    joiners: ClassVar[str] = "'"  # what can stand inside a word
    spelled: ClassVar[frozenset[str]] = frozenset()  # acronyms that are spelled though they could be read
    hours: ClassVar[str] = ""  # a regular expression: what may stand for ":" in a time, or after one
    numbered: ClassVar[frozenset[str]] = frozenset()  # words before a Roman numeral that counts: "chapter"
    regnal: ClassVar[frozenset[str]] = frozenset()  # names before a Roman numeral that ranks

    # -- numbers ----------------------------------------------------------------------------------------------------

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a whole number, 0 to 10^15."""
        del feminine  # most languages do not tell
        return _plain(num2words(number, lang=self.numbers))

    def counted(self, number: int, *, feminine: bool) -> str:
        """Say a number before what it counts."""
        return self.cardinal(number, feminine=feminine)

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank, from 1."""
        del feminine
        return _plain(num2words(number, lang=self.numbers, to="ordinal"))

    def year(self, year: int) -> str:
        """Say four digits that stand alone."""
        return self.cardinal(year)

    def digits(self, digits: str) -> str:
        """Say one digit after the other."""
        names = _digit_names(self)
        return " ".join(names[int(digit)] for digit in digits)

    def decimals(self, digits: str) -> str:
        """Say what stands after the point."""
        zeros = len(digits) - len(digits.lstrip("0"))
        if len(digits) - zeros > 2 or zeros == len(digits):  # noqa: PLR2004  (pairs are read as one number)
            return self.digits(digits)
        return f"{self.digits('0' * zeros)} {self.cardinal(int(digits))}".strip()

    def decimal(self, whole: str, fraction: str, *, feminine: bool = False) -> str:
        """Say a number given as its digits before and after the point ("" for none)."""
        if len(whole) > MAX_NUMBER_DIGITS or (len(whole) > 1 and whole[0] == "0" and not fraction):
            said = self.digits(whole)
        else:
            said = self.cardinal(int(whole), feminine=feminine and not fraction)
        return f"{said} {self.point_word} {self.decimals(fraction)}" if fraction else said

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction."""
        return f"{self.cardinal(numerator)} {self.over} {self.cardinal(denominator)}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say a whole number and a fraction."""
        return f"{self.cardinal(whole)} {self.plus} {self.fraction(numerator, denominator)}"

    @property
    def plus(self) -> str:
        """What joins a whole number and a fraction."""
        return self.symbols["+"]

    def raised(self, exponent: int) -> str:
        """Say an exponent."""
        return {2: self.squared, 3: self.cubed}.get(exponent, f"{self.power} {self.cardinal(exponent)}")

    def range(self, first: str, last: str) -> str:
        """Say from where to where."""
        return f"{first} {self.to} {last}"

    # -- things that are counted ------------------------------------------------------------------------------------

    def quantity(self, whole: str, fraction: str, unit: Unit, magnitude: str = "") -> str:
        """Say how much of a unit."""
        single = int(whole) == 1 and not fraction and not magnitude
        name = unit.one if single else unit.many
        number = self.decimal(whole, fraction, feminine=unit.feminine and not magnitude)
        if magnitude:
            return " ".join(
                filter(None, (number, self.magnitude(magnitude, whole, fraction), self._of(magnitude), name))
            )
        return f"{number} {name}"

    def _of(self, magnitude: str) -> str:
        return self.big_units_take if self.magnitudes[magnitude] not in self.thousands else ""

    thousands: ClassVar[frozenset[str]] = frozenset()  # said magnitudes that take no "of"

    def magnitude(self, written: str, whole: str, fraction: str) -> str:
        """Say "million" after a number."""
        del whole, fraction
        return self.magnitudes[written]

    def money(self, whole: str, fraction: str, currency: Currency, magnitude: str = "") -> str:
        """Say an amount of money."""
        if currency.cent is None or magnitude or len(fraction) != 2:  # noqa: PLR2004  (only hundredths are cents)
            return self.quantity(whole, fraction, currency.unit, magnitude)
        units = self.quantity(whole, "", currency.unit)
        if int(fraction) == 0:
            return units
        cents = self.quantity(str(int(fraction)), "", currency.cent)
        return cents if int(whole) == 0 else self.units_and_cents(units, cents)

    def units_and_cents(self, units: str, cents: str) -> str:
        """Join an amount's two parts."""
        return f"{units} {self.conjunction} {cents}"

    conjunction: ClassVar[str]

    # -- time -------------------------------------------------------------------------------------------------------

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say a date of the calendar."""
        raise NotImplementedError

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say a time of day; `half` is "", "a" or "p"."""
        raise NotImplementedError

    def extra_rules(self) -> list[Rule]:
        """Return rules that only this language has; they come before times, money and numbers."""
        return []

    # -- names ------------------------------------------------------------------------------------------------------

    def rank(self, number: int, before: str) -> str | None:
        """Say a Roman numeral after the word `before`; None when it is none."""
        if before.lower() in self.numbered:
            return self.cardinal(number)
        if before in self.regnal:
            return self.regnal_number(number, before)
        return None

    def regnal_number(self, number: int, name: str) -> str:
        """Say the number of a king or a pope."""
        del name
        return self.ordinal(number)

    def letters(self, word: str) -> str:
        """Spell a word."""
        return " ".join(word)


@cache
def _digit_names(grammar: Grammar) -> tuple[str, ...]:
    return tuple(grammar.cardinal(digit) for digit in range(10))


def _plain(words: str) -> str:
    return words.replace(",", "").replace("-", " ")
