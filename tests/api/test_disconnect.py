"""A client that is gone costs nothing more."""

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.api.conftest import settings_for
from tests.api.standins import (
    FILE,
    HELLO,
    MODEL,
    ScriptedListener,
    Service,
    form,
    get,
    post,
    read_reply,
    running,
    until_cancelled,
    wait_for,
)

from tympan.cancel import Cancellation
from tympan.listen.request import ListenRequest
from tympan.listen.results import Segment


def endless(_request: ListenRequest, cancellation: Cancellation) -> Iterator[Segment]:
    """Decode batch after batch, with no end."""
    for number in range(100_000):
        time.sleep(0.02)
        cancellation.check()
        yield Segment(number, number, number + 1, f" word{number}")


@pytest.mark.parametrize("script", [until_cancelled, endless], ids=["queued", "decoding"])
@pytest.mark.parametrize("stream", ["true", "false"])
def test_a_closed_connection_stops_the_work(service: Service, listener: ScriptedListener, script: Any, stream: str):
    listener.script = script
    with service.connect() as connection:
        connection.sendall(post(form(MODEL, FILE, ("stream", stream))))
        wait_for(lambda: listener.active == 1)
        time.sleep(0.7 if stream == "true" else 0.1)  # with a stream, past the grace: its head is out
    closed = time.monotonic()
    wait_for(lambda: listener.active == 0 and listener.cancelled == 1)
    assert time.monotonic() - closed < 1
    wait_for(lambda: b'tympan_cancellations_total{route="/v1/audio/transcriptions"}' in metrics(service))


def metrics(service: Service) -> bytes:
    return service.exchange(get("/metrics")).body


def test_the_place_is_free_again(start: Any, listener: ScriptedListener):
    service = start(max_requests=2)
    listener.script = until_cancelled
    connections = [service.connect() for _ in range(2)]
    for connection in connections:
        connection.sendall(post(form(MODEL, FILE)))
    wait_for(lambda: listener.active == 2)
    assert service.exchange(post(form(MODEL, FILE))).status == 429
    for connection in connections:
        connection.close()
    wait_for(lambda: listener.active == 0)
    listener.script = lambda *_: iter([HELLO])
    assert service.exchange(post(form(MODEL, FILE))).status == 200


def test_requests_beyond_the_bound_are_refused_and_the_others_served(start: Any, listener: ScriptedListener):
    service = start(max_requests=3)
    gate = threading.Event()

    def gated(_request: ListenRequest, _cancellation: Cancellation) -> Iterator[Segment]:
        gate.wait(20)
        yield HELLO

    listener.script = gated
    connections = [service.connect() for _ in range(8)]
    for connection in connections:
        connection.sendall(post(form(MODEL, FILE)))
    wait_for(lambda: listener.active == 3)
    timer = threading.Timer(0.3, gate.set)
    timer.start()
    replies = [read_reply(connection) for connection in connections]
    for connection in connections:
        connection.close()
    timer.join()
    assert sorted(reply.status for reply in replies) == [200] * 3 + [429] * 5
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in replies if reply.status == 429)


def test_a_kept_connection_serves_one_request_after_another(service: Service):
    with service.connect() as connection:
        for _ in range(3):
            connection.sendall(post(form(MODEL, FILE)))
            assert read_reply(connection).status == 200


def test_a_server_that_stops_cancels_what_does_not_end(
    listener: ScriptedListener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tympan.api.server.SHUTDOWN_S", 1)
    listener.script = until_cancelled
    with running(settings_for(tmp_path / "spool"), listener) as service, service.connect() as connection:
        connection.sendall(post(form(MODEL, FILE)))
        wait_for(lambda: listener.active == 1)
        stopped = time.monotonic()
        service.stop()
        assert time.monotonic() - stopped < 5
        assert listener.cancelled == 1
        assert service.spooled() == []


def test_a_server_that_stops_answers_what_it_cannot_end(
    listener: ScriptedListener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tympan.api.server.SHUTDOWN_S", 3)
    monkeypatch.setattr("tympan.api.server.ANSWER_S", 2.5)
    listener.script = until_cancelled
    with running(settings_for(tmp_path / "spool"), listener) as service, service.connect() as connection:
        connection.sendall(post(form(MODEL, FILE)))
        wait_for(lambda: listener.active == 1)
        stopping = threading.Thread(target=service.stop)
        stopping.start()
        reply = read_reply(connection)
        stopping.join()
    assert reply.status == 503
    assert int(reply.headers["retry-after"]) >= 1
    assert json.loads(reply.body)["error"]["code"] == "not_ready"
