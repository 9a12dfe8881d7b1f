"""Server-sent events, byte by byte."""

import time
from collections.abc import Iterator
from typing import Any

from tests.api.standins import (
    FILE,
    HELLO,
    HOW,
    MODEL,
    ScriptedListener,
    Service,
    events_of,
    failing,
    form,
    post,
    slowly,
)

from tympan.cancel import Cancellation
from tympan.errors import Busy, EngineCrashed, UndecodableAudio
from tympan.listen.request import ListenRequest
from tympan.listen.results import Segment

STREAM = ("stream", "true")


def test_the_head_keeps_proxies_from_holding_it_back(service: Service):
    reply = service.exchange(post(form(MODEL, FILE, STREAM)))
    assert reply.status == 200
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert reply.headers["cache-control"] == "no-cache"
    assert reply.headers["x-accel-buffering"] == "no"
    assert reply.headers["x-tympan-model"] == "whisper"
    assert reply.headers["x-request-id"]


def test_every_event_is_one_data_line(service: Service):
    body = service.exchange(post(form(MODEL, FILE, STREAM))).body
    for block in body.decode().removesuffix("\n\n").split("\n\n"):
        assert block.startswith("data: {")
        assert "\n" not in block


def test_quiet_is_filled_with_comments_before_and_between_segments(start: Any, listener: ScriptedListener):
    service = start(heartbeat_s=0.1)
    listener.script = slowly([0.9, 0.5])
    body = service.exchange(post(form(MODEL, FILE, STREAM))).body
    before, _, after = body.partition(b"Hello there.")
    assert before.count(b": ping\n\n") >= 2
    assert after.partition(b"How are you?")[0].count(b": ping\n\n") >= 2
    assert [event["type"] for event in events_of(body)] == ["transcript.text.delta"] * 2 + ["transcript.text.done"]


def test_the_first_bytes_come_within_the_grace_though_nothing_is_known(service: Service, listener: ScriptedListener):
    listener.script = slowly([1.2, 0.0])
    with service.connect() as connection:
        started = time.monotonic()
        connection.sendall(post(form(MODEL, FILE, STREAM)))
        first = connection.recv(4096)
        assert time.monotonic() - started < 1.1
        assert first.startswith(b"HTTP/1.1 200")
        while b"transcript.text.done" not in first:
            first += connection.recv(4096)


def test_an_error_before_the_first_segment_has_a_status(service: Service, listener: ScriptedListener):
    listener.script = failing(UndecodableAudio("no audio in it"))
    reply = service.exchange(post(form(MODEL, FILE, STREAM)))
    assert (reply.status, reply.error["param"]) == (400, "file")


def test_a_full_queue_has_a_status(service: Service, listener: ScriptedListener):
    listener.refusal = Busy("queue", 3)
    reply = service.exchange(post(form(MODEL, FILE, STREAM)))
    assert (reply.status, reply.headers["retry-after"]) == (429, "3")


def test_an_error_after_it_is_the_last_event(service: Service, listener: ScriptedListener):
    listener.script = failing(EngineCrashed("whisper", "it died"), HELLO)
    events = events_of(service.exchange(post(form(MODEL, FILE, STREAM))).body)
    assert [event.get("type") for event in events] == ["transcript.text.delta", None]
    assert set(events[1]["error"]) == {"message", "type", "param", "code"}
    assert events[1]["error"]["code"] == "engine_crashed"


def test_a_fault_of_ours_tells_nothing(service: Service, listener: ScriptedListener):
    listener.script = failing(KeyError("secret"), HELLO)
    body = service.exchange(post(form(MODEL, FILE, STREAM))).body
    assert events_of(body)[1]["error"]["code"] == "internal_error"
    assert b"secret" not in body


def test_a_channel_split_joins_in_time_order(service: Service, listener: ScriptedListener):
    def spaced(_request: ListenRequest, _cancellation: Cancellation) -> Iterator[Segment]:
        yield Segment(0, 0, 1, "  \n")
        yield Segment(1, 1, 2, " One \n")
        yield HOW
        yield Segment(3, 6, 7, "  ")

    listener.script = spaced
    events = events_of(service.exchange(post(form(MODEL, FILE, STREAM, ("channels", "split")))).body)
    deltas = [event["delta"] for event in events if event["type"] == "transcript.text.delta"]
    assert deltas == ["One", " \n How are you?"]
    assert "".join(deltas) == events[-1]["text"]
    whole = service.exchange(post(form(MODEL, FILE, ("channels", "split")))).json
    assert whole["text"] == events[-1]["text"]
