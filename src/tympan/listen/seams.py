"""Joining what was decoded on both sides of a cut through speech: no word lost, none doubled."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.engines.protocols import Word

MATCH_WITHIN_S = 0.5  # the same word, heard from both sides, may be timed this far apart


def join_at_seam(left: Sequence[Word], right: Sequence[Word], cut_s: float, overlap_s: float) -> tuple[int, int]:
    """Return how many words of `left` to keep and how many of `right` to drop.

    Both were heard `overlap_s` beyond the cut at `cut_s` (all in seconds of the file). Where they agree on a run
    of words in the overlap, the switch is made inside that run; where they do not, at the cut, by the middles of
    the words, and a word that straddles it and was heard twice is kept once.
    """
    low, high = cut_s - overlap_s - MATCH_WITHIN_S, cut_s + overlap_s + MATCH_WITHIN_S
    tail = [place for place, word in enumerate(left) if word.end > low]
    head = [place for place, word in enumerate(right) if word.start < high]
    run = _best_common_run(left, tail, right, head)
    if run is not None:
        at_left, at_right, length = run
        # inside the run each side is sure of its own half
        for step in range(length):
            if _middle(left[at_left + step]) >= cut_s:
                return at_left + step, at_right + step
        return at_left + length, at_right + length
    keep = len(left)
    while keep and _middle(left[keep - 1]) >= cut_s:
        keep -= 1
    drop = 0
    while drop < len(right) and _middle(right[drop]) < cut_s:
        drop += 1
    return keep, drop


def _best_common_run(
    left: Sequence[Word], tail: Sequence[int], right: Sequence[Word], head: Sequence[int]
) -> tuple[int, int, int] | None:
    """Return (place in left, place in right, length) of the run that agrees best: long, and at the same times.

    Each word counts less the further apart its two times are, or repetition ("no no no") would be slid together.
    """
    best: tuple[int, int, int] | None = None
    best_score = 0.0
    for at_left in tail:
        for at_right in head:
            length, score = 0, 0.0
            for one, other in zip(left[at_left:], right[at_right:], strict=False):
                if not same_word(one, other):
                    break
                length += 1
                score += 1.0 - abs(_middle(one) - _middle(other)) / MATCH_WITHIN_S
            if score > best_score:
                best, best_score = (at_left, at_right, length), score
    return best


def same_word(one: Word, other: Word) -> bool:
    """Whether two words are the same one, heard twice."""
    bare = bare_word(one.text)
    return bool(bare) and bare == bare_word(other.text) and abs(_middle(one) - _middle(other)) < MATCH_WITHIN_S


def bare_word(text: str) -> str:
    """Return a word without case, spaces and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if unicodedata.category(char)[0] in "LNM")


def _middle(word: Word) -> float:
    return (word.start + word.end) / 2
