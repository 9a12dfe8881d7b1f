"""English words of one spelling and several sounds that grammar does not tell apart, told by the words near them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tympan.speak.phonemes.part_of_speech import DETERMINERS, part_of_speech

if TYPE_CHECKING:
    from collections.abc import Sequence

_WINDOW: Final = 5  # words to either side that are looked at


@dataclass(frozen=True, slots=True)
class _Sense:
    """Phonemes that hold where one of `near` stands within the window, or one of `after` right behind."""

    american: str
    british: str
    near: frozenset[str]
    after: frozenset[str] = frozenset()
    part: str = ""  # only as this part of speech


def _sense(american: str, british: str, near: str, after: str = "", part: str = "") -> _Sense:
    return _Sense(american, british, frozenset(near.split()), frozenset(after.split()), part)


_SENSES: Final = {
    "lead": (
        _sense(
            "lˈɛd",
            "lˈɛd",
            "paint poisoning poisonous acid toxic copper tin zinc mercury metal metals bullet bullets pencil"
            " pencils bronze"
            " iron ore gasoline petrol solder exposure weighs melted molten heavy",
            "pipe pipes paint poisoning acid shot bullets weights content levels",
        ),
    ),
    "bass": (
        _sense(
            "bˈæs",
            "bˈæs",
            "fish fishing caught lake river pond trout salmon striped largemouth sea fisherman hook grilled",
        ),
        _sense(
            "bˈAs",
            "bˈAs",
            "guitar guitarist drum drums player band music speakers note notes line treble singer jazz plays"
            " played sing sang"
            " voice sound loud boost strings amp double clef",
            "guitar line player drum clef",
        ),
    ),
    "bow": (
        _sense(
            "bˈW", "bˈW", "ship ship's boat stern deck audience stage applause waves hull curtain", "of to before down"
        ),
        _sense("bˈO", "bˈQ", "arrow arrows violin cello ribbon hair tie tied archer gift rain shoelaces"),
    ),
    "bows": (
        _sense("bˈWz", "bˈWz", "ship audience king queen deeply"),
        _sense("bˈOz", "bˈQz", "arrows ribbons hair archers"),
    ),
    "tear": (
        _sense(
            "tˈɛɹ",
            "tˈɛː",
            "wear muscle ligament tendon fabric shirt jeans cloth paper hole sail",
            "down up apart off it",
        ),
        _sense("tˈɪɹ", "tˈɪə", "eye eyes cheek cry cried crying shed weep", "gas"),
    ),
    "row": (
        _sense("ɹˈW", "ɹˈW", "argument blazing furious shouting neighbours neighbors heated huge terrible diplomatic"),
    ),
    "rows": (_sense("ɹˈWz", "ɹˈWz", "blazing furious shouting"),),
    "resume": (
        _sense(
            "ɹˈɛzəmˌA",
            "ɹˈɛzjʊmˌA",
            "job apply application cv cover attach attached skills experience updated send sent",
            part="NOUN",
        ),
    ),
    "sake": (_sense("sˈɑki", "sˈɑːki", "rice drink drank sushi japanese cup warm bottle brewed"),),
    "sewer": (_sense("sˈOəɹ", "sˈQə", "seamstress fabric sewing thread needle dressmaker"),),
    "wound": (
        _sense(
            "wˈWnd", "wˈWnd", "clock watch spring string wire rope thread river road path", "up down around through"
        ),
    ),
    "does": (_sense("dˈOz", "dˈQz", "deer bucks fawns stags"),),
    "dove": (_sense("dˈOv", "dˈQv", "", "into in off down under deep deeper headfirst underwater"),),
    "minute": (
        _sense(
            "mInˈut",
            "mInjˈuːt",
            "",
            "details detail amount amounts particles differences difference quantity quantities traces fraction"
            " changes crack"
            " cracks specks variations organisms",
        ),
    ),
    "live": (
        _sense(
            "lˈɪv",
            "lˈɪv",
            "",
            "in with near together alone there here under by without forever longer happily up",
            part="VERB",
        ),
        _sense(
            "lˈIv",
            "lˈIv",
            "",
            "music concert concerts show shows broadcast stream streaming audience band coverage wire wires"
            " ammunition television tv performance performances bait event events updates on from",
        ),
    ),
    "axes": (_sense("ˈæksᵻz", "ˈæksɪz", "chop wood swords hammers lumberjack woodcutters sharp shields"),),
    "polish": (),
    "slough": (_sense("slˈʌf", "slˈʌf", "skin snake snakes", "off"),),
    "number": (_sense("nˈʌməɹ", "nˈʌmə", "fingers toes feel felt cold lips grew"),),
    "moped": (_sense("mˈOpt", "mˈQpt", "", "around about for all"),),
    "bases": (_sense("bˈAsᵻz", "bˈAsɪz", "baseball military loaded army naval runner covered acids"),),
    "content": (_sense("kəntˈɛnt", "kəntˈɛnt", "", "with to", part="ADJ"),),
    "invalid": (
        _sense(
            "ɪnvˈælɪd", "ɪnvˈælɪd", "password argument input value token key request license licence ticket vote code"
        ),
    ),
}


def homograph(words: Sequence[str], spelled: Sequence[str], at: int, *, british: bool) -> str | None:
    """Return the phonemes of `words[at]` (lower-case; `spelled` as written) where a sense is recognised, else None."""
    word = words[at]
    if word == "polish":
        return _polish(words, spelled, at, british=british)
    for sense in _SENSES.get(word, ()):
        if sense.part and part_of_speech(words, at) != sense.part:
            continue
        around = {*words[max(0, at - _WINDOW) : at], *words[at + 1 : at + 1 + _WINDOW]}
        after = words[at + 1] if at + 1 < len(words) else ""
        if around & sense.near or after in sense.after:
            return sense.british if british else sense.american
    return None


def _polish(words: Sequence[str], spelled: Sequence[str], at: int, *, british: bool) -> str | None:
    """Polish, the people, has a capital; at the beginning of a sentence what follows tells."""
    verb = "pˈɒlɪʃ" if british else "pˈɑlɪʃ"
    after = words[at + 1] if at + 1 < len(words) else ""
    if spelled[at].islower() or (at == 0 and after in DETERMINERS):
        return verb
    return "pˈQlɪʃ" if british else "pˈOlɪʃ"
