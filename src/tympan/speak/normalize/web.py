"""Addresses: URLs, e-mail, host and file names, paths, versions, handles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.rules import Rule, rule, word_before

if TYPE_CHECKING:
    from tympan.speak.normalize.grammar import Grammar

_TOP_DOMAINS: Final = (
    "com|org|net|edu|gov|io|ai|dev|app|co|uk|us|de|fr|es|it|eu|in|jp|cn|br|pt|mx|ar|ca|au|ch|nl|info|biz|me|tv|xyz|"
    "cloud|tech|online|site|blog|shop"
)
_FILE_TYPES: Final = (
    "py|js|ts|json|yaml|yml|toml|md|txt|csv|html|css|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp3|mp4|wav|flac|zip|"
    "gz|tar|exe|sh|rs|go|java|cpp|c|h|rb|php|sql|log|cfg|ini|env|onnx|bin"
)
_TAIL: Final = r"(?<![.,;:!?'\")])"  # punctuation at the end belongs to the sentence
_PIECES = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?|\d+|[^\w\s]|_")
_SCHEMES: Final = "(?:https?|ftps?|wss?|s3|git|ssh|file)"
_SCHEME = re.compile(f"{_SCHEMES}://", re.IGNORECASE)
_URL_CHARACTER: Final = "[!#-&(-;=?-~]"  # what is printable in ASCII, without quotation marks and angles
_SAID_AS_NUMBER: Final = 4  # digits: longer ones in an address are codes


def web_rules(grammar: Grammar) -> list[Rule]:
    """Return the rules for addresses. The scheme of a URL is not said; each sign in it is."""
    say = _Addresses(grammar)
    name = r"[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,62}[a-zA-Z0-9])?"
    host = rf"(?:{name}\.){{1,6}}(?:{_TOP_DOMAINS})(?![\w-])"
    path = rf"(?::\d{{2,5}})?(?:/{_URL_CHARACTER}{{0,2000}}{_TAIL})?"
    version = r"(?P<v>\d{1,6}(?:\.\d{1,6}){2,4})(?P<tail>-?(?:alpha|beta|rc|dev)\.?\d{0,3})?(?![\w.]\d)"
    file = rf"[a-zA-Z][\w-]{{0,60}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:{_FILE_TYPES})(?!\w)(?!\.\w)"
    return [
        rule("letter", rf"(?:{_SCHEMES}://|www\.){_URL_CHARACTER}{{1,2000}}{_TAIL}", say.url, re.IGNORECASE),
        rule("letter digit", rf"[\w.+-]{{1,64}}@(?:{name}\.){{1,6}}[a-zA-Z]{{2,24}}(?!\w)", say.address, re.ASCII),
        rule("letter digit", host + path, say.address, re.ASCII),
        rule("letter", file, say.address, re.ASCII),
        rule("letter", r"[a-z]\w{0,40}(?:\.[a-z_]\w{1,40}){1,5}(?![\w-])", say.address, re.ASCII),
        rule("letter digit", rf"(?P<mark>[vV](?:\.|ersion )? ?)?{version}", say.version),
        rule("letter", r"(?P<mark>[vV]\.?)(?P<v>\d{1,4}(?:\.\d{1,6})?)(?P<tail>(?!))?(?![\w]|\.\d)", say.version),
        rule("sign", rf"~?/[\w.@-]{{1,100}}(?:/[\w.@-]{{0,100}}){{0,20}}{_TAIL}", say.path, re.ASCII),
        rule("sign", r"#([^\W\d_]\w{1,60})", say.tag),
        rule("sign", r"@(\w{1,60})", say.handle),
    ]


class _Addresses:
    """What the rules say, in one language."""

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar

    def url(self, match: re.Match[str]) -> str:
        return self._said(_SCHEME.sub("", match[0], count=1).rstrip("/"))

    def address(self, match: re.Match[str]) -> str:
        return self._said(match[0])

    def version(self, match: re.Match[str]) -> str | None:
        numbers = match["v"].split(".")
        thousands = all(len(part) == 3 for part in numbers[1:])  # noqa: PLR2004
        if thousands and self._grammar.group == "." and not match["mark"]:
            return None
        told = word_before(match).lower() == self._grammar.web["v"]
        mark = self._grammar.web["v"] if match["mark"] and not told else ""
        said = f" {self._grammar.web['.']} ".join(self._grammar.decimal(number, "") for number in numbers)
        return f"{mark} {said} {self._said(match['tail'] or '')}".strip()

    def path(self, match: re.Match[str]) -> str | None:
        inside = match.start() and not match.string[match.start() - 1].isspace()
        return None if inside else self._said(match[0])

    def tag(self, match: re.Match[str]) -> str:
        return f"{self._grammar.web['#']} {self._said(match[1])}"

    def handle(self, match: re.Match[str]) -> str:
        return f"{self._grammar.web['@']} {self._said(match[1])}"

    def _said(self, text: str) -> str:
        words: list[str] = []
        for piece in _PIECES.findall(text):
            if piece[0].isdigit():
                short = len(piece) <= _SAID_AS_NUMBER
                words.append(self._grammar.decimal(piece, "") if short else self._grammar.digits(piece))
            elif piece[0].isalpha():
                words.append(self._grammar.letters(piece) if _spelled(piece) else piece)
            elif piece in self._grammar.web:
                words.append(self._grammar.web[piece])
        return " ".join(words)


def _spelled(piece: str) -> bool:
    """Whether letters of an address can only be spelled."""
    return len(piece) <= 5 and not re.search("[aeiouyáéíóúàèâêôãõ]", piece, re.IGNORECASE)  # noqa: PLR2004
