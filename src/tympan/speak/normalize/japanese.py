"""Japanese. Says numbers and their counters in katakana, since their readings depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import MAX_NUMBER_DIGITS, Currency, Grammar, Unit
from tympan.speak.normalize.japanese_counters import COUNTERS, counted_in_japanese
from tympan.speak.normalize.rules import Rule, alternatives, rule

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from tympan.speak.reading import Language

_DIGITS: Final = ("ゼロ", "イチ", "ニ", "サン", "ヨン", "ゴ", "ロク", "ナナ", "ハチ", "キュー")
_PHONE_DIGITS: Final = ("ゼロ", "イチ", "ニー", "サン", "ヨン", "ゴー", "ロク", "ナナ", "ハチ", "キュー")
_HUNDREDS: Final = {1: "ヒャク", 3: "サンビャク", 6: "ロッピャク", 8: "ハッピャク"}
_THOUSANDS: Final = {1: "セン", 3: "サンゼン", 8: "ハッセン"}
_MYRIADS: Final = ("", "マン", "オク", "チョー")
_HALVES: Final = {"a": "ゴゼン", "p": "ゴゴ"}


def _same(names: dict[str, str]) -> dict[str, Unit]:
    return {sign: Unit(name, name) for sign, name in names.items()}


class Japanese(Grammar):
    """Japanese."""

    language: ClassVar[Language] = "ja"
    numbers = "ja"
    point_word = "テン"
    day_first = False
    minus = "マイナス"
    to = "カラ"
    ratio = "タイ"
    over = "ワル"
    squared = "ノニジョー"
    cubed = "ノサンジョー"
    power = "ノジョー"
    conjunction = ""
    months = tuple(
        "イチガツ ニガツ サンガツ シガツ ゴガツ ロクガツ シチガツ ハチガツ クガツ"
        " ジューガツ ジューイチガツ ジューニガツ".split()
    )
    units: ClassVar[Mapping[str, Unit]] = _same(
        {
            "mm": "ミリメートル",
            "cm": "センチメートル",
            "m": "メートル",
            "km": "キロメートル",
            "mg": "ミリグラム",
            "g": "グラム",
            "kg": "キログラム",
            "t": "トン",
            "ml": "ミリリットル",
            "mL": "ミリリットル",
            "L": "リットル",
            "s": "ビョー",
            "ms": "ミリビョー",
            "kB": "キロバイト",
            "MB": "メガバイト",
            "GB": "ギガバイト",
            "TB": "テラバイト",
            "W": "ワット",
            "kW": "キロワット",
            "V": "ボルト",
            "Hz": "ヘルツ",
            "kHz": "キロヘルツ",
            "MHz": "メガヘルツ",
            "GHz": "ギガヘルツ",
            "%": "パーセント",
            "°C": "ド",
            "°": "ド",
            "m^2": "ヘイホーメートル",
            "m2": "ヘイホーメートル",
            "m^3": "リッポーメートル",
            "km/h": "キロメートル マイジ",
            "dB": "デシベル",
        }
    )
    currencies: ClassVar[Mapping[str, Currency]] = {
        "¥": Currency(Unit("エン", "エン")),
        "JPY": Currency(Unit("エン", "エン")),
        "$": Currency(Unit("ドル", "ドル"), Unit("セント", "セント")),
        "US$": Currency(Unit("ドル", "ドル"), Unit("セント", "セント")),
        "USD": Currency(Unit("ドル", "ドル"), Unit("セント", "セント")),
        "€": Currency(Unit("ユーロ", "ユーロ"), Unit("セント", "セント")),
        "£": Currency(Unit("ポンド", "ポンド"), Unit("ペンス", "ペンス")),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {"万": "マン", "億": "オク", "兆": "チョー"}
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "アンド",
        "+": "プラス",
        "=": "イコール",
        "×": "カケル",
        "÷": "ワル",
        "±": "プラスマイナス",
        "%": "パーセント",
        "°": "ド",
        "@": "アットマーク",
        "#": "ナンバー",
        "<": "ショーナリ",
        ">": "ダイナリ",
        "≤": "イカ",
        "≥": "イジョー",
        "≠": "ノットイコール",
        "≈": "ヤク",
        "→": "カラ",
        "¥": "エン",
        "$": "ドル",
        "€": "ユーロ",
        "~": "カラ",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "ドット",
        "/": "スラッシュ",
        "@": "アットマーク",
        "-": "ハイフン",
        "_": "アンダーバー",
        ":": "コロン",
        "?": "ハテナ",
        "=": "イコール",
        "&": "アンド",
        "#": "ハッシュ",
        "%": "パーセント",
        "+": "プラス",
        "v": "バージョン",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {}
    ordinal_suffixes = "(?!)"

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number."""
        del feminine
        if number == 0:
            return _DIGITS[0]
        said, rest, index = "", number, 0
        while rest:
            rest, group = divmod(rest, 10_000)
            if group:
                part = _group(group) + _MYRIADS[index]
                part = (
                    part.replace("センチョー", "センチョー")
                    .replace("イチチョー", "イッチョー")
                    .replace("ハチチョー", "ハッチョー")
                )
                said = part.replace("ジューチョー", "ジュッチョー") + said
            index += 1
        return said

    def digits(self, digits: str) -> str:
        """Say digits one by one, short ones lengthened as on the telephone."""
        return "".join(_PHONE_DIGITS[int(digit)] for digit in digits)

    def decimals(self, digits: str) -> str:
        """Say digits one by one."""
        return self.digits(digits)

    def decimal(self, whole: str, fraction: str, *, feminine: bool = False) -> str:
        """Say a number in one word, a ten before its point shortened."""
        del feminine
        if len(whole) > MAX_NUMBER_DIGITS or (len(whole) > 1 and whole[0] == "0" and not fraction):
            return self.digits(whole)
        said = self.cardinal(int(whole))
        if not fraction:
            return said
        if said.endswith(("ジュー", "イチ", "ハチ")):
            said = said.removesuffix("ジュー") + "ジュッ" if said.endswith("ジュー") else f"{said[:-1]}ッ"
        return f"{said}テン{self.decimals(fraction)}"

    def quantity(self, whole: str, fraction: str, unit: Unit, magnitude: str = "") -> str:
        """Say how much."""
        number = self.decimal(whole, fraction)
        if magnitude and not fraction:
            return self.cardinal(int(whole) * _VALUES[magnitude]) + unit.many
        if magnitude:
            number += self.magnitudes[magnitude]
        if unit.many[0] in "パキ" and not fraction and not magnitude:
            for end, short in (("ジュー", "ジュッ"), ("イチ", "イッ"), ("ハチ", "ハッ"), ("ロク", "ロッ")):
                if number.endswith(end) and not (unit.many[0] == "パ" and end == "ロク"):
                    number = number.removesuffix(end) + short
        return number + unit.many

    def money(self, whole: str, fraction: str, currency: Currency, magnitude: str = "") -> str:
        """Say an amount of money."""
        if currency.unit.many == "エン" and not fraction and not magnitude and len(whole) <= MAX_NUMBER_DIGITS:
            return counted_in_japanese(self.cardinal(int(whole)), int(whole), "円")
        return super().money(whole, fraction, currency, magnitude)

    def magnitude(self, written: str, whole: str, fraction: str) -> str:
        """Say a myriad."""
        del whole, fraction
        return self.magnitudes[written]

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction, the denominator first."""
        return f"{self.cardinal(denominator)}ブンノ{self.cardinal(numerator)}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say a whole number and a fraction."""
        return f"{self.cardinal(whole)}ト {self.fraction(numerator, denominator)}"

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        del feminine
        return f"ダイ{self.cardinal(number)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say a date."""
        said = f"{self.months[month - 1]} {self._counted(day, '日')}"
        return said if year is None else f"{self._counted(year, '年')} {said}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say a time of day."""
        said = [_HALVES[half]] if half else []
        said.append(self._counted(hour, "時"))
        if minute:
            said.append(self._counted(minute, "分"))
        if second:
            said.append(self._counted(second, "秒"))
        return " ".join(said)

    def _counted(self, number: int, counter: str) -> str:
        return counted_in_japanese(self.cardinal(number), number, counter)

    def extra_rules(self) -> list[Rule]:
        """Return the rules for numbers with counters and myriads."""

        def number(match: re.Match[str]) -> int:
            return int(match["n"].replace(",", ""))

        def counted(match: re.Match[str]) -> str:
            return self._counted(number(match), match["counter"])

        def myriads(match: re.Match[str]) -> str | None:
            total = sum(int(n) * _VALUES.get(big, 1) for n, big in _myriad_parts(match[1]))
            if total >= 10**MAX_NUMBER_DIGITS:
                return None
            return self._counted(total, match["counter"]) if match["counter"] else self.cardinal(total)

        def decimal_myriads(match: re.Match[str]) -> str:
            return self.decimal(match[1], match[2]) + self.magnitudes[match[3]]

        whole = r"(?P<n>\d{1,3}(?:,\d{3}){1,4}(?!\d)|\d{1,12}(?!\d))"
        counter = f"(?P<counter>{alternatives(COUNTERS)})"
        return [
            rule("digit", rf"((?:\d{{1,4}}[兆億万]){{1,3}}(?:\d{{1,4}}(?![\d.兆億万]))?){counter}?", myriads),
            rule("digit", rf"{whole}{counter}", counted),
            rule("digit", r"(\d{1,6})\.(\d{1,6})([万億兆])", decimal_myriads),
        ]


_VALUES: Final = {"万": 10**4, "億": 10**8, "兆": 10**12}


def _myriad_parts(text: str) -> list[tuple[str, str]]:
    """Cut "1億2000万5" into its digits and myriads."""
    parts, digits = [], ""
    for character in text:
        if character in _VALUES:
            parts.append((digits, character))
            digits = ""
        else:
            digits += character
    return [*parts, (digits, "")] if digits else parts


def _group(number: int) -> str:
    """Say 1 to 9999."""
    thousands, hundreds, tens, ones = (number // 10**place % 10 for place in (3, 2, 1, 0))
    said = ""
    if thousands:
        said += _THOUSANDS.get(thousands, f"{_DIGITS[thousands]}セン")
    if hundreds:
        said += _HUNDREDS.get(hundreds, f"{_DIGITS[hundreds]}ヒャク")
    if tens:
        said += f"{_DIGITS[tens] if tens > 1 else ''}ジュー"
    return said + (_DIGITS[ones] if ones else "")
