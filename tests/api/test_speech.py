"""Speech over HTTP, byte by byte."""

import http.client
import json
import re
from typing import Any

import pytest
from tests.api.speech_requests import TEXT, TEXT_S, audio_of, decoded, speech, speech_body
from tests.api.standins import Service, events_of, get, post
from tests.standin_speaker import TONE_HZ, ScriptedSpeaker, failing, pitch_of, slowly

from tympan.api.app import create_app
from tympan.compose import Readiness
from tympan.errors import Busy, EngineCrashed, NothingToSay
from tympan.sound.encode import FORMATS
from tympan.speak.voices import ALIASES, VOICES

MEDIA_TYPES = {
    "mp3": "audio/mpeg",
    "opus": "audio/ogg",
    "aac": "audio/aac",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "pcm": "audio/pcm;rate=24000",
}


@pytest.mark.parametrize("stream_format", ["audio", "sse"])
@pytest.mark.parametrize("speech_format", FORMATS)
def test_each_format_is_what_it_says_and_as_long_as_the_speech(
    service: Service, speech_format: str, stream_format: str
):
    reply = service.exchange(speech(response_format=speech_format, stream_format=stream_format))
    assert reply.status == 200
    assert reply.headers["transfer-encoding"] == "chunked"
    assert reply.headers["x-tympan-model"] == "kokoro"
    assert reply.headers["x-request-id"]
    if stream_format == "sse":
        assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert reply.headers["x-accel-buffering"] == "no"
        data = audio_of(reply.body)
    else:
        assert reply.headers["content-type"] == MEDIA_TYPES[speech_format]
        data = reply.body
    samples, rate = decoded(data, speech_format)
    assert abs(samples.size / rate - TEXT_S) <= 0.05
    assert pitch_of(samples, rate) == pytest.approx(TONE_HZ, abs=2)
    assert abs(samples[-rate // 10 :]).max() > 0.2  # the end is spoken, too


def test_mp3_is_the_default(service: Service):
    assert service.exchange(speech()).headers["content-type"] == "audio/mpeg"


def test_events_end_with_the_usage(service: Service):
    events = events_of(service.exchange(speech(stream_format="sse")).body)
    assert {event["type"] for event in events[:-1]} == {"speech.audio.delta"}
    assert events[-1] == {
        "type": "speech.audio.done",
        "usage": {"input_tokens": 24, "output_tokens": 40, "total_tokens": 64},
    }


def test_no_line_of_events_is_longer_than_readers_take(service: Service, speaker: ScriptedSpeaker):
    text = "word " * 60
    body = service.exchange(speech(input=text, response_format="pcm", stream_format="sse")).body
    assert max(map(len, body.split(b"\n"))) < 2**16
    assert len(audio_of(body)) == 60 * 0.25 * 48_000
    assert speaker.pulled == 1


def test_words_are_those_of_the_text_as_it_was_sent(service: Service):
    text = "  It\u2019s \U0001f600 café. \ud800 Zwei!"
    reply = service.exchange(speech(input=text, stream_format="sse", timestamps="word", response_format="pcm"))
    events = events_of(reply.body)
    words = [event for event in events if event["type"] == "speech.audio.word"]
    assert [word["word"] for word in words] == ["It", "s", "café", "Zwei"]
    assert [text[word["text_start"] : word["text_end"]] for word in words] == ["It", "s", "café", "Zwei"]
    assert [(word["start"], word["end"]) for word in words] == [(0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)]
    kinds = [event["type"].removeprefix("speech.audio.") for event in events]
    assert kinds == ["word", "word", "word", "delta", "delta", "word", "delta", "done"]


@pytest.mark.parametrize("speed", [0.25, 0.5, 1, 1.5, 4.0, "2"])
def test_speed_changes_the_length(service: Service, speaker: ScriptedSpeaker, speed: Any):
    reply = service.exchange(speech(speed=speed, response_format="pcm"))
    assert len(reply.body) / 48_000 == pytest.approx(TEXT_S / float(speed), abs=0.01)
    assert speaker.requests[0].speed == float(speed)


@pytest.mark.parametrize("voice", [*VOICES, *ALIASES])
def test_every_voice_is_taken(service: Service, speaker: ScriptedSpeaker, voice: str):
    assert service.exchange(speech(voice=voice, response_format="pcm", input="OK")).status == 200
    assert speaker.requests[0].voice.parts[0][0].id == ALIASES.get(voice, voice)


@pytest.mark.parametrize("voice", [{"id": "nova"}, {"id": "af_nova"}, "nova", "af_nova(1)", {"id": "nova", "x": 1}])
def test_a_voice_may_be_an_object_or_a_mix(service: Service, speaker: ScriptedSpeaker, voice: Any):
    assert service.exchange(speech(voice=voice, response_format="pcm")).status == 200
    assert [(one.id, weight) for one, weight in speaker.requests[0].voice.parts] == [("af_nova", 1.0)]


def test_unknown_fields_are_ignored_and_instructions_taken(service: Service):
    extra: dict[str, Any] = {
        "instructions": "Speak like a pirate. " * 100,
        "lang_code": "a",
        "user": None,
        "return_download_link": {},
    }
    assert service.exchange(speech(response_format="pcm", **extra)).status == 200


TOO_LONG = (
    "[{'type': 'string_too_long', 'loc': ('body', 'input'), "
    "'msg': 'String should have at most 4096 characters', 'ctx': {'max_length': 4096}}]"
)


@pytest.mark.parametrize(
    ("fields", "status", "code", "param", "part"),
    [
        ({"input": None}, 400, "missing_required_parameter", "input", "'input'"),
        ({"model": None}, 400, "missing_required_parameter", "model", "'model'"),
        ({"voice": None}, 400, "missing_required_parameter", "voice", "'voice'"),
        ({"voice": {}}, 400, "missing_required_parameter", "voice", "'voice'"),
        ({"voice": {"name": "x"}}, 400, "missing_required_parameter", "voice.id", "'voice.id'"),
        ({"voice": "bob"}, 400, "voice_not_found", "voice", ", ".join([*ALIASES, *VOICES])),
        ({"voice": {"id": "voice_1234"}}, 400, "voice_not_found", "voice", "zm_yunyang"),
        ({"voice": ["alloy", "nova"]}, 400, "invalid_value", "voice", "one value"),
        ({"voice": "af_heart(2)+jf_alpha"}, 400, "invalid_voice_mix", "voice", "different scripts"),
        ({"model": "gpt-9"}, 404, "model_not_found", None, "`gpt-9` does not exist"),
        ({"input": ""}, 400, "empty_input", "input", "no words"),
        ({"input": " \n\t "}, 400, "empty_input", "input", "no words"),
        ({"input": "... —!"}, 400, "empty_input", "input", "no words"),
        ({"input": 5}, 400, "invalid_value", "input", "Expected a string"),
        ({"input": ["Hello"]}, 400, "invalid_value", "input", "Expected a string"),
        ({"input": "é" * 4097}, 400, "string_too_long", "input", TOO_LONG),
        ({"input": "e\u0301" * 2049}, 400, "string_too_long", "input", TOO_LONG),
        ({"input": "\U0001f600" * 20_000}, 400, "string_too_long", "input", TOO_LONG),
        ({"instructions": "x" * 4097}, 400, "string_too_long", "instructions", "'instructions'"),
        ({"input": "Привет, мир"}, 400, "unsupported_script", "input", "reads English"),
        ({"response_format": "m4a"}, 400, "invalid_value", "response_format", "'mp3', 'opus', 'aac', 'flac'"),
        ({"stream_format": "bytes"}, 400, "invalid_value", "stream_format", "'audio', 'sse'"),
        ({"speed": 0.24}, 400, "invalid_value", "speed", "from 0.25 to 4"),
        ({"speed": 4.01}, 400, "invalid_value", "speed", "from 0.25 to 4"),
        ({"speed": "fast"}, 400, "invalid_value", "speed", "from 0.25 to 4"),
        ({"speed": True}, 400, "invalid_value", "speed", "from 0.25 to 4"),
        ({"speed": float("nan")}, 400, "invalid_value", "speed", "from 0.25 to 4"),
        ({"timestamps": "word"}, 400, "invalid_value", "timestamps", "only sse"),
        ({"timestamps": "phoneme", "stream_format": "sse"}, 400, "invalid_value", "timestamps", "'word'"),
        ({"voice": "\ud800"}, 400, "voice_not_found", "voice", "\ufffd"),
    ],
)
def test_a_bad_value_is_named(
    service: Service,
    speaker: ScriptedSpeaker,
    fields: dict[str, Any],
    status: int,
    code: str,
    param: str | None,
    part: str,
):
    reply = service.exchange(speech(**fields))
    assert (reply.status, reply.error["code"], reply.error["param"]) == (status, code, param)
    assert reply.error["type"] == "invalid_request_error"
    assert part in reply.error["message"]
    assert speaker.pulled == 0


@pytest.mark.parametrize(
    ("body", "content_type", "status", "part"),
    [
        (b"{", "application/json", 400, "no JSON"),
        (b"[]", "application/json", 400, "no JSON object"),
        (b'{"input": "\xff"}', "application/json", 400, "no JSON"),
        (b"{}", "text/plain", 400, "send application/json"),
        (b" " * 2**21, "application/json", 413, "Maximum content size limit"),
    ],
)
def test_a_body_that_is_none(service: Service, body: bytes, content_type: str, status: int, part: str):
    reply = service.exchange(speech_body(body, content_type=content_type))
    assert reply.status == status
    assert part in reply.error["message"]


def test_the_longest_text_is_the_operators(service: Service, start: Any):
    assert service.exchange(speech(input="é" * 4096, response_format="pcm")).status == 200
    narrow = start(speak={"max_characters": 5})
    assert narrow.exchange(speech(input="Hello", response_format="pcm")).status == 200
    assert "at most 5 characters" in narrow.exchange(speech(input="Hello.")).error["message"]


@pytest.mark.parametrize("stream_format", ["audio", "sse"])
@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Busy("queue", 3), 429, "rate_limit_exceeded"),
        (NothingToSay(), 400, "empty_input"),
        (EngineCrashed("kokoro", "it died"), 500, "engine_crashed"),
        (KeyError("secret"), 500, "internal_error"),
    ],
)
def test_an_error_before_the_first_sound_has_a_status(
    service: Service, speaker: ScriptedSpeaker, error: Exception, status: int, code: str, stream_format: str
):
    speaker.script = failing(error)
    reply = service.exchange(speech(stream_format=stream_format))
    assert (reply.status, reply.error["code"]) == (status, code)
    assert (reply.headers.get("retry-after") == "3") == (status == 429)
    assert reply.headers["content-type"] == "application/json"
    assert b"secret" not in reply.body


