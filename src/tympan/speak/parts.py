"""A long text in parts that are read one after the other, so that the first words need not wait for the last."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

FIRST_PART = 400  # code points: read in some 10 ms
LATER_PART = 4_000
MIN_SHARE = 0.3  # of a part must lie before a cut, or the text would be read in crumbs

# From the best place to cut to the worst: between paragraphs, lines, sentences, words.
BREAKS = tuple(re.compile(pattern) for pattern in (r"\n\s*\n", r"\n", r"(?<=[.!?…])\s|(?<=[。！？])", r"\s"))


class TextPart(NamedTuple):
    """A part of a text and where it begins in it, in code points."""

    text: str
    start: int


def parts(text: str, first: int = FIRST_PART, later: int = LATER_PART) -> Iterator[TextPart]:
    """Yield the parts of `text`: together they are all of it. A word is cut only where one is longer than a part."""
    start, limit = 0, first
    while len(text) - start > limit:
        end = _cut(text, start, start + limit)
        yield TextPart(text[start:end], start)
        start, limit = end, later
    if start < len(text):
        yield TextPart(text[start:], start)


def _cut(text: str, start: int, limit: int) -> int:
    earliest = start + int((limit - start) * MIN_SHARE)
    for pattern in BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest, limit) if match.end() > start]
        if ends:
            return ends[-1]
    return limit
