import pytest

from tympan.speak.chunks import MAX_CHUNK_TOKENS, PAUSES_S, chunks
from tympan.speak.reader import read
from tympan.speak.reading import ReadWord, Sentence, SpokenWord, Stop
from tympan.speak.vocabulary import MAX_TOKENS, TOKEN_IDS

SYMBOLS = {token: symbol for symbol, token in TOKEN_IDS.items()}
LONG = "It may be that this communication will be considered as a madness by those who read it and that "


def sentence(*words):
    """Make a sentence of (phonemes, stop) whose words stand one after the other in the text."""
    return Sentence(
        tuple(
            ReadWord(
                SpokenWord("w", 2 * at, 2 * at + 1, "en-us", after=",."[stop > 1] if stop else "", stop=stop), said
            )
            for at, (said, stop) in enumerate(words)
        )
    )


def text_of(chunk):
    return "".join(SYMBOLS[token] for token in chunk.tokens)


def made(text, language="en-us"):
    return list(chunks(read(text, language, "v")))


def test_one_sentence_is_one_chunk_and_its_words_map_back():
    text = "It costs $3.50, right?"
    (chunk,) = made(text)
    assert text_of(chunk) == "ˌɪt kˈɔsts θɹˈi dˈɑləɹz ænd fˈɪfti sˈɛnts, ɹˈIt?"
    assert [(text[w.start : w.end], text_of(chunk)[w.token_start : w.token_end]) for w in chunk.words] == [
        ("It", "ˌɪt"),
        ("costs", "kˈɔsts"),
        ("$3.50", "θɹˈi dˈɑləɹz ænd fˈɪfti sˈɛnts"),
        ("right", "ɹˈIt"),
    ]


@pytest.mark.parametrize(("stop", "pause_s"), PAUSES_S.items())
def test_the_pause_is_that_of_the_stop(stop, pause_s):
    (chunk,) = chunks([sentence(("a" * 60, stop))])
    assert chunk.pause_s == pause_s


def test_short_sentences_join_and_the_first_leaves_soon():
    read_sentences = [sentence(("a" * 20, Stop.SENTENCE)) for _ in range(6)]
    assert [len(chunk.tokens) for chunk in chunks(read_sentences)] == [21, 65, 43]


def test_a_paragraph_ends_its_chunk():
    parts = [
        sentence(("a" * 20, Stop.PARAGRAPH)),
        sentence(("b" * 20, Stop.PARAGRAPH)),
        sentence(("c" * 20, Stop.NONE)),
    ]
    assert [text_of(chunk)[0] for chunk in chunks(parts)] == ["a", "b", "c"]


def test_a_long_first_sentence_is_cut_at_its_first_clause():
    first, second = chunks([sentence(("a" * 30, Stop.CLAUSE), ("b" * 100, Stop.SENTENCE))])
    assert text_of(first) == "a" * 30 + ","
    assert first.pause_s == PAUSES_S[Stop.CLAUSE]
    assert text_of(second) == "b" * 100 + "."


def test_a_first_sentence_of_moderate_length_without_clauses_stays_whole():
    assert len(list(chunks([sentence(*[("a" * 8, Stop.NONE)] * 10)]))) == 1


def test_text_without_punctuation_is_cut_between_words_and_nothing_is_lost():
    text = LONG * 20
    parts = made(text)
    assert len(parts[0].tokens) <= 70
    assert all(100 < len(chunk.tokens) <= MAX_CHUNK_TOKENS for chunk in parts[1:])
    spans = [text[word.start : word.end] for chunk in parts for word in chunk.words]
    assert spans == text.split()


def test_the_words_of_one_number_stay_together():
    text = f"{'word ' * 60}1,234,567 {'word ' * 60}"
    owners = [index for index, chunk in enumerate(made(text)) for word in chunk.words if text[word.start].isdigit()]
    assert len(owners) == 1


def test_a_word_longer_than_the_model_takes_is_the_only_one_cut():
    parts = list(chunks([sentence(("a", Stop.NONE), ("b" * 1200, Stop.NONE), ("c", Stop.SENTENCE))]))
    assert max(len(chunk.tokens) for chunk in parts) <= MAX_TOKENS
    assert "".join(map(text_of, parts)).replace(" ", "") == "a" + "b" * 1200 + "c."
    assert {(word.start, word.end) for chunk in parts for word in chunk.words} == {(0, 1), (2, 3), (4, 5)}


def test_every_numbered_line_is_there_once():
    text = "\n".join(f"{number}. Line number {number}" for number in range(1, 41))
    spans = [(word.start, word.end) for chunk in made(text) for word in chunk.words]
    assert sorted(set(spans)) == spans
    assert sum(text[start:end].isdigit() for start, end in spans) == 80


def test_chunks_come_as_sentences_are_read():
    asked = 0

    def endless():
        nonlocal asked
        while True:
            asked += 1
            yield sentence(("a" * 60, Stop.SENTENCE))

    next(chunks(endless()))
    assert asked == 1
