import json
import math

import pytest
from openai.types.audio import TranscriptionVerbose

from tympan.engines.protocols import Word
from tympan.listen.documents import duration_usage, short_json, verbose_json
from tympan.listen.results import Segment, Summary, Transcript

HELLO = Segment(
    id=0,
    start=0.51234,
    end=1.98765,
    text=" Hello there.",
    tokens=(2425, 456),
    temperature=0.2,
    avg_logprob=-0.2861234567,
    compression_ratio=1.2361111111,
    no_speech_prob=0.0099,
    words=(Word(" Hello", 0.51234, 1.0, 0.91), Word(" there.", 1.0, 1.98765, 0.8), Word(" ", 1.98765, 1.98765)),
)
BYE = Segment(id=1, start=2.5, end=3.0, text=" Bye.", channel=1, words=(Word(" Bye.", 2.5, 3.0),))


def transcript(*segments: Segment, language: str = "en", duration: float = 8.47, warnings: tuple[str, ...] = ()):
    summary = Summary(
        duration=duration,
        speech=2.0,
        language=language,
        language_probability=0.98,
        channels=1,
        warnings=warnings,
    )
    return Transcript(segments, summary)


def test_segments_have_all_ten_fields_rounded():
    document = verbose_json(transcript(HELLO), task="transcribe", words=False, segments=True)
    assert document == {
        "task": "transcribe",
        "language": "english",
        "duration": 8.47,
        "text": "Hello there.",
        "segments": [
            {
                "id": 0,
                "seek": 51,
                "start": 0.512,
                "end": 1.988,
                "text": " Hello there.",
                "tokens": [2425, 456],
                "temperature": 0.2,
                "avg_logprob": -0.286123,
                "compression_ratio": 1.236111,
                "no_speech_prob": 0.0099,
            }
        ],
        "usage": {"type": "duration", "seconds": 9},
    }


def test_words_come_without_segments_when_only_they_are_asked_for():
    document = verbose_json(transcript(HELLO, BYE), task="transcribe", words=True, segments=False)
    assert "segments" not in document
    assert document["words"] == [
        {"word": "Hello", "start": 0.512, "end": 1.0, "probability": 0.91},
        {"word": "there.", "start": 1.0, "end": 1.988, "probability": 0.8},
        {"word": "Bye.", "start": 2.5, "end": 3.0, "probability": 1.0},
    ]


def test_channels_are_named_on_request():
    document = verbose_json(transcript(HELLO, BYE), task="transcribe", words=True, segments=True, channels=True)
    assert [entry["channel"] for entry in document["segments"]] == [0, 1]  # type: ignore[attr-defined]  # a list
    assert [entry["channel"] for entry in document["words"]] == [0, 0, 1]  # type: ignore[attr-defined]  # a list


@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf])
def test_scores_that_are_no_number_become_neutral(broken: float):
    segment = Segment(0, 0.0, 1.0, " Hi.", avg_logprob=broken, compression_ratio=broken, no_speech_prob=broken)
    document = verbose_json(transcript(segment), task="transcribe", words=False, segments=True)
    entry = document["segments"][0]  # type: ignore[index]  # a list
    assert (entry["avg_logprob"], entry["compression_ratio"], entry["no_speech_prob"]) == (0.0, 1.0, 0.0)
    json.dumps(document, allow_nan=False)


def test_a_translation_is_english_whatever_was_spoken():
    document = verbose_json(transcript(HELLO, language="fr"), task="translate", words=False, segments=True)
    assert (document["task"], document["language"]) == ("translate", "english")


def test_silence_is_an_empty_document_without_a_language():
    document = verbose_json(transcript(language=""), task="transcribe", words=True, segments=True)
    assert document["text"] == document["language"] == ""
    assert document["segments"] == document["words"] == []


def test_warnings_are_told():
    document = verbose_json(transcript(warnings=("3 packets.",)), task="transcribe", words=False, segments=False)
    assert document["warnings"] == ["3 packets."]


def test_the_openai_sdk_reads_it_strictly():
    document = verbose_json(transcript(HELLO, BYE), task="transcribe", words=True, segments=True)
    read = TranscriptionVerbose.model_validate_json(json.dumps(document), strict=True)
    assert read.segments is not None
    assert read.words is not None
    assert [segment.text for segment in read.segments] == [" Hello there.", " Bye."]
    assert read.usage is not None
    assert read.usage.seconds == 9


@pytest.mark.parametrize(("duration", "seconds"), [(0.0, 0), (0.4, 1), (8.0, 8), (8.00000001, 8), (8.001, 9)])
def test_usage_rounds_up_to_whole_seconds(duration: float, seconds: int):
    assert duration_usage(transcript(duration=duration).summary) == {"type": "duration", "seconds": seconds}


def test_short_json_is_text_and_usage():
    assert short_json(transcript(HELLO, BYE)) == {
        "text": "Hello there. Bye.",
        "usage": {"type": "duration", "seconds": 9},
    }
