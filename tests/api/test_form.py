"""Names and values, in all the ways that clients write them."""

from typing import Any

import pytest

from tympan.api.form import Fields
from tympan.errors import InvalidValue

KNOWN = frozenset({"model", "languages", "keywords", "chunking_strategy", "stream", "temperature"})


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([("languages[]", "en"), ("languages[]", "de")], ("en", "de")),
        ([("languages", "en"), ("languages", "de")], ("en", "de")),
        ([("languages[0]", "en"), ("languages[1]", "de")], ("en", "de")),
        ([("languages", "en, de,")], ("en", "de")),
        ([("languages[]", "en,de")], ("en", "de")),
        ([("languages[]", ""), ("languages", " ")], ()),
        ([], ()),
    ],
)
def test_arrays(pairs: list[tuple[str, str]], expected: tuple[str, ...]):
    assert Fields(pairs, KNOWN).many("languages") == expected


def test_a_comma_parts_phrases_only_in_a_plain_list():
    assert Fields([("keywords[]", "Smith, John"), ("keywords", "a,b")], KNOWN).many("keywords") == (
        "Smith, John",
        "a",
        "b",
    )


def test_objects():
    pairs = [("chunking_strategy[type]", "server_vad"), ("chunking_strategy[threshold]", " 0.5 ")]
    assert Fields(pairs, KNOWN).members("chunking_strategy") == {"type": "server_vad", "threshold": "0.5"}


@pytest.mark.parametrize("name", ["mode", "model[", "[]", "", "model[][]", "a[b]c"])
def test_other_names_are_ignored(name: str):
    assert Fields([(name, "x")], KNOWN).one("model") is None


def test_one_value():
    assert Fields([("model", " a "), ("model", "a")], KNOWN).one("model") == "a"
    for pairs in ([("model", "a"), ("model", "b")], [("model[id]", "a")]):
        with pytest.raises(InvalidValue):
            Fields(pairs, KNOWN).one("model")
    with pytest.raises(InvalidValue):
        Fields([("languages[x]", "a")], KNOWN).many("languages")


@pytest.mark.parametrize(
    ("members", "name", "expected"),
    [
        ({"stream": True}, "stream", "true"),
        ({"temperature": 0.25}, "temperature", "0.25"),
        ({"temperature": 0}, "temperature", "0"),
        ({"model": None}, "model", None),
        ({"model": ""}, "model", None),
    ],
)
def test_json_values(members: dict[str, Any], name: str, expected: str | None):
    assert Fields.from_json(members, KNOWN).one(name) == expected


def test_json_arrays_and_objects():
    fields = Fields.from_json(
        {"keywords": ["a, b", None, 7], "chunking_strategy": {"type": "server_vad", "threshold": None}}, KNOWN
    )
    assert fields.many("keywords") == ("a, b", "7")
    assert fields.members("chunking_strategy") == {"type": "server_vad"}


@pytest.mark.parametrize("value", [[["a"]], [{}], {"a": []}])
def test_json_nested_too_deeply(value: Any):
    with pytest.raises(InvalidValue) as caught:
        Fields.from_json({"model": value, "unknown": value}, KNOWN)
    assert caught.value.param == "model"
