"""Word error rate: what counts as the same word, and the edit distance.

A text becomes units: words, or characters in languages that write no spaces between words. Case, punctuation and
the way a number is written are no errors. Accents and vowel signs are.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.spoken_numbers import spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

UNSPACED = frozenset({"zh", "yue", "ja", "th", "ko", "lo", "my", "km"})  # scored by character (CER); ko by custom
APOSTROPHES = "'\u2019\u02bc"  # typewriter, typographic, letter: inside a word they belong to it
ENGLISH_FORMS = {"mr": "mister", "mrs": "missus", "dr": "doctor", "st": "saint", "ok": "okay", "&": "and"}

LOOP_FACTOR = 2.0  # a text this many times as long as its reference, and LOOP_UNITS more, is a runaway loop
LOOP_UNITS = 8  # so that "hello" for "hi" is none

_WORD = re.compile(rf"[^\s{APOSTROPHES}]+(?:[{APOSTROPHES}][^\s{APOSTROPHES}]+)*")


@dataclass(frozen=True, slots=True)
class Alignment:
    """A cheapest way from a reference to a hypothesis; `matches` pairs the indexes of units that are equal."""

    substitutions: int
    deletions: int
    insertions: int
    matches: tuple[tuple[int, int], ...]

    @property
    def errors(self) -> int:
        """The edit distance."""
        return self.substitutions + self.deletions + self.insertions


@dataclass(frozen=True, slots=True)
class Score:
    """Errors over any number of texts."""

    errors: int = 0
    units: int = 0  # of the references

    def __add__(self, other: Score) -> Score:
        return Score(self.errors + other.errors, self.units + other.units)

    @property
    def rate(self) -> float:
        """Errors per unit of the references, 0 when there are none; may exceed 1."""
        return self.errors / self.units if self.units else 0.0


def units(text: str, language: str) -> list[str]:
    """Return the units of `text` that are compared; `language` is an ISO-639-1 code."""
    words = [word for raw in _words(text) for word in spoken(raw, language).split()]
    if language == "en":
        words = [ENGLISH_FORMS.get(word, word) for word in words]
    return list("".join(words)) if language in UNSPACED else words


def score(reference: str, hypothesis: str, language: str) -> Score:
    """Compare two texts."""
    expected = units(reference, language)
    return Score(align(expected, units(hypothesis, language)).errors, len(expected))


def is_loop(reference: str, hypothesis: str, language: str) -> bool:
    """Whether a decoder ran away: far more came out than was said."""
    expected, heard = len(units(reference, language)), len(units(hypothesis, language))
    return heard > LOOP_FACTOR * expected + LOOP_UNITS


def align(reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    """Return the Levenshtein alignment; among equally cheap ways a match or substitution is preferred."""
    rows, columns = len(reference) + 1, len(hypothesis) + 1
    cost = [[0] * columns for _ in range(rows)]
    cost[0] = list(range(columns))
    for i in range(1, rows):
        cost[i][0] = i
        for j in range(1, columns):
            differs = reference[i - 1] != hypothesis[j - 1]
            cost[i][j] = min(cost[i - 1][j - 1] + differs, cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    return _trace_back(cost, reference, hypothesis)


def _trace_back(cost: list[list[int]], reference: Sequence[str], hypothesis: Sequence[str]) -> Alignment:
    i, j = len(reference), len(hypothesis)
    substitutions = deletions = insertions = 0
    matches: list[tuple[int, int]] = []
    while i or j:
        differs = not (i and j and reference[i - 1] == hypothesis[j - 1])
        if i and j and cost[i][j] == cost[i - 1][j - 1] + differs:
            i, j = i - 1, j - 1
            if differs:
                substitutions += 1
            else:
                matches.append((i, j))
        elif i and cost[i][j] == cost[i - 1][j] + 1:
            i, deletions = i - 1, deletions + 1
        else:
            j, insertions = j - 1, insertions + 1
    return Alignment(substitutions, deletions, insertions, tuple(reversed(matches)))


def _words(text: str) -> list[str]:
    """Split into lower-case words of letters, marks and digits; "%", "&" and a digit's "," and "." are kept."""
    composed = unicodedata.normalize("NFKC", text).casefold()
    kept = re.sub(r"(?<=\d)[,.](?=\d)", "\0", composed).replace("%", " % ").replace("&", " & ")
    spaced = "".join(char if _belongs(char) else " " for char in kept).replace("\0", ",")
    return [re.sub(f"[{APOSTROPHES}]", "'", match) for match in _WORD.findall(spaced)]


def _belongs(char: str) -> bool:
    return char in APOSTROPHES or char in "\0%&" or unicodedata.category(char)[0] in "LMN"
