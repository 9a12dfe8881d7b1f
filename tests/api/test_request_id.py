"""Every response has an id."""

from typing import Any

import pytest
from tests.api.standins import FILE, MODEL, ScriptedListener, Service, failing, form, get, post


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("trace-1/2:3", True),
        ("a" * 128, True),
        ("a" * 129, False),
        ("two words", False),
        ("caf\xe9", False),
        ("", False),
    ],
)
def test_request_ids(service: Service, given: str, *, kept: bool):
    head = get("/livez", "X-Request-Id: PLACE").replace(b"PLACE", given.encode("latin-1"))
    answered = service.exchange(head).headers["x-request-id"]
    assert (answered == given) == kept
    assert kept or answered.startswith("req_")


def test_every_error_has_a_request_id(start: Any, listener: ScriptedListener):
    service = start(api_keys=("k",), max_body_mib=1)
    listener.script = failing(ZeroDivisionError())
    key = "Authorization: Bearer k"
    for request, status in (
        (get("/metrics"), 401),
        (get("/x", key), 404),
        (post(b"", key, length=9_000_000), 413),
        (post(form(MODEL, FILE), key), 500),
        (b"nonsense\r\n\r\n", 400),
        (get("/", "X-A: " + "a" * 100_000), 431),
    ):
        reply = service.exchange(request)
        assert reply.status == status
        assert reply.headers["x-request-id"]
        assert reply.error["message"]
