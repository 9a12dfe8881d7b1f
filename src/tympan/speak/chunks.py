"""Cuts what was read into pieces that the engine speaks in one call.

The model takes 510 tokens, but its prosody is best between 50 and 250, and what it says first waits for the whole
call. So: one sentence a chunk, short ones joined, long ones cut at clauses, else between words; the first chunk
short. A word is never cut, unless it alone is longer than the model takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tympan.speak.reading import Chunk, Stop, WordTokens
from tympan.speak.vocabulary import MAX_TOKENS, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tympan.speak.reading import ReadWord, Sentence

MAX_CHUNK_TOKENS: Final = 250
JOIN_BELOW: Final = 50  # tokens: a shorter chunk takes the next sentence, too, where both fit
JOINED_TOKENS: Final = 150
FIRST_JOIN_BELOW: Final = 12  # "Yes." alone is said oddly
FIRST_CLAUSE_TOKENS: Final = 60  # about 4 s of speech: a longer first sentence is cut at a clause
FIRST_WORDS_TOKENS: Final = 100  # and one without clauses between words
MIN_PART: Final = 0.35  # a cut leaves at least this part of its target before it

PAUSES_S: Final = {
    Stop.NONE: 0.0,
    Stop.CLAUSE: 0.1,
    Stop.SENTENCE: 0.25,
    Stop.PARAGRAPH: 0.45,
}


@dataclass(frozen=True, slots=True)
class _Piece:
    """One read word as the model gets it: marks, phonemes, marks."""

    word: ReadWord

    @property
    def text(self) -> str:
        word = self.word.word
        return f"{word.before}{self.word.phonemes}{word.after}"

    @property
    def stop(self) -> Stop:
        return self.word.word.stop

    @property
    def span(self) -> tuple[int, int]:
        return self.word.word.start, self.word.word.end


def chunks(sentences: Iterable[Sentence]) -> Iterator[Chunk]:
    """Yield the chunks of a text as its sentences come; no chunk waits for more than the sentence behind it.

    `pause_s` is that of the stop after the chunk; who plays the last one may leave its pause out.
    """
    waiting: list[_Piece] = []
    first = True
    for sentence in sentences:
        pieces = [_Piece(word) for word in sentence.words]
        if waiting and _length(waiting) + 1 + _length(pieces) <= _joined_limit(first=first):
            waiting += pieces
        else:
            if waiting:
                yield from _finished(waiting, first=first)
                first = False
            waiting = pieces
        if _length(waiting) >= (FIRST_JOIN_BELOW if first else JOIN_BELOW) or waiting[-1].stop is Stop.PARAGRAPH:
            yield from _finished(waiting, first=first)
            first, waiting = False, []
    if waiting:
        yield from _finished(waiting, first=first)


def _joined_limit(*, first: bool) -> int:
    return FIRST_CLAUSE_TOKENS if first else JOINED_TOKENS


def _finished(pieces: Sequence[_Piece], *, first: bool) -> Iterator[Chunk]:
    if first:
        cut = _first_cut(pieces)
        if cut:
            yield from _chunk(pieces[:cut])
            pieces = pieces[cut:]
    while pieces:
        cut = _cut(pieces)
        yield from _chunk(pieces[:cut])
        pieces = pieces[cut:]


def _first_cut(pieces: Sequence[_Piece]) -> int:
    """Return how many pieces the first chunk takes of a long first sentence; 0 to leave it whole."""
    total = _length(pieces)
    if total <= FIRST_CLAUSE_TOKENS:
        return 0
    lengths = _lengths(pieces)
    for at, piece in enumerate(pieces[:-1], 1):
        if lengths[at] > FIRST_CLAUSE_TOKENS:
            break
        if piece.stop >= Stop.CLAUSE and lengths[at] >= FIRST_JOIN_BELOW:
            return at
    if total <= FIRST_WORDS_TOKENS:
        return 0
    return _between_words(pieces, lengths, FIRST_CLAUSE_TOKENS, FIRST_CLAUSE_TOKENS)


def _cut(pieces: Sequence[_Piece]) -> int:
    """Return how many pieces fit the next chunk, cut evenly and where speech stops anyway."""
    lengths = _lengths(pieces)
    total = lengths[-1]
    if total <= MAX_CHUNK_TOKENS:
        return len(pieces)
    parts = -(-total // MAX_CHUNK_TOKENS)
    target = total / parts
    best = 0
    for at, piece in enumerate(pieces[:-1], 1):
        if lengths[at] > MAX_CHUNK_TOKENS:
            break
        if piece.stop >= Stop.CLAUSE and lengths[at] >= MIN_PART * target:
            best = at if not best or abs(lengths[at] - target) < abs(lengths[best] - target) else best
    return best or _between_words(pieces, lengths, target, MAX_CHUNK_TOKENS)


def _between_words(pieces: Sequence[_Piece], lengths: Sequence[int], target: float, limit: int) -> int:
    """Return the place between words nearest to `target`, within `limit`; at least one piece.

    The words that one number or sign is said in stay together where they can.
    """
    fitting = [at for at in range(1, len(pieces)) if lengths[at] <= limit]
    if not fitting:
        return 1
    apart = [at for at in fitting if pieces[at - 1].span != pieces[at].span]
    near = [at for at in apart if lengths[at] >= MIN_PART * target]
    return min(near or fitting, key=lambda at: abs(lengths[at] - target))


def _length(pieces: Sequence[_Piece]) -> int:
    return _lengths(pieces)[-1]


def _lengths(pieces: Sequence[_Piece]) -> list[int]:
    """Return the tokens of the first 0, 1, ... pieces with the spaces between them."""
    lengths = [0]
    for piece in pieces:
        lengths.append(lengths[-1] + len(piece.text) + (1 if lengths[-1] else 0))
    return lengths


def _chunk(pieces: Sequence[_Piece]) -> Iterator[Chunk]:
    text = ""
    words: list[WordTokens] = []
    for piece in pieces:
        text += " " if text else ""
        start = len(text) + len(piece.word.word.before)
        end = start + len(piece.word.phonemes)
        text += piece.text
        if words and (words[-1].start, words[-1].end) == piece.span:
            start = words.pop().token_start
        words.append(WordTokens(start, end, *piece.span))
    tokens = encode(text)
    pause_s = PAUSES_S[pieces[-1].stop]
    if len(tokens) <= MAX_TOKENS:
        yield Chunk(tokens, tuple(words), pause_s)
        return
    for begin in range(0, len(tokens), MAX_TOKENS):  # one word of more than 510 phonemes
        part = tokens[begin : begin + MAX_TOKENS]
        last = begin + MAX_TOKENS >= len(tokens)
        yield Chunk(part, (WordTokens(0, len(part), *pieces[0].span),), pause_s if last else 0.0)
