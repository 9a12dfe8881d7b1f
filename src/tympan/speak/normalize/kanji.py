"""Reads Japanese: words, and how each is pronounced, in katakana."""

from __future__ import annotations

import threading
from functools import cache
from typing import Final

import fugashi

# The dictionary's first reading is the formal one; these are what people say.
_READINGS: Final = {
    "日本": "ニホン",
    "日本人": "ニホンジン",
    "日本語": "ニホンゴ",
    "私": "ワタシ",
    "私達": "ワタシタチ",
    "明日": "アシタ",
    "昨日": "キノー",
    "一昨日": "オトトイ",
    "一日中": "イチニチジュー",
    "何": "ナニ",
    "家": "イエ",
    "今日": "キョー",
    "良い": "ヨイ",
    "行く": "イク",
    "他": "ホカ",
    "方": "ホー",
    "主に": "オモニ",
}
# Endings, and the parts of speech that take them into one word; a copula after a noun stands alone.
_TAKES: Final = {"助動詞": ("動詞", "形容詞"), "接尾辞": ("名詞", "代名詞", "形状詞", "動詞", "形容詞")}
_LONGEST: Final = max(map(len, _READINGS))
# Before these sounds 何 is "nan".
_NAN_BEFORE: Final = frozenset("タチツテトダヂヅデドナニヌネノカガジニンネ")
_KANA: Final = range(0x30A1, 0x30FB)
_HIRAGANA: Final = range(0x3041, 0x3097)
_TO_KATAKANA: Final = {code: code + 0x60 for code in _HIRAGANA}
_lock = threading.Lock()  # the analyser keeps the last sentence's state


@cache
def _tagger() -> fugashi.Tagger:
    return fugashi.Tagger()


def segment_japanese(run: str) -> list[tuple[str, int]]:
    """Cut a run of Japanese letters into words and read each: "学校へ" is ("ガッコー", 2), ("エ", 1).

    Endings are joined to the word they belong to, particles stand alone, as Japanese is romanised. A character
    that no dictionary knows is left out of the reading.
    """
    with _lock:
        nodes = [
            (node.surface, node.feature.pron or node.feature.kana or "", node.feature.pos1 or "", node.is_unk)
            for node in _tagger()(run)
        ]
    words: list[list[str]] = []  # surface, reading, part of speech
    at = 0
    while at < len(nodes):
        surface, reading, part, unknown = nodes[at]
        at += 1
        joined, after = surface, at
        for end in range(at, min(len(nodes), at + _LONGEST)):
            joined += nodes[end][0]
            if joined in _READINGS:
                surface, after = joined, end + 1
        at = after
        said = _READINGS.get(surface) or _katakana(surface if unknown or not reading or reading == "*" else reading)
        if surface == "何" and at < len(nodes) and _katakana(nodes[at][1])[:1] in _NAN_BEFORE:
            said = "ナン"
        if words and words[-1][2] in _TAKES.get(part, ()):
            words[-1][0] += surface
            words[-1][1] += said
        elif words and words[-1][2] == "接頭辞":
            words[-1] = [words[-1][0] + surface, words[-1][1] + said, part]
        else:
            words.append([surface, said, part])
    return [(reading, len(surface)) for surface, reading, _ in words]


def _katakana(text: str) -> str:
    return "".join(c for c in text.translate(_TO_KATAKANA) if ord(c) in _KANA or c == "ー")
