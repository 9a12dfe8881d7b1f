"""The English pronouncing dictionaries of the misaki project (Apache-2.0), one for each country.

The model was trained on what they give. Only the data is used: the library itself wants much larger ones.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from tympan.speak.vocabulary import STRESSES

if TYPE_CHECKING:
    from collections.abc import Mapping

Entry = str | dict[str, str | None]  # phonemes, or phonemes by part of speech

VOWELS: Final = frozenset("AIOQWYaiuæɐɑɒɔəɛɜɪʊʌᵻ")
_TAPPED_AFTER: Final = frozenset("AIOWYiuæɑəɛɪɹʊʌ")  # an American t between such a vowel and another is tapped
_BEFORE_T: Final = frozenset("ptkfθ")
_HISSING: Final = frozenset("szʃʒʧʤ")
_VOICELESS: Final = frozenset("pkfθʃsʧ")
_DOUBLED: Final = frozenset("bcdgklmnprstvxz")


class Lexicon:
    """Words of one country with their phonemes."""

    def __init__(self, checked: Mapping[str, Entry], further: Mapping[str, str], *, british: bool) -> None:
        self._checked, self._further = checked, further
        self._british = british

    def entry(self, word: str) -> Entry | None:
        """Return the entry of a word as spelled, else of its other case at the beginning; the checked ones first."""
        other = word.lower() if word[:1].isupper() else word.capitalize()
        for words in (self._checked, self._further):
            for spelling in (word, other):
                found = words.get(spelling)
                if found is not None:
                    return found
        return None

    def letter(self, letter: str) -> str | None:
        """Return a letter's name."""
        found = self._checked.get(letter.upper())
        return found if isinstance(found, str) else None

    def inflected(self, word: str) -> tuple[Entry, str] | None:
        """Return the entry of the word that `word` is a form of, and the ending: "s", "ed" or "ing"."""
        for ending, stems in (("s", _stems_s(word)), ("ed", _stems_ed(word)), ("ing", _stems_ing(word))):
            for stem in stems:
                entry = self.entry(stem)
                if entry is not None:
                    return entry, ending
        return None

    def ended(self, stem: str, ending: str) -> str:
        """Add an ending to phonemes."""
        last = stem[-1]
        weak = "ɪ" if self._british else "ᵻ"
        if ending == "s":
            return stem + ("s" if last in _BEFORE_T else f"{weak}z" if last in _HISSING else "z")
        tapped = stem[:-1] + "ɾ" if not self._british and last == "t" and stem[-2:-1] in _TAPPED_AFTER else stem
        if ending == "ing":
            joint = "ɹ" if self._british and last in "əː" and not stem.endswith(("iː", "uː")) else ""
            return f"{tapped}{joint}ɪŋ"
        if last in _VOICELESS:
            return f"{stem}t"
        if last == "d":
            return f"{stem}{weak}d"
        return f"{tapped}{'ɪ' if self._british else 'ᵻ'}d" if last == "t" else f"{stem}d"


@cache
def lexicon_for(*, british: bool) -> Lexicon:
    """Load a country's dictionaries, once."""
    country = "gb" if british else "us"
    checked, further = (
        json.loads(resources.files("misaki").joinpath("data", f"{country}_{part}.json").read_text(encoding="utf-8"))
        for part in ("gold", "silver")
    )
    return Lexicon(checked, further, british=british)


def stressed(phonemes: str, mark: str) -> str:
    """Set a stress before the first vowel of phonemes that have none."""
    if any(stress in phonemes for stress in STRESSES):
        return phonemes
    for at, symbol in enumerate(phonemes):
        if symbol in VOWELS:
            return phonemes[:at] + mark + phonemes[at:]
    return phonemes


def _stems_s(word: str) -> list[str]:
    if len(word) < 3 or not word.endswith("s") or word.endswith("ss"):  # noqa: PLR2004
        return []
    stems = [word[:-2]] if word.endswith("'s") else [word[:-1]]
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004
        stems.append(f"{word[:-3]}y")
    elif word.endswith("es") and len(word) > 4:  # noqa: PLR2004
        stems.append(word[:-2])
    return stems


def _stems_ed(word: str) -> list[str]:
    if len(word) < 4 or not word.endswith("ed") or word.endswith("eed"):  # noqa: PLR2004
        return []
    stems = [word[:-1], word[:-2]]
    if word.endswith("ied"):
        stems.append(f"{word[:-3]}y")
    if word[-3] == word[-4] and word[-3] in _DOUBLED:
        stems.append(word[:-3])
    return stems


def _stems_ing(word: str) -> list[str]:
    if len(word) < 5 or not word.endswith("ing"):  # noqa: PLR2004
        return []
    stems = [word[:-3], f"{word[:-3]}e"]
    if len(word) > 5 and word[-4] == word[-5] and word[-4] in _DOUBLED:  # noqa: PLR2004
        stems.append(word[:-4])
    return stems
