"""Every field of a transcription: what it means and what is refused."""

import pytest
from tests.api.standins import AUDIO, ScriptedListener

from tympan.api.fields import (
    TRANSCRIPTION_FIELDS,
    TRANSLATION_FIELDS,
    AnswerOptions,
    parse_transcription,
    parse_translation,
)
from tympan.api.form import Fields
from tympan.errors import ContradictoryFields, IncompatibleFormat, InvalidValue, RequestError, UnsupportedValue
from tympan.listen.request import Cutting, ListenRequest

Pairs = list[tuple[str, str]]


def parse(pairs: Pairs) -> tuple[ListenRequest, AnswerOptions]:
    fields = Fields([("model", "whisper-1"), *pairs], TRANSCRIPTION_FIELDS)
    return parse_transcription(fields, AUDIO, ScriptedListener().resolve)


def test_defaults():
    request, options = parse([])
    assert request == ListenRequest(AUDIO, model="whisper", readable=False)
    assert options == AnswerOptions()


@pytest.mark.parametrize(
    ("pairs", "attribute", "expected"),
    [
        ([("language", "EN-us")], "language", "en"),
        ([("languages", "de")], "language", "de"),
        ([("language", "auto")], "language", None),
        ([("stream", "true")], "early", True),
        ([("languages", "de,fr,de")], "candidates", ("de", "fr")),
        ([("temperature", "1")], "temperature", 1.0),
        ([("temperature", "0")], "temperature", 0.0),
        ([("max_seconds", "0.1")], "max_seconds", 0.1),
        ([("channels", "split")], "split_channels", True),
        ([("channels", "mix")], "split_channels", False),
        ([("response_format", "diarized_json")], "split_channels", True),
        ([("response_format", "srt")], "readable", True),
        ([("response_format", "verbose_json")], "readable", True),
        ([("response_format", "text")], "readable", False),
        ([("response_format", "verbose_json")], "words", False),
        ([("chunking_strategy", "auto")], "cutting", Cutting()),
        ([("chunking_strategy[type]", "server_vad")], "cutting", Cutting()),
        ([("chunking_strategy", '{"type":"server_vad","threshold":0.7}')], "cutting", Cutting(threshold=0.7)),
        ([("timestamp_granularities[]", "segment")], "words", False),
    ],
)
def test_what_a_field_asks_for(pairs: Pairs, attribute: str, expected: object):
    request, _ = parse(pairs)
    assert getattr(request, attribute) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("true", True), ("True", True), ("1", True), ("false", False), ("0", False)]
)
def test_stream(text: str, *, expected: bool):
    assert parse([("stream", text)])[1].stream == expected


VERBOSE = ("response_format", "verbose_json")
DIARIZED = ("response_format", "diarized_json")


@pytest.mark.parametrize(
    ("pairs", "kind", "param"),
    [
        ([("response_format", "xml")], InvalidValue, "response_format"),
        ([("temperature", "-0.1")], InvalidValue, "temperature"),
        ([("temperature", "1.01")], InvalidValue, "temperature"),
        ([("temperature", "inf")], InvalidValue, "temperature"),
        ([("temperature", "warm")], InvalidValue, "temperature"),
        ([("max_seconds", "0")], InvalidValue, "max_seconds"),
        ([("max_seconds", "-5")], InvalidValue, "max_seconds"),
        ([("max_seconds", "inf")], InvalidValue, "max_seconds"),
        ([("stream", "maybe")], InvalidValue, "stream"),
        ([("channels", "left")], InvalidValue, "channels"),
        ([("include[]", "tokens")], InvalidValue, "include"),
        ([VERBOSE, ("timestamp_granularities[]", "phoneme")], InvalidValue, "timestamp_granularities"),
        ([("chunking_strategy", "manual")], InvalidValue, "chunking_strategy"),
        ([("chunking_strategy", "{")], InvalidValue, "chunking_strategy"),
        ([("chunking_strategy[threshold]", "0.5")], InvalidValue, "chunking_strategy.type"),
        (
            [("chunking_strategy[type]", "server_vad"), ("chunking_strategy[threshold]", "1.1")],
            InvalidValue,
            "chunking_strategy.threshold",
        ),
        (
            [("chunking_strategy[type]", "server_vad"), ("chunking_strategy[silence_duration_ms]", "99999")],
            InvalidValue,
            "chunking_strategy.silence_duration_ms",
        ),
        (
            [("chunking_strategy[type]", "server_vad"), ("chunking_strategy[prefix_padding_ms]", "-1")],
            InvalidValue,
            "chunking_strategy.prefix_padding_ms",
        ),
        ([("keywords[]", "x" * 201)], InvalidValue, "keywords"),
        ([DIARIZED, ("known_speaker_names[]", "x" * 65)], InvalidValue, "known_speaker_names"),
        ([("known_speaker_names[]", "ann")], ContradictoryFields, "known_speaker_names"),
        ([DIARIZED, ("known_speaker_references[]", "data:")], UnsupportedValue, "known_speaker_references"),
        ([DIARIZED, ("channels", "mix")], ContradictoryFields, "channels"),
        ([DIARIZED, ("prompt", "x")], ContradictoryFields, "prompt"),
        ([("language", "en"), ("languages[]", "en")], ContradictoryFields, "languages"),
        ([VERBOSE, ("include[]", "logprobs")], ContradictoryFields, "include"),
        ([("timestamp_granularities[]", "word")], ContradictoryFields, "timestamp_granularities"),
        ([("stream", "true"), ("response_format", "vtt")], IncompatibleFormat, "response_format"),
    ],
)
def test_what_is_refused(pairs: Pairs, kind: type[RequestError], param: str):
    with pytest.raises(kind) as caught:
        parse(pairs)
    assert caught.value.param == param
    assert caught.value.status == 400


def test_a_translation_has_fewer_fields():
    pairs = [("model", "whisper-1"), ("language", "??"), ("stream", "true"), ("response_format", "vtt")]
    request, options = parse_translation(Fields(pairs, TRANSLATION_FIELDS), AUDIO, ScriptedListener().resolve)
    assert (request.task, request.language, options.stream) == ("translate", None, False)
    with pytest.raises(InvalidValue):
        parse_translation(Fields([MODEL, DIARIZED], TRANSLATION_FIELDS), AUDIO, ScriptedListener().resolve)


MODEL = ("model", "whisper")
