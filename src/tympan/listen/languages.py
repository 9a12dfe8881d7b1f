"""The hundred languages that Whisper was trained on, as data.

Codes and names are those of Whisper's vocabulary (large-v3 added Cantonese). `codes` are further codes that mean
the same language and no other: ISO 639-2 in both of its forms, ISO 639-3 where it has a code of its own for the
standard language, and retired ISO 639-1 codes. `names` are further English names.
"""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language as Whisper knows it."""

    code: str
    name: str
    codes: tuple[str, ...]
    names: tuple[str, ...] = ()


LANGUAGES = (
    Language("en", "english", ("eng",)),
    Language("zh", "chinese", ("zho", "chi", "cmn"), ("mandarin",)),
    Language("de", "german", ("deu", "ger")),
    Language("es", "spanish", ("spa",), ("castilian",)),
    Language("ru", "russian", ("rus",)),
    Language("ko", "korean", ("kor",)),
    Language("fr", "french", ("fra", "fre")),
    Language("ja", "japanese", ("jpn",)),
    Language("pt", "portuguese", ("por",)),
    Language("tr", "turkish", ("tur",)),
    Language("pl", "polish", ("pol",)),
    Language("ca", "catalan", ("cat",), ("valencian",)),
    Language("nl", "dutch", ("nld", "dut"), ("flemish",)),
    Language("ar", "arabic", ("ara", "arb")),
    Language("sv", "swedish", ("swe",)),
    Language("it", "italian", ("ita",)),
    Language("id", "indonesian", ("ind", "in")),
    Language("hi", "hindi", ("hin",)),
    Language("fi", "finnish", ("fin",)),
    Language("vi", "vietnamese", ("vie",)),
    Language("he", "hebrew", ("heb", "iw")),
    Language("uk", "ukrainian", ("ukr",)),
    Language("el", "greek", ("ell", "gre")),
    Language("ms", "malay", ("msa", "may", "zsm")),
    Language("cs", "czech", ("ces", "cze")),
    Language("ro", "romanian", ("ron", "rum", "mo", "mol"), ("moldavian", "moldovan")),
    Language("da", "danish", ("dan",)),
    Language("hu", "hungarian", ("hun",)),
    Language("ta", "tamil", ("tam",)),
    Language("no", "norwegian", ("nor", "nb", "nob"), ("norwegian bokmål", "bokmål")),
    Language("th", "thai", ("tha",)),
    Language("ur", "urdu", ("urd",)),
    Language("hr", "croatian", ("hrv",)),
    Language("bg", "bulgarian", ("bul",)),
    Language("lt", "lithuanian", ("lit",)),
    Language("la", "latin", ("lat",)),
    Language("mi", "maori", ("mri", "mao"), ("māori",)),
    Language("ml", "malayalam", ("mal",)),
    Language("cy", "welsh", ("cym", "wel")),
    Language("sk", "slovak", ("slk", "slo")),
    Language("te", "telugu", ("tel",)),
    Language("fa", "persian", ("fas", "per", "pes"), ("farsi",)),
    Language("lv", "latvian", ("lav", "lvs")),
    Language("bn", "bengali", ("ben",), ("bangla",)),
    Language("sr", "serbian", ("srp",)),
    Language("az", "azerbaijani", ("aze",)),
    Language("sl", "slovenian", ("slv",), ("slovene",)),
    Language("kn", "kannada", ("kan",)),
    Language("et", "estonian", ("est", "ekk")),
    Language("mk", "macedonian", ("mkd", "mac")),
    Language("br", "breton", ("bre",)),
    Language("eu", "basque", ("eus", "baq")),
    Language("is", "icelandic", ("isl", "ice")),
    Language("hy", "armenian", ("hye", "arm")),
    Language("ne", "nepali", ("nep", "npi")),
    Language("mn", "mongolian", ("mon", "khk")),
    Language("bs", "bosnian", ("bos",)),
    Language("kk", "kazakh", ("kaz",)),
    Language("sq", "albanian", ("sqi", "alb")),
    Language("sw", "swahili", ("swa", "swh")),
    Language("gl", "galician", ("glg",)),
    Language("mr", "marathi", ("mar",)),
    Language("pa", "punjabi", ("pan",), ("panjabi",)),
    Language("si", "sinhala", ("sin",), ("sinhalese",)),
    Language("km", "khmer", ("khm",)),
    Language("sn", "shona", ("sna",)),
    Language("yo", "yoruba", ("yor",)),
    Language("so", "somali", ("som",)),
    Language("af", "afrikaans", ("afr",)),
    Language("oc", "occitan", ("oci",)),
    Language("ka", "georgian", ("kat", "geo")),
    Language("be", "belarusian", ("bel",)),
    Language("tg", "tajik", ("tgk",)),
    Language("sd", "sindhi", ("snd",)),
    Language("gu", "gujarati", ("guj",)),
    Language("am", "amharic", ("amh",)),
    Language("yi", "yiddish", ("yid", "ydd", "ji")),
    Language("lo", "lao", ("lao",)),
    Language("uz", "uzbek", ("uzb",)),
    Language("fo", "faroese", ("fao",)),
    Language("ht", "haitian creole", ("hat",), ("haitian",)),
    Language("ps", "pashto", ("pus",), ("pushto",)),
    Language("tk", "turkmen", ("tuk",)),
    Language("nn", "nynorsk", ("nno",), ("norwegian nynorsk",)),
    Language("mt", "maltese", ("mlt",)),
    Language("sa", "sanskrit", ("san",)),
    Language("lb", "luxembourgish", ("ltz",), ("letzeburgesch",)),
    Language("my", "myanmar", ("mya", "bur"), ("burmese",)),
    Language("bo", "tibetan", ("bod", "tib")),
    Language("tl", "tagalog", ("tgl", "fil"), ("filipino",)),
    Language("mg", "malagasy", ("mlg",)),
    Language("as", "assamese", ("asm",)),
    Language("tt", "tatar", ("tat",)),
    Language("haw", "hawaiian", ()),
    Language("ln", "lingala", ("lin",)),
    Language("ha", "hausa", ("hau",)),
    Language("ba", "bashkir", ("bak",)),
    Language("jw", "javanese", ("jv", "jav")),  # Whisper kept the code that ISO 639-1 replaced by "jv"
    Language("su", "sundanese", ("sun",)),
    Language("yue", "cantonese", ()),
)
