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
    from collections.abc import Sequence

    from tympan.engines.protocols import Recognition, Word


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
    return _with_words(left, left.recognition.words[:keep]), _with_words(right, right.recognition.words[drop:])


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


def _with_words(heard: Heard, words: Sequence[Word]) -> Heard:
    if len(words) == len(heard.recognition.words):
        return heard
    text = "".join(word.text for word in words)
    return replace(heard, recognition=replace(heard.recognition, words=tuple(words), text=text))
