"""The lists of models."""

from tests.api.standins import Service, get


def test_models(service: Service):
    listed = service.exchange(get("/v1/models")).json
    assert listed["object"] == "list"
    assert listed["data"][1] == {
        "id": "whisper-1",
        "object": "model",
        "created": 1663718400,
        "owned_by": "openai",
        "shutdown_date": None,
    }
    assert service.exchange(get("/v1/audio/models")).json == {
        "models": [
            {"id": name}
            for name in (
                *("whisper", "whisper-1", "gpt-4o-transcribe", "org/turbo"),
                *("kokoro", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"),
            )
        ]
    }
    assert service.exchange(get("/v1/models/tts-1")).json["owned_by"] == "hexgrad"
    assert service.exchange(get("/v1/models/org/turbo")).json["id"] == "org/turbo"
    reply = service.exchange(get("/v1/models/a/b"))
    assert (reply.status, reply.error["code"]) == (404, "model_not_found")
    assert reply.error["message"] == "The model `a/b` does not exist or you do not have access to it."
