"""English: the dictionary first, then its inflections, then spelling, then espeak-ng for what is in no dictionary."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tympan.speak.phonemes.english_spelling import by_spelling
from tympan.speak.phonemes.homographs import homograph
from tympan.speak.phonemes.lexicon import VOWELS, Entry, lexicon_for, stressed
from tympan.speak.phonemes.part_of_speech import is_past, part_of_speech
from tympan.speak.reading import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import SpokenWord

_CONSONANTS: Final = frozenset("bdfhjklmnpstvwzðŋɡɹɾʃʒʤʧθ")
_MAX_SPELLED: Final = 4  # letters: longer unknown capitals are read as a word where they can be
_ACRONYMS: Final = 2  # words in capitals that a sentence can consist of without shouting
_SHOUTING: Final = 0.5  # with more than this part of its words in capitals, a sentence has no acronyms

_TO_BRITISH: Final = str.maketrans("Oɑæ", "Qɒa")
_PLURAL_LETTERS = re.compile(r"([A-Z]{2,5})'?s")
# Acronyms of today that are said as words and that the dictionaries do not have.
_READ_CAPITALS: Final = {
    "JSON": "ʤˈAsᵊn",
    "YAML": "jˈæmᵊl",
    "TOML": "tˈɑmᵊl",
    "RAM": "ɹˈæm",
    "ROM": "ɹˈɑm",
    "GIF": "ɡˈɪf",
    "WASM": "wˈɑzəm",
    "CUDA": "kˈudə",
    "COVID": "kˈOvɪd",
    "ASAP": "ˈAsæp",
    "CAPTCHA": "kˈæpʧə",
}
_WEAK: Final = {"to": ("tə", "tʊ"), "am": ("ɐm", "ɐm")}  # before a consonant, before a vowel
_FIXED: Final = {"an": "ɐn", "i": "ˌI"}
_BE: Final = frozenset({"is", "are", "was", "were", "be", "been", "being"})
_VOWEL_LETTER = re.compile("[AEIOUY]")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")


@dataclass(frozen=True, slots=True)
class _Place:
    """A word in its sentence: the words as `spelled` and in small letters, and what is known of what follows.

    `vowel_next`: whether the next sound is a vowel; None where a stop follows.
    """

    spelled: Sequence[str]
    lower: Sequence[str]
    at: int
    vowel_next: bool | None
    shouting: bool


class EnglishPhonemizer:
    """English as in the United States or in Britain."""

    def __init__(self, *, british: bool) -> None:
        self._british = british
        self._lexicon = lexicon_for(british=british)

    def phonemize(self, words: Sequence[SpokenWord]) -> list[str]:
        """Return the phonemes of each word. Small words sound by what follows them, so the last is read first."""
        spelled = [word.text for word in words]
        lower = [text.lower() for text in spelled]
        capitals = sum(len(text) > 1 and text.isupper() for text in spelled)
        shouting = capitals > max(_ACRONYMS, _SHOUTING * sum(len(text) > 1 for text in spelled))
        phonemes = [""] * len(words)
        vowel_next: bool | None = None  # None: a stop follows, or the end
        for at in range(len(words) - 1, -1, -1):
            if words[at].stop > Stop.NONE or words[at].after:
                vowel_next = None
            place = _Place(spelled, lower, at, vowel_next, shouting)
            said = self._spelled_letter(words, at) or self._special(place) or self._word(place)
            phonemes[at] = said.replace("ɾ", "T").replace("ʔ", "t")
            vowel_next = _vowel_first(said, vowel_next)
        return phonemes

    def _spelled_letter(self, words: Sequence[SpokenWord], at: int) -> str | None:
        """Return a letter's name in a run of letters that stand for one acronym; only the last is fully stressed."""
        word = words[at]
        if len(word.text) != 1:
            return None
        following = words[at + 1] if at + 1 < len(words) else None
        preceding = words[at - 1] if at else None
        same = [
            other is not None and len(other.text) == 1 and (other.start, other.end) == (word.start, word.end)
            for other in (preceding, following)
        ]
        name = self._lexicon.letter(word.text)
        if not any(same) or name is None:
            return None
        return name.replace("ˈ", "ˌ") if same[1] else name

    def _special(self, place: _Place) -> str | None:
        """Return the phonemes of small words whose sound changes with the next word."""
        word, following = place.lower[place.at], place.vowel_next
        if word == "the":
            return ("ðiː" if self._british else "ði") if following else "ðə"
        if word == "a" and (place.at == 0 or place.spelled[place.at] == "a"):
            return "ɐ"  # a capital inside a sentence is the letter
        if word == "in":
            return "ˈɪn" if following is None else "ɪn"
        if word in _WEAK and following is not None:
            return _WEAK[word][bool(following)]
        entry = self._lexicon.entry(word) if word == "used" else None
        if isinstance(entry, dict):
            passive = place.at > 0 and place.lower[place.at - 1] in _BE
            habit = place.lower[place.at + 1 : place.at + 2] == ["to"] and not passive
            return entry["VBD"] if habit else entry["DEFAULT"]
        return _FIXED.get(word)

    def _word(self, place: _Place) -> str:
        text = place.spelled[place.at].strip("'")
        sense = homograph(place.lower, place.spelled, place.at, british=self._british)
        if sense is not None:
            return sense
        if len(text) > 1 and text.isupper():
            if not place.shouting:
                return self._capitals(text, place)
            text = text.lower()
        found = self._known(text, place)
        if found is None:
            return self._unknown(text, place)
        return stressed(found, "ˌ") if text[:1].isupper() else found

    def _known(self, word: str, place: _Place) -> str | None:
        """Return the phonemes of a word that is in the dictionary, or a form of one that is."""
        entry = self._lexicon.entry(word)
        if entry is not None:
            return _chosen(entry, place)
        inflected = self._lexicon.inflected(word) or self._lexicon.inflected(word.lower())
        if inflected is None:
            return None
        stem = _chosen(inflected[0], place)
        return self._lexicon.ended(stem, inflected[1]) if stem else None

    def _capitals(self, word: str, place: _Place) -> str:
        """Read a word in capitals: as its entry says, as a word it also is, or letter by letter."""
        entry = self._lexicon.entry(word)
        if word in _READ_CAPITALS:
            said = _READ_CAPITALS[word]
            return said.translate(_TO_BRITISH) if self._british else said
        if isinstance(entry, dict) and entry.get("NOUN", "") is None:
            return self._letters(word)  # "IT", "US": words in capitals that mean the letters
        if isinstance(entry, str) and entry != self._lexicon.entry(word.lower()):
            return entry
        known = self._known(word.lower(), place)
        if known is not None:
            return stressed(known, "ˈ")
        if len(word) <= _MAX_SPELLED or not _VOWEL_LETTER.search(word):
            return self._letters(word)
        return self._unknown(word.lower(), place)

    def _letters(self, word: str) -> str:
        names = [self._lexicon.letter(letter) or "" for letter in word]
        return "".join(name.replace("ˈ", "ˌ") for name in names[:-1]) + names[-1]

    def _unknown(self, word: str, place: _Place) -> str:
        """Read a word of no dictionary: without its accents, by the words joined in it, or by its spelling."""
        bare = "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
        if bare != word and (found := self._known(bare, place)):
            return found
        if plural := _PLURAL_LETTERS.fullmatch(word):
            return self._lexicon.ended(self._letters(plural[1]), "s")
        pieces = _CAMEL.findall(word)
        if len(pieces) > 1 and "".join(pieces) == word:
            return "".join(self._piece(piece) for piece in pieces)
        return by_spelling(word, british=self._british)

    def _piece(self, piece: str) -> str:
        if piece.isupper():
            return self._letters(piece)
        found = self._known(piece, _Place([piece], [piece.lower()], 0, vowel_next=None, shouting=False))
        return found if found is not None else by_spelling(piece, british=self._british)


def _chosen(entry: Entry, place: _Place) -> str:
    """Return the phonemes of an entry by the word's part of speech."""
    if isinstance(entry, str):
        return entry
    default = entry["DEFAULT"] or ""
    if place.vowel_next is None and entry.get("None"):
        part: str | None = "None"
    elif "VBD" in entry:
        part = "VBD" if is_past(place.lower, place.at) else None
    else:
        part = part_of_speech(place.lower, place.at)
    return (entry.get(part) if part else None) or default


def _vowel_first(phonemes: str, otherwise: bool | None) -> bool | None:  # noqa: FBT001  (the state that is passed on)
    """Return whether phonemes begin with a vowel; `otherwise` where they have no sound."""
    first = next((symbol for symbol in phonemes if symbol in VOWELS or symbol in _CONSONANTS), None)
    return otherwise if first is None else first in VOWELS
