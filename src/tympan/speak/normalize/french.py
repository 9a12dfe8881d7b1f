"""French."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from tympan.speak.normalize.grammar import Currency, Grammar, Unit
from tympan.speak.normalize.numbers import roman_value
from tympan.speak.normalize.romance import currencies as common_currencies
from tympan.speak.normalize.romance import units as regular_units
from tympan.speak.normalize.rules import Rule, rule

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from tympan.speak.reading import Language

_PARTS: Final = {2: "demi", 3: "tiers", 4: "quart"}
_CENT: Final = Unit("centime", "centimes")


class French(Grammar):
    """French."""

    language: ClassVar[Language] = "fr"
    numbers = "fr"
    group = "."
    point = ","
    point_word = "virgule"
    minus = "moins"
    to = "à"
    ratio = "contre"
    over = "sur"
    squared = "au carré"
    cubed = "au cube"
    power = "puissance"
    conjunction = ""
    big_units_take = "de"
    thousands = frozenset({"mille"})
    joiners = "'-"
    months = tuple("janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split())
    units: ClassVar[Mapping[str, Unit]] = {
        **regular_units(
            {
                "mm": "millimètre",
                "cm": "centimètre",
                "m": "mètre",
                "km": "kilomètre",
                "mg": "milligramme",
                "g": "gramme",
                "kg": "kilogramme",
                "ml": "millilitre",
                "cl": "centilitre",
                "l": "litre",
                "L": "litre",
                "min": "minute",
                "ms": "milliseconde",
                "ko": "kilo-octet",
                "Mo": "méga-octet",
                "Go": "giga-octet",
                "To": "téra-octet",
                "MB": "mégaoctet",
                "GB": "gigaoctet",
                "V": "volt",
                "W": "watt",
                "kW": "kilowatt",
                "MW": "mégawatt",
                "dB": "décibel",
                "°": "degré",
                "ha": "hectare",
                "px": "pixel",
                "m^2": "mètre carré",
                "km^2": "kilomètre carré",
                "cm^2": "centimètre carré",
                "m2": "mètre carré",
                "km2": "kilomètre carré",
                "m^3": "mètre cube",
                "m3": "mètre cube",
            }
        ),
        "s": Unit("seconde", "secondes", feminine=True),
        "min": Unit("minute", "minutes", feminine=True),
        "h": Unit("heure", "heures", feminine=True),
        "t": Unit("tonne", "tonnes", feminine=True),
        "kWh": Unit("kilowattheure", "kilowattheures"),
        "%": Unit("pour cent", "pour cent"),
        "°C": Unit("degré Celsius", "degrés Celsius"),
        "Hz": Unit("hertz", "hertz"),
        "kHz": Unit("kilohertz", "kilohertz"),
        "MHz": Unit("mégahertz", "mégahertz"),
        "GHz": Unit("gigahertz", "gigahertz"),
        "km/h": Unit("kilomètre heure", "kilomètres heure"),
        "m/s": Unit("mètre par seconde", "mètres par seconde"),
        "Mo/s": Unit("méga-octet par seconde", "méga-octets par seconde"),
    }
    currencies: ClassVar[Mapping[str, Currency]] = {
        **common_currencies(
            euro=Currency(Unit("euro", "euros"), _CENT),
            dollar=Currency(Unit("dollar", "dollars"), Unit("cent", "cents")),
            pound=Currency(Unit("livre", "livres", feminine=True), Unit("penny", "pence")),
            yen=Currency(Unit("yen", "yens")),
        ),
        "CHF": Currency(Unit("franc suisse", "francs suisses"), _CENT),
    }
    magnitudes: ClassVar[Mapping[str, str]] = {
        "millions": "millions",
        "million": "million",
        "milliards": "milliards",
        "milliard": "milliard",
        "mille": "mille",
        "Md": "milliards",
        "M": "millions",
        "k": "mille",
    }
    symbols: ClassVar[Mapping[str, str]] = {
        "&": "et",
        "+": "plus",
        "=": "égale",
        "×": "fois",
        "÷": "divisé par",
        "±": "plus ou moins",
        "%": "pour cent",
        "°": "degrés",
        "@": "arobase",
        "#": "numéro",
        "<": "inférieur à",
        ">": "supérieur à",
        "≤": "inférieur ou égal à",
        "≥": "supérieur ou égal à",
        "≠": "différent de",
        "≈": "environ",
        "∞": "l'infini",
        "→": "vers",
        "§": "paragraphe",
        "€": "euros",
        "$": "dollars",
        "£": "livres",
    }
    web: ClassVar[Mapping[str, str]] = {
        ".": "point",
        "/": "barre oblique",
        "@": "arobase",
        "-": "tiret",
        "_": "tiret bas",
        ":": "deux-points",
        "?": "point d'interrogation",
        "=": "égale",
        "&": "et",
        "#": "dièse",
        "%": "pour cent",
        "+": "plus",
        "~": "tilde",
        "v": "version",
    }
    abbreviations: ClassVar[Mapping[str, str]] = {
        "M.": "monsieur",
        "MM.": "messieurs",
        "Mme": "madame",
        "Mmes": "mesdames",
        "Mlle": "mademoiselle",
        "Dr": "docteur",
        "Dr.": "docteur",
        "Pr": "professeur",
        "Me": "maître",
        "Mgr": "monseigneur",
        "St": "saint",
        "Ste": "sainte",
        "etc.": "et cetera",
        "p. ex.": "par exemple",
        "p.ex.": "par exemple",
        "c.-à-d.": "c'est-à-dire",
        "cf.": "confer",
        "av.": "avenue",
        "bd": "boulevard",
        "n°": "numéro",
        "N°": "numéro",
        "nº": "numéro",
        "env.": "environ",
        "max.": "maximum",
        "min.": "minimum",
        "tél.": "téléphone",
        "vol.": "volume",
        "chap.": "chapitre",
        "art.": "article",
        "p.": "page",
        "av. J.-C.": "avant Jésus-Christ",
        "apr. J.-C.": "après Jésus-Christ",
        "vs": "contre",
        "SVP": "s'il vous plaît",
    }
    before_names = frozenset({"M.", "MM.", "Me", "Pr", "Dr", "St", "Ste", "av."})
    before_numbers = frozenset({"p.", "vol.", "art."})
    final_abbreviations = frozenset({"etc."})
    ordinal_suffixes = "er|(?P<f>re|ère)|ème|eme|e|nde?"
    spelled = frozenset("TGV SNCF PDG UE IA ADN TVA PC CV BD HLM RER ONG USA".split())
    hours = "h|heures?"
    numbered = frozenset("chapitre tome volume partie acte scène livre titre section phase annexe".split())
    regnal = frozenset(
        "Louis Henri Charles François Philippe Napoléon Jean Paul Benoît Pie Élisabeth Elisabeth Guillaume Édouard"
        " Georges Jacques Richard Léopold Albert Nicolas Catherine Léon Clément Grégoire Innocent".split()
    )

    def cardinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a number; only its last "un" agrees."""
        words = super().cardinal(number)
        return f"{words}e" if feminine and words.endswith("un") else words

    def ordinal(self, number: int, *, feminine: bool = False) -> str:
        """Say a rank."""
        if number == 1:
            return "première" if feminine else "premier"
        return super().ordinal(number)

    def regnal_number(self, number: int, name: str) -> str:
        """Say "premier" for the first, a number for all others: Louis quatorze."""
        return self.ordinal(1, feminine=name in {"Catherine", "Élisabeth"}) if number == 1 else self.cardinal(number)

    def fraction(self, numerator: int, denominator: int) -> str:
        """Say a fraction."""
        if not 1 < denominator <= 20:  # noqa: PLR2004
            return super().fraction(numerator, denominator)
        part = _PARTS.get(denominator) or self.ordinal(denominator)
        return f"{self.cardinal(numerator)} {part}{'s' if numerator > 1 and part[-1] != 's' else ''}"

    @property
    def plus(self) -> str:
        """Join a whole number and a fraction: "deux et demi"."""
        return "et"

    def mixed(self, whole: int, numerator: int, denominator: int) -> str:
        """Say two and a half."""
        return super().mixed(whole, numerator, denominator).replace(" et un demi", " et demi")

    def units_and_cents(self, units: str, cents: str) -> str:
        """Say "trois euros cinquante": the name of the small part is left out."""
        return f"{units} {cents.removesuffix(' centimes').removesuffix(' centime')}"

    def date(self, day: int, month: int, year: int | None) -> str:
        """Say "trois mars deux mille vingt-quatre"."""
        said = f"{'premier' if day == 1 else self.cardinal(day)} {self.months[month - 1]}"
        return said if year is None else f"{said} {self.cardinal(year)}"

    def time(self, hour: int, minute: int | None, second: int | None, half: str) -> str:
        """Say "dix heures trente"."""
        said = self.quantity(str(hour), "", self.units["h"])
        if minute:
            said += f" {self.cardinal(minute, feminine=True)}"
        if second:
            said += f" et {self.quantity(str(second), '', self.units['s'])}"
        return f"{said} {'du matin' if half == 'a' else 'du soir'}" if half else said

    def extra_rules(self) -> list[Rule]:
        """Return the rules for centuries ("XIXe siècle") and for the first of a name ("François Ier")."""

        def ordinal(match: re.Match[str]) -> str | None:
            value = roman_value(match[1])
            return self.ordinal(value, feminine=match[2] in {"re", "ère"}) if value else None

        return [rule("letter", r"([IVX]|[IVXL]{2,7})(er|re|ère|e|ème)(?!\w)", ordinal)]
