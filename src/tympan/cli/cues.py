"""The words of a speech as segments of the text that they were read from, for subtitles."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from tympan.engines.protocols import Word
from tympan.listen.results import Segment
from tympan.listen.segments import split_words
from tympan.listen.subtitles import srt_parts, vtt_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tympan.speak.results import TimedText

MAX_LINE = 42  # characters, the width that is usual for alphabets


class Subtitles(StrEnum):
    """The formats of subtitles; the values are also suffixes."""

    SRT = "srt"
    VTT = "vtt"


class Cues(StrEnum):
    """What is shown at once."""

    PHRASE = "phrase"
    WORD = "word"


class SpokenText:
    """Takes the words of a speech in order; gives segments whose texts join to what has been spoken of `text`.

    What stands between two words goes with the later one, but for closing punctuation: "(said he), then" becomes
    "(said", " he),", " then".
    """

    def __init__(self, text: str, cues: Cues) -> None:
        self._text = text
        self._cues = cues
        self._at = 0
        self._count = 0

    def push(self, timed: Sequence[TimedText]) -> Iterator[Segment]:
        """Yield the segments of the words of one piece."""
        limits = [*(following.text_start for following in timed[1:]), len(self._text)]
        words = [word for one, limit in zip(timed, limits, strict=False) if (word := self._word(one, limit))]
        for group in [[word] for word in words] if self._cues is Cues.WORD else split_words(words):
            text = "".join(word.text for word in group)
            yield Segment(self._count, group[0].start, group[-1].end, text, words=tuple(group))
            self._count += 1

    def _word(self, timed: TimedText, limit: int) -> Word | None:
        """Return a word with what goes with it, up to `limit`; None for a further part of the word before."""
        if timed.text_end <= self._at:
            return None
        end = timed.text_end
        while end < limit and not self._text[end].isspace() and not self._text[end].isalnum():
            end += 1
        word = Word(self._text[self._at : end], timed.start, timed.end)
        self._at = end
        return word


def subtitle_parts(segments: Iterable[Segment], subtitles: Subtitles) -> Iterator[str]:
    """Yield the text of a subtitle file as segments come."""
    write = srt_parts if subtitles is Subtitles.SRT else vtt_parts
    return write(segments, max_line=MAX_LINE)
