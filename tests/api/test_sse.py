"""Deltas join to the text."""

from hypothesis import given
from hypothesis import strategies as st

from tympan.api.fields import AnswerOptions
from tympan.api.sse import GrowingText, TranscriptEvents, encode_event
from tympan.listen.results import Segment, join_text


@given(st.lists(st.text(st.sampled_from(" \n\t\u3000ab語"), max_size=6)))
def test_the_deltas_join_to_the_text(pieces: list[str]):
    growing = GrowingText()
    deltas = [growing.push(piece) for piece in pieces]
    segments = [Segment(number, number, number + 1, piece) for number, piece in enumerate(pieces)]
    assert "".join(deltas) == growing.text == join_text(segments)


def test_text_goes_out_at_once():
    assert GrowingText().push(" Hello. ") == "Hello."


def test_events_are_utf8_on_one_line():
    assert encode_event({"delta": "語\n\u2028"}) == 'data: {"delta": "語\\n\u2028"}\n\n'.encode()


def test_a_segment_without_text_is_no_event():
    for response_format in ("json", "diarized_json"):
        events = TranscriptEvents(AnswerOptions(response_format))
        assert events.segment(Segment(0, 0, 1, "  ")) == b""
