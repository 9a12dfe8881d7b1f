"""Spanish."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import MAX_NUMBER_DIGITS, Currency, Grammar, Unit
from tympan.speak.normalize.romance import agreement
from tympan.speak.normalize.romance import currencies as common_currencies
from tympan.speak.normalize.romance import units as regular_units

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.speak.normalize.rules import Rule
    from tympan.speak.reading import Language

_ORDINALS: Final = (
    "primero segundo tercero cuarto quinto sexto séptimo octavo noveno décimo undécimo duodécimo decimotercero"
    " decimocuarto decimoquinto decimosexto decimoséptimo decimoctavo decimonoveno vigésimo"
).split()
_PARTS: Final = {
    2: "medio",
    3: "tercio",
    4: "cuarto",
    5: "quinto",
    6: "sexto",
    7: "séptimo",
    8: "octavo",
    9: "noveno",
    10: "décimo",
}
_CENT: Final = Unit("céntimo", "céntimos")
_CENTAVO: Final = Unit("centavo", "centavos")


class Spanish(Grammar):
    """Spanish of Spain and of America."""

    language: ClassVar[Language] = "es"
    numbers = "es"
    group = "."
    point = ","
    point_word = "coma"
    minus = "menos"
    to = "a"
    ratio = "a"
    over = "sobre"
    squared = "al cuadrado"
    cubed = "al cubo"
    power = "elevado a"
    conjunction = "con"
    big_units_take = "de"
    thousands = frozenset({"mil"})
    months = tuple("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split())
    units: ClassVar[Mapping[str, Unit]] = {
        **regular_units(
            {
                "mm": "milímetro",
                "cm": "centímetro",
                "m": "metro",
                "km": "kilómetro",
                "mg": "miligramo",
                "g": "gramo",
                "kg": "kilogramo",
                "ml": "mililitro",
                "cl": "centilitro",
                "l": "litro",
                "L": "litro",
                "s": "segundo",
                "min": "minuto",
                "ms": "milisegundo",
                "kB": "kilobyte",
                "MB": "megabyte",
                "GB": "gigabyte",
                "TB": "terabyte",
                "V": "voltio",
                "W": "vatio",
                "kW": "kilovatio",
                "MW": "megavatio",
                "kWh": "kilovatio hora",
                "dB": "decibelio",
                "°": "grado",
                "px": "píxel",
                "m^2": "metro cuadrado",
                "km^2": "kilómetro cuadrado",
                "cm^2": "centímetro cuadrado",
                "m2": "metro cuadrado",
                "km2": "kilómetro cuadrado",
                "m^3": "metro cúbico",
                "m3": "metro cúbico",
            }
        ),
        "kW": Unit("kilovatio", "kilovatios"),
        "kWh": Unit("kilovatio hora", "kilovatios hora"),
        "px": Unit("píxel", "píxeles"),
        "h": Unit("hora", "horas", feminine=True),
        "t": Unit("tonelada", "toneladas", feminine=True),
        "ha": Unit("hectárea", "hectáreas", feminine=True),
        "lb": Unit("libra", "libras", feminine=True),
        "%": Unit("por ciento", "por ciento"),
        "°C": Unit("grado Celsius", "grados Celsius"),
        "°F": Unit("grado Fahrenheit", "grados Fahrenheit"),
        "Hz": Unit("hercio", "hercios"),
        "kHz": Unit("kilohercio", "kilohercios"),
        "MHz": Unit("megahercio", "megahercios"),
        "GHz": Unit("gigahercio", "gigahercios"),
        "km/h": Unit("kilómetro por hora", "kilómetros por hora"),
        "m/s": Unit("metro por segundo", "metros por segundo"),
        "MB/s": Unit("megabyte por segundo", "megabytes por segundo"),
        "Mbps": Unit("megabit por segundo", "megabits por segundo"),
    }
    currencies: ClassVar[Mapping[str, Currency]] = {
        **common_currencies(
            euro=Currency(Unit("euro", "euros"), _CENT),
            dollar=Currency(Unit("dólar", "dólares"), _CENTAVO),
            pound=Currency(Unit("libra", "libras", feminine=True), Unit("penique", "peniques")),
            yen=Currency(Unit("yen", "yenes")),
        ),
        "MXN": Currency(Unit("peso mexicano", "pesos mexicanos"), _CENTAVO),
        "S/": Currency(Unit("sol", "soles"), _CENT),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {
        "millones": "millones",
        "millón": "millón",
        "mil millones": "mil millones",
        "mil": "mil",
        "billones": "billones",
        "M": "millones",
        "k": "mil",
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "y",
        "+": "más",
        "=": "igual a",
        "×": "por",
        "÷": "entre",
        "±": "más menos",
        "%": "por ciento",
        "°": "grados",
        "@": "arroba",
        "#": "número",
        "<": "menor que",
        ">": "mayor que",
        "≤": "menor o igual que",
        "≥": "mayor o igual que",
        "≠": "distinto de",
        "≈": "aproximadamente",
        "∞": "infinito",
        "→": "a",
        "§": "sección",
        "€": "euros",
        "$": "dólares",
        "£": "libras",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "punto",
        "/": "barra",
        "@": "arroba",
        "-": "guion",
        "_": "guion bajo",
        ":": "dos puntos",
        "?": "interrogación",
        "=": "igual",
        "&": "y",
        "#": "almohadilla",
        "%": "por ciento",
        "+": "más",
        "~": "tilde",
        "v": "versión",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {
        "Sr.": "señor",
        "Sra.": "señora",
        "Srta.": "señorita",
        "Sres.": "señores",
        "Dr.": "doctor",
        "Dra.": "doctora",
        "D.": "don",
        "Dña.": "doña",
        "Prof.": "profesor",
        "Ing.": "ingeniero",
        "Lic.": "licenciado",
        "Ud.": "usted",
        "Uds.": "ustedes",
        "Vd.": "usted",
        "etc.": "etcétera",
        "p. ej.": "por ejemplo",
        "p.ej.": "por ejemplo",
        "Av.": "avenida",
        "Avda.": "avenida",
        "C/": "calle",
        "n.º": "número",
        "nº": "número",
        "N.º": "número",
        "núm.": "número",
        "pág.": "página",
        "págs.": "páginas",
        "art.": "artículo",
        "tel.": "teléfono",
        "aprox.": "aproximadamente",
        "máx.": "máximo",
        "mín.": "mínimo",
        "vs.": "contra",
        "EE. UU.": "Estados Unidos",
        "EE.UU.": "Estados Unidos",
        "EEUU": "Estados Unidos",
        "a. C.": "antes de Cristo",
        "d. C.": "después de Cristo",
        "a. m.": "de la mañana",
        "p. m.": "de la tarde",
        "a.m.": "de la mañana",
        "p.m.": "de la tarde",
        "S.A.": "sociedad anónima",
        "Gral.": "general",
    }
    before_names = frozenset({"D."})
    final_abbreviations = frozenset({"etc.", "s.a.", "ee. uu.", "ee.uu.", "a. m.", "p. m.", "a.m.", "p.m."})
    ordinal_suffixes = "(?P<f>\\.?ª|\\.?a(?=\\s))|\\.?º|\\.?o(?=\\s)|\\.?er|ero|do|to"
    spelled = frozenset("DNI PC TV IA UE".split())
    hours = "h|hs|horas|hrs"
    numbered = frozenset(
        "siglo siglos capítulo tomo volumen parte acto escena libro título sección fase mundial".split()
    )
    regnal = frozenset(
        "Felipe Carlos Juan Alfonso Fernando Isabel Enrique Luis Pedro Pablo Francisco Pío Benedicto León Napoleón"
        " Jorge Guillermo Eduardo Jaime Sancho Ramiro Clemente Gregorio Inocencio".split()
    )

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number; "uno" loses its end before what is counted, or agrees with it."""
        words = super().cardinal(number)
        if feminine:
            words = re.sub(r"cientos(?=$| (?!mil|millon))", "cientas", words)
            words = words.replace("quinientos", "quinientas")
            words = re.sub(r"veintiuno$", "veintiuna", words)
            words = re.sub(r"uno$", "una", words)
        return words

    def counted(self, number: int, *, feminine: bool) -> str:
        """Say a number before a noun: "veintiún", "un"."""
        words = self.cardinal(number, feminine=feminine)
        return re.sub(r"uno$", "un", re.sub(r"veintiuno$", "veintiún", words))

    def quantity(self, whole: str, fraction: str, unit: Unit, magnitude: str = "") -> str:
        """Say how much: "veintiún euros"."""
        if fraction or magnitude or len(whole) > MAX_NUMBER_DIGITS:
            return super().quantity(whole, fraction, unit, magnitude)
        name = unit.one if int(whole) == 1 else unit.many
        number = self.counted(int(whole), feminine=unit.feminine)
        take = f" {self.big_units_take}" if number.endswith(("millón", "millones")) else ""
        return f"{number}{take} {name}"

    def extra_rules(self) -> list[Rule]:
        """Return the rule for numbers before nouns."""
        return [agreement(self, "de|del|y|en|por|con|para|que|millones|mil|hasta|entre|sobre|desde|cada|horas?")]

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank up to the twentieth; beyond, people use the number."""
        if not 1 <= number <= len(_ORDINALS):
            return self.cardinal(number, feminine=feminine)
        said = _ORDINALS[number - 1]
        return f"{said[:-1]}a" if feminine else said

    def regnal_number(self, number: int, name: str) -> str:
        """Say a rank up to ten, a number beyond: Felipe sexto, Juan veintitrés."""
        if number > 10:  # noqa: PLR2004
            return self.cardinal(number)
        return self.ordinal(number, feminine=name == "Isabel")

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction."""
        if denominator not in _PARTS:
            return super().fraction(numerator, denominator)
        if numerator == 1:
            return f"un {_PARTS[denominator]}"
        return f"{self.cardinal(numerator)} {_PARTS[denominator]}s"

    @property
    def plus(self) -> str:
        """Join a whole number and a fraction: "dos y medio"."""
        return "y"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half."""
        return super().mixed(whole, numerator, denominator).replace(" y un medio", " y medio")

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "tres de marzo de dos mil veinticuatro"."""
        first = "uno" if day == 1 else self.cardinal(day)
        said = f"{first} de {self.months[month - 1]}"
        return said if year is None else f"{said} de {self.cardinal(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "diez y treinta"."""
        said = self.cardinal(hour, feminine=True)
        if minute:
            said += f" y {self.cardinal(minute)}"
        elif not half:
            said += " en punto"
        if second:
            said += f" y {self.quantity(str(second), '', self.units['s'])}"
        return f"{said} {'de la mañana' if half == 'a' else 'de la tarde'}" if half else said
