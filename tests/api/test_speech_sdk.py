"""Speech by the openai package, with strict validation, against a running server."""

import json
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import OpenAI
from tests.api.speech_requests import TEXT, TEXT_S, audio_of, decoded
from tests.api.standins import Service, wait_for
from tests.api.test_sdk import client_of
from tests.standin_speaker import ScriptedSpeaker, endless, failing

from tympan.errors import EngineCrashed, NotReady
from tympan.sound.encode import FORMATS


@pytest.fixture
def client(service: Service) -> OpenAI:
    return client_of(service)


def ask(client: OpenAI, **fields: Any) -> Any:
    return client.audio.speech.create(**{"input": TEXT, "model": "gpt-4o-mini-tts", "voice": "marin", **fields})


@pytest.mark.parametrize("speech_format", FORMATS)
def test_a_whole_answer(client: OpenAI, speaker: ScriptedSpeaker, speech_format: str):
    answer = ask(client, response_format=speech_format, instructions="Cheerfully.", speed=1.0)
    samples, rate = decoded(answer.read(), speech_format)
    assert abs(samples.size / rate - TEXT_S) <= 0.05
    assert [voice.id for voice, _ in speaker.requests[0].voice.parts] == ["af_heart"]


def test_a_file_that_is_written_as_it_comes(client: OpenAI, tmp_path: Path):
    with client.audio.speech.with_streaming_response.create(
        input=TEXT, model="tts-1", voice="alloy", response_format="wav"
    ) as response:
        assert response.headers["content-type"] == "audio/wav"
        response.stream_to_file(tmp_path / "speech.wav")
    samples, rate = decoded((tmp_path / "speech.wav").read_bytes(), "wav")
    assert (samples.size, rate) == (TEXT_S * 24_000, 24_000)


def test_events(client: OpenAI):
    with client.audio.speech.with_streaming_response.create(
        input=TEXT, model="kokoro", voice={"id": "af_heart"}, stream_format="sse", extra_body={"timestamps": "word"}
    ) as response:
        body = response.read()
    events = [json.loads(line[6:]) for line in body.decode().splitlines() if line]
    assert [event["word"] for event in events if event["type"] == "speech.audio.word"] == TEXT.replace(",", "").replace(
        ".", ""
    ).split()
    samples, rate = decoded(audio_of(body), "mp3")
    assert abs(samples.size / rate - TEXT_S) <= 0.05


def test_leaving_early_stops_the_speech(client: OpenAI, speaker: ScriptedSpeaker):
    speaker.script = endless
    with client.audio.speech.with_streaming_response.create(
        input=TEXT, model="tts-1", voice="alloy", response_format="pcm"
    ) as response:
        for _ in response.iter_bytes(4096):
            break
    wait_for(lambda: speaker.active == 0 and speaker.cancelled == 1, timeout_s=2)


@pytest.mark.parametrize(
    ("fields", "kind", "code", "param"),
    [
        ({"voice": "bob"}, openai.BadRequestError, "voice_not_found", "voice"),
        ({"input": "x" * 4097}, openai.BadRequestError, "string_too_long", "input"),
        ({"input": ""}, openai.BadRequestError, "empty_input", "input"),
        ({"response_format": "m4a"}, openai.BadRequestError, "invalid_value", "response_format"),
        ({"model": "gpt-9"}, openai.NotFoundError, "model_not_found", None),
    ],
)
def test_errors(client: OpenAI, fields: dict[str, Any], kind: type[openai.APIStatusError], code: str, param: str):
    with pytest.raises(kind) as error:
        ask(client, **fields)
    assert (error.value.code, error.value.param) == (code, param)


def test_a_failure_that_would_repeat_is_not_tried_again(service: Service, speaker: ScriptedSpeaker):
    speaker.script = failing(EngineCrashed("kokoro", "it died"))
    with pytest.raises(openai.InternalServerError):
        ask(client_of(service, max_retries=2))
    assert len(speaker.requests) == 1


def test_a_service_that_is_not_ready_says_when_to_come_back(client: OpenAI, speaker: ScriptedSpeaker):
    speaker.refusal = NotReady("kokoro: starting")
    with pytest.raises(openai.InternalServerError) as error:
        ask(client)
    assert (error.value.status_code, error.value.response.headers["retry-after"]) == (503, "5")
