"""Chinese (Mandarin). Says numbers in characters, which are then read like the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import MAX_NUMBER_DIGITS, Currency, Grammar, Unit
from tympan.speak.normalize.rules import Rule, rule

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from tympan.speak.reading import Language

_DIGITS: Final = "零一二三四五六七八九"
_PLACES: Final = ("", "十", "百", "千")
_MYRIADS: Final = ("", "万", "亿", "万亿", "亿亿")
# What "2" counts as 两: measure words and units of time, not dates and ranks.
_MEASURES: Final = "个位名本只条张件种次年天周间家小人点杯瓶辆台块元套双对口头匹棵朵层份篇首封群代倍里米吨"
_HALVES: Final = {"a": "上午", "p": "下午"}


def _same(names: dict[str, str]) -> dict[str, Unit]:
    return {sign: Unit(name, name) for sign, name in names.items()}


class Chinese(Grammar):
    """Mandarin."""

    language: ClassVar[Language] = "zh"
    numbers = "zh"
    point_word = "点"
    day_first = False
    minus = "负"
    to = "到"
    ratio = "比"
    over = "除以"
    squared = "的平方"
    cubed = "的立方"
    power = "的次方"
    conjunction = ""
    months = tuple(f"{name}月" for name in "一 二 三 四 五 六 七 八 九 十 十一 十二".split())
    units: ClassVar[Mapping[str, Unit]] = _same(
        {
            "mm": "毫米",
            "cm": "厘米",
            "m": "米",
            "km": "公里",
            "mg": "毫克",
            "g": "克",
            "kg": "公斤",
            "t": "吨",
            "ml": "毫升",
            "mL": "毫升",
            "L": "升",
            "s": "秒",
            "ms": "毫秒",
            "min": "分钟",
            "h": "小时",
            "W": "瓦",
            "kW": "千瓦",
            "kWh": "千瓦时",
            "V": "伏",
            "Hz": "赫兹",
            "kHz": "千赫",
            "MHz": "兆赫",
            "GHz": "吉赫",
            "m^2": "平方米",
            "km^2": "平方公里",
            "m2": "平方米",
            "m^3": "立方米",
            "°C": "摄氏度",
            "°F": "华氏度",
            "°": "度",
            "km/h": "公里每小时",
            "m/s": "米每秒",
            "MB/s": "兆字节每秒",
            "dB": "分贝",
        }
    )
    currencies: ClassVar[Mapping[str, Currency]] = {
        "¥": Currency(Unit("元", "元")),
        "￥": Currency(Unit("元", "元")),
        "CNY": Currency(Unit("元", "元")),
        "RMB": Currency(Unit("元", "元")),
        "$": Currency(Unit("美元", "美元")),
        "US$": Currency(Unit("美元", "美元")),
        "USD": Currency(Unit("美元", "美元")),
        "€": Currency(Unit("欧元", "欧元")),
        "EUR": Currency(Unit("欧元", "欧元")),
        "£": Currency(Unit("英镑", "英镑")),
        "HK$": Currency(Unit("港元", "港元")),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {"万亿": "万亿", "亿": "亿", "万": "万", "千": "千", "百万": "百万"}
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "和",
        "+": "加",
        "=": "等于",
        "×": "乘以",
        "÷": "除以",
        "±": "正负",
        "%": "百分号",
        "°": "度",
        "@": "艾特",
        "#": "井号",
        "<": "小于",
        ">": "大于",
        "≤": "小于等于",
        "≥": "大于等于",
        "≠": "不等于",
        "≈": "约等于",
        "→": "到",
        "¥": "元",
        "$": "美元",
        "€": "欧元",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "点",
        "/": "斜杠",
        "@": "艾特",
        "-": "杠",
        "_": "下划线",
        ":": "冒号",
        "?": "问号",
        "=": "等于",
        "&": "和",
        "#": "井号",
        "%": "百分号",
        "+": "加",
        "v": "版本",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {}
    ordinal_suffixes = "(?!)"

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number."""
        del feminine
        if number == 0:
            return _DIGITS[0]
        groups = []
        rest = number
        while rest:
            rest, group = divmod(rest, 10_000)
            groups.append(group)
        said = ""
        for index in range(len(groups) - 1, -1, -1):
            group = groups[index]
            if not group:
                continue
            if said and (group < 1000 or groups[index + 1] == 0):  # noqa: PLR2004  (a gap in the places is said)
                said += _DIGITS[0]
            said += _group(group) + _MYRIADS[index]
        return said.removeprefix("一") if said.startswith("一十") else said

    def digits(self, digits: str) -> str:
        """Say digits one by one, in one word."""
        return "".join(_DIGITS[int(digit)] for digit in digits)

    def decimals(self, digits: str) -> str:
        """Say digits one by one."""
        return self.digits(digits)

    def decimal(self, whole: str, fraction: str, *, feminine: bool = False) -> str:
        """Say a number in one word."""
        return super().decimal(whole, fraction, feminine=feminine).replace(" ", "")

    def counted(self, number: int, *, feminine: bool = False) -> str:
        """Say a number before what it counts."""
        del feminine
        return "两" if number == 2 else self.cardinal(number)  # noqa: PLR2004

    def quantity(self, whole: str, fraction: str, unit: Unit, magnitude: str = "") -> str:
        """Say how much."""
        if fraction or len(whole) > MAX_NUMBER_DIGITS:
            number = self.decimal(whole, fraction)
        else:
            number = self.counted(int(whole)) if not magnitude else self.cardinal(int(whole))
        return f"{number}{magnitude}{unit.many}"

    def money(self, whole: str, fraction: str, currency: Currency, magnitude: str = "") -> str:
        """Say an amount of money, its decimals as decimals."""
        return self.quantity(whole, fraction.rstrip("0"), currency.unit, magnitude)

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        del feminine
        return f"第{self.cardinal(number)}"

    def year(self, year: int) -> str:
        """Say a number of four digits that stands alone: no year without its word."""
        return self.cardinal(year)

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction, the denominator first."""
        return f"{self.cardinal(denominator)}分之{self.cardinal(numerator)}"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say a whole number and a fraction."""
        return f"{self.cardinal(whole)}又{self.fraction(numerator, denominator)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say a date, the year digit by digit."""
        said = f"{self.months[month - 1]}{self.cardinal(day)}日"
        return said if year is None else f"{self.digits(str(year))}年{said}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say a time of day."""
        said = f"{_HALVES.get(half, '')}{self.counted(hour)}点"
        if minute:
            said += f"{_DIGITS[0] if minute < 10 else ''}{self.cardinal(minute)}分"  # noqa: PLR2004
        if second:
            said += f"{self.cardinal(second)}秒"
        return said if minute or second else f"{said}整"

    def extra_rules(self) -> list[Rule]:
        """Return the rules for percentages, years with their word, measures and minus degrees."""

        def percent(match: re.Match[str]) -> str:
            last = f"到{self.decimal(match[3], match[4] or '')}" if match[3] else ""
            return f"百分之{self.decimal(match[1], match[2] or '')}{last}"

        def year(match: re.Match[str]) -> str:
            return self.digits(match[1])

        def below(match: re.Match[str]) -> str:
            return f"零下{self.decimal(match[1], match[2] or '')}{'摄氏' if match[3] else ''}度"

        number = r"(\d{1,15})(?:\.(\d{1,15}))?"
        return [
            rule("digit", rf"{number}%?(?:[-~到至]{number})?%", percent),
            rule("digit", r"(\d{4}|\d{2}(?=年[代\d]))(?=年(?!前|后|间|来|的历史))", year),
            rule("digit", rf"2(?=[{_MEASURES}])", lambda _: self.counted(2)),
            rule("sign", rf"-{number} ?(?:°(C?)|(?<=\d)(?:度|℃))", below),
        ]


def _group(number: int) -> str:
    """Say 1 to 9999."""
    said, gap = "", False
    for place in range(3, -1, -1):
        digit = number // 10**place % 10
        if digit:
            said += (_DIGITS[0] if gap and said else "") + _DIGITS[digit] + _PLACES[place]
            gap = False
        else:
            gap = True
    return said
