"""Numbers as they are spoken, so that "15" and "fifteen" are the same word.

English has all cardinals below a million, years and ordinals in digits; other languages the numbers up to ten,
which is what the test speech counts in.
"""

from __future__ import annotations

import re

ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
YEARS = range(1100, 2000)  # spoken in pairs: "nineteen eighty four"
LIMIT = 1_000_000

UP_TO_TEN = {
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez",
    "fr": "zéro un deux trois quatre cinq six sept huit neuf dix",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci",
    "pt": "zero um dois três quatro cinco seis sete oito nove dez",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn",
    "pl": "zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć",
    "hi": "शून्य एक दो तीन चार पांच छह सात आठ नौ दस",
    "ja": "零 一 二 三 四 五 六 七 八 九 十",
    "zh": "零 一 二 三 四 五 六 七 八 九 十",
}

_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(st|nd|rd|th)?")


def spoken(word: str, language: str) -> str:
    """Return `word` with its number in words, where this module knows how; else `word`."""
    if language == "en":
        return "percent" if word == "%" else _english(word)
    names = UP_TO_TEN.get(language, "").split()
    return names[int(word)] if word.isdecimal() and int(word) < len(names) else word


def cardinal(number: int) -> str:
    """Return an English number from 0 to 999,999, without "and"."""
    if number < len(ONES):
        return ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return f"{TENS[tens]} {ONES[ones]}" if ones else TENS[tens]
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    most, rest = divmod(number, size)
    return f"{cardinal(most)} {name} {cardinal(rest)}" if rest else f"{cardinal(most)} {name}"


def _english(word: str) -> str:
    match = _NUMBER.fullmatch(word)
    if match is None:
        return word
    digits, suffix = match.groups()
    number = int(digits.replace(",", ""))
    if number >= LIMIT:
        return word
    if suffix:
        return _ordinal(cardinal(number))
    if number in YEARS and "," not in digits:
        century, year = divmod(number, 100)
        return f"{cardinal(century)} {_year(year)}"
    return cardinal(number)


def _year(year: int) -> str:
    if year == 0:
        return "hundred"
    return f"oh {cardinal(year)}" if year < 10 else cardinal(year)


def _ordinal(words: str) -> str:
    *first, last = words.split()
    name = ORDINALS.get(last) or (last[:-1] + "ieth" if last.endswith("y") else last + "th")
    return " ".join([*first, name])
