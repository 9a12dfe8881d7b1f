"""A rule: where a pattern matches, what is said."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

# What kind of character a rule begins at: a rule is only tried there.
Start = Literal["digit", "letter", "sign"]


@dataclass(frozen=True, slots=True)
class Rule:
    """Says what `pattern` matches at a place.

    `speak` gives words parted by spaces, with `,` or `.` after a word for a stop; "" to say nothing; or None to
    leave the place to the next rule. Patterns match a bounded number of characters, or one character class to
    its end, so that a text is read in linear time.
    """

    starts: frozenset[Start]
    pattern: re.Pattern[str]
    speak: Callable[[re.Match[str]], str | None]


def rule(starts: str, pattern: str, speak: Callable[[re.Match[str]], str | None], flags: int = 0) -> Rule:
    """Make a rule; `starts` names the kinds of character, parted by spaces."""
    kinds: dict[str, Start] = {"digit": "digit", "letter": "letter", "sign": "sign"}
    return Rule(frozenset(kinds[kind] for kind in starts.split()), re.compile(pattern, flags), speak)


# No letter or digit of an alphabet follows. Chinese and Japanese letters may: they are written without spaces.
WORD_END: Final = r"(?![A-Za-zÀ-ɏऀ-ॿ\d])"


def alternatives(words: object) -> str:
    """Return a pattern of literal words, the longest first."""
    return "|".join(re.escape(str(word)) for word in sorted(words, key=len, reverse=True))  # type: ignore[call-overload]


def word_before(match: re.Match[str]) -> str:
    """Return the word just before a match, in the same line, or ""."""
    found = _LAST_WORD.search(match.string[max(0, match.start() - _LOOK_BACK) : match.start()])
    return found[1] if found else ""


def touches(match: re.Match[str], characters: str) -> bool:
    """Whether one of `characters` stands right before a match."""
    return match.start() > 0 and match.string[match.start() - 1] in characters


def at_line_end(match: re.Match[str]) -> bool:
    """Whether nothing follows a match in its line."""
    return match.end() == len(match.string) or match.string[match.end()] == "\n"


def capital_follows(match: re.Match[str]) -> bool:
    """Whether a match is followed by a space and what can begin a sentence."""
    return _SENTENCE_BEGIN.match(match.string, match.end(), match.end() + _LOOK_AHEAD) is not None


_LOOK_AHEAD = 8  # code points
_SENTENCE_BEGIN = re.compile(r"\s+[\"'“]?[^\W\d_a-zà-öø-ÿ]")
_LOOK_BACK = 30  # code points: longer words are no names of kings
_LAST_WORD = re.compile(r"([^\W\d_]+\.?) $")
