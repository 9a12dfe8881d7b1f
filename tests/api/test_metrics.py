"""What Prometheus reads."""

from typing import Any

from tests.api.standins import FILE, MODEL, SUMMARY, ScriptedListener, failing, form, get, post

from tympan.errors import Busy


def test_metrics(start: Any, listener: ScriptedListener):
    service = start()
    for _ in range(2):
        assert service.exchange(post(form(MODEL, FILE))).status == 200
    service.exchange(post(form(("model", "gpt-9"), FILE)))
    service.exchange(get("/random-1"))
    service.exchange(get("/random-2"))
    listener.script = failing(Busy("queue", 1))
    service.exchange(post(form(MODEL, FILE)))
    text = service.exchange(get("/metrics")).body.decode()
    route = 'route="/v1/audio/transcriptions"'
    for line in (
        f'tympan_requests_total{{model="whisper",{route},status="200"}} 2.0',
        f'tympan_requests_total{{model="",{route},status="404"}} 1.0',
        f'tympan_requests_total{{model="whisper",{route},status="429"}} 1.0',
        'tympan_requests_total{model="",route="unmatched",status="404"} 2.0',
        f'tympan_audio_seconds_total{{model="whisper"}} {2 * SUMMARY.duration}',
        f'tympan_speech_seconds_total{{model="whisper"}} {2 * SUMMARY.speech}',
        'tympan_fallbacks_total{model="whisper"} 2.0',
        'tympan_real_time_factor_count{model="whisper"} 2.0',
        'tympan_first_text_seconds_count{model="whisper"} 2.0',
        'tympan_rejections_total{code="rate_limit_exceeded"} 1.0',
        'tympan_rejections_total{code="model_not_found"} 1.0',
        "tympan_requests_in_progress 1.0",
        'tympan_engine_queue_depth{engine="whisper"} 3.0',
        'tympan_engine_items_total{engine="whisper"} 7.0',
        'tympan_engine_memory_bytes{engine="whisper"} 1000.0',
        'tympan_engine_state{engine="whisper",state="ready"} 1.0',
        'tympan_engine_state{engine="whisper",state="failed"} 0.0',
    ):
        assert line in text.splitlines(), line
    assert "random" not in text
    assert "Hello" not in text