@pytest.mark.parametrize(
    ("error", "code"), [(EngineCrashed("kokoro", "it died"), "engine_crashed"), (KeyError("secret"), "internal_error")]
)
def test_an_error_after_it_is_the_last_event(service: Service, speaker: ScriptedSpeaker, error: Exception, code: str):
    speaker.script = failing(error, pieces=1)
    body = service.exchange(speech(stream_format="sse")).body
    events = events_of(body)
    assert [event.get("type") for event in events[:-1]] == ["speech.audio.delta"] * (len(events) - 1)
    assert len(events) > 1
    assert events[-1]["error"]["code"] == code
    assert b"secret" not in body


@pytest.mark.parametrize("error", [EngineCrashed("kokoro", "it died"), KeyError("secret")])
@pytest.mark.parametrize("speech_format", FORMATS)
def test_an_error_after_it_is_no_clean_end_of_a_file(
    service: Service, speaker: ScriptedSpeaker, error: Exception, speech_format: str
):
    speaker.script = failing(error, pieces=1)
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=20)
    members = {"model": "tts-1", "input": TEXT, "voice": "alloy", "response_format": speech_format}
    connection.request("POST", "/v1/audio/speech", json.dumps(members), {"content-type": "application/json"})
    response = connection.getresponse()
    assert response.status == 200
    with pytest.raises(http.client.IncompleteRead) as cut:
        response.read()
    assert cut.value.partial
    connection.close()
    metrics = service.exchange(get("/metrics")).body.decode()
    assert re.search(r'tympan_rejections_total\{code="(engine_crashed|internal_error)"\} [1-9]', metrics)


