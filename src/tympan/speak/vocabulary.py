"""Kokoro's phoneme vocabulary: one id for each of 114 symbols.

The symbols are the International Phonetic Alphabet with single letters for what English has as diphthongs
(A as in "day", I "my", O "go", Q British "go", W "now", Y "boy") and affricates, arrows for the tones of Chinese,
and punctuation, which the model turns into intonation. `vocabulary.json` holds the ids of the published model.
"""

from __future__ import annotations

import json
from importlib import resources
from typing import Final

TOKEN_IDS: Final[dict[str, int]] = json.loads(
    resources.files("tympan.speak").joinpath("vocabulary.json").read_text(encoding="utf-8")
)
MAX_TOKENS = 510  # the style table has as many rows, and the model's positions end there with the two zeros
MARKS: Final = frozenset(';:,.!?—…"()“” ')
STRESSES: Final = frozenset("ˈˌ")
SOUNDLESS: Final = MARKS | STRESSES | frozenset("ː→↗↓↘ʰʲᵝ\u0303")


def known(phonemes: str) -> str:
    """Drop the symbols that the model does not have, as the reference implementation does."""
    return "".join(symbol for symbol in phonemes if symbol in TOKEN_IDS)


def encode(phonemes: str) -> tuple[int, ...]:
    """Token ids of a string whose symbols are all in the vocabulary."""
    return tuple(TOKEN_IDS[symbol] for symbol in phonemes)


def sounds(phonemes: str) -> bool:
    """Whether anything is to be heard: marks and stresses alone make the model babble."""
    return any(symbol not in SOUNDLESS for symbol in phonemes)
