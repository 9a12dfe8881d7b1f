from collections import Counter

import pytest

from tympan.errors import InvalidVoiceMix, UnknownVoice
from tympan.speak.voices import ALIASES, VOICES, parse_voice

OPENAI = "alloy ash ballad coral echo fable nova onyx sage shimmer verse marin cedar".split()


def test_all_54_voices_are_there():
    assert len(VOICES) == 54
    assert Counter(voice.language for voice in VOICES.values()) == {
        "en-us": 20,
        "en-gb": 8,
        "es": 3,
        "fr": 1,
        "hi": 4,
        "it": 2,
        "ja": 5,
        "pt-br": 3,
        "zh": 8,
    }
    assert Counter(voice.gender for voice in VOICES.values()) == {"female": 29, "male": 25}
    assert VOICES["af_heart"].name == "Heart"


def test_openai_names_are_voices():
    assert sorted(ALIASES) == sorted(OPENAI)
    assert set(ALIASES.values()) <= set(VOICES)
    assert parse_voice("ballad").parts[0][0].id == "bm_george"


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("af_heart", {"af_heart": 1.0}),
        ("af_heart(2)+af_bella(1)", {"af_heart": 2 / 3, "af_bella": 1 / 3}),
        ("af_heart(2) + af_bella", {"af_heart": 2 / 3, "af_bella": 1 / 3}),
        ("nova+af_heart(0.5)", {"af_nova": 2 / 3, "af_heart": 1 / 3}),
        ("af_heart(1)+af_heart(1)", {"af_heart": 1.0}),
        ("af_heart(0.5)", {"af_heart": 1.0}),
        ("af_heart+bm_george+ef_dora", {"af_heart": 1 / 3, "bm_george": 1 / 3, "ef_dora": 1 / 3}),
        ("zf_xiaoxiao+zm_yunxi", {"zf_xiaoxiao": 0.5, "zm_yunxi": 0.5}),
    ],
)
def test_mixes(name, parts):
    mix = parse_voice(name)
    assert {voice.id: weight for voice, weight in mix.parts} == pytest.approx(parts)
    assert mix.language == mix.parts[0][0].language


@pytest.mark.parametrize(
    "name", ["", "nobody", "AF_HEART", "af_heart ", "af heart", "ａf_heart", "../af_heart", "x" * 500]
)
def test_unknown_voices_are_refused_with_all_valid_names(name):
    with pytest.raises(UnknownVoice) as error:
        parse_voice(name)
    assert error.value.status == 400
    assert error.value.param == "voice"
    assert all(voice in str(error.value) for voice in [*OPENAI, *VOICES])


@pytest.mark.parametrize(
    "name",
    [
        "af_heart(0)+af_bella",
        "af_heart(101)",
        "af_heart(-1)",
        "af_heart()",
        "af_heart(1)+",
        "+af_heart",
        "af_heart(1",
        "af_heart(1)(2)",
        "af_heart(nan)",
        "af_heart(1e3)",
        "af_heart+jf_alpha",
        "zf_xiaoxiao+jf_alpha",
        "+".join(["af_heart"] * 9),
    ],
)
def test_mixes_that_make_no_sense_are_refused(name):
    with pytest.raises(InvalidVoiceMix) as error:
        parse_voice(name)
    assert error.value.status == 400
    assert error.value.param == "voice"


def test_a_mix_with_an_unknown_voice_names_it():
    with pytest.raises(UnknownVoice, match="Unknown voice 'nobody'"):
        parse_voice("af_heart+nobody(2)")
