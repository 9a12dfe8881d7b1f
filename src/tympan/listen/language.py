"""What a caller calls a language, and what Whisper calls it."""

from __future__ import annotations

import re

from tympan.errors import InvalidLanguage
from tympan.listen.languages import LANGUAGES

_NAMES = {language.code: language.name for language in LANGUAGES}
_BY_CODE = {code: language.code for language in LANGUAGES for code in (language.code, *language.codes)}
_BY_NAME = {name: language.code for language in LANGUAGES for name in (language.name, *language.names)}

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})"
    r"(?:-(?P<extended>[a-z]{3}))?"  # "zh-yue"
    r"(?:-[a-z]{4})?"  # script
    r"(?:-(?:[a-z]{2}|[0-9]{3}))?"  # region
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"  # variants
)
"""A language tag in lower case, by RFC 5646, without extensions and private use."""


def parse_language(text: str, *, param: str = "language") -> str:
    """Return Whisper's code for a language tag or an English name, in any case.

    A tag is a code of ISO 639-1, 639-2 or 639-3, with or without script, region and variants behind `-` or `_`
    ("en", "en-US", "pt_BR", "zh-Hans", "deu"). Raises `InvalidLanguage`, with `param` as the field at fault.
    """
    plain = " ".join(text.casefold().split())
    if plain in _BY_NAME:
        return _BY_NAME[plain]
    tag = _TAG.fullmatch(plain.replace("_", "-"))
    code = _BY_CODE.get(tag["extended"] or tag["language"]) if tag else None
    if code is None:
        raise InvalidLanguage(text, param=param)
    return code


def language_name(code: str) -> str:
    """Return the lower-case English name of one of Whisper's codes, "" for ""; any other code as it is."""
    return _NAMES.get(code, code)
