"""Errors of the router, in OpenAI's shape."""

import pytest
from tests.api.standins import Service, get, post


@pytest.mark.parametrize(
    ("request_", "status", "code", "message"),
    [
        (post(b"{}", path="/v1/x"), 404, None, "Invalid URL (POST /v1/x)"),
        (get("/nothing"), 404, None, "Invalid URL (GET /nothing)"),
        (get("/v1/audio/transcriptions/"), 404, None, "Invalid URL (GET /v1/audio/transcriptions/)"),
        (
            get("/v1/audio/transcriptions"),
            405,
            "method_not_allowed",
            "Not allowed to GET on /v1/audio/transcriptions",
        ),
    ],
)
def test_wrong_urls(service: Service, request_: bytes, status: int, code: str | None, message: str):
    reply = service.exchange(request_)
    assert (reply.status, reply.error["code"], reply.error["message"]) == (status, code, message)
    assert reply.error["type"] == "invalid_request_error"
    assert (reply.headers.get("allow") == "POST") == (status == 405)
