"""Portuguese of Brazil."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import Currency, Grammar, Unit
from tympan.speak.normalize.romance import agreement
from tympan.speak.normalize.romance import currencies as common_currencies
from tympan.speak.normalize.romance import units as regular_units

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.speak.normalize.rules import Rule
    from tympan.speak.reading import Language

_PARTS: Final = {
    2: "meio",
    3: "terço",
    4: "quarto",
    5: "quinto",
    6: "sexto",
    7: "sétimo",
    8: "oitavo",
    9: "nono",
    10: "décimo",
}
_CENT: Final = Unit("centavo", "centavos")


class Portuguese(Grammar):
    """Portuguese of Brazil."""

    language: ClassVar[Language] = "pt-br"
    numbers = "pt_BR"
    group = "."
    point = ","
    point_word = "vírgula"
    minus = "menos"
    to = "a"
    ratio = "por"
    over = "sobre"
    squared = "ao quadrado"
    cubed = "ao cubo"
    power = "elevado a"
    conjunction = "e"
    big_units_take = "de"
    thousands = frozenset({"mil"})
    joiners = "'-"
    months = tuple("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split())
    units: ClassVar[Mapping[str, Unit]] = {
        **regular_units(
            {
                "mm": "milímetro",
                "cm": "centímetro",
                "m": "metro",
                "km": "quilômetro",
                "mg": "miligrama",
                "g": "grama",
                "kg": "quilograma",
                "ml": "mililitro",
                "l": "litro",
                "L": "litro",
                "s": "segundo",
                "min": "minuto",
                "ms": "milissegundo",
                "kB": "kilobyte",
                "MB": "megabyte",
                "GB": "gigabyte",
                "TB": "terabyte",
                "V": "volt",
                "W": "watt",
                "kW": "quilowatt",
                "MW": "megawatt",
                "°": "grau",
                "ha": "hectare",
                "m^2": "metro quadrado",
                "km^2": "quilômetro quadrado",
                "m2": "metro quadrado",
                "km2": "quilômetro quadrado",
                "m^3": "metro cúbico",
                "m3": "metro cúbico",
            }
        ),
        "h": Unit("hora", "horas", feminine=True),
        "t": Unit("tonelada", "toneladas", feminine=True),
        "kWh": Unit("quilowatt-hora", "quilowatts-hora"),
        "dB": Unit("decibel", "decibéis"),
        "px": Unit("pixel", "pixels"),
        "%": Unit("por cento", "por cento"),
        "°C": Unit("grau Celsius", "graus Celsius"),
        "Hz": Unit("hertz", "hertz"),
        "kHz": Unit("quilohertz", "quilohertz"),
        "MHz": Unit("megahertz", "megahertz"),
        "GHz": Unit("gigahertz", "gigahertz"),
        "km/h": Unit("quilômetro por hora", "quilômetros por hora"),
        "m/s": Unit("metro por segundo", "metros por segundo"),
        "MB/s": Unit("megabyte por segundo", "megabytes por segundo"),
        "Mbps": Unit("megabit por segundo", "megabits por segundo"),
    }
    currencies: ClassVar[Mapping[str, Currency]] = {
        **common_currencies(
            euro=Currency(Unit("euro", "euros"), _CENT),
            dollar=Currency(Unit("dólar", "dólares"), _CENT),
            pound=Currency(Unit("libra", "libras", feminine=True), Unit("pêni", "pence")),
            yen=Currency(Unit("iene", "ienes")),
        ),
        "R$": Currency(Unit("real", "reais"), _CENT),
        "BRL": Currency(Unit("real", "reais"), _CENT),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {
        "milhões": "milhões",
        "milhão": "milhão",
        "bilhões": "bilhões",
        "bilhão": "bilhão",
        "trilhões": "trilhões",
        "mil": "mil",
        "mi": "milhões",
        "bi": "bilhões",
        "M": "milhões",
        "k": "mil",
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "e",
        "+": "mais",
        "=": "igual a",
        "×": "vezes",
        "÷": "dividido por",
        "±": "mais ou menos",
        "%": "por cento",
        "°": "graus",
        "@": "arroba",
        "#": "número",
        "<": "menor que",
        ">": "maior que",
        "≤": "menor ou igual a",
        "≥": "maior ou igual a",
        "≠": "diferente de",
        "≈": "aproximadamente",
        "∞": "infinito",
        "→": "para",
        "§": "parágrafo",
        "€": "euros",
        "$": "dólares",
        "£": "libras",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "ponto",
        "/": "barra",
        "@": "arroba",
        "-": "hífen",
        "_": "sublinhado",
        ":": "dois pontos",
        "?": "interrogação",
        "=": "igual",
        "&": "e",
        "#": "jogo da velha",
        "%": "por cento",
        "+": "mais",
        "~": "til",
        "v": "versão",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {
        "Sr.": "senhor",
        "Sra.": "senhora",
        "Srta.": "senhorita",
        "Srs.": "senhores",
        "Dr.": "doutor",
        "Dra.": "doutora",
        "Prof.": "professor",
        "Profa.": "professora",
        "Eng.": "engenheiro",
        "Exmo.": "excelentíssimo",
        "D.": "dona",
        "etc.": "etcétera",
        "p. ex.": "por exemplo",
        "p.ex.": "por exemplo",
        "Av.": "avenida",
        "R.": "rua",
        "n.º": "número",
        "nº": "número",
        "Nº": "número",
        "pág.": "página",
        "págs.": "páginas",
        "cap.": "capítulo",
        "art.": "artigo",
        "tel.": "telefone",
        "aprox.": "aproximadamente",
        "máx.": "máximo",
        "mín.": "mínimo",
        "vs.": "contra",
        "EUA": "Estados Unidos",
        "a.C.": "antes de Cristo",
        "d.C.": "depois de Cristo",
        "Ltda.": "limitada",
        "S.A.": "sociedade anônima",
        "Cia.": "companhia",
    }
    before_names = frozenset({"D.", "R."})
    before_numbers = frozenset({"art.", "cap."})
    final_abbreviations = frozenset({"etc.", "a.c.", "d.c.", "ltda.", "s.a."})
    ordinal_suffixes = "\\.?º|(?P<f>\\.?ª)|o(?=\\s)"
    spelled = frozenset("PC TV IA CPF UE".split())
    hours = "h|hs|horas"
    numbered = frozenset("século séculos capítulo tomo volume parte ato cena livro título seção fase mundial".split())
    regnal = frozenset(
        "Pedro João Paulo Pio Bento Luís Carlos Henrique Isabel Elizabeth Filipe Napoleão Jorge Guilherme Eduardo"
        " Afonso Sebastião Manuel Leão Clemente Gregório Francisco".split()
    )

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number; ones, twos and hundreds agree with what is counted."""
        words = super().cardinal(number)
        if feminine:
            words = re.sub(r"um$", "uma", words)
            words = re.sub(r"dois$", "duas", words)
            words = re.sub(r"entos(?=$| e )", "entas", words)
        return words

    def extra_rules(self) -> list[Rule]:
        """Return the rule for numbers before nouns."""
        return [agreement(self, "de|do|da|em|por|com|para|que|mil|até|entre|sobre|desde|cada")]

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        said = super().ordinal(number)
        return " ".join(f"{word[:-1]}a" for word in said.split()) if feminine else said

    def regnal_number(self, number: int, name: str) -> str:
        """Say a rank up to ten, a number beyond: Pedro segundo, João vinte e três."""
        return self.cardinal(number) if number > 10 else self.ordinal(number, feminine=name in {"Isabel", "Elizabeth"})  # noqa: PLR2004

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction."""
        if denominator not in _PARTS:
            return super().fraction(numerator, denominator)
        return f"{self.cardinal(numerator)} {_PARTS[denominator]}{'s' if numerator > 1 else ''}"

    @property
    def plus(self) -> str:
        """Join a whole number and a fraction: "dois e meio"."""
        return "e"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half."""
        return super().mixed(whole, numerator, denominator).replace(" e um meio", " e meio")

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "três de março de dois mil e vinte e quatro"."""
        said = f"{'primeiro' if day == 1 else self.cardinal(day)} de {self.months[month - 1]}"
        return said if year is None else f"{said} de {self.cardinal(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "dez e trinta"; full hours with their word."""
        said = self.cardinal(hour, feminine=True) if minute else self.quantity(str(hour), "", self.units["h"])
        if minute:
            said += f" e {self.cardinal(minute)}"
        if second:
            said += f" e {self.quantity(str(second), '', self.units['s'])}"
        return f"{said} {'da manhã' if half == 'a' else 'da tarde'}" if half else said
