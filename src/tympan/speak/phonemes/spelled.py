"""Languages that espeak-ng reads well: Spanish, French, Hindi, Italian, Portuguese.

Words are read clause by clause, since French binds words together and all languages weaken small ones. What comes
back is aligned with the words again: espeak joins some ("in the") and parts others.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from tympan.speak.phonemes.espeak import TIE, ipa
from tympan.speak.reading import Stop
from tympan.speak.vocabulary import STRESSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import Language, SpokenWord

_VOICES: Final[dict[Language, str]] = {"es": "es", "fr": "fr", "hi": "hi", "it": "it", "pt-br": "pt-br"}
_MAX_CLAUSE_LETTERS: Final = 200  # so that alignment stays cheap in a text without punctuation

# espeak's sounds of several letters are single symbols for the model.
_SINGLE: Final = {
    f"a{TIE}ɪ": "I",
    f"a{TIE}ʊ": "W",
    f"d{TIE}z": "ʣ",
    f"d{TIE}ʒ": "ʤ",
    f"e{TIE}ɪ": "A",
    f"o{TIE}ʊ": "O",
    f"ə{TIE}ʊ": "Q",
    f"s{TIE}s": "S",
    f"t{TIE}s": "ʦ",
    f"t{TIE}ʃ": "ʧ",
    f"ɔ{TIE}ɪ": "Y",
}
_TIED = re.compile("|".join(map(re.escape, _SINGLE)))
_SWITCH = re.compile(r"\([a-z-]{2,8}\)")  # "(en)": espeak says so when it changes the language inside a text
_UNSAID: Final = str.maketrans("", "", f"{TIE}-")


class EspeakPhonemizer:
    """A language as espeak-ng reads it, in the model's symbols."""

    def __init__(self, language: Language) -> None:
        self._voice = _VOICES[language]

    def phonemize(self, words: Sequence[SpokenWord]) -> list[str]:
        """Return the phonemes of each word."""
        phonemes: list[str] = []
        clause: list[str] = []
        for word in words:
            clause.append(word.text)
            if word.stop > Stop.NONE or sum(map(len, clause)) > _MAX_CLAUSE_LETTERS:
                phonemes += self._clause(clause)
                clause = []
        return phonemes + (self._clause(clause) if clause else [])

    def _clause(self, words: list[str]) -> list[str]:
        together = _mapped(ipa([" ".join(words)], self._voice)[0])
        if len(split := together.split()) == len(words):
            return split
        return aligned(
            [_mapped(alone).replace(" ", "") for alone in ipa(words, self._voice)], together.replace(" ", "")
        )


def aligned(alone: Sequence[str], together: str) -> list[str]:
    """Cut the phonemes of a clause, `together`, where the words end whose phonemes are `alone` one by one.

    Nothing of `together` is lost; a word may be left without any.
    """
    joined = "".join(alone)
    owner_of = [index for index, phonemes in enumerate(alone) for _ in phonemes]
    owners = [-1] * len(together)
    for a, b, size in SequenceMatcher(None, joined, together, autojunk=False).get_matching_blocks():
        owners[b : b + size] = owner_of[a : a + size]
    parts = [""] * len(alone)
    current = 0
    for at, symbol in enumerate(together):
        if owners[at] >= 0:
            current = owners[at]
        elif symbol in STRESSES:  # a stress belongs to what follows
            current = max(current, next((owner for owner in owners[at:] if owner >= 0), current))
        parts[current] += symbol
    return parts


def _mapped(phonemes: str) -> str:
    phonemes = _SWITCH.sub("", phonemes)
    return _TIED.sub(lambda match: _SINGLE[match[0]], phonemes).translate(_UNSAID)
