"""The document for machines."""

import json

from tests.api.standins import Service, get


def test_the_openapi_document_describes_the_form(service: Service):
    document = service.exchange(get("/openapi.json")).json
    operation = document["paths"]["/v1/audio/transcriptions"]["post"]
    body = operation["requestBody"]["content"]
    form_schema = body["multipart/form-data"]["schema"]
    assert form_schema["required"] == ["file", "model"]
    assert form_schema["properties"]["file"]["format"] == "binary"
    assert {"languages[]", "timestamp_granularities[]", "stream", "channels"} <= set(form_schema["properties"])
    assert "input_audio" in body["application/json"]["schema"]["properties"]
    assert "anyOf" in operation["responses"]["200"]["content"]["application/json"]["schema"]
    assert "$ref" not in json.dumps(operation)
