"""The openai package, with strict validation of every answer, against a running server."""

import math
from typing import Any

import httpx2
import openai
import pytest
from openai import OpenAI
from openai.types.audio import Transcription, TranscriptionDiarized, TranscriptionVerbose, Translation
from tests.api.standins import AUDIO, HELLO, SILENCE, ScriptedListener, Service, failing, nothing, slowly

from tympan.errors import (
    AudioTooLong,
    AudioTooShort,
    Busy,
    EngineCrashed,
    NoAudioStream,
    NotReady,
    UndecodableAudio,
)

TEXT = "Hello there. How are you?"


def client_of(service: Service, **options: Any) -> OpenAI:
    return OpenAI(
        base_url=f"{service.url}/v1",
        api_key=options.pop("api_key", "sk-anything"),
        max_retries=options.pop("max_retries", 0),
        http_client=httpx2.Client(trust_env=False),
        _strict_response_validation=True,
        **options,
    )


@pytest.fixture
def client(service: Service) -> OpenAI:
    return client_of(service)


def ask(client: OpenAI, **fields: Any) -> Any:
    return client.audio.transcriptions.create(**{"file": AUDIO, "model": "whisper-1", **fields})


def test_json(client: OpenAI, listener: ScriptedListener):
    answer = ask(client)
    assert isinstance(answer, Transcription)
    assert answer.text == TEXT
    assert answer.usage is not None
    assert answer.usage.type == "duration"
    assert answer.usage.seconds == 5
    assert [language.code for language in answer.languages or ()] == ["en"]
    assert answer.logprobs is None
    assert listener.audio == [AUDIO]
    assert listener.requests[0].model == "whisper"


def test_logprobs(client: OpenAI, listener: ScriptedListener):
    answer = ask(client, include=["logprobs"], response_format="json")
    assert [(item.token, item.logprob) for item in answer.logprobs] == [
        (" Hello", -0.1),
        (" there.", -0.2),
        (" How", -0.3),
    ]
    assert bytes(map(int, answer.logprobs[0].bytes)) == b" Hello"
    assert listener.requests[0].logprobs


def test_a_probability_of_zero_is_still_json(client: OpenAI, listener: ScriptedListener):
    token = HELLO.logprobs[0].__class__(" x", -math.inf, (32, 120))
    segment = HELLO.__class__(id=0, start=0, end=1, text=" x", avg_logprob=-math.inf, logprobs=(token,))
    listener.script = lambda *_: iter([segment])
    assert ask(client, include=["logprobs"]).logprobs[0].logprob == -9999.0
    assert ask(client, response_format="verbose_json").segments[0].avg_logprob == 0.0


@pytest.mark.parametrize(
    ("response_format", "expected"),
    [
        ("text", TEXT + "\n"),
        (
            "srt",
            "1\n00:00:00,500 --> 00:00:02,000\nHello there.\n\n2\n00:00:03,000 --> 00:00:04,250\nHow are you?\n\n",
        ),
        (
            "vtt",
            "WEBVTT\n\n00:00:00.500 --> 00:00:02.000\nHello there.\n\n00:00:03.000 --> 00:00:04.250\nHow are you?\n\n",
        ),
    ],
)
def test_plain_text(client: OpenAI, response_format: str, expected: str):
    answer = client.audio.transcriptions.with_raw_response.create(
        file=AUDIO,
        model="whisper-1",
        response_format=response_format,  # type: ignore[call-overload]  # one call for all formats
    )
    assert answer.text.strip() == expected.strip()
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"


