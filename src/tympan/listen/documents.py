"""A transcript as the JSON documents of OpenAI's audio API: the one place where their fields are filled."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tympan.listen.language import language_name

if TYPE_CHECKING:
    from tympan.engines.protocols import Task, Word
    from tympan.listen.results import Segment, Summary, Transcript

TIME_DECIMALS = 3  # a millisecond; mel frames are 10 ms
SCORE_DECIMALS = 6  # more than float32 scores mean
NEUTRAL_RATIO = 1.0  # a compression ratio that says nothing


def verbose_json(
    transcript: Transcript, *, task: Task, words: bool, segments: bool, channels: bool = False
) -> dict[str, object]:
    """Return the `verbose_json` document: times in seconds, every number finite.

    `words` and `segments` say which of the two lists are there; each segment has all ten fields that strict
    clients require. With `channels`, each segment and word also names the channel it was heard on, from 0.
    `language` is the lower-case English name, "" when nothing was heard. `warnings` is there when there are any.
    """
    summary = transcript.summary
    document: dict[str, object] = {
        "task": task,
        "language": "english" if task == "translate" else language_name(summary.language),
        "duration": _time(summary.duration),
        "text": transcript.text,
    }
    if segments:
        document["segments"] = [_segment(segment, channels=channels) for segment in transcript.segments]
    if words:
        document["words"] = [
            _word(word, segment.channel if channels else None)
            for segment in transcript.segments
            for word in segment.words
            if word.text.strip()
        ]
    if summary.warnings:
        document["warnings"] = list(summary.warnings)
    document["usage"] = duration_usage(summary)
    return document


def short_json(transcript: Transcript) -> dict[str, object]:
    """Return the `json` document: the text and its usage."""
    return {"text": transcript.text, "usage": duration_usage(transcript.summary)}


def duration_usage(summary: Summary) -> dict[str, object]:
    """Return the usage by duration: whole seconds, rounded up."""
    return {"type": "duration", "seconds": math.ceil(_time(summary.duration))}


def _segment(segment: Segment, *, channels: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "id": segment.id,
        "seek": segment.seek,
        "start": _time(segment.start),
        "end": _time(segment.end),
        "text": segment.text,
        "tokens": list(segment.tokens),
        "temperature": _score(segment.temperature),
        "avg_logprob": _score(segment.avg_logprob),
        "compression_ratio": _score(segment.compression_ratio, neutral=NEUTRAL_RATIO),
        "no_speech_prob": _score(segment.no_speech_prob),
    }
    if channels:
        document["channel"] = segment.channel
    return document


def _word(word: Word, channel: int | None) -> dict[str, object]:
    document: dict[str, object] = {
        "word": word.text.strip(),
        "start": _time(word.start),
        "end": _time(word.end),
        "probability": _score(word.probability, neutral=1.0),
    }
    if channel is not None:
        document["channel"] = channel
    return document


def _time(seconds: float) -> float:
    return round(float(seconds), TIME_DECIMALS)


def _score(value: float, *, neutral: float = 0.0) -> float:
    """Round; a score that is no number (JSON has none for it) becomes the neutral value of the field."""
    return round(float(value), SCORE_DECIMALS) if math.isfinite(value) else neutral
