import re

from tympan.speak.tracked import TrackedText


def test_new_text_stands_for_the_whole_match_and_a_slice_for_itself():
    text = TrackedText.of("ab [cd] ef")
    replaced = text.substitute(re.compile(r"\[(\w+)\]"), lambda match: match.span(1))
    assert replaced.text == "ab cd ef"
    assert replaced.span(3, 5) == (4, 6)
    longer = replaced.substitute(re.compile("cd"), lambda _: "long")
    assert longer.text == "ab long ef"
    assert longer.span(3, 7) == (4, 6)
    assert longer.span(8, 10) == (8, 10)


def test_nothing_found_is_nothing_changed():
    text = TrackedText.of("abc")
    assert text.substitute(re.compile("x"), lambda _: "") is text


def test_matches_at_the_beginning_can_vanish():
    text = TrackedText.of("**a")
    assert text.substitute(re.compile(r"\*"), lambda _: "") == TrackedText("a", [2], [3])


def test_an_empty_match_is_no_match():
    text = TrackedText.of("ab")
    assert text.substitute(re.compile("x*"), lambda _: "y").text == "ab"
