import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tympan.errors import NothingToSay, TympanError, UnreadableScript
from tympan.speak.chunks import chunks
from tympan.speak.reader import read
from tympan.speak.vocabulary import MAX_TOKENS, TOKEN_IDS, sounds

LANGUAGES = ["en-us", "en-gb", "es", "fr", "hi", "it", "ja", "pt-br", "zh"]
IDS = set(TOKEN_IDS.values())
HARD = (
    "$€£¥%#@&*+-=/\\.,:;!?()[]{}<>|~^_`'\"°½²º…—–“”«»、。「」 \n\t0123456789"
    "aAzZIVXéñçßøあア漢字नम😀👩\u200d\u0301\u0000\ufeff\ud7ff"
)


@pytest.mark.parametrize(
    "text", ["", "   ", "\n\n", "...", "?!", "—", "'", "😀", "**", "***\n---", "（）", "、。", "\0", "\u200b"]
)
@pytest.mark.parametrize("language", ["en-us", "ja"])
def test_text_without_words_is_refused(text, language):
    with pytest.raises(NothingToSay) as error:
        next(read(text, language, "v"))
    assert error.value.status == 400
    assert error.value.param == "input"


def test_a_foreign_script_is_refused_before_anything_is_read():
    with pytest.raises(UnreadableScript, match="It reads French"):
        read("東京都", "fr", "ff_siwis")


def test_foreign_words_are_read_by_their_own_language():
    text = "Say 東京 now."
    (sentence,) = read(text, "en-us", "v")
    assert [(text[w.word.start : w.word.end], w.phonemes) for w in sentence.words] == [
        ("Say", "sˈA"),
        ("東京", "tʊ→ŋʨi→ŋ"),
        ("now", "nˈW"),
    ]


def test_latin_words_in_japanese_are_read_as_english():
    (sentence,) = read("AIは面白い", "ja", "v")
    assert [w.phonemes for w in sentence.words] == ["ˈAˌI", "βa", "omoɕiɾoi"]


def test_sentences_are_read_as_they_are_asked_for():
    sentences = read("One. Two. Three.", "en-us", "v")
    assert [word.word.text for word in next(sentences).words] == ["One"]
    assert len(list(sentences)) == 2


def check(text, language):
    """Hold what is true of any text: known tokens, sounding words, spans ascending and inside, or one of our errors."""
    last = 0
    try:
        for chunk in chunks(read(text, language, "v")):
            assert 1 <= len(chunk.tokens) <= MAX_TOKENS
            assert set(chunk.tokens) <= IDS
            assert chunk.words
            at = 0
            for word in chunk.words:
                assert at <= word.token_start < word.token_end <= len(chunk.tokens)
                assert last <= word.start < word.end <= len(text)
                at, last = word.token_end, word.start
    except TympanError:
        return


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(text=st.text(alphabet=HARD, max_size=60))
def test_any_text_is_read_or_refused(text, language):
    check(text, language)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(text=st.text(max_size=80))
def test_any_unicode_is_read_or_refused_in_english(text):
    check(text, "en-us")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("button kitten written", "en-us"),
        ("A dog.", "en-us"),
        ("E.", "en-gb"),
        ("Hola", "es"),
        ("Café", "fr"),
        ("Perché", "it"),
        ("São", "pt-br"),
        ("नमस्ते", "hi"),
        ("おはよう", "ja"),
        ("你好", "zh"),
    ],
)
def test_every_word_sounds(text, language):
    (sentence,) = read(text, language, "v")
    assert all(sounds(word.phonemes) for word in sentence.words)
    spans = [(word.word.start, word.word.end) for word in sentence.words]
    assert spans[0][0] == 0
    assert spans[-1][1] >= len(text.rstrip("."))
