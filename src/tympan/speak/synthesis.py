"""A speech under way: text to parts to chunks to the synthesizer's queue to one gapless stream.

Nothing here grows with the length of the text: parts are read, chunks spoken, given out and forgotten.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tympan.engines.protocols import SAMPLES_PER_FRAME, SpeechChunk, Synthesis
from tympan.errors import Cancelled, NothingToSay
from tympan.sound.joints import Joined, Joiner
from tympan.sound.waveform import SPEECH_RATE
from tympan.speak.parts import TextPart, parts
from tympan.speak.reading import ReadItem
from tympan.speak.results import SpeechSummary, SpokenPiece, TimedText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Runner
    from tympan.speak.reading import Chunk
    from tympan.speak.request import SpeakRequest


@dataclass(frozen=True, slots=True)
class SpeakParts:
    """What a speech is made with; `ahead` chunks of one request wait or are spoken at the same time."""

    reader: Runner
    synthesizer: Runner
    ahead: int


@dataclass(frozen=True, slots=True)
class _Pending:
    chunk: Chunk
    text_start: int  # where its part begins in the text
    future: Future[Synthesis]


class StreamingSpeech:
    """Implements `speak.results.Speech`."""

    def __init__(self, request: SpeakRequest, made_with: SpeakParts, cancellation: Cancellation) -> None:
        self._request = request
        self._made_with = made_with
        self._cancellation = cancellation
        self._voice = tuple((voice.id, weight) for voice, weight in request.voice.parts)
        self._pieces = self._run()
        self._summary: SpeechSummary | None = None
        self._pending: deque[_Pending] = deque()
        self._begun = False

    def __iter__(self) -> Iterator[SpokenPiece]:
        """Pieces in order."""
        return self._pieces

    @property
    def summary(self) -> SpeechSummary:
        """Only after the last piece."""
        if self._summary is None:
            raise RuntimeError("the speech has not ended")
        return self._summary

    def close(self) -> None:
        """Stop the work."""
        self._cancellation.cancel()

    # -- from text to sound -------------------------------------------------------------------------------------

    def _run(self) -> Iterator[SpokenPiece]:
        from tympan.sound.stretch import Stretcher  # noqa: PLC0415  (FFmpeg, only when something is spoken)

        text = self._request.text
        joiner, stretcher = Joiner(), Stretcher(self._request.speed)
        samples = tokens = count = 0
        try:
            for pending in self._spoken():
                synthesis = pending.future.result()
                self._cancellation.check()
                joined = joiner.push(synthesis.samples, pending.chunk.pause_s)
                sound = stretcher.push(joined.samples)
                samples, tokens, count = samples + sound.size, tokens + len(pending.chunk.tokens), count + 1
                words = self._timed(pending, synthesis, joined)
                yield SpokenPiece(sound, words, pending.text_start + pending.chunk.words[-1].end)
            if not count:
                raise NothingToSay
            rest = stretcher.finish()
            yield SpokenPiece(rest, (), len(text))
            self._summary = SpeechSummary((samples + rest.size) / SPEECH_RATE, tokens, len(text), count)
        except CancelledError as error:
            raise Cancelled from error
        finally:
            for pending in self._pending:
                pending.future.cancel()

    def _spoken(self) -> Iterator[_Pending]:
        """Yield chunks in order, the next ones already on their way."""
        for start, chunk in self._chunks():
            item = SpeechChunk(chunk.tokens, self._voice)
            self._pending.append(_Pending(chunk, start, self._submit(self._made_with.synthesizer, item)))
            if len(self._pending) >= self._made_with.ahead:
                yield self._pending.popleft()
        while self._pending:
            yield self._pending.popleft()

    def _chunks(self) -> Iterator[tuple[int, Chunk]]:
        """Yield each chunk with the start of its part; the part behind is read meanwhile."""
        unread = parts(self._request.text)
        reading: deque[tuple[TextPart, Future[tuple[Chunk, ...]]]] = deque()
        for part in unread:
            reading.append((part, self._read(part)))
            if len(reading) > 1:
                yield from _each(*reading.popleft())
        while reading:
            yield from _each(*reading.popleft())

    def _read(self, part: TextPart) -> Future[tuple[Chunk, ...]]:
        voice = self._request.voice
        return self._submit(self._made_with.reader, ReadItem(part.text, voice.language, voice.name))

    def _submit(self, runner: Runner, item: object) -> Future[Any]:
        # only the first step of a request may be refused; what has begun waits for room
        future = runner.submit(item, owner=self, cancellation=self._cancellation, wait=self._begun)
        self._begun = True
        return future

    def _timed(self, pending: _Pending, synthesis: Synthesis, joined: Joined) -> tuple[TimedText, ...]:
        """Return when the chunk's words are spoken, on the clock of the stretched stream."""
        if not synthesis.durations or not joined.samples.size:
            return ()
        edges = np.cumsum((0, *synthesis.durations)) * SAMPLES_PER_FRAME + joined.start - joined.trimmed
        ends = edges / SPEECH_RATE / self._request.speed
        last = (joined.start + joined.samples.size) / SPEECH_RATE / self._request.speed
        words = []
        for word in pending.chunk.words:  # token k of the chunk has the durations' entry k + 1: a zero is in front
            start, end = float(ends[word.token_start + 1]), float(ends[word.token_end + 1])
            words.append(
                TimedText(
                    round(max(0.0, start), 3),
                    round(min(max(start, end), last), 3),
                    pending.text_start + word.start,
                    pending.text_start + word.end,
                )
            )
        return tuple(words)


def _each(part: TextPart, reading: Future[tuple[Chunk, ...]]) -> Iterator[tuple[int, Chunk]]:
    for chunk in reading.result():
        yield part.start, chunk
