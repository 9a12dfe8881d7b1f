"""Reads Chinese characters: words, and each word's pinyin with tones."""

from __future__ import annotations

from typing import Final

import rjieba
from pypinyin import Style, lazy_pinyin

# Readings that the phrase dictionary lacks or gives wrongly.
_READINGS: Final = {
    "着急": ("zhao2", "ji2"),
    "头发": ("tou2", "fa5"),
    "很长": ("hen3", "chang2"),
    "多长": ("duo1", "chang2"),
    "长": ("chang2",),
    "都市": ("du1", "shi4"),
}
_WHO: Final = frozenset("我 你 您 他 她 它 我们 你们 他们 她们 咱们 大家 谁 还 也 就 都".split())


def segment_chinese(run: str) -> list[tuple[str, int]]:
    """Cut a run of Chinese characters into words and read each: "你好" is ("ni3hao3", 2).

    A character without a reading adds nothing to its word's pinyin.
    """
    words: list[tuple[str, int]] = []
    before = ""
    for word in rjieba.cut(run):
        syllables = _particle(word, before) or _READINGS.get(word)
        if syllables is None:
            syllables = tuple(lazy_pinyin(word, style=Style.TONE3, neutral_tone_with_five=True, errors="ignore"))
        words.append(("".join(syllables), len(word)))
        before = word
    return words


def _particle(word: str, before: str) -> tuple[str, ...] | None:
    """Read 地 and 得 where they stand alone after a word: particles, or "must" after who must."""
    if not before:
        return None
    if word == "得":
        return ("dei3",) if before in _WHO else ("de5",)
    return ("de5",) if word == "地" and len(before) > 1 else None
