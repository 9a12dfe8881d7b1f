"""The requests of well-known clients, as they go over the wire, and what these clients do with the answers."""

import base64
import json

import pytest
from tests.api.speech_requests import TEXT, TEXT_S, decoded, speech_body
from tests.api.standins import Service, get
from tests.standin_speaker import ScriptedSpeaker


def test_open_webui_lists_models_and_voices_and_reads_a_whole_body(service: Service, speaker: ScriptedSpeaker):
    assert {"id": "tts-1"} in service.exchange(get("/v1/audio/models")).json["models"]
    voices = service.exchange(get("/v1/audio/voices")).json["voices"]
    assert all(isinstance(voice["id"], str) and isinstance(voice["name"], str) for voice in voices)
    body = json.dumps({"input": TEXT, "voice": "am_michael", "model": "kokoro", "lang_code": "a"})
    reply = service.exchange(
        speech_body(body, "Accept: */*", "Authorization: Bearer none", "X-OpenWebUI-User-Name: Ada%20L")
    )
    assert (reply.status, reply.headers["content-type"]) == (200, "audio/mpeg")
    samples, rate = decoded(reply.body, "mp3")
    assert abs(samples.size / rate - TEXT_S) <= 0.05
    assert speaker.requests[0].voice.name == "am_michael"


@pytest.mark.parametrize("voice", ["ash", "coral"])
def test_livekit_asks_for_events_and_goes_by_the_content_type(service: Service, voice: str):
    members = {
        "input": TEXT,
        "model": "gpt-4o-mini-tts",
        "voice": voice,
        "instructions": "",
        "response_format": "mp3",
        "speed": 1.0,
        "stream_format": "sse",
    }
    reply = service.exchange(speech_body(json.dumps(members), "Accept: application/octet-stream"))
    assert reply.headers["content-type"].startswith("text/event-stream")
    sound, ended = b"", False
    for line in reply.body.decode().splitlines():
        if line.startswith("data: "):
            event = json.loads(line.removeprefix("data: "))
            sound += base64.b64decode(event.get("audio") or event.get("delta") or "")
            ended = ended or event["type"] == "speech.audio.done"
    assert ended
    samples, rate = decoded(sound, "mp3")
    assert abs(samples.size / rate - TEXT_S) <= 0.05


def test_livekit_asks_for_bytes_where_the_model_has_no_events(service: Service):
    members = {"input": TEXT, "model": "tts-1", "voice": "ash", "response_format": "mp3", "speed": 1.0}
    reply = service.exchange(speech_body(json.dumps(members), "Accept: application/octet-stream"))
    assert reply.headers["content-type"] == "audio/mpeg"


def test_pipecat_reads_samples_at_24_khz(service: Service):
    members = {"input": TEXT, "model": "gpt-4o-mini-tts", "voice": "verse", "response_format": "pcm"}
    reply = service.exchange(speech_body(json.dumps(members), "Accept: application/octet-stream"))
    assert reply.headers["content-type"].startswith("audio/pcm")
    assert len(reply.body) == TEXT_S * 24_000 * 2
