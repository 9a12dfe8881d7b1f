"""The way of a speech through the service, from its text to the last byte of its answer."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from tympan.api import sse
from tympan.api.body import MIB, Body
from tympan.api.encoded import EncodedSpeech, EncodedSummary
from tympan.api.errors import error_facts, note_error
from tympan.api.exchange import cancel_on_disconnect, send_stream
from tympan.api.facts import facts_of
from tympan.api.json_body import parse_object
from tympan.api.speech_events import SpeechEvents
from tympan.api.speech_fields import MAX_INSTRUCTIONS, parse_speech
from tympan.cancel import Cancellation
from tympan.errors import MalformedBody
from tympan.listen.documents import TIME_DECIMALS
from tympan.sound.encode import MEDIA_TYPES
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import Send

    from tympan.api.encoded import EncodedPiece
    from tympan.api.facts import Facts
    from tympan.api.jobs import Job
    from tympan.api.services import Services
    from tympan.api.speech_fields import SpeechOptions
    from tympan.sound.encode import SpeechFormat
    from tympan.speak.request import SpeakRequest
    from tympan.speak.results import Speaker

ROOM = 2  # pieces that wait for a slow reader: one on its way, one behind it
BYTES_PER_CHARACTER = 12  # a code point beyond U+FFFF, escaped in JSON


async def speak(services: Services, speaker: Speaker, max_characters: int, request: Request, send: Send) -> None:
    """Serve one request. Raises what has to be answered."""
    services.require_room(services.speeches)
    facts = facts_of(request.scope)
    members = await _read_members(request, max_characters)
    wanted, options = parse_speech(members, speaker.resolve, max_characters)
    facts.model = wanted.model
    cancellation = Cancellation()
    job: Job[EncodedPiece, EncodedSummary] = services.speeches.start(
        lambda: EncodedSpeech(speaker.speak(wanted, cancellation), options.response_format), cancellation, room=ROOM
    )
    answer = Answer(job, services, facts)
    try:
        async with cancel_on_disconnect(request.receive, cancellation):
            if options.events:
                await answer.events(wanted, options, send)
            else:
                await answer.audio(wanted, options, send)
    finally:
        await asyncio.shield(job.stop())


class Answer:
    """Takes what a job gives, tells the metrics, and makes the answer of it."""

    def __init__(self, job: Job[EncodedPiece, EncodedSummary], services: Services, facts: Facts) -> None:
        self._job = job
        self._services = services
        self._facts = facts
        self._started = time.monotonic()
        self._first_audio_s: float | None = None

    async def audio(self, wanted: SpeakRequest, options: SpeechOptions, send: Send) -> None:
        """Send the file as it is made. What fails before its first byte is raised; later it leaves the file cut off."""
        first = await self._next()
        await send_stream(
            send, {"content-type": content_type(options.response_format)} | _headers(wanted), self._bytes(first)
        )

    async def events(self, wanted: SpeakRequest, options: SpeechOptions, send: Send) -> None:
        """Send events; what fails before the first one is raised, later it is an event."""
        first = await self._next(self._services.server.heartbeat_s)
        events = SpeechEvents(wanted.text, words=options.words)
        await send_stream(send, sse.HEADERS | _headers(wanted), self._events(first, events))

    async def _bytes(self, item: EncodedPiece | EncodedSummary | None) -> AsyncIterator[bytes]:
        while not isinstance(item, EncodedSummary):
            if item is not None and item.data:
                yield item.data
            item = await self._next()

    async def _events(self, item: EncodedPiece | EncodedSummary | None, events: SpeechEvents) -> AsyncIterator[bytes]:
        try:
            while not isinstance(item, EncodedSummary):
                piece = sse.PING if item is None else events.piece(item)
                if piece:
                    yield piece
                item = await self._next(self._services.server.heartbeat_s)
            yield events.done(item.speech)
        except Exception as error:  # noqa: BLE001  (the status is out; the stream has to say it)
            yield sse.encode_event({"error": error_facts(note_error(error, self._facts))})

    async def _next(self, timeout_s: float | None = None) -> EncodedPiece | EncodedSummary | None:
        """Return the next item, None when there was none for `timeout_s` seconds."""
        item = await self._job.next(timeout_s)
        if isinstance(item, EncodedSummary):
            self._facts.audio_s = round(item.speech.seconds, TIME_DECIMALS)
            self._services.metrics.count_speech(self._facts.model, item.speech, item.worked_s, self._first_audio_s)
        elif item is not None and item.data and self._first_audio_s is None:
            self._first_audio_s = time.monotonic() - self._started
        return item


def content_type(speech_format: SpeechFormat) -> str:
    """Return the media type of an answer; that of bare samples has to say their rate."""
    media_type = MEDIA_TYPES[speech_format]
    return f"{media_type};rate={SPEECH_RATE}" if speech_format == "pcm" else media_type


def _headers(wanted: SpeakRequest) -> dict[str, str]:
    return {"x-tympan-model": wanted.model}


async def _read_members(request: Request, max_characters: int) -> dict[str, object]:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise MalformedBody(f"its content type is '{kind[:60]}'; send application/json")
    # Room for other fields, and for texts that are too long to get the error that says so.
    limit = max(MIB, 2 * BYTES_PER_CHARACTER * (max_characters + MAX_INSTRUCTIONS))
    body = Body(request.headers, request.receive, limit=limit)
    try:
        return parse_object(await body.read(limit))
    finally:
        facts_of(request.scope).bytes_in = body.size
