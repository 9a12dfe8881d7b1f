"""Telephone and card numbers: digits in groups, with a breath between the groups."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.rules import Rule, rule, touches

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar

_GROUPS = re.compile(r"\d+")
_SHAPES: Final = (
    r"\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,6}(?![\d/])",  # international
    r"\(\d{2,4}\) ?\d{3,5}[-. ]\d{4}(?!\d)",  # area code in brackets
    r"\d{3}([-. ])\d{3}\1\d{4}(?![\d-])",  # North America
    r"1-\d{3}-\d{3}-\d{4}(?!\d)",
    r"\d{3}-\d{4}(?![\d-])",
    r"0\d(?:[ .]\d{2}){4}(?!\d)",  # France
    r"0\d{1,4}[ -]\d{3,4}[ -]\d{3,4}(?!\d)",  # Britain, Italy, Japan
    r"\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}(?!\d)",  # a payment card
    r"\d{3}-\d{2}-\d{4}(?!\d)",
    r"1[3-9]\d{9}(?!\d)",  # a Chinese mobile
)


def phone_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for telephone numbers."""

    def number(match: re.Match[str]) -> str | None:
        if touches(match, "-./"):
            return None
        groups = _GROUPS.findall(match[0])
        pairs = grammar.language == "fr" and all(len(group) == 2 for group in groups)  # noqa: PLR2004
        said = [grammar.decimal(group, "") if pairs else grammar.digits(group) for group in groups]
        return f"{grammar.symbols['+'] + ' ' if match[0][0] == '+' else ''}{', '.join(said)}"

    return [rule("sign" if shape[:2] in {r"\+", r"\("} else "digit", shape, number) for shape in _SHAPES]
