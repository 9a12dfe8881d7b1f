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
        "models": [{"id": "whisper"}, {"id": "whisper-1"}, {"id": "gpt-4o-transcribe"}, {"id": "org/turbo"}]
    }
    assert service.exchange(get("/v1/models/org/turbo")).json["id"] == "org/turbo"
    reply = service.exchange(get("/v1/models/a/b"))
    assert (reply.status, reply.error["code"]) == (404, "model_not_found")
    assert reply.error["message"] == "The model `a/b` does not exist or you do not have access to it."
