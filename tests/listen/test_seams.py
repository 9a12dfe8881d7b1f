import pytest

from tympan.engines.protocols import Word
from tympan.listen.seams import bare_word, join_at_seam


def words(text, start, step=0.4):
    return [
        Word(f" {word}", start + place * step, start + place * step + 0.35) for place, word in enumerate(text.split())
    ]


def joined(left, right, cut_s):
    keep, drop = join_at_seam(left, right, cut_s, 0.5)
    return " ".join(word.text.strip() for word in [*left[:keep], *right[drop:]])


@pytest.mark.parametrize(
    ("left", "left_from", "right", "right_from"),
    [
        ("one two three four five", 8.0, "five six seven", 9.6),  # agree on the last
        ("one two three four five", 8.0, "four five six seven", 9.2),
        ("one two three four", 8.0, "five six seven", 9.6),  # nothing in common, nothing twice
        ("one two three four five fi", 8.0, "ur five six seven", 9.25),  # halves of words at both edges
        ("one two three Four, five.", 8.0, "four five six seven", 9.2),  # case and commas
        ("one two three four five", 8.0, "four five six seven", 9.35),  # timed a little apart
    ],
)
def test_every_word_once(left, left_from, right, right_from):
    text = joined(words(left, left_from), words(right, right_from), 9.75)
    assert text.casefold().replace(",", "").replace(".", "") == "one two three four five six seven"


def test_repetition_that_was_said_is_kept():
    left = words("no no no", 8.8)
    right = words("no no no yes", 9.6)  # the first of these is the left's last
    assert joined(left, right, 9.8) == "no no no no no yes"


def test_one_side_empty():
    assert joined([], words("five six", 9.6), 9.75) == "five six"
    assert joined(words("one two", 8.0), [], 9.75) == "one two"


def test_the_same_word_far_away_is_another_word():
    left = words("stop the car", 8.0)
    right = words("stop here", 9.9)
    assert joined(left, right, 9.6) == "stop the car stop here"


def test_bare_word():
    assert bare_word(" Don't!") == "dont"
    assert bare_word("…") == ""
    assert bare_word(" ＡＢＣ１") == "abc1"  # noqa: RUF001
