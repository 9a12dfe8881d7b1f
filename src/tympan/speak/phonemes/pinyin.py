"""Chinese: pinyin with tone digits to the model's phonemes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import SpokenWord

_INITIALS: Final = {
    "zh": "ꭧ",
    "ch": "ꭧʰ",
    "sh": "ʂ",
    "b": "p",
    "p": "pʰ",
    "m": "m",
    "f": "f",
    "d": "t",
    "t": "tʰ",
    "n": "n",
    "l": "l",
    "g": "k",
    "k": "kʰ",
    "h": "x",
    "j": "ʨ",
    "q": "ʨʰ",
    "x": "ɕ",
    "r": "ɻ",
    "z": "ʦ",
    "c": "ʦʰ",
    "s": "s",
}
# The tone stands behind the vowel, where "0" is.
_FINALS: Final = {
    "a": "a0",
    "ai": "ai0",
    "an": "a0n",
    "ang": "a0ŋ",
    "ao": "au0",
    "e": "ɤ0",
    "ei": "ei0",
    "en": "ə0n",
    "eng": "ə0ŋ",
    "i": "i0",
    "ia": "ja0",
    "ian": "jɛ0n",
    "iang": "ja0ŋ",
    "iao": "jau0",
    "ie": "je0",
    "in": "i0n",
    "iou": "jou0",
    "ing": "i0ŋ",
    "iong": "jʊ0ŋ",
    "ong": "ʊ0ŋ",
    "ou": "ou0",
    "u": "u0",
    "uei": "wei0",
    "ua": "wa0",
    "uai": "wai0",
    "uan": "wa0n",
    "uen": "wə0n",
    "uang": "wa0ŋ",
    "ueng": "wə0ŋ",
    "uo": "wo0",
    "o": "wo0",
    "v": "y0",
    "ve": "ɥe0",
    "van": "ɥɛ0n",
    "vn": "y0n",
}
_WHOLE: Final = {
    "er": "ɚ0",
    "o": "ɔ0",
    "io": "jɔ0",
    "yo": "jɔ0",
    "ê": "ɛ0",
    "hm": "hm0",
    "hng": "hŋ0",
    "m": "m0",
    "n": "n0",
    "ng": "ŋ0",
    "r": "ɚ0",
}
_BUZZED: Final = frozenset({"zh", "ch", "sh", "r", "z", "c", "s"})  # their i is a buzz
_TONES: Final = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}
_SYLLABLE = re.compile(r"([a-züê]+)([1-5])")
_INITIAL = re.compile("zh|ch|sh|[bpmfdtnlgkhjqxrzcs]")


class PinyinPhonemizer:
    """Mandarin from pinyin."""

    def phonemize(self, words: Sequence[SpokenWord]) -> list[str]:
        """Return the phonemes of each word."""
        return ["".join(map(_syllable, _SYLLABLE.findall(word.text))) for word in words]


def _syllable(pinyin: tuple[str, str]) -> str:
    """Return the phonemes of a syllable and its tone; "" for letters that make none."""
    letters, tone = pinyin[0].replace("ü", "v"), _TONES[pinyin[1]]
    if letters in _WHOLE:
        return _WHOLE[letters].replace("0", tone)
    initial, final = _parted(letters)
    if final not in _FINALS:
        return ""
    if final == "i" and initial in _BUZZED:
        return f"{_INITIALS[initial]}ɨ{tone}"
    return _INITIALS.get(initial, "") + _FINALS[final].replace("0", tone)


def _parted(letters: str) -> tuple[str, str]:
    """Undo pinyin's spelling: y and w, the shortened finals, and the dots left out over ü."""
    if letters[0] == "y":
        rest = letters[1:]
        if rest[0] == "u":
            return "", "v" + rest[1:]
        return "", rest if rest[0] == "i" else "i" + {"ou": "ou", "ong": "ong"}.get(rest, rest)
    if letters[0] == "w":
        rest = letters[1:]
        return "", {"u": "u", "ei": "uei", "en": "uen", "ong": "ong"}.get(rest, "u" + rest)
    match = _INITIAL.match(letters)
    initial = match[0] if match else ""
    final = letters[len(initial) :]
    if initial in {"j", "q", "x"} and final.startswith("u"):
        return initial, "v" + final[1:]
    return initial, {"iu": "iou", "ui": "uei", "un": "uen", "ue": "ve"}.get(final, final)
