"""Health, told without delay."""

import threading
import time
from typing import Any

import pytest
from tests.api.standins import FILE, MODEL, ScriptedListener, Service, form, get, post, read_reply, slowly

from tympan.compose import Readiness


@pytest.mark.parametrize("path", ["/livez", "/healthz", "/", "/v1", "/v1/"])
@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_open_routes(service: Service, path: str, method: bytes):
    reply = service.exchange(get(path, "Connection: close").replace(b"GET", method))
    assert reply.status == 200
    assert (reply.body == b"") == (method == b"HEAD")


def test_without_model_files_an_upload_is_refused_at_once(start: Any):
    state = Readiness(ready=False, reason="fetching model files", waiting={"weights": "fetching"})
    service = start(readiness=lambda: state)
    reply = service.exchange(post(b"", length=100_000))
    assert (reply.status, reply.error["code"], reply.headers["retry-after"]) == (503, "not_ready", "5")
    assert "fetching model files" in reply.error["message"]


def test_work_waits_for_an_engine_that_starts(start: Any):
    service = start(
        readiness=lambda: Readiness(ready=False, reason="whisper: starting", waiting={"whisper": "starting"})
    )
    assert service.exchange(post(form(MODEL, FILE))).status == 200


def test_readiness_says_what_is_missing(start: Any):
    state = Readiness(ready=False, reason="models are loading", waiting={"whisper": "downloading, 40 %"})
    service = start(readiness=lambda: state)
    reply = service.exchange(get("/healthz"))
    assert reply.status == 503
    assert reply.json == {
        "status": "unavailable",
        "reason": "models are loading",
        "waiting": {"whisper": "downloading, 40 %"},
    }
    assert service.exchange(get("/livez")).status == 200


def test_health_answers_while_large_uploads_come_in(service: Service, listener: ScriptedListener):
    listener.script = slowly([0.0, 0.2])
    body = post(form(MODEL, ("file", "a.wav", bytes(50_000_000))))
    replies = []

    def upload() -> None:
        replies.append(service.exchange(body).status)

    uploads = [threading.Thread(target=upload) for _ in range(2)]
    for thread in uploads:
        thread.start()
    latencies = []
    with service.connect() as connection:
        while any(thread.is_alive() for thread in uploads):
            started = time.perf_counter()
            connection.sendall(get("/healthz"))
            assert read_reply(connection).status == 200
            latencies.append(time.perf_counter() - started)
            time.sleep(0.002)
    assert replies == [200, 200]
    assert len(latencies) > 10
    assert sorted(latencies)[len(latencies) // 2] < 0.05
