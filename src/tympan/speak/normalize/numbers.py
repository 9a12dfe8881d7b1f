"""Numbers: whole, decimal, ordinal, fractions, ranges, ratios, Roman."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.rules import Rule, rule, touches, word_before

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar

_YEARS: Final = range(1100, 2100)
_ROMAN: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN_FORM: Final = re.compile(r"M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


def number_pattern(grammar: Grammar, name: str) -> str:
    """Return the pattern of a number, whose groups `name`_w and `name`_f are read by `parts`.

    Thousands are separated by the language's mark, and by spaces where that is a full stop, in threes (in twos from
    the second group in India). The language's point makes decimals; so does the other mark where no group of three
    follows it.
    """
    group, point = re.escape(grammar.group), re.escape(grammar.point)
    twos = "{2,3}" if grammar.language == "hi" else "{3}"
    spaced = r"|\d{1,3}(?: \d{3}){1,4}(?![\d ]?\d)" if grammar.group == "." else ""
    return (
        rf"(?:(?P<{name}_w>\d{{1,3}}(?:{group}\d{twos}(?!\d)|{group}\d{twos}(?={group}\d)){{1,5}}"
        rf"{spaced}|\d{{1,15}}(?!\d))"
        rf"(?:{point}(?P<{name}_f>\d{{1,15}}(?!\d))|{group}(?P<{name}_o>\d{{1,2}}(?![\d{group}])|\d{{4,15}}(?!\d)))?)"
    )


def parts(match: re.Match[str], name: str) -> tuple[str, str]:
    """Return a number's digits before and after its point, in ASCII."""
    whole = "".join(str(int(c)) for c in match[f"{name}_w"] if c.isdigit())
    fraction = match[f"{name}_f"] or match[f"{name}_o"] or ""
    return whole, "".join(str(int(c)) for c in fraction)


def number_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for what is nothing but a number, the special before the general."""
    number, last = number_pattern(grammar, "a"), number_pattern(grammar, "b")
    say = _Numbers(grammar)
    return [
        rule("digit", r"\d{16,}", say.digits),
        rule("digit", rf"(?P<n>\d{{1,12}})(?:{grammar.ordinal_suffixes})(?!\w)", say.ordinal),
        rule("digit", r"(\d{1,4}) (\d{1,2})/(\d{1,2})(?![\d/])", say.mixed),
        rule("digit", r"(\d{1,4})/(\d{1,4})(?![\d/])", say.fraction),
        rule("digit", r"(\d{1,3}):(\d{1,3})(?![\d:])", say.ratio),
        rule("digit", rf"{number} ?[-–—~] ?{last}(?!-?\d|-[^\W\d_])", say.span),
        rule("sign", r"\^(\d{1,3})(?!\d)", say.power),
        rule("digit", number, say.plain),
        rule("digit", r"\d{1,15}", say.digits),
        rule("letter", r"([IVXLCDM]{1,9})(?![\w'])", say.roman),
    ]


class _Numbers:
    """What the rules say, in one language."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def digits(self, match: re.Match[str]) -> str:
        return self._grammar.digits("".join(str(int(c)) for c in match[0]))

    def ordinal(self, match: re.Match[str]) -> str:
        return self._grammar.ordinal(int(match["n"]), feminine=bool(match.groupdict().get("f")))

    def mixed(self, match: re.Match[str]) -> str | None:
        whole, numerator, denominator = (int(match[i]) for i in (1, 2, 3))
        return self._grammar.mixed(whole, numerator, denominator) if 0 < numerator < denominator else None

    def fraction(self, match: re.Match[str]) -> str | None:
        return None if touches(match, "/") else self._grammar.fraction(int(match[1]), int(match[2]))

    def ratio(self, match: re.Match[str]) -> str:
        first, second = (self._grammar.cardinal(int(match[i])) for i in (1, 2))
        return f"{first} {self._grammar.ratio} {second}"

    def span(self, match: re.Match[str]) -> str | None:
        return None if touches(match, "-") else self._grammar.range(self._number(match, "a"), self._number(match, "b"))

    def power(self, match: re.Match[str]) -> str:
        return self._grammar.raised(int(match[1]))

    def plain(self, match: re.Match[str]) -> str:
        return self._number(match, "a")

    def roman(self, match: re.Match[str]) -> str | None:
        value = roman_value(match[1])
        return None if value is None else self._grammar.rank(value, word_before(match))

    def _number(self, match: re.Match[str], name: str) -> str:
        whole, fraction = parts(match, name)
        stands_alone = not fraction and len(match[f"{name}_w"]) == 4  # noqa: PLR2004  (the digits of a year)
        if stands_alone and int(whole) in _YEARS:
            return self._grammar.year(int(whole))
        return self._grammar.decimal(whole, fraction)


def roman_value(numeral: str) -> int | None:
    """Return the value of a Roman numeral, or None where the letters make none."""
    if not _ROMAN_FORM.fullmatch(numeral):
        return None
    values = [_ROMAN[letter] for letter in numeral]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))
