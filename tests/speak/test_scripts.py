import pytest

from tympan.errors import UnreadableScript
from tympan.speak.scripts import check_readable, script_of

LETTERS = {
    "a": "Latin",
    "é": "Latin",
    "я": "Cyrillic",
    "λ": "Greek",
    "漢": "Han",
    "あ": "Kana",
    "ア": "Kana",
    "ｱ": "Kana",
    "न": "Devanagari",
    "한": "Hangul",
    "ع": "Arabic",
    "א": "Hebrew",
    "ไ": "Thai",
    "Ａ": "Latin",
    "ꯀ": "other",
}


@pytest.mark.parametrize(("letter", "script"), LETTERS.items())
def test_script_of(letter, script):
    assert script_of(letter) == script


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Hello", "en-us"),
        ("", "en-us"),
        ("123 !?", "ja"),
        ("Hello world", "ja"),
        ("Tokyo is written 東京 in Japanese", "en-us"),
        ("日本語とEnglish", "ja"),
        ("中文和English", "zh"),
        ("नमस्ते hello", "hi"),
        ("π is about 3", "en-us"),
        ("α, β and γ", "fr"),
    ],
)
def test_readable(text, language):
    check_readable(text, language, "v")


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("東京都", "en-us", "cannot read Han text ('東京都'). It reads English."),
        ("こんにちは", "zh", "cannot read Kana text ('こんにちは'). It reads Chinese and text in Latin letters."),
        ("Привет", "es", "cannot read Cyrillic text ('Привет'). It reads Spanish."),
        ("The word Привет means hello in a long text", "en-us", "cannot read Cyrillic text ('Привет')"),
        ("λόγος", "en-gb", "cannot read Greek text"),
        ("안녕하세요", "ja", "cannot read Hangul text ('안녕하세요'). It reads Japanese and text in Latin letters."),
        ("你好吗 ok", "hi", "cannot read Han text"),
    ],
)
def test_unreadable(text, language, message):
    with pytest.raises(UnreadableScript) as error:
        check_readable(text, language, "af_heart")
    assert str(error.value).startswith("Voice 'af_heart' ")
    assert message in str(error.value)
    assert error.value.status == 400
