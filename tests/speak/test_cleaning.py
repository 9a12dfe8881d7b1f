import pytest

from tympan.speak.cleaning import clean

CASES = {
    "**bold** _it_ `code` ~~old~~": "bold it code old",
    "snake_case and 2*3*4": "snake_case and 2*3*4",
    "[label](http://x.y/z) ![alt](a.png)": "label alt",
    "a &amp; b &lt; c &#65;": "a & b < c A",
    "<b>bold</b> x<br>y": "bold x\ny",
    "> quoted": "quoted",
    "ＡＢＣ１２３": "ABC123",
    "ﾊﾟｿｺﾝ": "パソコン",
    "2½": "2 1/2",
    "x²": "x^2",
    "1º 2ª": "1º 2ª",
    "I’ll “go”": "I'll “go”",
    "«oui»": "“oui”",
    "a\u200bb\u00adc\ufeff": "abc",
    "NUL\0here": "NULhere",
    "a\r\nb\rc": "a\nb\nc",
    "soft\u00a0space": "soft space",
    "ﬁne": "fine",
    "e\u0301": "é",
    "™©®": "   ",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_cleans(text, expected):
    assert clean(text).text == expected


def test_pictures_leave_no_letter():
    assert clean("👩‍👩‍👧 1️⃣ 🇩🇪 ❤️ 😀 ✓").text.split() == ["1"]


def test_headings_and_items_stand_alone():
    assert clean("# Title\ntext\n- one\n* two\n```py\ncode\n```\n---\n").text.split("\n") == [
        *("", "Title", "text", "", "one", "", "two", "", "code", "", "", ""),
    ]


def test_table_rows_become_lists():
    assert clean("|a|b|\n|--|--|\n|1|2|").text.replace("\n", "/") == ", a, b, //, 1, 2, "


@pytest.mark.parametrize("text", [*CASES, "# T\n**b** &amp; ½ 😀 [l](u)"])
def test_every_character_knows_its_origin(text):
    cleaned = clean(text)
    assert len(cleaned.text) == len(cleaned.starts) == len(cleaned.ends)
    assert list(cleaned.starts) == sorted(cleaned.starts)
    assert all(0 <= start < end <= len(text) for start, end in zip(cleaned.starts, cleaned.ends, strict=True))


def test_origins_point_at_what_was_written():
    text = "see **bold** [label](http://x.y) ½"
    cleaned = clean(text)
    for word in ("bold", "label"):
        at = cleaned.text.index(word)
        start, end = cleaned.span(at, at + len(word))
        assert text[start:end] == word
    at = cleaned.text.index("1/2")
    assert text[slice(*cleaned.span(at, at + 3))] == "½"
