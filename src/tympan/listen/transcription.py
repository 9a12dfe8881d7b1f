"""A transcription under way: sound to voice spans to cuts to the recognizer's queue to segments, all in a stream.

Nothing here grows with the length of the audio: blocks come, spans are cut, decoded, given out and forgotten.
"""

from __future__ import annotations

import math
from collections import deque
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tympan.engines.protocols import (
    WINDOW_SAMPLES,
    DecodeOptions,
    IdentifyItem,
    LanguageGuess,
    Recognition,
    Span,
    VoicePiece,
)
from tympan.errors import Cancelled
from tympan.listen.cuts import Cutter, Excerpt
from tympan.listen.pieces import Heard, join, on_file_clock, segments_of
from tympan.listen.results import Segment, Summary
from tympan.listen.speech import at_least, is_sparse, speech_of
from tympan.sound.waveform import SAMPLE_RATE, Samples, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.cancel import Cancellation
    from tympan.engines.protocols import Runner, VoiceState
    from tympan.listen.parts import Parts
    from tympan.listen.request import ListenRequest

IDENTIFY_FIRST = 10 * SAMPLE_RATE  # of speech: enough for most, at a third of the cost of 30 s
IDENTIFY_MOST = 30 * SAMPLE_RATE  # what Whisper hears at once
IDENTIFY_SURE = 0.8  # a probability with which the first try is enough
LOOK_AHEAD = 120 * SAMPLE_RATE  # of audio behind the first speech, while its language is not known


@dataclass(slots=True)
class _Channel:
    """One channel's way from samples to excerpts."""

    cutter: Cutter
    state: VoiceState | None = None
    rest: Samples | None = None  # samples that are no whole window yet
    samples: int = 0


@dataclass(frozen=True, slots=True)
class _Pending:
    channel: int
    excerpt: Excerpt
    future: Future[Recognition]


