"""Which script a text is in, and who reads it.

Every voice reads Latin letters, those of Hindi, Japanese and Chinese as well: their texts are full of names and
terms in them. A text that is mostly in another script than the voice's is refused. A few words of a foreign script
inside a text are read by that script's own language, since all voices share one set of phonemes.
"""

from __future__ import annotations

import bisect
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from tympan.errors import UnreadableScript

if TYPE_CHECKING:
    from tympan.speak.reading import Language

Script = Literal[
    "Latin", "Han", "Kana", "Devanagari", "Cyrillic", "Greek", "Arabic", "Hebrew", "Hangul", "Thai", "other"
]

# First code point of each range, and what it holds up to the next one (Unicode's blocks, joined).
_RANGES: Final[tuple[tuple[int, Script], ...]] = (
    (0x0000, "Latin"),
    (0x0370, "Greek"),
    (0x0400, "Cyrillic"),
    (0x0530, "other"),
    (0x0590, "Hebrew"),
    (0x0600, "Arabic"),
    (0x0700, "other"),
    (0x0750, "Arabic"),
    (0x0780, "other"),
    (0x0900, "Devanagari"),
    (0x0980, "other"),
    (0x0E00, "Thai"),
    (0x0E80, "other"),
    (0x1100, "Hangul"),
    (0x1200, "other"),
    (0x1C80, "Cyrillic"),
    (0x1C90, "other"),
    (0x1D00, "Latin"),
    (0x1F00, "Greek"),
    (0x2000, "Latin"),
    (0x2E80, "Han"),
    (0x3040, "Kana"),
    (0x3100, "Han"),
    (0x3130, "Hangul"),
    (0x3190, "Han"),
    (0x31F0, "Kana"),
    (0x3200, "Han"),
    (0xA000, "other"),
    (0xA720, "Latin"),
    (0xA800, "other"),
    (0xA8E0, "Devanagari"),
    (0xA900, "other"),
    (0xAB30, "Latin"),
    (0xAB70, "other"),
    (0xAC00, "Hangul"),
    (0xD800, "other"),
    (0xF900, "Han"),
    (0xFB00, "Latin"),
    (0xFB1D, "Hebrew"),
    (0xFB50, "Arabic"),
    (0xFE00, "other"),
    (0xFE70, "Arabic"),
    (0xFF00, "Latin"),
    (0xFF66, "Kana"),
    (0xFFA0, "Hangul"),
    (0xFFE0, "other"),
    (0x1B000, "Kana"),
    (0x1B170, "other"),
    (0x20000, "Han"),
    (0x33480, "other"),
)
_STARTS: Final = [start for start, _ in _RANGES]

LANGUAGE_NAMES: Final[dict[Language, str]] = {
    "en-us": "English",
    "en-gb": "English",
    "es": "Spanish",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "pt-br": "Portuguese",
    "zh": "Chinese",
}
_OWN: Final[dict[Language, frozenset[Script]]] = {
    "hi": frozenset({"Latin", "Devanagari"}),
    "ja": frozenset({"Latin", "Kana", "Han"}),
    "zh": frozenset({"Latin", "Han"}),
}
_LATIN_ONLY: Final[frozenset[Script]] = frozenset({"Latin"})


def script_of(character: str) -> Script:
    """Return the script that a letter belongs to; meaningless for what is no letter."""
    return _RANGES[bisect.bisect_right(_STARTS, ord(character)) - 1][1]


def scripts_in(text: str) -> Counter[Script]:
    """Count the letters of each script."""
    counts: Counter[Script] = Counter()
    for character, count in Counter(text).items():
        if character.isalpha():
            counts[script_of(character)] += count
    return counts


def reads(language: Language) -> frozenset[Script]:
    """Return the scripts that voices of `language` read."""
    return _OWN.get(language, _LATIN_ONLY)


def foreign_reader(script: Script, *, kana_near: bool) -> Language | None:
    """Return the language that reads words of a foreign script; Han is Japanese where kana is near."""
    match script:
        case "Devanagari":
            return "hi"
        case "Kana":
            return "ja"
        case "Han":
            return "ja" if kana_near else "zh"
        case _:
            return None


def check_readable(text: str, language: Language, voice: str) -> None:
    """Raise `UnreadableScript` when `voice` cannot read `text`.

    That is so when at least half of the letters are of scripts that it does not read, or when any are of a script
    that nobody here reads. Single Greek letters are symbols, and have names.
    """
    counts = scripts_in(text)
    own = reads(language)
    if _only_greek_symbols(text):
        own = own | {"Greek"}
    foreign = {script: count for script, count in counts.items() if script not in own}
    unread = [script for script in foreign if foreign_reader(script, kana_near=False) is None]
    if 2 * sum(foreign.values()) >= sum(counts.values()) > 0 or unread:
        script = max(unread or foreign, key=lambda name: counts[name])
        languages = [LANGUAGE_NAMES[language]]
        if language in _OWN:
            languages.append("text in Latin letters")
        raise UnreadableScript(voice, "foreign" if script == "other" else script, _example(text, script), languages)


def _example(text: str, script: Script) -> str:
    """Return the first letters of `script` that stand together."""
    start = next(i for i, c in enumerate(text) if c.isalpha() and script_of(c) == script)
    end = start
    while end < len(text) and text[end].isalpha() and script_of(text[end]) == script:
        end += 1
    return text[start:end]


def _only_greek_symbols(text: str) -> bool:
    """Whether no two Greek letters stand together."""
    greek = [c.isalpha() and script_of(c) == "Greek" for c in text]
    return not any(a and b for a, b in pairwise(greek))
