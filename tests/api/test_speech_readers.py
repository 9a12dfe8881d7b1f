"""Readers that are slow, and readers that leave."""

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from tests.api.speech_requests import audio_of, speech
from tests.api.standins import Service, get, read_reply, wait_for
from tests.standin_speaker import ScriptedSpeaker, endless, until_cancelled

from tympan.api import exchange
from tympan.cancel import Cancellation
from tympan.errors import Cancelled
from tympan.speak.request import SpeakRequest
from tympan.speak.results import SpokenPiece

PIECES = 300
SECOND = np.zeros(24_000, np.float32)


def long(_request: SpeakRequest, _cancellation: Cancellation) -> Iterator[SpokenPiece]:
    """Speak for five minutes, 14 MB of pcm: more than the buffers between here and the client hold."""
    for _ in range(PIECES):
        yield SpokenPiece(SECOND, (), 1)


def slow_connection(service: Service) -> socket.socket:
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", service.port))
    return connection


def wait_for_standstill(speaker: ScriptedSpeaker) -> int:
    """Wait until no further piece has been asked for in 0.3 s; return how many were."""
    seen, since = -1, time.monotonic()
    while time.monotonic() - since < 0.3:
        if speaker.pulled != seen:
            seen, since = speaker.pulled, time.monotonic()
        time.sleep(0.01)
    return seen


@pytest.mark.parametrize("stream_format", ["audio", "sse"])
def test_a_slow_reader_slows_the_speech_and_loses_nothing(
    service: Service, speaker: ScriptedSpeaker, stream_format: str
):
    speaker.script = long
    with slow_connection(service) as connection:
        connection.sendall(speech(response_format="pcm", stream_format=stream_format))
        wait_for(lambda: speaker.pulled > 0)
        assert wait_for_standstill(speaker) < PIECES / 2
        assert speaker.active == 1
        body = read_reply(connection).body
    sound = body if stream_format == "audio" else audio_of(body)
    assert len(sound) == PIECES * 48_000
    assert speaker.pulled == PIECES


@pytest.mark.parametrize("stream_format", ["audio", "sse"])
def test_a_slow_reader_who_leaves_stops_the_speech(service: Service, speaker: ScriptedSpeaker, stream_format: str):
    speaker.script = long
    with slow_connection(service) as connection:
        connection.sendall(speech(response_format="pcm", stream_format=stream_format))
        wait_for(lambda: speaker.pulled > 0)
        pulled = wait_for_standstill(speaker)
    wait_for(lambda: speaker.active == 0 and speaker.cancelled == 1, timeout_s=2)
    assert speaker.pulled <= pulled + 1


@pytest.mark.parametrize("script", [until_cancelled, endless], ids=["queued", "speaking"])
@pytest.mark.parametrize("stream_format", ["audio", "sse"])
def test_a_closed_connection_stops_the_speech_within_a_piece(
    service: Service, speaker: ScriptedSpeaker, script: Any, stream_format: str
):
    speaker.script = script
    with service.connect() as connection:
        connection.sendall(speech(stream_format=stream_format, response_format="pcm"))
        wait_for(lambda: speaker.active == 1)
        time.sleep(0.2)
    closed = time.monotonic()
    wait_for(lambda: speaker.active == 0 and speaker.cancelled == 1)
    assert time.monotonic() - closed < 1
    metric = b'tympan_cancellations_total{route="/v1/audio/speech"}'
    wait_for(lambda: metric in service.exchange(get("/metrics")).body)


def test_speeches_beyond_the_bound_are_refused_and_the_lists_are_not(start: Any, speaker: ScriptedSpeaker):
    service = start(max_requests=1)
    speaker.script = until_cancelled
    with service.connect() as connection:
        connection.sendall(speech())
        wait_for(lambda: speaker.active == 1)
        reply = service.exchange(speech())
        assert (reply.status, reply.error["code"]) == (429, "rate_limit_exceeded")
        assert int(reply.headers["retry-after"]) >= 1
        assert service.exchange(get("/v1/audio/voices")).status == 200


def test_a_reader_who_has_hung_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exchange, "READER_STALL_S", 0.05)
    sent = []

    async def send(message: Any) -> None:
        sent.append(message["type"])
        if message["type"] == "http.response.body":
            await asyncio.sleep(30)

    async def pieces() -> Any:
        yield b"sound"

    started = time.monotonic()
    with pytest.raises(Cancelled):
        asyncio.run(exchange.send_stream(send, {}, pieces()))
    assert sent == ["http.response.start", "http.response.body"]
    assert time.monotonic() - started < 5


def test_two_speeches_do_not_wait_for_each_other(service: Service, speaker: ScriptedSpeaker):
    gate = threading.Event()

    def gated(request: SpeakRequest, _cancellation: Cancellation) -> Iterator[SpokenPiece]:
        if request.text == "Wait.":
            gate.wait(20)
        yield SpokenPiece(SECOND, (), 1)

    speaker.script = gated
    with service.connect() as connection:
        connection.sendall(speech(input="Wait.", response_format="pcm"))
        wait_for(lambda: speaker.active == 1)
        assert len(service.exchange(speech(response_format="pcm")).body) == 48_000
        gate.set()
        assert len(read_reply(connection).body) == 48_000
