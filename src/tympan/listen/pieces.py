"""From what was recognized in an excerpt to segments on the file's clock, seams joined. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tympan.listen.cuts import SEAM_OVERLAP, Excerpt
from tympan.listen.results import Segment
from tympan.listen.seams import join_at_seam
from tympan.listen.segments import split_words
from tympan.sound.waveform import seconds

if TYPE_CHECKING:
    from tympan.engines.protocols import Recognition


@dataclass(frozen=True, slots=True)
class Heard:
    """An excerpt and what was recognized in it, word times on the file's clock."""

    channel: int
    excerpt: Excerpt
    recognition: Recognition


def on_file_clock(channel: int, excerpt: Excerpt, recognition: Recognition) -> Heard:
    """Move word times from the excerpt's clock to the file's; none lies before the file begins."""
    offset = seconds(excerpt.start)
    last = seconds(excerpt.start + excerpt.samples.size)
    words = tuple(
        replace(
            word,
            start=round(min(max(0.0, word.start + offset), last), 3),
            end=round(min(max(0.0, word.end + offset), last), 3),
        )
        for word in recognition.words
    )
    return Heard(channel, excerpt, replace(recognition, words=words))


def join(left: Heard, right: Heard) -> tuple[Heard, Heard]:
    """Give each word at the cut between two excerpts to one of them."""
    keep, drop = join_at_seam(
        left.recognition.words,
        right.recognition.words,
        seconds(left.excerpt.speech_end),
        seconds(SEAM_OVERLAP),
    )
    right = _with_words(right, drop, len(right.recognition.words))
    left = _with_words(left, 0, keep)
    if right.recognition.words:
        left = _ended_by(left, right.recognition.words[0].start)
    return left, right


def segments_of(heard: Heard, *, readable: bool, words: bool) -> list[Segment]:
    """Return the segments of an excerpt, as yet without an id."""
    recognition = heard.recognition
    if not recognition.text.strip():
        return []
    whole = Segment(
        id=0,
        start=seconds(heard.excerpt.speech_start),
        end=seconds(heard.excerpt.speech_end),
        text=recognition.text,
        channel=heard.channel,
        tokens=recognition.tokens,
        temperature=recognition.temperature,
        avg_logprob=recognition.avg_logprob,
        compression_ratio=recognition.compression_ratio,
        no_speech_prob=recognition.no_speech_prob,
        logprobs=recognition.logprobs,
    )
    if not recognition.words:
        return [whole]
    pieces = split_words(recognition.words) if readable else [recognition.words]
    return [
        replace(
            whole,
            start=piece[0].start,
            end=max(piece[0].start, piece[-1].end),
            text="".join(word.text for word in piece),
            tokens=tuple(token for word in piece for token in word.tokens),
            words=tuple(piece) if words else (),
            logprobs=recognition.logprobs if place == 0 else (),
        )
        for place, piece in enumerate(pieces)
    ]


def _with_words(heard: Heard, first: int, last: int) -> Heard:
    """Keep the words from `first` to `last` (exclusive), and what belongs to them."""
    recognition = heard.recognition
    words = recognition.words
    if (first, last) == (0, len(words)):
        return heard
    before = sum(len(word.tokens) for word in words[:first])
    until = before + sum(len(word.tokens) for word in words[first:last])
    kept = words[first:last]
    return replace(
        heard,
        recognition=replace(
            recognition,
            words=kept,
            text="".join(word.text for word in kept),
            tokens=recognition.tokens[before:until],
            logprobs=recognition.logprobs[before:until],
        ),
    )


def _ended_by(heard: Heard, limit: float) -> Heard:
    """End every word at `limit` seconds at the latest: what follows was timed by the other side of the cut."""
    words = tuple(
        replace(word, start=min(word.start, limit), end=min(word.end, limit)) for word in heard.recognition.words
    )
    return replace(heard, recognition=replace(heard.recognition, words=words))
