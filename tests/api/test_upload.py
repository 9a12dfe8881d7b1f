"""Bodies as clients write them, and as nobody should."""

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest
from tests.api.standins import (
    AUDIO,
    BOUNDARY,
    FILE,
    FORM_TYPE,
    MODEL,
    ScriptedListener,
    Service,
    form,
    post,
    read_reply,
    until_cancelled,
    wait_for,
)

CHUNKED = "Transfer-Encoding: chunked"


def chunked(body: bytes, size: int) -> bytes:
    pieces = [body[place : place + size] for place in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def chunked_head(content_type: str = FORM_TYPE) -> bytes:
    lines = ["POST /v1/audio/transcriptions HTTP/1.1", "Host: localhost", CHUNKED, f"Content-Type: {content_type}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


@pytest.mark.parametrize("size", [1, 7, 1000, 100_000])
def test_a_body_without_length_the_model_before_the_file_a_part_without_type(
    service: Service, listener: ScriptedListener, size: int
):
    body = (
        f"--{BOUNDARY}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        'Content-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n'
        f"--{BOUNDARY}\r\nContent-Type: text/plain; charset=utf-8\r\n"
        'Content-Disposition: form-data; name="language"\r\n\r\nen-US\r\n'
        f"--{BOUNDARY}\r\n"
        'Content-Disposition: form-data; name="file"; filename="0b6d1c52-7a43-4a0e-8a58-0f2c7c1f4a44.wav"\r\n\r\n'
    ).encode()
    body += AUDIO + f"\r\n--{BOUNDARY}--\r\n".encode()
    reply = service.exchange(chunked_head() + chunked(body, size))
    assert (reply.status, reply.json["text"]) == (200, "Hello there. How are you?")
    assert listener.audio == [AUDIO]
    assert listener.requests[0].language == "en"


@pytest.mark.parametrize(
    "parts",
    [
        (FILE, MODEL),
        (MODEL, FILE),
        (MODEL, ("unknown", "x"), ("other", "b.bin", b"\xff\x00"), FILE),
        (("file", "", AUDIO), MODEL),
        (MODEL, FILE, ("language", ""), ("prompt", ""), ("temperature", ""), ("response_format", "")),
    ],
)
def test_fields_come_in_any_order_unknown_and_empty_ones_do_not_count(
    service: Service, listener: ScriptedListener, parts: Any
):
    assert service.exchange(post(form(*parts))).status == 200
    assert listener.audio == [AUDIO]


def test_a_file_without_a_file_name(service: Service, listener: ScriptedListener):
    body = form(MODEL, ("file", "FILE")).replace(b"FILE", AUDIO)
    assert service.exchange(post(body)).status == 200
    assert listener.audio == [AUDIO]


@pytest.mark.parametrize("spool_mib", [0, 0.5, 8])
def test_small_files_stay_in_memory_large_ones_go_to_disk(start: Any, listener: ScriptedListener, spool_mib: float):
    service = start(spool_mib=spool_mib)
    audio = bytes(range(256)) * 12_288  # 3 MiB
    assert service.exchange(post(form(MODEL, ("file", "a.wav", audio)))).status == 200
    assert listener.audio == [audio]
    assert isinstance(listener.requests[0].media, Path) == (spool_mib < 3)


@pytest.mark.parametrize(
    ("data", "format_"),
    [
        (base64.b64encode(AUDIO).decode(), "wav"),
        ("data:audio/wav;base64," + base64.b64encode(AUDIO).decode(), "mp3"),
        (base64.b64encode(AUDIO).decode() + "\n", None),
    ],
)
def test_json(service: Service, listener: ScriptedListener, data: str, format_: str | None):
    body = {
        "model": "whisper-1",
        "language": "en",
        "input_audio": {"data": data, "format": format_},
        "temperature": 0.5,
        "timestamp_granularities": ["word", "segment"],
        "response_format": "verbose_json",
        "provider": {"unknown": [{}]},
    }
    reply = service.exchange(post(json.dumps(body).encode(), content_type="application/json; charset=utf-8"))
    assert (reply.status, len(reply.json["words"])) == (200, 5)
    assert listener.audio == [AUDIO]
    assert listener.requests[0].temperature == 0.5


GOOD = base64.b64encode(AUDIO).decode()


@pytest.mark.parametrize(
    ("body", "code", "param"),
    [
        (b"{", "invalid_body", None),
        (b"[]", "invalid_body", None),
        (b'"\xff"', "invalid_body", None),
        (b"[" * 100_000, "invalid_body", None),
        (b'{"model":"whisper-1"}', "missing_required_parameter", "input_audio"),
        (b'{"model":"whisper-1","input_audio":"AAAA"}', "invalid_value", "input_audio"),
        (b'{"model":"whisper-1","input_audio":{"format":"wav"}}', "missing_required_parameter", "input_audio.data"),
        (b'{"model":"whisper-1","input_audio":{"data":7}}', "invalid_value", "input_audio.data"),
        (b'{"model":"whisper-1","input_audio":{"data":"AAA*"}}', "invalid_value", "input_audio.data"),
        (b'{"model":"whisper-1","input_audio":{"data":"AAAAA"}}', "invalid_value", "input_audio.data"),
        (b'{"model":"whisper-1","input_audio":{"data":"data:,AAAA"}}', "invalid_value", "input_audio.data"),
        (
            b'{"model":"whisper-1","input_audio":{"data":"AAAA","format":"pcm16"}}',
            "unsupported_value",
            "input_audio.format",
        ),
        (
            b'{"model":"whisper-1","input_audio":{"data":"AAAA","format":"docx"}}',
            "unsupported_value",
            "input_audio.format",
        ),
        (b'{"input_audio":{"data":"AAAA"}}', "missing_required_parameter", "model"),
        (b'{"model":{"id":"x"},"input_audio":{"data":"AAAA"}}', "invalid_value", "model"),
        (b'{"model":"whisper-1","language":[["en"]],"input_audio":{"data":"AAAA"}}', "invalid_value", "language"),
    ],
)
def test_bad_json(service: Service, body: bytes, code: str, param: str | None):
    reply = service.exchange(post(body, content_type="application/json"))
    assert (reply.status, reply.error["code"], reply.error["param"]) == (400, code, param)


TWO_FILES = form(MODEL, FILE, FILE)
NAMELESS = form(MODEL, FILE).replace(b'name="model"; ', b"").replace(b'name="model"', b'title="model"')


@pytest.mark.parametrize(
    ("body", "content_type", "code", "param", "words"),
    [
        (form(MODEL, FILE, close=False), None, "invalid_body", None, "ends before"),
        (form(MODEL), None, "missing_required_parameter", "file", "'file'"),
        (form(FILE), None, "missing_required_parameter", "model", "'model'"),
        (b"", None, "invalid_body", None, "ends before"),
        (TWO_FILES, None, "invalid_body", None, "two files"),
        (NAMELESS, None, "invalid_body", None, "no name"),
        (form(MODEL, FILE), "multipart/form-data", "invalid_body", None, "boundary"),
        (form(MODEL, FILE), "multipart/form-data; boundary=" + "x" * 300, "invalid_body", None, "oundary"),
        (form(MODEL, FILE), "multipart/form-data; boundary=other", "invalid_body", None, "well-formed"),
        (b"file=abc", "application/x-www-form-urlencoded", "missing_required_parameter", "file", "multipart"),
        (AUDIO, "audio/wav", "invalid_body", None, "audio/wav"),
        (form(MODEL, ("prompt", "x" * 70_000), FILE), None, "invalid_body", None, "prompt"),
        (form(MODEL, *[("a", "x" * 60_000)] * 10, FILE), None, "invalid_body", None, "text fields"),
        (form(MODEL, *[(f"f{number}", "x") for number in range(1000)], FILE), None, "invalid_body", None, "512 parts"),
        (form(MODEL, FILE).replace(b"whisper-1", b"\xff\xfe"), None, "invalid_body", None, "UTF-8"),
        (
            form(MODEL, FILE).replace(b"Content-Disp", b"X-A: " + b"a" * 9000 + b"\r\nContent-Disp"),
            None,
            "invalid_body",
            None,
            "header size",
        ),
        (
            form(MODEL, FILE).replace(b"Content-Disp", b"X-A: a\r\n" * 100 + b"Content-Disp"),
            None,
            "invalid_body",
            None,
            "header count",
        ),
        (form(MODEL, ("file", "a.wav", b"")), None, "invalid_value", "file", "empty"),
    ],
)
def test_bad_forms(service: Service, body: bytes, content_type: str | None, code: str, param: str | None, words: str):
    reply = service.exchange(post(body, content_type=content_type or FORM_TYPE))
    assert (reply.status, reply.error["code"], reply.error["param"]) == (400, code, param)
    assert words in reply.error["message"]


def test_a_length_over_the_limit_is_refused_before_the_body_is_read(start: Any):
    service = start(max_body_mib=1)
    with service.connect() as connection:
        connection.sendall(post(b"--", length=500_000_000))
        reply = read_reply(connection)
    assert reply.status == 413
    assert reply.json["usage"] == {"type": "duration", "seconds": 0}
    assert (reply.error["type"], reply.error["code"], reply.error["param"]) == ("server_error", None, None)
    assert reply.error["message"] == "413: Maximum content size limit (1048576) exceeded (500000000 bytes read)"
    assert reply.headers["connection"] == "close"
    assert reply.headers["x-request-id"]


def test_a_length_over_the_limit_is_told_to_a_client_that_sends_all_the_same(start: Any):
    service = start(max_body_mib=1)
    reply = service.exchange(post(form(MODEL, ("file", "a.wav", bytes(8_000_000)))))
    assert reply.status == 413


def test_counted_bytes_over_the_limit(start: Any, listener: ScriptedListener):
    service = start(max_body_mib=1)
    body = form(MODEL, ("file", "a.wav", bytes(3_000_000)))
    reply = service.exchange(chunked_head() + chunked(body, 50_000))
    assert reply.status == 413
    assert reply.json["usage"] == {"type": "duration", "seconds": 0}
    assert listener.requests == []


def test_json_is_bounded_too(start: Any):
    service = start(max_body_mib=1)
    body = json.dumps({"model": "whisper-1", "input_audio": {"data": "A" * 2_000_000}}).encode()
    assert service.exchange(chunked_head("application/json") + chunked(body, 50_000)).status == 413


def test_a_client_that_goes_away_within_its_upload(start: Any, listener: ScriptedListener):
    service = start(spool_mib=0)
    with service.connect() as connection:
        connection.sendall(post(form(MODEL, ("file", "a.wav", bytes(3_000_000))), length=5_000_000))
        wait_for(service.spooled)
    wait_for(lambda: not service.spooled())
    assert listener.requests == []


def test_an_upload_is_not_read_when_there_is_no_room(start: Any, listener: ScriptedListener):
    service = start(max_requests=1)
    listener.script = until_cancelled
    with service.connect() as first:
        first.sendall(post(form(MODEL, FILE)))
        wait_for(lambda: listener.active == 1)
        with service.connect() as second:
            second.sendall(post(b"", length=100_000))
            reply = read_reply(second)
        assert (reply.status, reply.error["type"], reply.error["code"]) == (429, "requests", "rate_limit_exceeded")
        assert int(reply.headers["retry-after"]) >= 1
    wait_for(lambda: listener.active == 0)
    listener.script = lambda *_: iter(())
    assert service.exchange(post(form(MODEL, FILE))).status == 200


def test_a_silent_upload_is_given_up(monkeypatch: pytest.MonkeyPatch, service: Service):
    monkeypatch.setattr("tympan.api.body.STALL_S", 0.2)
    started = time.monotonic()
    with service.connect() as connection:
        connection.sendall(post(form(MODEL, FILE)[:50], length=5_000))
        reply = read_reply(connection)
    assert reply.status == 400
    assert "no byte came" in reply.error["message"]
    assert time.monotonic() - started < 5
