import pytest

from tympan.cli.cues import Cues, SpokenText, Subtitles, subtitle_parts
from tympan.speak.results import TimedText


def timed(text: str, *words: str, start: float = 0.0, word_s: float = 0.5) -> list[TimedText]:
    """Find words in a text, one after the other, each spoken for the same time."""
    found, at = [], 0
    for place, word in enumerate(words):
        at = text.index(word, at)
        found.append(TimedText(start + place * word_s, start + (place + 1) * word_s, at, at + len(word)))
        at += len(word)
    return found


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("Hello, world.", ["Hello", "world"], ["Hello,", " world."]),
        ('"(Said) he!" …', ["Said", "he"], ['"(Said)', ' he!"']),
        ("It costs $3.50 -- *now*.", ["It", "costs", "$3.50", "now"], ["It", " costs", " $3.50", " -- *now*."]),
        ("A&B", ["A", "&", "B"], ["A", "&", "B"]),
        ("你好，世界。", ["你好", "世界"], ["你好，", "世界。"]),  # noqa: RUF001  (its own punctuation)
        ("See \U0001f600 this", ["See", "this"], ["See", " \U0001f600 this"]),
        ("two\n\nlines", ["two", "lines"], ["two", "\n\nlines"]),
    ],
)
def test_a_word_takes_what_stands_around_it(text: str, words: list[str], shown: list[str]):
    segments = list(SpokenText(text, Cues.WORD).push(timed(text, *words)))
    assert [segment.text for segment in segments] == shown
    assert [(segment.start, segment.end) for segment in segments] == [(n / 2, n / 2 + 0.5) for n in range(len(words))]


def test_words_that_come_in_two_pieces_stay_one():
    spoken = SpokenText("$350 million", Cues.WORD)
    first = list(spoken.push([TimedText(0, 1, 0, 4)]))
    second = list(spoken.push([TimedText(1, 1.5, 0, 4), TimedText(1.5, 2, 5, 12)]))
    assert [segment.text for segment in first + second] == ["$350", " million"]
    assert [segment.id for segment in first + second] == [0, 1]


def test_a_long_sentence_is_several_cues_of_two_lines_at_most():
    text = "word " * 60
    segments = SpokenText(text, Cues.PHRASE).push(timed(text, *text.split(), word_s=0.3))
    parts = list(subtitle_parts(segments, Subtitles.VTT))
    assert parts[0] == "WEBVTT\n"
    assert len(parts) > 3
    assert sum(part.count("word") for part in parts) == 60
    lines = [line for part in parts[1:] for line in part.strip().split("\n")[1:]]
    assert max(map(len, lines)) <= 42
    assert max(part.strip().count("\n") for part in parts[1:]) <= 2


def test_cues_come_as_the_speech_does():
    pieces = iter([timed("One. Two.", "One"), None])
    spoken = SpokenText("One. Two.", Cues.PHRASE)

    def segments():
        for piece in pieces:
            assert piece is not None, "asked for more than the first cue needs"
            yield from spoken.push(piece)

    assert next(subtitle_parts(segments(), Subtitles.SRT)) == "1\n00:00:00,000 --> 00:00:00,500\nOne.\n"
