"""The way of a transcription through the service, from its upload to the last byte of its answer."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, NamedTuple

from tympan.api import sse
from tympan.api.answers import answer_headers, write_answer
from tympan.api.errors import error_facts, note_error
from tympan.api.exchange import cancel_on_disconnect, send_stream
from tympan.api.facts import Facts, facts_of
from tympan.api.upload import open_spool, read_upload
from tympan.cancel import Cancellation
from tympan.listen.documents import TIME_DECIMALS
from tympan.listen.results import Segment, Summary, Transcript

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Container

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import Send

    from tympan.api.fields import AnswerOptions
    from tympan.api.form import Fields
    from tympan.api.jobs import Job
    from tympan.api.services import Services
    from tympan.listen.request import ListenRequest
    from tympan.listen.results import Listener
    from tympan.sound.media import Media

    Parse = Callable[[Fields, Media, Callable[[str], str]], tuple[ListenRequest, AnswerOptions]]

GRACE_S = 0.5  # within which an error still gets a status of its own, before a stream begins


class Endpoint(NamedTuple):
    """What one route's requests hold: the fields it knows, and what checks them."""

    known: Container[str]
    parse: Parse


async def listen(services: Services, listener: Listener, endpoint: Endpoint, request: Request, send: Send) -> None:
    """Serve one request. Raises what has to be answered."""
    services.require_room(services.transcriptions)
    facts = facts_of(request.scope)
    response: Response | None = None
    async with open_spool(services) as spool:
        fields = await read_upload(request, services, spool, endpoint.known)
        wanted, options = endpoint.parse(fields, await spool.finish(), listener.resolve)
        facts.model = wanted.model
        cancellation = Cancellation()
        job: Job[Segment, Summary] = services.transcriptions.start(
            lambda: listener.transcribe(wanted, cancellation), cancellation
        )
        answer = Answer(job, services, facts)
        try:
            async with cancel_on_disconnect(request.receive, cancellation):
                if options.stream:
                    await answer.stream(wanted, options, send)
                else:
                    response = await answer.whole(wanted, options)
        finally:
            await asyncio.shield(job.stop())
    if response is not None:
        await response(request.scope, request.receive, send)


class Answer:
    """Takes what a job gives, tells the metrics, and makes the answer of it."""

    def __init__(self, job: Job[Segment, Summary], services: Services, facts: Facts) -> None:
        self._job = job
        self._services = services
        self._facts = facts
        self._started = time.monotonic()
        self._first_text_s: float | None = None

    async def whole(self, wanted: ListenRequest, options: AnswerOptions) -> Response:
        """Return the response once everything is known."""
        segments: list[Segment] = []
        while not isinstance(item := await self._next(), Summary):
            if item is not None:
                segments.append(item)
        return await asyncio.get_running_loop().run_in_executor(
            self._services.side, write_answer, Transcript(tuple(segments), item), wanted, options
        )

    async def stream(self, wanted: ListenRequest, options: AnswerOptions, send: Send) -> None:
        """Send events as segments come; what fails before the first one is raised, later it is an event."""
        first = await self._next(GRACE_S)
        headers = sse.HEADERS | answer_headers(wanted)
        await send_stream(send, headers, self._pieces(first, sse.TranscriptEvents(options)))

    async def _pieces(self, item: Segment | Summary | None, events: sse.TranscriptEvents) -> AsyncIterator[bytes]:
        """Give the bytes of a stream that begins with `item`."""
        try:
            while not isinstance(item, Summary):
                piece = sse.PING if item is None else events.segment(item)
                if piece:
                    yield piece
                item = await self._next(self._services.server.heartbeat_s)
            yield events.done(item)
        except Exception as error:  # noqa: BLE001  (the status is out; the stream has to say it)
            yield sse.encode_event({"error": error_facts(note_error(error, self._facts))})

    async def _next(self, timeout_s: float | None = None) -> Segment | Summary | None:
        """Return the next item, None when there was none for `timeout_s` seconds."""
        item = await self._job.next(timeout_s)
        if item is None:
            return None
        elapsed = time.monotonic() - self._started
        if isinstance(item, Summary):
            self._facts.audio_s = round(item.duration, TIME_DECIMALS)
            self._services.metrics.count_transcript(self._facts.model, item, elapsed, self._first_text_s)
        elif self._first_text_s is None and item.text.strip():
            self._first_text_s = elapsed
        return item
