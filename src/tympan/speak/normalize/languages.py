"""One scanner for each language, made when first asked for."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.chinese import Chinese
from tympan.speak.normalize.english import AmericanEnglish, BritishEnglish
from tympan.speak.normalize.french import French
from tympan.speak.normalize.hanzi import segment_chinese
from tympan.speak.normalize.hindi import Hindi
from tympan.speak.normalize.italian import Italian
from tympan.speak.normalize.japanese import Japanese
from tympan.speak.normalize.kanji import segment_japanese
from tympan.speak.normalize.portuguese import Portuguese
from tympan.speak.normalize.scanner import Scanner, Segmenter
from tympan.speak.normalize.spanish import Spanish

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar
    from tympan.speak.reading import Language

GRAMMARS: Final[dict[Language, type[Grammar]]] = {
    grammar.language: grammar
    for grammar in (
        AmericanEnglish,
        BritishEnglish,
        Chinese,
        French,
        Hindi,
        Italian,
        Japanese,
        Portuguese,
        Spanish,
    )
}
SEGMENTERS: Final[dict[Language, Segmenter]] = {"ja": segment_japanese, "zh": segment_chinese}


@cache
def scanner_for(language: Language) -> Scanner:
    """Return the language's scanner."""
    return Scanner(GRAMMARS[language](), SEGMENTERS)