@pytest.mark.parametrize(
    ("granularities", "segments", "words"),
    [(None, True, False), (["segment"], True, False), (["word"], False, True), (["word", "segment"], True, True)],
)
def test_verbose_json(client: OpenAI, granularities: list[str] | None, *, segments: bool, words: bool):
    given = {} if granularities is None else {"timestamp_granularities": granularities}
    answer = ask(client, response_format="verbose_json", **given)
    assert isinstance(answer, TranscriptionVerbose)
    assert (answer.text, answer.language, answer.duration) == (TEXT, "english", 4.6)
    assert (answer.segments is not None) == segments
    assert (answer.words is not None) == words
    if answer.segments:
        assert answer.segments[0].tokens == [50364, 2425, 456, 13]
        assert answer.segments[0].seek == 50
        assert answer.segments[0].text == " Hello there."
    if answer.words:
        assert [word.word for word in answer.words] == ["Hello", "there.", "How", "are", "you?"]
    assert answer.usage is not None
    assert answer.usage.seconds == 5


def test_verbose_json_is_answered_by_every_model(client: OpenAI, listener: ScriptedListener):
    for card in listener.models():
        for model in (card.id, *card.aliases):
            assert ask(client, model=model, response_format="verbose_json").text == TEXT


def test_diarized_json(client: OpenAI, listener: ScriptedListener):
    answer = ask(client, response_format="diarized_json", known_speaker_names=["agent"], chunking_strategy="auto")
    assert isinstance(answer, TranscriptionDiarized)
    assert answer.text == "agent: Hello there.\nB: How are you?"
    assert [(item.id, item.speaker, item.text) for item in answer.segments] == [
        ("seg_001", "agent", "Hello there."),
        ("seg_002", "B", "How are you?"),
    ]
    assert answer.duration == 4.6
    assert listener.requests[0].split_channels


def test_every_field_arrives_as_the_sdk_writes_it(client: OpenAI, listener: ScriptedListener):
    ask(
        client,
        languages=["en", "de"],
        keywords=["Ollama", "Smith, John"],
        prompt="Names follow",
        temperature=0.25,
        response_format="verbose_json",
        timestamp_granularities=["word", "segment"],
        stream=False,
        chunking_strategy={
            "type": "server_vad",
            "threshold": 0.4,
            "silence_duration_ms": 250,
            "prefix_padding_ms": 100,
        },
        extra_body={"max_seconds": "60", "channels": "split"},
    )
    request = listener.requests[0]
    assert request.candidates == ("en", "de")
    assert request.keywords == ("Ollama", "Smith, John")
    assert (request.prompt, request.temperature, request.words) == ("Names follow", 0.25, True)
    assert (request.cutting.threshold, request.cutting.min_quiet_s, request.cutting.pad_s) == (0.4, 0.25, 0.1)
    assert (request.max_seconds, request.split_channels) == (60.0, True)


@pytest.mark.parametrize("response_format", ["json", "text", "verbose_json"])
def test_stream(client: OpenAI, response_format: str):
    events = list(ask(client, stream=True, response_format=response_format))
    assert [event.type for event in events] == ["transcript.text.delta"] * 2 + ["transcript.text.done"]
    assert "".join(event.delta for event in events[:-1]) == events[-1].text == TEXT
    assert events[-1].usage.model_dump()["seconds"] == 5
    assert events[-1].usage.output_tokens == 8


def test_stream_with_logprobs(client: OpenAI):
    events = list(ask(client, stream=True, include=["logprobs"]))
    assert [len(event.logprobs) for event in events] == [2, 1, 3]


def test_stream_of_speakers(client: OpenAI):
    events = list(ask(client, stream=True, response_format="diarized_json", known_speaker_names=["ann", "bob"]))
    assert [event.type for event in events] == [
        "transcript.text.delta",
        "transcript.text.segment",
        "transcript.text.delta",
        "transcript.text.segment",
        "transcript.text.done",
    ]
    assert "".join(event.delta for event in events if event.type == "transcript.text.delta") == events[-1].text
    assert events[-1].text == "ann: Hello there.\nbob: How are you?"
    assert [event.speaker for event in events if event.type == "transcript.text.segment"] == ["ann", "bob"]
    assert events[0].segment_id == events[1].id == "seg_001"


