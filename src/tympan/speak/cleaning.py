"""From what people write to plain text: markup, pictures and odd characters taken out, forms made one.

Linear in the text: every pattern is bounded or starts where no other match of itself can.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from tympan.speak.tracked import TrackedText

if TYPE_CHECKING:
    from collections.abc import Callable

    Replace = Callable[[re.Match[str]], str | tuple[int, int]]

# Format characters, controls, private use, unassigned and lone surrogates are never heard. The joiners of Indic
# scripts are among them: espeak reads the words right without.
_SILENT_CATEGORIES: Final = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})
_VULGAR: Final = {
    character: unicodedata.normalize("NFKC", character).replace("\u2044", "/") for character in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
}
_SUPERSCRIPTS: Final = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_KEPT_BY_NFKC: Final = frozenset("ªº…，：；！？")  # ordinals and wide marks mean something as they are
_FOLDED: Final = {
    **dict.fromkeys("‘’‛ʼ′´＇", "'"),
    **dict.fromkeys("″＂", '"'),
    **dict.fromkeys("„‟«‹「『《〈", "“"),
    **dict.fromkeys("»›」』》〉", "”"),
    **dict.fromkeys("‐‑‒−﹣－", "-"),
    **dict.fromkeys("―⸺⸻", "—"),
    **dict.fromkeys("【〔［｛{[", "("),
    **dict.fromkeys("】〕］｝}]", ")"),
    "⁄": "/",
    "∕": "/",
    "‥": "…",
    "⋯": "…",
}

_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,31});")
_BREAK_TAG = re.compile(r"<(?:br|/?p|/?div|/?li|/?h[1-6]|/?tr|hr)\s{0,3}/?>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,200}>|<!--[^<>\n]{0,400}-->")
_RULE_LINE = re.compile(
    r"^[ \t]{0,8}(?:[-*_=~]{3,}|```\w{0,20}|~~~\w{0,20}|[|:\- \t]*\|[ \t]*:?-{2,}[|:\- \t]*)[ \t]*$", re.MULTILINE
)
_LINE_MARK = re.compile(
    r"^[ \t]{0,40}(?:#{1,6}(?=[ \t])|>{1,6}|[-*+•‣◦▪–](?=[ \t])(?:[ \t]\[[ xX]\])?)[ \t]*", re.MULTILINE
)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}(?:[ \t]\"[^\"\n]{0,200}\")?\)")
_EMPHASIS = re.compile(
    r"`{1,3}|(?<![\w*])\*{1,3}(?=\S)|(?<=[^\s*])\*{1,3}(?![\w*])|(?<![\w~])~~(?=\S)|(?<=[^\s~])~~(?![\w~])"
    r"|(?<![\w_])_{1,3}(?=\w)|(?<=[^\W_])_{1,3}(?![\w_])"
)
_CELL = re.compile(r"[ \t]*\|[ \t]*")
_PICTURE = re.compile(
    "[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\u2300-\u23ff\u25a0-\u25ff\U000e0020-\U000e007f\ufe0e\ufe0f\u20e3\u200d™®©]"
)
_CLUSTER = re.compile("[^\x00-\x7f][\u0300-\u036f\u3099\u309a\uff9e\uff9f]*|[\x00-\x7f][\u0300-\u036f]+")
_LINE_END = re.compile("\r\n?|[\u2028\u2029\x0b\x0c\x85]")


def clean(text: str) -> TrackedText:
    """Return `text` without markup, pictures and controls, in one form of each character, on plain lines.

    Lines and blank lines remain: they say where a heading or a list item ends.
    """
    tracked = TrackedText.of(text)
    for pattern, replace in _STEPS:
        tracked = tracked.substitute(pattern, replace)
    return tracked


def _silence(_: re.Match[str]) -> str:
    return ""


def _fold(match: re.Match[str]) -> str:
    cluster = match[0]
    first = cluster[0]
    if first in _VULGAR:
        return f" {_VULGAR[first]}"  # "2½" is two and a half, not twenty-one over two
    if first in _SUPERSCRIPTS:
        return f"^{_SUPERSCRIPTS.index(first)}"
    if first in _KEPT_BY_NFKC:
        return cluster
    folded = "".join(_FOLDED.get(c, c) for c in unicodedata.normalize("NFKC", cluster))
    return "".join(" " if c == "\xa0" else c for c in folded if unicodedata.category(c) not in _SILENT_CATEGORIES)


def _unescape(match: re.Match[str]) -> str:
    return html.unescape(match[0])


def _line_mark(match: re.Match[str]) -> str:
    return "" if ">" in match[0] else "\n"  # a blank line: headings and items stand for themselves


def _inner(match: re.Match[str]) -> tuple[int, int]:
    return match.span(1)


_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_ASCII_BRACKETS = re.compile(r"[\[\]{}]")
_STEPS: Final[tuple[tuple[re.Pattern[str], Replace], ...]] = (
    (_LINE_END, lambda _: "\n"),
    (_CONTROL, _silence),
    (_ENTITY, _unescape),
    (_BREAK_TAG, lambda _: "\n"),
    (_TAG, _silence),
    (_RULE_LINE, _silence),
    (_LINE_MARK, _line_mark),
    (_LINK, _inner),
    (_EMPHASIS, _silence),
    (_CELL, lambda _: ", "),
    (_PICTURE, lambda _: " "),
    (_CLUSTER, _fold),
    (_ASCII_BRACKETS, lambda match: "(" if match[0] in "[{" else ")"),
)
