"""Subtitles: SubRip (.srt) and WebVTT (.vtt), each a small writer over the same cues."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.listen.wrapping import Piece, at_spaces, group, joined, plain, wrap

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tympan.listen.results import Segment

MAX_LINES = 2  # what a viewer reads at once, by every broadcaster's guideline
SHORTEST_CUE_MS = 1  # players drop a cue that ends when it starts
_ARROW = re.compile(r"-{2,}>")


@dataclass(frozen=True, slots=True)
class Cue:
    """Lines that are shown together; times in whole milliseconds."""

    start_ms: int
    end_ms: int
    lines: tuple[str, ...]


def write_srt(segments: Iterable[Segment], *, max_line: int | None = None, max_lines: int = MAX_LINES) -> str:
    """Return the segments as SubRip, "" without any; `max_line` and `max_lines` as for `cues`."""
    return "".join(srt_parts(segments, max_line=max_line, max_lines=max_lines))


def srt_parts(segments: Iterable[Segment], *, max_line: int | None = None, max_lines: int = MAX_LINES) -> Iterator[str]:
    """Yield the same cue by cue, as segments come."""
    for number, cue in enumerate(cues(segments, max_line=max_line, max_lines=max_lines), start=1):
        gap = "\n" if number > 1 else ""
        yield f"{gap}{number}\n{_stamp(cue.start_ms, ',')} --> {_stamp(cue.end_ms, ',')}\n{_text(cue)}\n"


def write_vtt(segments: Iterable[Segment], *, max_line: int | None = None, max_lines: int = MAX_LINES) -> str:
    """Return the segments as WebVTT, its bare header without any; `max_line` and `max_lines` as for `cues`."""
    return "".join(vtt_parts(segments, max_line=max_line, max_lines=max_lines))


def vtt_parts(segments: Iterable[Segment], *, max_line: int | None = None, max_lines: int = MAX_LINES) -> Iterator[str]:
    """Yield the same, its header first, then cue by cue, as segments come."""
    yield "WEBVTT\n"
    for cue in cues(segments, max_line=max_line, max_lines=max_lines):
        yield f"\n{_stamp(cue.start_ms, '.')} --> {_stamp(cue.end_ms, '.')}\n{_escaped(_text(cue))}\n"


def cues(segments: Iterable[Segment], *, max_line: int | None = None, max_lines: int = MAX_LINES) -> Iterator[Cue]:
    """Yield the cues of segments that are in time order; those without text are left out.

    Each cue ends after it starts, no cue starts before the one in front of it, and on one channel they do not
    overlap. With `max_line`, lines have at most that many characters, and a segment that needs more than
    `max_lines` of them is shown as several cues, by its word times. A segment without word times stays one cue
    however many lines it needs, since nobody knows when its middle is said.
    """
    if max_lines < 1 or (max_line is not None and max_line < 1):
        raise ValueError("a subtitle has at least one line of at least one character")
    channel_free_ms: dict[int, int] = {}
    last_start_ms = 0
    for segment in segments:
        for start, end, lines in _shown(segment, max_line, max_lines):
            start_ms = max(milliseconds(start), last_start_ms, channel_free_ms.get(segment.channel, 0))
            end_ms = max(milliseconds(end), start_ms + SHORTEST_CUE_MS)
            last_start_ms, channel_free_ms[segment.channel] = start_ms, end_ms
            yield Cue(start_ms, end_ms, lines)


def milliseconds(seconds: float) -> int:
    """Round seconds to the nearest millisecond, half up."""
    return math.floor(seconds * 1000 + 0.5)


def _shown(segment: Segment, max_line: int | None, max_lines: int) -> Iterator[tuple[float, float, tuple[str, ...]]]:
    """Yield start, end and lines of each cue of a segment."""
    text = plain(segment.text)
    if not text:
        return
    if max_line is None or len(text) <= max_line:
        yield segment.start, segment.end, (text,)
        return
    words = [Piece(word.text, word.start, word.end) for word in segment.words]
    if joined(words) == text:
        parts = group(words, max_line, max_lines)
    else:
        parts = [at_spaces(text, segment.start, segment.end)]
    for place, part in enumerate(parts):
        start = part[0].start if place else segment.start
        end = part[-1].end if place + 1 < len(parts) else segment.end
        yield start, end, tuple(joined(line) for line in wrap(part, max_line))


def _text(cue: Cue) -> str:
    """Return the lines, without the arrow that only a line of times may have."""
    return "\n".join(_ARROW.sub("->", line) for line in cue.lines)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _stamp(milliseconds_: int, point: str) -> str:
    seconds, thousandths = divmod(milliseconds_, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d}{point}{thousandths:03d}"