def test_silence(client: OpenAI, listener: ScriptedListener):
    listener.script, listener.summary = nothing, SILENCE
    assert ask(client).text == ""
    assert ask(client).languages == []
    verbose = ask(client, response_format="verbose_json", timestamp_granularities=["word", "segment"])
    assert (verbose.text, verbose.segments, verbose.words, verbose.language) == ("", [], [], "")
    assert ask(client, response_format="srt") == ""
    assert ask(client, response_format="vtt") == "WEBVTT\n"
    assert ask(client, response_format="diarized_json").segments == []
    events = list(ask(client, stream=True))
    assert [event.type for event in events] == ["transcript.text.done"]
    assert events[0].text == ""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the SDK points to newer models
def test_translation(client: OpenAI, listener: ScriptedListener):
    answer = client.audio.translations.create(file=AUDIO, model="whisper-1", prompt="Hi", temperature=0.5)
    assert isinstance(answer, Translation)
    assert answer.model_dump() == {"text": TEXT}
    assert listener.requests[0].task == "translate"
    verbose = client.audio.translations.create(file=AUDIO, model="whisper-1", response_format="verbose_json")
    assert (verbose.language, verbose.text, verbose.duration) == ("english", TEXT, 4.6)
    assert verbose.segments is not None
    assert verbose.model_dump()["task"] == "translate"
    srt: Any = client.audio.translations.create(file=AUDIO, model="whisper-1", response_format="srt")
    assert srt.startswith("1\n00:00:00,500 --> ")


def test_models(client: OpenAI):
    ids = [model.id for model in client.models.list()]
    assert ids[:4] == ["whisper", "whisper-1", "gpt-4o-transcribe", "org/turbo"]
    assert ids[4:] == ["kokoro", "tts-1", "tts-1-hd", "gpt-4o-mini-tts"]
    assert client.models.retrieve("gpt-4o-transcribe").id == "gpt-4o-transcribe"
    assert client.models.retrieve("org/turbo").owned_by == "org"
    with pytest.raises(openai.NotFoundError) as caught:
        client.models.retrieve("gpt-9")
    assert caught.value.code == "model_not_found"


@pytest.mark.parametrize(
    ("fields", "kind", "code", "param"),
    [
        ({"model": "gpt-9"}, openai.NotFoundError, "model_not_found", None),
        ({"response_format": "docx"}, openai.BadRequestError, "invalid_value", "response_format"),
        ({"language": "xx-yy-zz"}, openai.BadRequestError, "invalid_language_format", "language"),
        ({"languages": ["en", "klingon"]}, openai.BadRequestError, "invalid_language_format", "languages"),
        ({"language": "en", "languages": ["de"]}, openai.BadRequestError, "invalid_value", "languages"),
        ({"temperature": 1.5}, openai.BadRequestError, "invalid_value", "temperature"),
        ({"temperature": math.nan}, openai.BadRequestError, "invalid_value", "temperature"),
        (
            {"include": ["logprobs"], "response_format": "verbose_json"},
            openai.BadRequestError,
            "invalid_value",
            "include",
        ),
        ({"timestamp_granularities": ["word"]}, openai.BadRequestError, "invalid_value", "timestamp_granularities"),
        ({"stream": True, "response_format": "srt"}, openai.BadRequestError, "unsupported_value", "response_format"),
        (
            {"response_format": "diarized_json", "prompt": "Hi"},
            openai.BadRequestError,
            "invalid_value",
            "prompt",
        ),
        (
            {
                "response_format": "diarized_json",
                "known_speaker_names": ["a"],
                "known_speaker_references": ["data:audio/wav;base64," + "A" * 200_000],
            },
            openai.BadRequestError,
            "unsupported_value",
            "known_speaker_references",
        ),
        ({"file": b""}, openai.BadRequestError, "invalid_value", "file"),
    ],
)
def test_bad_fields(client: OpenAI, fields: dict[str, Any], kind: type[openai.APIStatusError], code: str, param: str):
    with pytest.raises(kind) as caught:
        ask(client, **fields)
    assert (caught.value.code, caught.value.param, caught.value.type) == (code, param, "invalid_request_error")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("error", "kind", "code", "param", "type_"),
    [
        (UndecodableAudio("no"), openai.BadRequestError, "invalid_value", "file", "invalid_request_error"),
        (NoAudioStream("mp4"), openai.BadRequestError, "invalid_value", "file", "invalid_request_error"),
        (AudioTooShort(), openai.BadRequestError, "audio_too_short", "file", "invalid_request_error"),
        (AudioTooLong(60), openai.APIStatusError, "audio_too_long", "file", "invalid_request_error"),
        (Busy("queue", 7), openai.RateLimitError, "rate_limit_exceeded", None, "requests"),
        (NotReady("loading"), openai.InternalServerError, "not_ready", None, "server_error"),
        (EngineCrashed("w", "gone"), openai.InternalServerError, "engine_crashed", None, "server_error"),
        (ZeroDivisionError("secret"), openai.InternalServerError, "internal_error", None, "server_error"),
    ],
)
def test_errors_of_the_work(
    client: OpenAI,
    listener: ScriptedListener,
    *,
    stream: bool,
    error: Exception,
    kind: type[openai.APIStatusError],
    code: str,
    param: str | None,
    type_: str,
):
    listener.script = failing(error)
    with pytest.raises(kind) as caught:
        ask(client, stream=stream)
    assert (caught.value.code, caught.value.param, caught.value.type) == (code, param, type_)
    assert "secret" not in caught.value.response.text
    assert caught.value.request_id
    retries = caught.value.response.headers.get("x-should-retry")
    assert retries == ("false" if code in {"engine_crashed", "internal_error"} else None)
    if isinstance(error, Busy):
        assert caught.value.response.headers["retry-after"] == "7"


