"""Who speaks, and the whole text of a conversation."""

import pytest
from tests.api.standins import FILE, HELLO, HOW, MODEL, SUMMARY, ScriptedListener, Service, form, post

from tympan.api.answers import answer_headers, diarized, speaker
from tympan.listen.request import ListenRequest
from tympan.listen.results import Segment


@pytest.mark.parametrize(
    ("channel", "names", "expected"),
    [
        (0, (), "A"),
        (1, (), "B"),
        (25, (), "Z"),
        (26, (), "AA"),
        (0, ("agent",), "agent"),
        (1, ("agent",), "B"),
        (1, ("x", "y"), "y"),
    ],
)
def test_speakers(channel: int, names: tuple[str, ...], expected: str):
    assert speaker(channel, names) == expected


def test_one_line_for_each_turn():
    segments = [
        HELLO,
        Segment(1, 2, 2.5, " Anyone?"),
        HOW,
        Segment(3, 5, 6, "   ", channel=0),
        Segment(4, 6, 7, "Fine.", channel=0),
    ]
    pieces = list(diarized(segments, ()))
    assert "".join(addition for _, addition in pieces) == "A: Hello there. Anyone?\nB: How are you?\nA: Fine."
    assert [segment["id"] for segment, _ in pieces] == ["seg_001", "seg_002", "seg_003", "seg_004"]


def test_a_long_warning_is_shortened():
    summary = type(SUMMARY)(1, 1, "en", 1, 1, warnings=("x" * 5000,))
    assert len(answer_headers(ListenRequest(b""), summary)["x-tympan-warning"]) == 1000


def test_warnings_come_in_a_header_and_in_the_documents(service: Service, listener: ScriptedListener):
    warnings = ("2 packets could not be read.", "Naïve\r\nX-Evil: 1")
    listener.summary = type(SUMMARY)(4.6, 2.75, "en", 0.98, 1, warnings=warnings)
    reply = service.exchange(post(form(MODEL, FILE, ("response_format", "verbose_json"))))
    assert reply.headers["x-tympan-warning"] == "2 packets could not be read. Na?ve X-Evil: 1"
    assert "x-evil" not in reply.headers
    assert reply.json["warnings"] == list(warnings)
    assert reply.headers["x-tympan-model"] == "whisper"
    plain = service.exchange(post(form(MODEL, FILE, ("response_format", "text"))))
    assert plain.headers["x-tympan-warning"]
    stream = service.exchange(post(form(MODEL, FILE, ("stream", "true")))).body
    assert b'"warnings": ["2 packets' in stream
