import pytest
from hypothesis import given
from hypothesis import strategies as st

from tympan.engines.protocols import Word
from tympan.listen.segments import SPLIT_LONGER_THAN_S, ends_sentence, split_words


def spoken(text, *, pace=0.5, start=0.0, gaps=None):
    words = []
    for place, word in enumerate(text.split()):
        start += (gaps or {}).get(place, 0.0)
        words.append(Word(f" {word}", start, start + pace))
        start += pace
    return words


def texts(words):
    return ["".join(word.text for word in piece).strip() for piece in split_words(words)]


def test_short_stays_whole():
    assert texts(spoken("Yes. No. Perhaps so.")) == ["Yes. No. Perhaps so."]
    assert split_words([]) == []


def test_long_is_split_at_sentence_ends():
    words = spoken("The first one is done here. Then came the second one. And this is the third sentence of it.")
    assert texts(words) == [
        "The first one is done here.",
        "Then came the second one.",
        "And this is the third sentence of it.",
    ]


def test_a_tiny_sentence_stays_with_its_neighbour():
    words = spoken("Well. The first sentence is long enough for one. So is the second sentence here. Yes.")
    assert texts(words) == [
        "Well. The first sentence is long enough for one.",
        "So is the second sentence here. Yes.",
    ]


def test_a_long_sentence_is_split_at_a_clause_or_a_pause():
    words = spoken("when all of this was over and done with, nobody in the whole house would speak of it")
    assert texts(words)[0].endswith("with,")
    words = spoken("a b c d e f g h i j k l m n o p q r", gaps={7: 0.9})
    assert texts(words)[0] == "a b c d e f g"


def test_abbreviations_and_initials_end_nothing():
    words = spoken("We went to see Dr. Smith and J. Jones of the old town. They were not there at all.")
    assert texts(words) == ["We went to see Dr. Smith and J. Jones of the old town.", "They were not there at all."]


@pytest.mark.parametrize("word", [" done.", ' done."', " what?!", "好。", " ...", " है।"])
def test_ends_a_sentence(word):
    assert ends_sentence(word)


@pytest.mark.parametrize("word", [" Dr.", " a,", " J.", "", " "])
def test_ends_no_sentence(word):
    assert not ends_sentence(word)


WORD = st.tuples(st.sampled_from([" a", " b,", " c.", " d?"]), st.floats(0.05, 3), st.floats(0, 2))


@given(st.lists(WORD, max_size=60))
def test_nothing_is_lost_and_pieces_are_short(raw):
    words, now = [], 0.0
    for text, length, gap in raw:
        words.append(Word(text, now + gap, now + gap + length))
        now += gap + length
    pieces = split_words(words)
    assert [word for piece in pieces for word in piece] == words
    assert all(piece for piece in pieces)
    for piece in pieces:
        assert piece[-1].end - piece[0].start <= SPLIT_LONGER_THAN_S or len(piece) == 1
