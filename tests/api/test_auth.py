"""What a key opens."""

from typing import Any

import pytest
from tests.api.standins import FILE, MODEL, form, get, post

KEYED = ("Authorization: Bearer sk-1234567890abcdef", "authorization: bearer  second")


def test_with_keys_what_is_open_and_what_is_not(start: Any):
    service = start(api_keys=("sk-1234567890abcdef", "second"))
    for path in ("/livez", "/healthz", "/", "/v1/models", "/v1/models/whisper", "/v1/audio/models", "/openapi.json"):
        assert service.exchange(get(path)).status == 200, path
    for request in (get("/metrics"), get("/v1/audio/transcriptions"), post(form(MODEL, FILE)), get("/x")):
        reply = service.exchange(request)
        assert (reply.status, reply.error["code"]) == (401, "invalid_api_key")
        assert reply.headers["www-authenticate"] == "Bearer"
    for header in KEYED:
        assert service.exchange(get("/metrics", header)).status == 200
        assert service.exchange(post(form(MODEL, FILE), header)).status == 200


@pytest.mark.parametrize(
    "header", ["Authorization: Bearer", "Authorization: Basic second", "Authorization: second", "X-Api-Key: second"]
)
def test_wrong_keys(start: Any, header: str):
    service = start(api_keys=("second",))
    reply = service.exchange(get("/metrics", header))
    assert reply.status == 401
    assert "second" not in reply.error["message"]
    assert reply.json["status"] == 401
