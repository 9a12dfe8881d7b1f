"""Hindi."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import Currency, Grammar, Unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.speak.reading import Language

_TO_NINETY_NINE: Final = (
    "शून्य एक दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस"
    " पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस चालीस इकतालीस बयालीस"
    " तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास पचास इक्यावन बावन तिरपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ"
    " साठ इकसठ बासठ तिरसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर"
    " अठहत्तर उन्यासी अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी नब्बे इक्यानवे बानवे तिरानवे चौरानवे"
    " पचानवे छियानवे सत्तानवे अट्ठानवे निन्यानवे"
).split()
_SCALES: Final = ((10**11, "खरब"), (10**9, "अरब"), (10**7, "करोड़"), (10**5, "लाख"), (10**3, "हज़ार"), (100, "सौ"))
_FIRST_RANKS: Final = {1: "पहला", 2: "दूसरा", 3: "तीसरा", 4: "चौथा", 6: "छठा"}


def _same(names: dict[str, str]) -> dict[str, Unit]:
    return {sign: Unit(name, name) for sign, name in names.items()}


def _money(unit: str, many: str, cent: str) -> Currency:
    return Currency(Unit(unit, many), Unit(cent, cent))


class Hindi(Grammar):
    """Hindi, with its own scale of numbers: thousand, lakh, crore."""

    language: ClassVar[Language] = "hi"
    numbers = "hi"
    point_word = "दशमलव"
    minus = "ऋण"
    to = "से"
    ratio = "अनुपात"
    over = "बटा"
    squared = "वर्ग"
    cubed = "घन"
    power = "की घात"
    conjunction = "और"
    months = tuple("जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split())
    units: ClassVar[Mapping[str, Unit]] = _same(
        {
            "mm": "मिलीमीटर",
            "cm": "सेंटीमीटर",
            "m": "मीटर",
            "km": "किलोमीटर",
            "किमी": "किलोमीटर",
            "मी": "मीटर",
            "mg": "मिलीग्राम",
            "g": "ग्राम",
            "kg": "किलोग्राम",
            "किग्रा": "किलोग्राम",
            "ml": "मिलीलीटर",
            "l": "लीटर",
            "L": "लीटर",
            "s": "सेकंड",
            "min": "मिनट",
            "h": "घंटे",
            "MB": "मेगाबाइट",
            "GB": "गीगाबाइट",
            "TB": "टेराबाइट",
            "W": "वाट",
            "kW": "किलोवाट",
            "%": "प्रतिशत",
            "°C": "डिग्री सेल्सियस",
            "°": "डिग्री",
            "km/h": "किलोमीटर प्रति घंटा",
            "किमी/घंटा": "किलोमीटर प्रति घंटा",
            "Hz": "हर्ट्ज़",
            "GHz": "गीगाहर्ट्ज़",
        }
    )
    currencies: ClassVar[Mapping[str, Currency]] = {
        "₹": _money("रुपया", "रुपये", "पैसे"),
        "रु.": _money("रुपया", "रुपये", "पैसे"),
        "Rs.": _money("रुपया", "रुपये", "पैसे"),
        "INR": _money("रुपया", "रुपये", "पैसे"),
        "$": _money("डॉलर", "डॉलर", "सेंट"),
        "USD": _money("डॉलर", "डॉलर", "सेंट"),
        "€": _money("यूरो", "यूरो", "सेंट"),
        "£": _money("पाउंड", "पाउंड", "पेंस"),
        "¥": Currency(Unit("येन", "येन")),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {
        word: word for word in ("हज़ार", "हजार", "लाख", "करोड़", "अरब", "मिलियन", "बिलियन")
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "और",
        "+": "जमा",
        "=": "बराबर",
        "×": "गुणा",
        "÷": "भाग",
        "±": "जमा या ऋण",
        "%": "प्रतिशत",
        "°": "डिग्री",
        "@": "ऐट",
        "#": "नंबर",
        "<": "से कम",
        ">": "से ज़्यादा",
        "≤": "से कम या बराबर",
        "≥": "से ज़्यादा या बराबर",
        "≠": "बराबर नहीं",
        "≈": "लगभग",
        "→": "से",
        "₹": "रुपये",
        "$": "डॉलर",
        "€": "यूरो",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "डॉट",
        "/": "स्लैश",
        "@": "ऐट",
        "-": "डैश",
        "_": "अंडरस्कोर",
        ":": "कोलन",
        "?": "प्रश्न चिह्न",
        "=": "बराबर",
        "&": "और",
        "#": "हैश",
        "%": "प्रतिशत",
        "+": "प्लस",
        "v": "वर्शन",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {
        "डॉ.": "डॉक्टर",
        "डा.": "डॉक्टर",
        "प्रो.": "प्रोफ़ेसर",
        "श्री.": "श्री",
        "कु.": "कुमारी",
        "पं.": "पंडित",
        "सं.": "संख्या",
        "ई.": "ईस्वी",
    }
    hours = "बजे"
    ordinal_suffixes = "वाँ|वां|वीं|वें"
    joiners = "'-"

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number."""
        del feminine
        words = []
        for scale, name in _SCALES:
            count, number = divmod(number, scale)
            if count:
                words += [self.cardinal(count), name]
        if number or not words:
            words.append(_TO_NINETY_NINE[number])
        return " ".join(words)

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        said = _FIRST_RANKS.get(number, f"{self.cardinal(number)}वाँ")
        return said.replace("ा", "ी") if feminine and number in _FIRST_RANKS else said

    def year(self, year: int) -> str:
        """Say years before 2000 by hundreds: "उन्नीस सौ निन्यानवे"."""
        hundreds, rest = divmod(year, 100)
        if hundreds in {10, 20}:
            return self.cardinal(year)
        return f"{self.cardinal(hundreds)} सौ {self.cardinal(rest) if rest else ''}".strip()

    def decimals(self, digits: str) -> str:
        """Say digits one by one."""
        return self.digits(digits)

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction; a half and the quarters have words."""
        known = {(1, 2): "आधा", (1, 4): "एक चौथाई", (3, 4): "तीन चौथाई", (1, 3): "एक तिहाई", (2, 3): "दो तिहाई"}
        return known.get((numerator, denominator)) or super().fraction(numerator, denominator)

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half: "ढाई"."""
        if (numerator, denominator) == (1, 2):
            return {1: "डेढ़", 2: "ढाई"}.get(whole, f"साढ़े {self.cardinal(whole)}")
        return f"{self.cardinal(whole)} और {self.fraction(numerator, denominator)}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "तीन मार्च दो हज़ार चौबीस"."""
        said = f"{self.cardinal(day)} {self.months[month - 1]}"
        return said if year is None else f"{said} {self.year(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "दस बजकर तीस मिनट"."""
        said = self.cardinal(hour)
        said += f" बजकर {self.cardinal(minute)} मिनट" if minute else " बजे"
        if second:
            said += f" {self.cardinal(second)} सेकंड"
        return f"{'सुबह' if half == 'a' else 'शाम'} {said}" if half else said
