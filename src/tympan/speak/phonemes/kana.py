"""Japanese: katakana as it is pronounced to the model's phonemes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import SpokenWord

_VOWELS: Final = ("a", "i", "ɯ", "e", "o")
# Rows of five kana with the consonant before each vowel; where a row's i and u have sounds of their own they are given.
_ROWS: Final = {
    "アイウエオ": ("", "", "", "", ""),
    "カキクケコ": ("k", "kʲ", "k", "k", "k"),
    "ガギグゲゴ": ("ɡ", "ɡʲ", "ɡ", "ɡ", "ɡ"),
    "サシスセソ": ("s", "ɕ", "s", "s", "s"),
    "ザジズゼゾ": ("ʣ", "ʥ", "z", "ʣ", "ʣ"),
    "タチツテト": ("t", "ʨ", "ʦ", "t", "t"),
    "ダヂヅデド": ("d", "ʥ", "z", "d", "d"),
    "ナニヌネノ": ("n", "ɲ", "n", "n", "n"),
    "ハヒフヘホ": ("h", "ç", "ɸ", "h", "h"),
    "バビブベボ": ("b", "bʲ", "b", "b", "b"),
    "パピプペポ": ("p", "pʲ", "p", "p", "p"),
    "マミムメモ": ("m", "mʲ", "m", "m", "m"),
    "ラリルレロ": ("ɾ", "ɾʲ", "ɾ", "ɾ", "ɾ"),
}
_CENTRAL: Final = frozenset("スズツヅ")  # their vowel is further forward
_SMALL: Final = {"ァ": "a", "ィ": "i", "ゥ": "ɯ", "ェ": "e", "ォ": "o", "ャ": "a", "ュ": "ɨ", "ョ": "o", "ヮ": "a"}
_GLIDES: Final = frozenset("ャュョ")
_SOKUON: Final = "ッ"
_N: Final = "ン"
_LONG: Final = "ー"
_NASALS: Final = {"m": "mpb", "ŋ": "kɡ", "ɲ": "ɲʨʥ", "n": "ntdɾz"}  # the syllable n before these sounds


def _plain() -> dict[str, str]:
    table = {
        kana: consonant + ("ɨ" if kana in _CENTRAL else vowel)
        for row, consonants in _ROWS.items()
        for kana, consonant, vowel in zip(row, consonants, _VOWELS, strict=True)
    }
    table |= {"ヤ": "ja", "ユ": "jɯ", "ヨ": "jo", "ワ": "βa", "ヰ": "i", "ヱ": "e", "ヲ": "o", "ヴ": "vɯ"}
    table |= {"ヵ": "ka", "ヶ": "ke", "ャ": "ja", "ュ": "jɯ", "ョ": "jo", "ヮ": "βa"}
    return table | {small: sound for small, sound in _SMALL.items() if small not in table}


def _digraphs(plain: dict[str, str]) -> dict[str, str]:
    table: dict[str, str] = {}
    for first, sound in plain.items():
        consonant = sound[:-1]
        for small, vowel in _SMALL.items():
            if small in _GLIDES and sound[-1] == "i" and consonant:
                table[first + small] = consonant + vowel  # キャ, シュ, チョ
            elif small in "ァィゥェォ" and consonant and small != "ゥ":
                table[first + small] = consonant + vowel  # シェ, ファ, チェ, ヴァ
    for first, consonant in (("ク", "kᵝ"), ("グ", "ɡᵝ"), ("ウ", "β")):
        for small in "ァィェォ":
            table[first + small] = consonant + _SMALL[small]
    table |= {"ティ": "tʲi", "ディ": "dʲi", "テュ": "tʲɨ", "デュ": "dʲɨ", "トゥ": "tɯ", "ドゥ": "dɯ", "イェ": "je"}
    table |= {"フィ": "ɸʲi", "フュ": "ɸʲɨ", "フョ": "ɸʲo", "ヴィ": "vʲi", "ヴュ": "bʲɨ", "ツィ": "ʦʲi", "スィ": "sʲi"}
    return table


_PLAIN: Final = _plain()
_DIGRAPHS: Final = _digraphs(_PLAIN)


class KanaPhonemizer:
    """Japanese from katakana."""

    def phonemize(self, words: Sequence[SpokenWord]) -> list[str]:
        """Return the phonemes of each word."""
        return [kana_phonemes(word.text) for word in words]


def kana_phonemes(kana: str) -> str:
    """Return the phonemes of katakana; other characters are skipped."""
    sounds: list[str] = []
    at = 0
    while at < len(kana):
        pair = kana[at : at + 2]
        if pair in _DIGRAPHS:
            sounds.append(_DIGRAPHS[pair])
            at += 2
            continue
        character = kana[at]
        at += 1
        if character in {_SOKUON, _N}:
            sounds.append(character)
        elif character == _LONG:
            sounds.append("ː" if sounds else "")
        elif character in _PLAIN:
            sounds.append(_PLAIN[character])
    return "".join(
        _before(sound, sounds[index + 1] if index + 1 < len(sounds) else "") for index, sound in enumerate(sounds)
    )


def _before(sound: str, following: str) -> str:
    """Say the doubled consonant and the syllable n by what follows."""
    if sound == _SOKUON:
        return "ʔ" if following not in {"", _SOKUON, "ː"} else ""
    if sound != _N:
        return sound
    return next((nasal for nasal, sounds in _NASALS.items() if following and following[0] in sounds), "ɴ")