def test_quiet_is_filled_with_comments_before_and_between_pieces(start: Any, speaker: ScriptedSpeaker):
    service = start(heartbeat_s=0.1)
    speaker.script = slowly(0.35, 0.35)
    body = service.exchange(speech(stream_format="sse", response_format="pcm")).body
    before, delta, after = body.partition(b"speech.audio.delta")
    assert before.count(b": ping\n\n") >= 2
    assert delta
    assert after.count(b": ping\n\n") >= 2
    assert len(audio_of(body)) == 48_000
    speaker.script = slowly(0.35, 0.35)
    assert len(service.exchange(speech(response_format="pcm")).body) == 48_000  # bytes have no comments


def test_the_voices_are_listed_with_their_aliases(service: Service):
    voices = {voice.pop("id"): voice for voice in service.exchange(get("/v1/audio/voices")).json["voices"]}
    assert len(voices) == 54 + 13
    assert voices["bf_emma"] == {"name": "Emma (en-gb)", "language": "en-gb", "gender": "female"}
    assert voices["ash"] == {
        "name": "Ash (en-us)",
        "language": "en-us",
        "gender": "male",
        "alias_of": "am_michael",
    }
    names = [voice["name"] for voice in voices.values() if "alias_of" not in voice]
    assert len(set(names)) == len(names)