def test_a_failure_that_would_repeat_is_sent_once(service: Service, listener: ScriptedListener):
    listener.script = failing(EngineCrashed("whisper", "it died"))
    with pytest.raises(openai.InternalServerError):
        ask(client_of(service, max_retries=2))
    assert len(listener.requests) == 1


def test_a_refusal_for_want_of_room_is_tried_again(service: Service, listener: ScriptedListener):
    listener.script = failing(Busy("queue", 1))
    with pytest.raises(openai.RateLimitError):
        ask(client_of(service, max_retries=1))
    assert len(listener.requests) == 2


def test_an_error_within_a_stream(client: OpenAI, listener: ScriptedListener):
    listener.script = failing(EngineCrashed("whisper", "it died"), HELLO)
    stream = iter(ask(client, stream=True))
    assert next(stream).delta == "Hello there."
    with pytest.raises(openai.APIError, match="it died") as caught:
        next(stream)
    assert caught.value.code == "engine_crashed"


def test_a_late_error_is_an_event(client: OpenAI, listener: ScriptedListener):
    def late(request: Any, cancellation: Any) -> Any:
        cancellation.wait(0.8)
        yield from failing(UndecodableAudio("nothing in it"))(request, cancellation)

    listener.script = late
    with pytest.raises(openai.APIError, match="nothing in it"):
        list(ask(client, stream=True))


def test_deltas_come_as_they_are_made(client: OpenAI, listener: ScriptedListener):
    listener.script = slowly([0.0, 0.3])
    assert [event.type for event in ask(client, stream=True)][-1] == "transcript.text.done"


def test_keys(start: Any):
    service = start(api_keys=("sk-right", "sk-other"))
    assert ask(client_of(service, api_key="sk-other")).text == TEXT
    with pytest.raises(openai.AuthenticationError) as caught:
        ask(client_of(service, api_key="sk-wrong-0123456789"))
    assert (caught.value.code, caught.value.param, caught.value.type) == (
        "invalid_api_key",
        None,
        "invalid_request_error",
    )
    assert "sk-********6789" in caught.value.message
    assert caught.value.response.json()["status"] == 401
