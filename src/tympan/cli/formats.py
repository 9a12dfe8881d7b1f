"""How `tympan transcribe` writes a transcript down."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from tympan.listen.documents import short_json, verbose_json
from tympan.listen.subtitles import write_srt, write_vtt

if TYPE_CHECKING:
    from tympan.engines.protocols import Task
    from tympan.listen.results import Segment, Transcript


class Format(StrEnum):
    """The formats; the values are the names that OpenAI's API gives them, but for plain text."""

    TXT = "txt"
    JSON = "json"
    SRT = "srt"
    VTT = "vtt"
    VERBOSE_JSON = "verbose_json"

    @property
    def suffix(self) -> str:
        """The ending of a result's name; no two formats share one, so that none is taken for another."""
        return ".verbose.json" if self is Format.VERBOSE_JSON else f".{self.value}"

    @property
    def timed(self) -> bool:
        """Whether the times of segments are in it."""
        return self in (Format.SRT, Format.VTT, Format.VERBOSE_JSON)


SUBTITLES = (Format.SRT, Format.VTT)


@dataclass(frozen=True, slots=True)
class Style:
    """A format and what it is to hold. `split`: each channel was heard on its own."""

    format: Format = Format.TXT
    task: Task = "transcribe"
    words: bool = False
    split: bool = False
    max_line: int | None = None


def line(segment: Segment, style: Style) -> str:
    """Return a segment as a line of plain text, with the end of the line; "" when it has no text."""
    text = " ".join(segment.text.split())
    if not text:
        return ""
    return f"Channel {segment.channel}: {text}\n" if style.split else f"{text}\n"


def render(transcript: Transcript, style: Style) -> str:
    """Return the whole transcript. A JSON document is one line, so that several make JSON Lines."""
    match style.format:
        case Format.TXT:
            return "".join(line(segment, style) for segment in transcript.segments)
        case Format.SRT:
            return write_srt(transcript.segments, max_line=style.max_line)
        case Format.VTT:
            return write_vtt(transcript.segments, max_line=style.max_line)
        case Format.JSON:
            document = short_json(transcript)
        case Format.VERBOSE_JSON:
            document = verbose_json(transcript, task=style.task, words=style.words, segments=True, channels=style.split)
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"