def test_a_voice_cannot_be_made(service: Service):
    reply = service.exchange(post(b"{}", path="/v1/audio/voices", content_type="application/json"))
    assert (reply.status, reply.error["code"], reply.headers["allow"]) == (405, "method_not_allowed", "GET")


def test_lists_are_open_and_speech_needs_a_key(start: Any):
    service = start(api_keys=("sk-secret",))
    assert service.exchange(get("/v1/audio/voices")).status == 200
    assert service.exchange(speech()).status == 401
    assert service.exchange(speech("Authorization: Bearer sk-secret", response_format="pcm")).status == 200


def test_what_prometheus_reads(start: Any, speaker: ScriptedSpeaker):
    service = start()
    for stream_format in ("audio", "sse"):
        assert service.exchange(speech(stream_format=stream_format)).status == 200
    speaker.script = failing(Busy("queue", 1))
    service.exchange(speech())
    lines = service.exchange(get("/metrics")).body.decode().splitlines()
    for line in (
        'tympan_requests_total{model="kokoro",route="/v1/audio/speech",status="200"} 2.0',
        'tympan_requests_total{model="kokoro",route="/v1/audio/speech",status="429"} 1.0',
        f'tympan_spoken_characters_total{{model="kokoro"}} {2.0 * len(TEXT)}',
        f'tympan_spoken_seconds_total{{model="kokoro"}} {2 * TEXT_S}',
        'tympan_first_audio_seconds_count{model="kokoro"} 2.0',
        'tympan_real_time_factor_count{model="kokoro"} 2.0',
        'tympan_engine_items_total{engine="kokoro"} 5.0',
        'tympan_engine_items_total{engine="whisper"} 7.0',
    ):
        assert line in lines, line


def test_the_openapi_document_describes_the_body(service: Service):
    operation = service.exchange(get("/openapi.json")).json["paths"]["/v1/audio/speech"]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["model", "input", "voice"]
    assert schema["properties"]["input"]["maxLength"] == 4096
    assert schema["properties"]["response_format"]["enum"] == list(FORMATS)
    assert {"audio/mpeg", "audio/ogg", "text/event-stream"} <= set(operation["responses"]["200"]["content"])


def test_only_the_jobs_that_there_are_have_routes(service: Service, speaker: ScriptedSpeaker):
    def paths(**jobs: Any) -> set[str]:
        app = create_app(service.settings, readiness=lambda: Readiness(ready=True), **jobs)
        return {path for path in app.openapi()["paths"] if path.startswith("/v1/audio/")}

    listening = {"/v1/audio/transcriptions", "/v1/audio/translations", "/v1/audio/models"}
    speaking = {"/v1/audio/speech", "/v1/audio/voices", "/v1/audio/models"}
    assert paths(listener=service.listener) == listening
    assert paths(listener=None, speaker=speaker) == speaking
    assert paths(listener=service.listener, speaker=speaker) == listening | speaking
