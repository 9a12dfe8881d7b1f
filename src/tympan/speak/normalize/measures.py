"""Quantities: a number and its unit, or its magnitude."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tympan.speak.normalize.numbers import number_pattern, parts
from tympan.speak.normalize.rules import WORD_END, Rule, alternatives, rule

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar

_NAME_BEFORE = re.compile(r"[A-Za-z]-?$")


def measure_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for quantities and ranges of them."""
    number, last = number_pattern(grammar, "a"), number_pattern(grammar, "b")
    unit = rf"(?P<unit>{alternatives(grammar.units)}){WORD_END}"
    rules = []

    def quantity(match: re.Match[str]) -> str | None:
        if _NAME_BEFORE.search(match.string[max(0, match.start() - 2) : match.start()]):
            return None  # "MP3s" and "B-52s" are no seconds
        return grammar.quantity(*parts(match, "a"), grammar.units[match["unit"]])

    def span(match: re.Match[str]) -> str:
        return grammar.range(
            grammar.decimal(*parts(match, "a")), grammar.quantity(*parts(match, "b"), grammar.units[match["unit"]])
        )

    rules += [
        rule("digit", rf"{number} ?[-–—] ?{last}[ -]?{unit}", span),
        rule("digit", rf"{number}[ -]?{unit}", quantity),
    ]
    short = [written for written in grammar.magnitudes if len(written) == 1]
    if short:

        def large(match: re.Match[str]) -> str | None:
            whole, fraction = parts(match, "a")
            if match["magnitude"] == "K" and len(whole) == 1:
                return None  # a "4K" screen
            return f"{grammar.decimal(whole, fraction)} {grammar.magnitude(match['magnitude'], whole, fraction)}"

        rules.append(rule("digit", rf"{number}(?P<magnitude>{alternatives(short)}){WORD_END}", large))
    return rules
