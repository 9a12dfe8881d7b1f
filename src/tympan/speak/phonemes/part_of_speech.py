"""Which part of speech an English word is, where its sound depends on that.

Told from the words around it. Some 600 words of English change their sound with their part of speech, most of them
between noun and verb ("the record", "to record"); for these the neighbours say nearly as much as a statistical
tagger, without its 160 MB and its milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DETERMINERS: Final = _words(
    "the a an my your his her its our their this that these those no some any every each another either neither both"
    " all whose which what such one two three four five six seven eight nine ten several many few most enough"
)
_MODALS: Final = _words(
    "will would can could should shall may might must cannot won't can't couldn't wouldn't shouldn't don't doesn't"
    " didn't do does did i'll you'll he'll she'll we'll they'll it'll i'd you'd he'd she'd we'd they'd let's please to"
    " never gonna"
)
_SUBJECTS: Final = _words("i you we they he she it who people")
_OBJECTS: Final = _words("him them us me")
_PREPOSITIONS: Final = _words(
    "of in for with from by on at about into under over against during without between through as like per after before"
)
_BE: Final = _words(
    "is are was were be been being am 's 're isn't aren't wasn't weren't i'm you're we're they're he's she's it's"
    " that's"
)
_HAVE: Final = _words(
    "have has had having i've you've we've they've he'd she'd haven't hasn't hadn't get gets got getting"
)
_DEGREES: Final = _words(
    "very so too quite more most less rather fairly extremely seem seems seemed feel felt look looks how as pretty"
)
_LINKS: Final = _words("and or but then")
_AUXILIARIES: Final = _words("is are was were has had have will would can could should may might must do does did")
_QUESTIONS: Final = _words("do does did can could will would should may might must")
_PAST_TIMES: Final = _words("yesterday ago last once earlier previously recently")
_PASTS: Final = _words("was were had did said went came took gave made got saw knew thought told felt left found wrote")
_PASSED: Final = _words(
    "not also always never often just still already ever really even soon now sometimes usually again"
)
_NO_ADVERBS: Final = _words("family early only reply supply july italy")
_JOINED_BY_TO: Final = _words("according due thanks add added")
_ALSO_PRONOUNS: Final = _words("these those most many some all both few that which")
_SURE_OBJECTS: Final = (DETERMINERS | _OBJECTS | _words("it itself themselves himself herself yourself")) - _words(
    "that one all"
)
_PARTICLES: Final = _words("up out off down")
_ADJECTIVAL: Final = _words(
    "new old world first last next big small good bad great long short high low recent current early late final free"
    " public national foreign medical official live personal main real several"
)
_ADJECTIVE_ENDS: Final = ("al", "ive", "ous", "ic", "ful", "less", "able", "ible", "ing", "ed", "ary", "est")
_FUNCTION: Final = (
    DETERMINERS
    | _MODALS
    | _SUBJECTS
    | _OBJECTS
    | _PREPOSITIONS
    | _BE
    | _HAVE
    | _LINKS
    | _AUXILIARIES
    | _PASSED
    | _PARTICLES
    | _words(
        "if because while than when where until since away back here there today tomorrow yesterday together well so"
    )
)


@dataclass(frozen=True, slots=True)
class _Near:
    """A word, the one that it leans on before it, and the one behind it; "" where there is none."""

    word: str
    before: str
    after: str


def part_of_speech(words: Sequence[str], at: int) -> str:
    """Guess the part of speech of `words[at]`, lower-case words of one sentence: "VERB", "NOUN" or "ADJ".

    Whether a verb is past is told by `is_past`.
    """
    near = _Near(words[at], _word(words, _before(words, at)), _word(words, at + 1))
    for guess in (_by_word_before, _by_object_after, _by_place, _by_ending):
        part = guess(words, at, near)
        if part:
            return part
    return _nominal(words, at)


def is_past(words: Sequence[str], at: int) -> bool:
    """Whether a verb whose form is the same in the past ("read") is past, or a participle."""
    index = _before(words, at)
    before = _word(words, index)
    back = {_word(words, index - step) for step in range(4)}
    rest = {*words[:at], *words[at + 1 :]}
    asked = before in _SUBJECTS and _word(words, index - 1) in _QUESTIONS
    if before in _MODALS or asked or (before in {"and", "or"} and back & _MODALS):
        return False
    perfect = before in _BE | _HAVE or (back & (_HAVE | _BE) and before not in _SUBJECTS | {"and"})
    if perfect or before in {"he", "she", "it"} or rest & _PAST_TIMES:
        return True
    if index < 0 or before == "you":
        return False
    other_past = any((len(word) > 3 and word.endswith("ed")) or word in _PASTS for word in rest)  # noqa: PLR2004
    return other_past or (before not in _SUBJECTS | _LINKS and not before.endswith("s"))


def _by_word_before(words: Sequence[str], at: int, near: _Near) -> str:
    before = near.before
    if before == "to":
        part = "NOUN" if _word(words, _before(words, at) - 1) in _JOINED_BY_TO else "VERB"
    elif before in DETERMINERS or (before.endswith(("'s", "s'")) and before not in _BE):
        relative = before in _ALSO_PRONOUNS and near.after in DETERMINERS | _OBJECTS
        part = "VERB" if relative else _nominal(words, at)
    elif before in _MODALS | _OBJECTS | _SUBJECTS:
        part = "VERB"
    elif before in _BE | _DEGREES:
        part = "ADJ"
    else:
        part = "NOUN" if before in _PREPOSITIONS else ""
    return part


def _by_object_after(words: Sequence[str], at: int, near: _Near) -> str:
    """Only a verb takes an object."""
    del words, at
    return "VERB" if near.after in _SURE_OBJECTS else ""


def _by_place(words: Sequence[str], at: int, near: _Near) -> str:
    """Tell what begins a sentence or follows "and", and what stands before "of" and auxiliaries."""
    if near.before == "" or near.before in _LINKS:
        if near.after in _PREPOSITIONS - {"of"} and _earlier_verb(words, at):
            return "VERB"
        return "ADJ" if near.after not in _AUXILIARIES | {"of"} and _adjective_place(words, at) else "NOUN"
    if near.before.endswith("ly"):
        return "VERB" if near.before != "early" else "NOUN"
    return "NOUN" if near.after in _AUXILIARIES | {"of"} else ""


def _by_ending(words: Sequence[str], at: int, near: _Near) -> str:
    """Tell a verb by its subject's number: one runs, many run."""
    del words, at
    singular = not near.before.endswith("s") or near.before.endswith(("ss", "'s", "us", "is"))
    if near.word.endswith("s"):
        described = near.before in _ADJECTIVAL or near.before.endswith(_ADJECTIVE_ENDS)
        is_verb = singular and not described and near.after in _PREPOSITIONS | _PARTICLES
    else:
        is_verb = not singular and (near.after in _PREPOSITIONS or not near.after)
    return "VERB" if is_verb else ""


def _nominal(words: Sequence[str], at: int) -> str:
    """After a determiner: an adjective where its noun follows, else the noun."""
    return "ADJ" if _adjective_place(words, at) else "NOUN"


def _adjective_place(words: Sequence[str], at: int) -> bool:
    after = _word(words, at + 1)
    return bool(after) and after not in _FUNCTION and not after.endswith("ly")


def _earlier_verb(words: Sequence[str], at: int) -> bool:
    """Whether "and" joins this word to a verb: "sit and present for an hour"."""
    return _word(words, at - 1) in {"and", "or"} and (
        _word(words, at - 3) in _MODALS | _SUBJECTS or _word(words, at - 4) in _MODALS
    )


def _before(words: Sequence[str], at: int) -> int:
    """Return where the word is that this one leans on: adverbs between are passed over; -1 for none."""
    index = at - 1
    while index >= 0 and (words[index] in _PASSED or (words[index].endswith("ly") and words[index] not in _NO_ADVERBS)):
        index -= 1
    return index


def _word(words: Sequence[str], at: int) -> str:
    return words[at] if 0 <= at < len(words) else ""
