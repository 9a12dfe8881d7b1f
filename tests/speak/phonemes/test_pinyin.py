import pytest
from pypinyin.contrib.tone_convert import to_tone3
from pypinyin.pinyin_dict import pinyin_dict

from tympan.speak.phonemes.pinyin import PinyinPhonemizer
from tympan.speak.reading import SpokenWord
from tympan.speak.vocabulary import TOKEN_IDS

SYLLABLES = {
    "ni3hao3": "ni↓xau↓",
    "zhong1guo2": "ꭧʊ→ŋkwo↗",
    "xue2xi2": "ɕɥe↗ɕi↗",
    "shi4": "ʂɨ↘",
    "zi5": "ʦɨ",
    "yuan2": "ɥɛ↗n",
    "you3": "jou↓",
    "yong4": "jʊ↘ŋ",
    "wei4": "wei↘",
    "wen2": "wə↗n",
    "lv4": "ly↘",
    "nüe4": "nɥe↘",
    "jun1": "ʨy→n",
    "er2": "ɚ↗",
    "liu2": "ljou↗",
    "dui4": "twei↘",
    "xiong2": "ɕjʊ↗ŋ",
    "": "",
    "你": "",
}


@pytest.mark.parametrize(("pinyin", "phonemes"), SYLLABLES.items())
def test_pinyin(pinyin, phonemes):
    assert PinyinPhonemizer().phonemize([SpokenWord(pinyin, 0, 1, "zh")]) == [phonemes]


def test_every_reading_of_every_character_is_in_the_vocabulary():
    readings = {to_tone3(one, neutral_tone_with_five=True) for all_ in pinyin_dict.values() for one in all_.split(",")}
    words = [SpokenWord(reading, 0, 1, "zh") for reading in sorted(readings)]
    said = dict(zip(sorted(readings), PinyinPhonemizer().phonemize(words), strict=True))
    assert all(symbol in TOKEN_IDS for phonemes in said.values() for symbol in phonemes)
    assert len(readings) > 1400
    assert [reading for reading, phonemes in said.items() if not phonemes] == []
