"""Text broken into short lines, and lines into groups that are shown together, as even as they can be."""

from __future__ import annotations

import bisect
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

ZERO_WIDTH_JOINER = "\u200d"  # glues the characters of an emoji together


@dataclass(frozen=True, slots=True)
class Piece:
    """Text that is not broken, with its leading space if it has one; times are seconds."""

    text: str
    start: float
    end: float


def plain(text: str) -> str:
    """Return `text` in one line, with single spaces."""
    return " ".join(text.split())


def joined(pieces: Sequence[Piece]) -> str:
    """Return the text of pieces that stand in one line."""
    return plain("".join(piece.text for piece in pieces))


def at_spaces(text: str, start: float, end: float) -> list[Piece]:
    """Cut `text` at its spaces; every piece has the times of the whole."""
    return [Piece(" " + word, start, end) for word in text.split()]


def wrap(pieces: Sequence[Piece], max_line: int) -> list[list[Piece]]:
    """Break into as few lines of at most `max_line` characters as possible, of about the same length.

    A piece longer than a line is cut inside, never between a character and the marks that belong to it.
    """
    short = [part for piece in pieces for part in _cut(piece, max_line)]
    return _evenly(short, max_line, lambda line, budget: len(joined(line)) <= budget)


def group(pieces: Sequence[Piece], max_line: int, max_lines: int) -> list[list[Piece]]:
    """Break into as few groups that fit `max_lines` lines as possible, of about the same length."""
    short = [part for piece in pieces for part in _cut(piece, max_line)]

    def fits(part: Sequence[Piece], budget: int) -> bool:
        return len(joined(part)) <= budget and len(_fill(part, _of_length(max_line))) <= max_lines

    return _evenly(short, (max_line + 1) * max_lines, fits)


def _of_length(limit: int) -> Callable[[Sequence[Piece]], bool]:
    return lambda line: len(joined(line)) <= limit


def _evenly(pieces: Sequence[Piece], budget: int, fits: Callable[[Sequence[Piece], int], bool]) -> list[list[Piece]]:
    """Fill with the smallest budget that needs no more groups than the whole budget does."""
    fewest = len(_fill(pieces, lambda part: fits(part, budget)))

    def enough(smaller: int) -> bool:
        return len(_fill(pieces, lambda part: fits(part, smaller))) <= fewest

    smallest = bisect.bisect_left(range(budget), True, key=enough)  # noqa: FBT003  (the value looked for)
    return _fill(pieces, lambda part: fits(part, smallest))


def _fill(pieces: Sequence[Piece], fits: Callable[[Sequence[Piece]], bool]) -> list[list[Piece]]:
    groups: list[list[Piece]] = []
    for piece in pieces:
        if groups and fits([*groups[-1], piece]):
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def _cut(piece: Piece, limit: int) -> Iterator[Piece]:
    space, text = (" " if piece.text[:1].isspace() else ""), plain(piece.text)
    while len(text) > limit:
        place = limit
        while place > 1 and _belongs_to_previous(text, place):
            place -= 1
        yield Piece(space + text[:place], piece.start, piece.end)
        space, text = "", text[place:]
    if text:
        yield Piece(space + text, piece.start, piece.end)


def _belongs_to_previous(text: str, place: int) -> bool:
    char = text[place]
    return unicodedata.category(char).startswith("M") or ZERO_WIDTH_JOINER in (char, text[place - 1])
