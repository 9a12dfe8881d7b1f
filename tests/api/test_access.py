"""What the log tells."""

import json
import logging

import pytest
from tests.api.standins import FILE, MODEL, Service, form, post, wait_for


def test_the_log_tells_what_happened_and_nothing_private(service: Service, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.INFO, "tympan.access")
    private = form(MODEL, ("file", "secret-name.wav", FILE[2]), ("prompt", "secret-prompt"))
    service.exchange(post(private, "X-Request-Id: seen"))
    wait_for(lambda: any('"seen"' in record.getMessage() for record in caplog.records))
    line = next(record.getMessage() for record in caplog.records if '"seen"' in record.getMessage())
    entry = json.loads(line)
    assert (entry["method"], entry["path"], entry["status"]) == ("POST", "/v1/audio/transcriptions", 200)
    assert (entry["model"], entry["audio_seconds"], entry["bytes_in"]) == ("whisper", 4.6, len(private))
    for secret in ("secret", "Hello"):
        assert secret not in caplog.text
