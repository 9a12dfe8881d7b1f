import pytest
from hypothesis import given
from hypothesis import strategies as st

from tympan.speak.parts import parts

ALPHABET = st.sampled_from("ab .!\n。é")


@given(st.text(ALPHABET, max_size=400), st.integers(1, 40), st.integers(1, 80))
def test_together_they_are_the_text(text, first, later):
    found = list(parts(text, first, later))
    assert "".join(part.text for part in found) == text
    assert [part.start for part in found] == [sum(len(p.text) for p in found[:n]) for n in range(len(found))]
    assert all(0 < len(part.text) <= (first if n == 0 else later) for n, part in enumerate(found))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("One paragraph.\n\nAnother one. And more of it here", "One paragraph.\n\n"),
        ("One line here.\nAnother one. And more of it here", "One line here.\n"),
        ("One sentence. Another sentence that goes on for long", "One sentence. "),
        ("no end of any sentence in sight for a long time", "no end of any sentence in "),
        ("日本語の文です。次の文はもっともっと長いのでここでは切れません。", "日本語の文です。"),
    ],
)
def test_the_best_place_is_taken(text, first):
    assert next(parts(text, 28, 1000)).text == first


def test_a_word_without_any_break_is_cut_where_it_must_be():
    assert [len(part.text) for part in parts("x" * 100, 30, 40)] == [30, 40, 30]


def test_nothing():
    assert list(parts("")) == []
