"""Italian."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import Currency, Grammar, Unit
from tympan.speak.normalize.numbers import roman_value
from tympan.speak.normalize.romance import agreement
from tympan.speak.normalize.romance import currencies as common_currencies
from tympan.speak.normalize.rules import Rule, rule

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from tympan.speak.reading import Language

_PARTS: Final = {
    2: "mezzo",
    3: "terzo",
    4: "quarto",
    5: "quinto",
    6: "sesto",
    7: "settimo",
    8: "ottavo",
    9: "nono",
    10: "decimo",
}
_CENT: Final = Unit("centesimo", "centesimi")


def _units(names: dict[str, str]) -> dict[str, Unit]:
    """Make masculine units in -o and -e, whose plurals end in -i."""
    return {sign: Unit(name, " ".join(f"{word[:-1]}i" for word in name.split())) for sign, name in names.items()}


class Italian(Grammar):
    """Italian."""

    language: ClassVar[Language] = "it"
    numbers = "it"
    group = "."
    point = ","
    point_word = "virgola"
    minus = "meno"
    to = "a"
    ratio = "a"
    over = "su"
    squared = "al quadrato"
    cubed = "al cubo"
    power = "alla"
    conjunction = "e"
    big_units_take = "di"
    thousands = frozenset({"mila"})
    months = tuple(
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split()
    )
    units: ClassVar[Mapping[str, Unit]] = {
        **_units(
            {
                "mm": "millimetro",
                "cm": "centimetro",
                "m": "metro",
                "km": "chilometro",
                "mg": "milligrammo",
                "g": "grammo",
                "kg": "chilogrammo",
                "ml": "millilitro",
                "cl": "centilitro",
                "l": "litro",
                "L": "litro",
                "s": "secondo",
                "min": "minuto",
                "ms": "millisecondo",
                "°": "grado",
                "ha": "ettaro",
                "m^2": "metro quadrato",
                "km^2": "chilometro quadrato",
                "m2": "metro quadrato",
                "mq": "metro quadrato",
                "km2": "chilometro quadrato",
                "m^3": "metro cubo",
                "m3": "metro cubo",
            }
        ),
        "h": Unit("ora", "ore", feminine=True),
        "t": Unit("tonnellata", "tonnellate", feminine=True),
        "kB": Unit("kilobyte", "kilobyte"),
        "MB": Unit("megabyte", "megabyte"),
        "GB": Unit("gigabyte", "gigabyte"),
        "TB": Unit("terabyte", "terabyte"),
        "V": Unit("volt", "volt"),
        "W": Unit("watt", "watt"),
        "kW": Unit("chilowatt", "chilowatt"),
        "MW": Unit("megawatt", "megawatt"),
        "kWh": Unit("chilowattora", "chilowattora"),
        "dB": Unit("decibel", "decibel"),
        "px": Unit("pixel", "pixel"),
        "%": Unit("per cento", "per cento"),
        "°C": Unit("grado Celsius", "gradi Celsius"),
        "Hz": Unit("hertz", "hertz"),
        "kHz": Unit("chilohertz", "chilohertz"),
        "MHz": Unit("megahertz", "megahertz"),
        "GHz": Unit("gigahertz", "gigahertz"),
        "km/h": Unit("chilometro all'ora", "chilometri all'ora"),
        "m/s": Unit("metro al secondo", "metri al secondo"),
        "MB/s": Unit("megabyte al secondo", "megabyte al secondo"),
    }
    currencies: ClassVar[Mapping[str, Currency]] = {
        **common_currencies(
            euro=Currency(Unit("euro", "euro"), _CENT),
            dollar=Currency(Unit("dollaro", "dollari"), _CENT),
            pound=Currency(Unit("sterlina", "sterline", feminine=True), Unit("penny", "penny")),
            yen=Currency(Unit("yen", "yen")),
        ),
        "CHF": Currency(Unit("franco svizzero", "franchi svizzeri"), _CENT),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {
        "milioni": "milioni",
        "milione": "milione",
        "miliardi": "miliardi",
        "miliardo": "miliardo",
        "mila": "mila",
        "mln": "milioni",
        "mld": "miliardi",
        "M": "milioni",
        "k": "mila",
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "e",
        "+": "più",
        "=": "uguale",
        "×": "per",
        "÷": "diviso",
        "±": "più o meno",
        "%": "per cento",
        "°": "gradi",
        "@": "chiocciola",
        "#": "numero",
        "<": "minore di",
        ">": "maggiore di",
        "≤": "minore o uguale a",
        "≥": "maggiore o uguale a",
        "≠": "diverso da",
        "≈": "circa",
        "∞": "infinito",
        "→": "a",
        "§": "paragrafo",
        "€": "euro",
        "$": "dollari",
        "£": "sterline",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "punto",
        "/": "barra",
        "@": "chiocciola",
        "-": "trattino",
        "_": "trattino basso",
        ":": "due punti",
        "?": "punto interrogativo",
        "=": "uguale",
        "&": "e",
        "#": "cancelletto",
        "%": "per cento",
        "+": "più",
        "~": "tilde",
        "v": "versione",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {
        "Sig.": "signor",
        "Sig.ra": "signora",
        "Sigg.": "signori",
        "Dott.": "dottor",
        "Dott.ssa": "dottoressa",
        "Dr.": "dottor",
        "Prof.": "professor",
        "Prof.ssa": "professoressa",
        "Ing.": "ingegner",
        "Avv.": "avvocato",
        "Arch.": "architetto",
        "On.": "onorevole",
        "S.": "san",
        "ecc.": "eccetera",
        "p.es.": "per esempio",
        "ad es.": "ad esempio",
        "es.": "esempio",
        "n.": "numero",
        "nr.": "numero",
        "pag.": "pagina",
        "pagg.": "pagine",
        "cap.": "capitolo",
        "art.": "articolo",
        "tel.": "telefono",
        "ca.": "circa",
        "max.": "massimo",
        "min.": "minimo",
        "vol.": "volume",
        "a.C.": "avanti Cristo",
        "d.C.": "dopo Cristo",
        "P.S.": "post scriptum",
        "S.p.A.": "società per azioni",
        "vs.": "contro",
        "P.za": "piazza",
        "V.le": "viale",
    }
    before_names = frozenset({"S.", "On."})
    before_numbers = frozenset({"n.", "nr.", "art.", "cap.", "pag.", "vol."})
    final_abbreviations = frozenset({"ecc.", "a.c.", "d.c.", "s.p.a."})
    ordinal_suffixes = "º|°(?=\\s(?!C\\b))|(?P<f>ª)"
    spelled = frozenset("PC TV USA UE CV DVD".split()) - {"USA", "UE"}
    hours = "h"
    numbered = frozenset("capitolo tomo volume parte atto scena libro titolo sezione fase appendice".split())
    regnal = frozenset(
        "Giovanni Paolo Pio Benedetto Vittorio Emanuele Umberto Carlo Luigi Enrico Elisabetta Federico Filippo"
        " Napoleone Guglielmo Giorgio Edoardo Leone Clemente Gregorio Innocenzo Francesco".split()
    )
    feminine_names: ClassVar[frozenset[str]] = frozenset({"Elisabetta"})

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number."""
        words = super().cardinal(number)
        return "una" if feminine and number == 1 else words

    def quantity(self, whole: str, fraction: str, unit: Unit, magnitude: str = "") -> str:
        """Say how much: "un euro"."""
        said = super().quantity(whole, fraction, unit, magnitude)
        if magnitude and self.magnitudes[magnitude] == "mila":
            return f"{self.cardinal(int(whole) * 1000)} {unit.many}"
        return f"un {said[4:]}" if said.startswith("uno ") else said

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        said = super().ordinal(number)
        return f"{said[:-1]}a" if feminine else said

    def rank(self, number: int, before: str) -> str | None:
        """Say a Roman numeral: kings and centuries have ranks."""
        if before in self.regnal:
            return self.ordinal(number, feminine=before in self.feminine_names)
        return super().rank(number, before)

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction."""
        if denominator not in _PARTS:
            return super().fraction(numerator, denominator)
        if numerator == 1:
            return f"un {_PARTS[denominator]}"
        return f"{self.cardinal(numerator)} {_PARTS[denominator][:-1]}i"

    @property
    def plus(self) -> str:
        """Join a whole number and a fraction: "due e mezzo"."""
        return "e"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half."""
        return super().mixed(whole, numerator, denominator).replace(" e un mezzo", " e mezzo")

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "tre marzo duemilaventiquattro"."""
        said = f"{'primo' if day == 1 else self.cardinal(day)} {self.months[month - 1]}"
        return said if year is None else f"{said} {self.cardinal(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "dieci e trenta"."""
        said = self.cardinal(hour, feminine=True)
        if minute:
            said += f" e {self.cardinal(minute)}"
        if second:
            said += f" e {self.quantity(str(second), '', self.units['s'])}"
        return f"{said} {'di mattina' if half == 'a' else 'di sera'}" if half else said

    def extra_rules(self) -> list[Rule]:
        """Return the rule for centuries: the Roman numeral stands before its word."""

        def century(match: re.Match[str]) -> str | None:
            value = roman_value(match[1])
            return self.ordinal(value) if value else None

        return [
            rule("letter", r"([IVX]{1,5})(?= secolo)", century),
            agreement(self, "di|del|della|per|con|che|mila|fino|ogni|alle?"),
        ]

    def counted(self, number: int, *, feminine: bool) -> str:
        """Say a number before a noun: "un", "una"."""
        words = self.cardinal(number, feminine=feminine)
        return "un" if words == "uno" else words
