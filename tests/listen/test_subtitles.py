import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tympan.engines.protocols import Word
from tympan.listen.results import Segment
from tympan.listen.subtitles import cues, milliseconds, write_srt, write_vtt

SENTENCE = " The quick brown fox jumps over the lazy dog, and then it sleeps for a very long time under the old tree."


def spoken(text: str, *, start: float = 0.0, pace_s: float = 0.4, words: list[str] | None = None) -> Segment:
    pieces = words or [f" {word}" for word in text.split()]
    timed = tuple(
        Word(piece, start + place * pace_s, start + (place + 0.9) * pace_s) for place, piece in enumerate(pieces)
    )
    return Segment(0, start, timed[-1].end, text, words=timed)


@pytest.mark.parametrize(
    ("seconds", "stamp"),
    [
        (0.0, "00:00:00,000"),
        (0.0004, "00:00:00,000"),
        (11.54, "00:00:11,540"),
        (0.9995, "00:00:01,000"),
        (59.9996, "00:01:00,000"),
        (3599.9996, "01:00:00,000"),
        (3661.0, "01:01:01,000"),
        (359_999.9999, "100:00:00,000"),
        (445_566.789, "123:46:06,789"),
    ],
)
def test_times_round_to_milliseconds_with_carry(seconds: float, stamp: str):
    segment = Segment(0, seconds, seconds + 1, "Hi.")
    assert write_srt([segment]).startswith(f"1\n{stamp} --> ")
    assert write_vtt([segment]).startswith(f"WEBVTT\n\n{stamp.replace(',', '.')} --> ")


@given(st.floats(min_value=0, max_value=1e6))
def test_a_stamp_says_the_nearest_millisecond(seconds: float):
    found = re.match(r"1\n(\d{2,}):([0-5]\d):([0-5]\d),(\d{3}) --> ", write_srt([Segment(0, seconds, seconds, "Hi.")]))
    assert found is not None
    hours, minutes, whole, thousandths = map(int, found.groups())
    told_ms = ((hours * 60 + minutes) * 60 + whole) * 1000 + thousandths
    assert told_ms == milliseconds(seconds)
    assert abs(told_ms - seconds * 1000) <= 0.501


def test_srt_layout():
    segments = [Segment(0, 1.5, 2.25, " Hello there."), Segment(1, 3.0, 4.0, " Bye.")]
    assert write_srt(segments) == (
        "1\n00:00:01,500 --> 00:00:02,250\nHello there.\n\n2\n00:00:03,000 --> 00:00:04,000\nBye.\n"
    )


def test_vtt_layout():
    segments = [Segment(0, 1.5, 2.25, " Hello there."), Segment(1, 3.0, 4.0, " Bye.")]
    assert write_vtt(segments) == (
        "WEBVTT\n\n00:00:01.500 --> 00:00:02.250\nHello there.\n\n00:00:03.000 --> 00:00:04.000\nBye.\n"
    )


@pytest.mark.parametrize("segments", [[], [Segment(0, 0.0, 1.0, " \n")]])
def test_no_speech_is_no_cue(segments: list[Segment]):
    assert write_srt(segments) == ""
    assert write_vtt(segments) == "WEBVTT\n"


def test_numbers_have_no_gap_where_a_text_is_empty():
    texts = [" One.", "  ", " Three."]
    srt = write_srt([Segment(n, float(n), n + 1.0, text) for n, text in enumerate(texts)])
    assert re.findall(r"^\d+$", srt, re.MULTILINE) == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "srt", "vtt"),
    [
        (" R&D <3 a --> b ", "R&D <3 a -> b", "R&amp;D &lt;3 a -> b"),
        ("a ---> b -->", "a -> b ->", "a -> b ->"),
        ("a\nb\r\n\r\nc\u2028d", "a b c d", "a b c d"),
        ("x -- y > z -> w", "x -- y > z -> w", "x -- y > z -> w"),
        ("&lt;", "&lt;", "&amp;lt;"),
        ("日本語\N{IDEOGRAPHIC SPACE}です。", "日本語 です。", "日本語 です。"),
    ],
)
def test_texts_never_break_a_cue(text: str, srt: str, vtt: str):
    segment = Segment(0, 0.0, 1.0, text)
    assert write_srt([segment]) == f"1\n00:00:00,000 --> 00:00:01,000\n{srt}\n"
    assert write_vtt([segment]) == f"WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n{vtt}\n"


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ([(1.0, 1.0)], [(1000, 1001)]),
        ([(1.0, 0.5)], [(1000, 1001)]),
        ([(1.0, 1.0), (1.0, 1.0)], [(1000, 1001), (1001, 1002)]),
        ([(0.0, 2.0), (1.0, 3.0)], [(0, 2000), (2000, 3000)]),
        ([(5.0, 6.0), (1.0, 2.0)], [(5000, 6000), (6000, 6001)]),
        ([(-0.2, 1.0)], [(0, 1000)]),
    ],
)
def test_cues_end_after_they_start_and_never_go_back(times: list[tuple[float, float]], expected: list[tuple[int, int]]):
    found = cues(Segment(n, start, end, "Hi.") for n, (start, end) in enumerate(times))
    assert [(cue.start_ms, cue.end_ms) for cue in found] == expected