class StreamingTranscription:
    """Implements `listen.results.Transcription`."""

    def __init__(self, request: ListenRequest, parts: Parts, cancellation: Cancellation) -> None:
        self._request = request
        self._parts = parts
        self._cancellation = cancellation
        self._segments = self._run()
        self._stated_seconds: float | None = None
        self._summary: Summary | None = None
        self._channels: list[_Channel] = []
        self._undecided: list[tuple[int, Excerpt]] = []  # waits for its language to be known
        self._language = LanguageGuess(request.language, 1.0) if request.language else None
        self._pending: deque[_Pending] = deque()
        self._open_seam: dict[int, Heard] = {}  # by channel: the left side of a seam, until its right side is there
        self._ready: list[Segment] = []  # may still be preceded by a segment of another channel
        self._next_id = 0
        self._last_start = 0.0
        self._speech = 0
        self._fallbacks = 0

    def __iter__(self) -> Iterator[Segment]:
        """Segments in time order."""
        return self._segments

    @property
    def stated_seconds(self) -> float | None:
        """The duration that the container states, once it is open."""
        return self._stated_seconds

    @property
    def summary(self) -> Summary:
        """Only after the last segment."""
        if self._summary is None:
            raise RuntimeError("the transcription has not ended")
        return self._summary

    def close(self) -> None:
        """Stop the work."""
        self._cancellation.cancel()

    # -- the way of the audio -----------------------------------------------------------------------------------

    def _run(self) -> Iterator[Segment]:
        request = self._request
        decoding = self._parts.decoder.open(
            request.media,
            split=request.split_channels,
            max_seconds=request.max_seconds,
            cancellation=self._cancellation,
        )
        self._stated_seconds = decoding.info.seconds
        try:
            for block in decoding:
                self._cancellation.check()
                yield from self._take(self._excerpts(block.channels), heard_to=block.end, last=False)
            yield from self._take(self._last_excerpts(), heard_to=0, last=True)
            while self._pending:
                yield from self._next_segments()
            for left in self._open_seam.values():  # nothing was spoken behind the cut
                self._keep(left)
            yield from self._release(math.inf)
            report = decoding.report
            self._summary = Summary(
                duration=seconds(report.samples),
                speech=seconds(self._speech),
                language=self._language.language if self._language else "",
                language_probability=self._language.probability if self._language else 0.0,
                channels=decoding.info.channels,
                fallbacks=self._fallbacks,
                warnings=report.warnings,
            )
        except CancelledError as error:
            raise Cancelled from error
        finally:
            decoding.close()
            for pending in self._pending:
                pending.future.cancel()

    def _excerpts(self, channels: Samples) -> list[tuple[int, Excerpt]]:
        """Find voice in the next samples of every channel."""
        while len(self._channels) < len(channels):
            self._channels.append(_Channel(Cutter(self._request.cutting, early=self._request.early)))
        pieces = []
        for channel, samples in zip(self._channels, channels, strict=True):
            channel.samples += samples.size
            joined = samples if channel.rest is None else np.concatenate([channel.rest, samples])
            whole = joined.size // WINDOW_SAMPLES * WINDOW_SAMPLES
            channel.rest = joined[whole:].copy()
            pieces.append(np.ascontiguousarray(joined[:whole]))
        return self._detect(pieces)

    def _last_excerpts(self) -> list[tuple[int, Excerpt]]:
        """Look at what is left, filled up with silence to a whole window, and end every channel."""
        pieces = []
        for channel in self._channels:
            rest = channel.rest if channel.rest is not None else np.zeros(0, np.float32)
            pieces.append(np.pad(rest, (0, -rest.size % WINDOW_SAMPLES)))
        found = self._detect(pieces)
        for number, channel in enumerate(self._channels):
            found += [(number, excerpt) for excerpt in channel.cutter.finish(channel.samples)]
        return found

    def _detect(self, pieces: list[Samples]) -> list[tuple[int, Excerpt]]:
        answers: list[tuple[int, Samples, Future[Any]]] = [
            (number, samples, self._submit(self._parts.voice, VoicePiece(samples, self._channels[number].state)))
            for number, samples in enumerate(pieces)
            if samples.size
        ]
        found: list[tuple[int, Excerpt]] = []
        for number, samples, future in answers:
            answer = future.result()
            self._channels[number].state = answer.state
            cutter = self._channels[number].cutter
            found += [(number, excerpt) for excerpt in cutter.feed(samples, answer.probabilities.tolist())]
        return found

    # -- the way of the excerpts --------------------------------------------------------------------------------

    def _take(self, found: list[tuple[int, Excerpt]], *, heard_to: int, last: bool) -> Iterator[Segment]:
        """Send excerpts to the recognizer, first naming the language if nobody has; give out what is ready."""
        self._undecided += sorted(found, key=lambda pair: pair[1].speech_start)
        if self._undecided and self._language is None and (last or self._heard_enough(heard_to)):
            if len(self._undecided) == 1 and last:
                yield from self._send(*self._undecided.pop())  # its own decode names the language
                return
            self._identify()
        if self._language is not None:
            waiting, self._undecided = self._undecided, []
            for channel, excerpt in waiting:
                yield from self._send(channel, excerpt)
        while self._pending and self._pending[0].future.done():
            yield from self._next_segments()

    def _send(self, channel: int, excerpt: Excerpt) -> Iterator[Segment]:
        while len(self._pending) >= self._parts.ahead:
            yield from self._next_segments()
        self._pending.append(self._recognize(channel, excerpt))
        self._speech += excerpt.speech_end - excerpt.speech_start

    def _recognize(self, channel: int, excerpt: Excerpt) -> _Pending:
        request = self._request
        options = DecodeOptions(
            task=request.task,
            language=self._language.language if self._language else None,
            candidates=request.candidates,
            prompt=request.prompt,
            keywords=request.keywords,
            temperature=request.temperature,
            words=request.words or request.readable or excerpt.cut_before or excerpt.cut_after,
            logprobs=request.logprobs,
        )
        future = self._submit(self._parts.recognizer, Span(at_least(excerpt.samples), options))
        return _Pending(channel, excerpt, future)

    def _next_segments(self) -> Iterator[Segment]:
        """Wait for the oldest excerpt and give out what it adds."""
        pending = self._pending.popleft()
        recognition = pending.future.result()
        self._fallbacks += recognition.fallbacks
        if self._language is None:
            self._language = LanguageGuess(recognition.language, recognition.language_probability)
        if is_sparse(pending.excerpt, recognition):
            # in time order in front of all that waits
            pieces = pending.excerpt.at_pauses()
            self._pending.extendleft([self._recognize(pending.channel, piece) for piece in pieces][::-1])
            return
        heard = on_file_clock(pending.channel, pending.excerpt, recognition)
        left = self._open_seam.pop(heard.channel, None)
        if left is not None:
            if heard.excerpt.cut_before:
                left, heard = join(left, heard)
            self._keep(left)
        if heard.excerpt.cut_after:
            self._open_seam[heard.channel] = heard
        else:
            self._keep(heard)
        yield from self._release(self._settled_until())

    def _keep(self, heard: Heard) -> None:
        self._ready += segments_of(heard, readable=self._request.readable, words=self._request.words)

    def _settled_until(self) -> float:
        """Return the time, in seconds, before which no channel has anything left to say."""
        starts = [channel.cutter.unsettled_from for channel in self._channels]
        starts += [pending.excerpt.speech_start for pending in self._pending]
        starts += [excerpt.speech_start for _, excerpt in self._undecided]
        starts += [heard.excerpt.speech_start for heard in self._open_seam.values()]
        return seconds(min(starts))

    def _release(self, until: float) -> Iterator[Segment]:
        self._ready.sort(key=lambda segment: segment.start)
        while self._ready and self._ready[0].start < until:
            segment = self._ready.pop(0)
            start = max(self._last_start, segment.start)  # starts never go back
            yield replace(segment, id=self._next_id, start=round(start, 3), end=round(max(start, segment.end), 3))
            self._next_id += 1
            self._last_start = start

    def _submit(self, runner: Runner, item: object) -> Future[Any]:
        # only the first span of a request may be refused; later ones have their place and wait for room
        begun = self._speech > 0 or not isinstance(item, Span)
        return runner.submit(item, owner=self, cancellation=self._cancellation, wait=begun)

    # -- the language -------------------------------------------------------------------------------------------

    def _heard_enough(self, heard_to: int) -> bool:
        speech = sum(excerpt.speech_end - excerpt.speech_start for _, excerpt in self._undecided)
        return speech >= IDENTIFY_MOST or heard_to - self._undecided[0][1].speech_start >= LOOK_AHEAD

    def _identify(self) -> None:
        """Name the language from the speech alone: a part of it, and more where that leaves doubt."""
        speech = np.concatenate([speech_of(excerpt) for _, excerpt in self._undecided])
        for most in (IDENTIFY_FIRST, IDENTIFY_MOST):
            item = IdentifyItem(at_least(speech[:most]), self._request.candidates)
            self._language = self._submit(self._parts.recognizer, item).result()
            if self._language.probability >= IDENTIFY_SURE or speech.size <= most:
                return
