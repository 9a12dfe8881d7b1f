import re

import pytest

from tympan.errors import InvalidLanguage
from tympan.listen.language import language_name, parse_language
from tympan.listen.languages import LANGUAGES


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("en", "en"),
        ("EN", "en"),
        (" en ", "en"),
        ("en-US", "en"),
        ("pt_BR", "pt"),
        ("PT_br", "pt"),
        ("zh-Hans", "zh"),
        ("zh-Hant-TW", "zh"),
        ("sr_Latn_RS", "sr"),
        ("es-419", "es"),
        ("de-CH-1996", "de"),
        ("ca-valencia", "ca"),
        ("zh-yue", "yue"),
        ("zh-cmn-Hans-CN", "zh"),
        ("yue-HK", "yue"),
        ("eng", "en"),
        ("deu", "de"),
        ("ger", "de"),
        ("ger-AT", "de"),
        ("cmn", "zh"),
        ("nb", "no"),
        ("nn", "nn"),
        ("iw", "he"),
        ("fil", "tl"),
        ("haw", "haw"),
        ("jw", "jw"),
        ("jv", "jw"),
        ("jav", "jw"),
        ("english", "en"),
        ("English", "en"),
        ("castilian", "es"),
        ("Haitian  Creole", "ht"),
        ("Norwegian Bokmål", "no"),
        ("mandarin", "zh"),
        ("burmese", "my"),
        ("myanmar", "my"),
    ],
)
def test_tags_codes_and_names_become_whispers_code(text: str, code: str):
    assert parse_language(text) == code


@pytest.mark.parametrize(
    "text",
    ["", " ", "xx", "klingon", "e", "en-", "-en", "en-U", "en US", "en--US", "en-US-x", "zh-xyz", "auto", "english-US"],
)
def test_anything_else_is_refused(text: str):
    with pytest.raises(InvalidLanguage) as caught:
        parse_language(text)
    assert (caught.value.status, caught.value.code, caught.value.param) == (400, "invalid_language_format", "language")
    assert str(caught.value) == (
        f"Invalid language '{text}'. Language parameter must be specified in ISO-639-1 format."
    )


def test_the_error_names_the_field_at_fault():
    with pytest.raises(InvalidLanguage) as caught:
        parse_language("xx", param="languages[1]")
    assert caught.value.param == "languages[1]"


def test_every_language_is_found_by_code_name_and_further_codes():
    assert len(LANGUAGES) == 100
    for language in LANGUAGES:
        for text in (language.code, language.name, *language.codes, *language.names, language.name.title()):
            assert parse_language(text) == language.code


def test_no_code_and_no_name_means_two_languages():
    codes = [code for language in LANGUAGES for code in (language.code, *language.codes)]
    names = [name for language in LANGUAGES for name in (language.name, *language.names)]
    assert len(codes) == len(set(codes))
    assert len(names) == len(set(names))
    assert all(re.fullmatch("[a-z]{2,3}", code) for code in codes)


@pytest.mark.parametrize(
    ("code", "name"),
    [("en", "english"), ("yue", "cantonese"), ("jw", "javanese"), ("ht", "haitian creole"), ("", ""), ("qaa", "qaa")],
)
def test_names_are_lower_case_english(code: str, name: str):
    assert language_name(code) == name
