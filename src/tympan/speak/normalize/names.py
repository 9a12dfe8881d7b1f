"""Abbreviations, acronyms and signs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.rules import WORD_END, Rule, alternatives, at_line_end, capital_follows, rule

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar

GREEK: Final = {
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "Δ": "delta",
    "ε": "epsilon",
    "θ": "theta",
    "λ": "lambda",
    "μ": "mu",
    "π": "pi",
    "ρ": "rho",
    "σ": "sigma",
    "Σ": "sigma",
    "τ": "tau",
    "φ": "phi",
    "χ": "chi",
    "ψ": "psi",
    "ω": "omega",
    "Ω": "omega",
}
_VOWEL = re.compile("[AEIOUYÀÁÂÃÄÈÉÊËÌÍÎÏÒÓÔÕÖÙÚÛÜ]")
_FOLLOWING = re.compile(r" [\"'(]?([A-Z][a-z]{0,9})(?!\w)")


def name_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for abbreviations and acronyms."""
    known = {**{key.capitalize(): said for key, said in grammar.abbreviations.items()}, **grammar.abbreviations}

    def abbreviation(match: re.Match[str]) -> str | None:
        written = match[0]
        said = known[written]
        following = match.string[match.end() : match.end() + 2].lstrip(" ")
        if (written in grammar.before_numbers and not following[:1].isdigit()) or (
            written in grammar.before_names and not following[:1].isupper()
        ):
            return None
        can_end = written.lower() in grammar.final_abbreviations and capital_follows(match)
        return f"{said}." if written.endswith(".") and (at_line_end(match) or can_end) else said

    def initials(match: re.Match[str]) -> str:
        letters = grammar.letters(match[0].replace(".", ""))
        following = _FOLLOWING.match(match.string, match.end())
        return f"{letters}." if at_line_end(match) or (following and following[1] in grammar.starters) else letters

    def initial(match: re.Match[str]) -> str:
        return match[1]

    def acronym(match: re.Match[str]) -> str | None:
        word = match[1]
        return grammar.letters(word) if word in grammar.spelled or not _VOWEL.search(word) else None

    rules = [rule("letter sign", rf"(?:{alternatives(known)})(?!\w)", abbreviation)] if known else []
    return [
        *rules,
        rule("letter", r"(?:[A-Z]\.){2,6}(?:[A-Z](?!\w))?", initials),
        rule("letter", r"([A-Z])\.(?= ?[A-Z]\.| [A-Z][a-zà-ÿ]+,? [A-Z]| [A-Z][a-zà-ÿ]{2,}(?:[.,;!?]|$))", initial),
        rule(
            "letter",
            r"[A-Z]{1,3}(?:&[A-Z]{1,3}){1,2}(?!\w)",
            lambda m: grammar.letters(m[0]).replace("&", grammar.symbols["&"]),
        ),
        rule("letter", rf"([A-Z]{{2,6}}){WORD_END}(?!')", acronym),
    ]


def sign_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for signs: said only where they stand for a word."""
    symbols = grammar.symbols

    def minus(match: re.Match[str]) -> str | None:
        at = match.start()
        return grammar.minus if at == 0 or match.string[at - 1] in " (\n=<>,:" else None

    def between(match: re.Match[str]) -> str | None:
        """Arithmetic: between two operands, or before a digit."""
        return symbols.get(match[0].strip())

    def plus_plus(match: re.Match[str]) -> str:
        return f"{symbols['+']} " * len(match[0])

    rules = [
        rule("sign", r"-(?=[.\d$€£¥∞])", minus),
        rule("sign", r"\+{1,2}(?=[\s,.;:!?)]|$)(?<=[A-Za-z]\+)|(?<=[A-Za-z])\+{2}", plus_plus),
        rule("sign", r"- (?=[\d(])(?<=[\d)] - )", lambda _: grammar.minus),
        rule("sign", r"(?:(?<=[\d)])|(?<=[\d)] ))\*(?= ?[\d(])|(?<=\d)·(?=\d)|×", lambda _: symbols["×"]),
        rule("sign", r"/(?= ?\d)(?<=[\d) ]/)", lambda _: grammar.over),
        rule("sign", r"<=|>=|!=|==|=>|->|=<", lambda match: symbols.get(_ASCII_SIGNS[match[0]], "")),
        rule("sign", r"#(?=\d)", lambda _: symbols["#"]),
        rule("sign", r"~(?=[\d$€£])", lambda _: symbols["≈"]),
        rule("sign", r"[<>](?= ?\d)", between),
        rule("sign", r"@(?=\s)", lambda _: symbols["@"]),
        rule("sign", rf"[{re.escape(''.join(s for s in symbols if s not in '#<>@×'))}]", between),
    ]
    return [*rules, rule("letter", f"[{''.join(GREEK)}](?![^\\W\\d_])", lambda match: GREEK[match[0]])]


_ASCII_SIGNS: Final = {"<=": "≤", "=<": "≤", ">=": "≥", "!=": "≠", "==": "=", "=>": "→", "->": "→"}
