"""English words of no dictionary: read by their spelling, by espeak-ng, in the model's symbols."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from tympan.speak.phonemes.espeak import TIE, ipa

# espeak's English in the model's symbols.
_FALLBACK: Final = {
    f"a{TIE}ɪ": "I",
    f"a{TIE}ʊ": "W",
    f"d{TIE}ʒ": "ʤ",
    f"e{TIE}ɪ": "A",
    f"t{TIE}ʃ": "ʧ",
    f"ɔ{TIE}ɪ": "Y",
    f"ə{TIE}l": "ᵊl",
    "ʔˌn\u0329": "tn",
    "ʔn\u0329": "tn",
    "e": "A",
    "ʲo": "jo",
    "ʲə": "jə",
    "ʲ": "",
    "ɚ": "əɹ",
    "r": "ɹ",
    "x": "k",
    "ç": "k",
    "ɐ": "ə",
    "ɬ": "l",
    "\u0303": "",
    "ʔ": "t",
}
_FALLBACK_AMERICAN: Final = {
    f"o{TIE}ʊ": "O",
    "ɜːɹ": "ɜɹ",
    "ɜː": "ɜɹ",
    "ɪə": "iə",
    "ː": "",
    "o": "ɔ",
    "ɾ": "T",
}
_FALLBACK_BRITISH: Final = {f"e{TIE}ə": "ɛː", "iə": "ɪə", f"ə{TIE}ʊ": "Q", "o": "ɔ"}
_SYLLABIC = re.compile("(\\S)\u0329")


def by_spelling(word: str, *, british: bool) -> str:
    """Return the phonemes of a word as espeak-ng spells them out."""
    pattern, table = _mapping(british=british)
    said = ipa([word], "en" if british else "en-us")[0].replace(" ", "")
    said = pattern.sub(lambda match: table[match[0]], said)
    return _SYLLABIC.sub("ᵊ\\1", said).replace("\u0329", "").replace(TIE, "").replace("-", "")


@cache
def _mapping(*, british: bool) -> tuple[re.Pattern[str], dict[str, str]]:
    table = {**_FALLBACK, **(_FALLBACK_BRITISH if british else _FALLBACK_AMERICAN)}
    return re.compile("|".join(map(re.escape, sorted(table, key=len, reverse=True)))), table