def test_two_channels_may_speak_at_once():
    segments = [Segment(0, 0.0, 2.0, "Left.", channel=0), Segment(1, 1.0, 3.0, "Right.", channel=1)]
    assert [(cue.start_ms, cue.end_ms) for cue in cues(segments)] == [(0, 2000), (1000, 3000)]


def test_without_a_limit_a_segment_is_one_line():
    (cue,) = cues([spoken(SENTENCE)])
    assert cue.lines == (SENTENCE.strip(),)


def test_a_long_segment_becomes_even_cues_by_its_word_times():
    found = list(cues([spoken(SENTENCE, start=10.0)], max_line=42))
    assert [cue.lines for cue in found] == [
        ("The quick brown fox jumps", "over the lazy dog, and then"),
        ("it sleeps for a very long", "time under the old tree."),
    ]
    assert [(cue.start_ms, cue.end_ms) for cue in found] == [(10_000, 14_360), (14_400, 18_760)]


def test_a_segment_that_fits_two_lines_stays_one_cue():
    (cue,) = cues([spoken(" So they went home and had a cup of tea together.")], max_line=42)
    assert cue.lines == ("So they went home and had", "a cup of tea together.")


def test_languages_without_spaces_break_between_characters():
    text = "これはとても長い文章なので二つの行に分けて表示しなければなりません。"
    found = list(cues([spoken(text, words=list(text))], max_line=10))
    assert "".join(line for cue in found for line in cue.lines) == text
    assert all(len(line) <= 10 for cue in found for line in cue.lines)
    assert len(found) == 2


def test_without_word_times_lines_break_but_no_time_is_invented():
    (cue,) = cues([Segment(0, 0.0, 9.0, SENTENCE)], max_line=42)
    assert (cue.start_ms, cue.end_ms) == (0, 9000)
    assert " ".join(cue.lines) == SENTENCE.strip()
    assert all(len(line) <= 42 for line in cue.lines)


def test_words_that_do_not_spell_the_text_are_not_used():
    segment = Segment(0, 0.0, 9.0, SENTENCE, words=(Word(" The", 0.0, 0.2), Word(" fox", 0.2, 0.4)))
    (cue,) = cues([segment], max_line=42)
    assert " ".join(cue.lines) == SENTENCE.strip()


def test_a_word_longer_than_a_line_is_cut_between_characters():
    marked = "e\N{COMBINING ACUTE ACCENT}" * 30
    found = list(cues([Segment(0, 0.0, 1.0, marked)], max_line=7))
    lines = [line for cue in found for line in cue.lines]
    assert "".join(lines) == marked
    assert all(line.startswith("e") and len(line) <= 7 for line in lines)


@given(
    st.lists(st.text("abc,.é漢", min_size=1, max_size=20), min_size=1, max_size=60),
    st.integers(min_value=1, max_value=50),
    st.integers(min_value=1, max_value=3),
)
def test_wrapping_loses_nothing_and_keeps_its_limits(words: list[str], max_line: int, max_lines: int):
    text = "".join(f" {word}" for word in words)
    found = list(cues([spoken(text)], max_line=max_line, max_lines=max_lines))
    shown = "".join(line for cue in found for line in cue.lines)
    assert shown.replace(" ", "") == "".join(words)
    assert all(1 <= len(cue.lines) <= max_lines for cue in found)
    assert all(len(line) <= max_line for cue in found for line in cue.lines)
    assert all(cue.start_ms < cue.end_ms for cue in found)
    assert all(before.end_ms <= after.start_ms for before, after in itertools.pairwise(found))


@pytest.mark.parametrize(("max_line", "max_lines"), [(0, 2), (-1, 2), (42, 0)])
def test_limits_that_hold_no_text_are_refused(max_line: int, max_lines: int):
    with pytest.raises(ValueError, match="at least one"):
        write_srt([spoken(SENTENCE)], max_line=max_line, max_lines=max_lines)
