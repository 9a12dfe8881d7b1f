"""What the tables of French, Italian, Portuguese and Spanish share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.speak.normalize.grammar import Unit
from tympan.speak.normalize.numbers import number_pattern, parts
from tympan.speak.normalize.rules import Rule, rule

if TYPE_CHECKING:
    import re

    from tympan.speak.normalize.grammar import Currency, Grammar


def units(names: dict[str, str]) -> dict[str, Unit]:
    """Make masculine units whose plural adds an s to each word."""
    return {sign: Unit(name, " ".join(f"{word}s" for word in name.split())) for sign, name in names.items()}


def currencies(*, euro: Currency, dollar: Currency, pound: Currency, yen: Currency) -> dict[str, Currency]:
    """Give the signs and codes of the currencies that every language meets."""
    return {
        "€": euro,
        "EUR": euro,
        "$": dollar,
        "US$": dollar,
        "USD": dollar,
        "£": pound,
        "GBP": pound,
        "¥": yen,
        "JPY": yen,
    }


def agreement(grammar: Grammar, not_counted: str) -> Rule:
    """Return the rule for a number before the noun that it counts: "21 páginas", "2 casas".

    A noun in -a or -as is taken for feminine, which is right for nine in ten. `not_counted` are the words, as a
    pattern, that can follow a number without being counted.
    """

    def counted(match: re.Match[str]) -> str | None:
        whole, fraction = parts(match, "a")
        if fraction or len(whole) > _COUNTED_DIGITS or whole[0] == "0":
            return None
        return grammar.counted(int(whole), feminine=match["noun"].rstrip("s").endswith("a"))

    return rule(
        "digit", rf"{number_pattern(grammar, 'a')}(?= (?!(?:{not_counted})\b)(?P<noun>[^\W\d_]{{3,30}})(?!\w))", counted
    )


_COUNTED_DIGITS = 9
