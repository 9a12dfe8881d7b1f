"""From a decoded excerpt to segments that read well: split at sentence ends, times in the file's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.engines.protocols import Word

SPLIT_LONGER_THAN_S = 7.0  # about as long as a subtitle may stand
SENTENCE_ENDS = frozenset(".!?。！？…؟।։።")  # noqa: RUF001  (the full stops of many scripts)
CLAUSE_ENDS = frozenset(",;:，、；：،")  # noqa: RUF001
TRAILING = "\"'”’)]}»」』"  # noqa: RUF001  (what may stand behind a full stop)
MIN_PIECE_S = 1.0  # a shorter sentence stays with its neighbour
ABBREVIATIONS = frozenset({"mr.", "mrs.", "ms.", "dr.", "st.", "prof.", "no.", "vs.", "e.g.", "i.e."})


def split_words(words: Sequence[Word]) -> list[list[Word]]:
    """Split the words of an excerpt into segments; nothing is lost, order is kept.

    A stretch of up to 7 s stays whole. A longer one is split at sentence ends; a sentence that is still too long,
    at the clause end or the pause nearest its middle.
    """
    if not words or words[-1].end - words[0].start <= SPLIT_LONGER_THAN_S:
        return [list(words)] if words else []
    return [piece for sentence in _sentences(words) for piece in _halves(sentence)]


def _sentences(words: Sequence[Word]) -> Iterator[list[Word]]:
    held: list[Word] = []
    for place, word in enumerate(words):
        held.append(word)
        rest = words[-1].end - word.end
        last = place + 1 == len(words)
        if last or (ends_sentence(word.text) and word.end - held[0].start >= MIN_PIECE_S and rest >= MIN_PIECE_S):
            yield held
            held = []


def _halves(words: list[Word]) -> Iterator[list[Word]]:
    if words[-1].end - words[0].start <= SPLIT_LONGER_THAN_S or len(words) < 2:  # noqa: PLR2004
        yield words
        return
    middle = (words[0].start + words[-1].end) / 2
    span = words[-1].end - words[0].start

    def cost(place: int) -> float:
        """Return the distance from the middle, less what a clause end or a pause is worth."""
        word, following = words[place - 1], words[place]
        off = abs(word.end - middle) / span
        clause = 0.3 if word.text.strip().rstrip(TRAILING)[-1:] in CLAUSE_ENDS else 0.0
        pause = min(0.3, following.start - word.end)
        return off - clause - pause

    place = min(range(1, len(words)), key=cost)
    yield from _halves(words[:place])
    yield from _halves(words[place:])


def ends_sentence(text: str) -> bool:
    """Whether a word ends a sentence."""
    bare = text.strip().rstrip(TRAILING)
    if bare[-1:] not in SENTENCE_ENDS or not bare:
        return False
    is_initial = len(bare) == 2 and bare[0].isalpha() and bare[0].isascii()  # noqa: PLR2004  ("J." of a name)
    return bare.casefold() not in ABBREVIATIONS and not is_initial
