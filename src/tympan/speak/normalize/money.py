"""Money: the sign before the amount or after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.speak.normalize.numbers import number_pattern, parts
from tympan.speak.normalize.rules import WORD_END, Rule, alternatives, rule

if TYPE_CHECKING:
    import re

    from tympan.speak.normalize.grammar import Grammar


def money_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for amounts, with magnitudes ("$5k", "3 Mio. €") and ranges ("$10-20")."""
    number, last = number_pattern(grammar, "a"), number_pattern(grammar, "b")
    sign = f"(?P<sign>{alternatives(grammar.currencies)})"
    magnitude = rf"(?: ?(?P<magnitude>{alternatives(grammar.magnitudes)}){WORD_END})?" if grammar.magnitudes else ""

    def say(match: re.Match[str], name: str) -> str:
        whole, fraction = parts(match, name)
        written = match.groupdict().get("magnitude") or ""
        return grammar.money(whole, fraction, grammar.currencies[match["sign"]], written)

    def amount(match: re.Match[str]) -> str:
        return say(match, "a")

    def span(match: re.Match[str]) -> str:
        return grammar.range(grammar.decimal(*parts(match, "a")), say(match, "b"))

    return [
        rule("sign letter", rf"{sign} ?{number} ?[-–—] ?(?:(?P=sign))?{last}{magnitude}", span),
        rule("sign letter", rf"{sign} ?{number}{magnitude}", amount),
        rule("digit", rf"{number} ?[-–—] ?{last}{magnitude} ?{sign}{WORD_END}", span),
        rule("digit", rf"{number}{magnitude} ?{sign}{WORD_END}", amount),
    ]
