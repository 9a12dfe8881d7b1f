"""Goes through a clean text once and says what stands there, sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tympan.speak.normalize.calendar import date_rules, time_rules
from tympan.speak.normalize.measures import measure_rules
from tympan.speak.normalize.money import money_rules
from tympan.speak.normalize.names import name_rules, sign_rules
from tympan.speak.normalize.numbers import number_rules
from tympan.speak.normalize.phones import phone_rules
from tympan.speak.normalize.web import web_rules
from tympan.speak.reading import SpokenWord, Stop
from tympan.speak.scripts import Script, foreign_reader, reads, script_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.speak.normalize.grammar import Grammar
    from tympan.speak.normalize.rules import Rule, Start
    from tympan.speak.reading import Language
    from tympan.speak.tracked import TrackedText

# Cuts a run of letters into words: (what is said, how many characters of the run it stands for).
Segmenter = Callable[[str], list[tuple[str, int]]]

# A line at least this long that ends without punctuation was broken to fit a page, not to end a sentence.
FULL_LINE: Final = 60
MAX_SENTENCE_WORDS: Final = 500  # a text without punctuation goes on in pieces, so that no step sees all of it
_NON_LATIN: Final = frozenset({"hi", "ja", "zh"})  # Latin words in their texts are read as English
_MAX_WORD: Final = 60  # letters: what is longer is no word of any language here
_MAX_RUN: Final = 200  # letters of a script without spaces that are cut into words at a time

_LETTERS: Final = r"(?:[^\W\d_]|[\u0300-\u036f\u0900-\u0903\u093a-\u094f\u0951-\u0957\u0962\u0963])"
_STOPPERS: Final = ".!?…。！？｡।॥"
_PAUSERS: Final = ",;:—、，；：､・–"
_MARKS: Final = {
    **dict.fromkeys("。｡।॥", "."),
    "！": "!",
    "？": "?",
    **dict.fromkeys("、，､・", ","),
    "；": ";",
    "：": ":",
    "–": "—",
}
_PUNCTUATION = re.compile(rf"([{_STOPPERS}{_PAUSERS}]+)([\"')”]*(?=\s|$))?")
_WORD_MARKS: Final = {",": (",", Stop.CLAUSE), ".": (".", Stop.SENTENCE)}
_CLOSING: Final = {'"': "”", "”": "”", ")": ")"}
_BLANK = re.compile(r"[ \t]+")
_LINES = re.compile(r"\n[\s]*")


class Scanner:
    """Says a text by one language's grammar.

    `segmenters` cut runs of scripts that are written without spaces. The time taken grows with the text's length
    only: rules are tried at the beginnings of words, numbers and signs, and each reads a bounded piece.
    """

    def __init__(self, grammar: Grammar, segmenters: dict[Language, Segmenter]) -> None:
        self._language = grammar.language
        self._segmenters = segmenters
        self._own = reads(grammar.language)
        self._word = re.compile(rf"{_LETTERS}+(?:[{re.escape(grammar.joiners)}]{_LETTERS}+)*")
        rules = [
            *date_rules(grammar),
            *web_rules(grammar),
            *phone_rules(grammar),
            *grammar.extra_rules(),
            *time_rules(grammar),
            *money_rules(grammar),
            *measure_rules(grammar),
            *number_rules(grammar),
            *name_rules(grammar),
            *sign_rules(grammar),
        ]
        kinds: tuple[Start, ...] = ("digit", "letter", "sign")
        self._rules: dict[Start, list[Rule]] = {kind: [rule for rule in rules if kind in rule.starts] for kind in kinds}

    def sentences(self, source: TrackedText) -> Iterator[list[SpokenWord]]:
        """Yield the sentences of a clean text, at most `MAX_SENTENCE_WORDS` words at a time; none is empty."""
        kana_near = any(script_of(c) == "Kana" for c in set(source.text))
        sentence: list[SpokenWord] = []
        opening = ""
        for words, piece_marks, stop in self._pieces(source, kana_near=kana_near):
            marks = piece_marks
            if marks and not words and stop is Stop.NONE:
                opening = _joined(opening, marks)
                continue
            for word in words:
                sentence.append(replace(word, before=opening) if opening else word)
                opening = ""
                if word.stop >= Stop.SENTENCE or len(sentence) >= MAX_SENTENCE_WORDS:
                    yield sentence
                    sentence = []
            if sentence and not words and stop > Stop.NONE:
                last = sentence[-1]
                if not marks and not last.after:
                    marks = "."  # a heading or an item ends as a sentence does
                sentence[-1] = replace(last, after=_joined(last.after, marks), stop=max(last.stop, stop))
                if stop >= Stop.SENTENCE:
                    yield sentence
                    sentence = []
        if sentence:
            yield sentence

    def _pieces(self, source: TrackedText, *, kana_near: bool) -> Iterator[tuple[list[SpokenWord], str, Stop]]:
        """Yield words, or marks with the stop they make (none for opening marks)."""
        text, at = source.text, 0
        while at < len(text):
            if match := _BLANK.match(text, at):
                at = match.end()
            elif match := _LINES.match(text, at):
                yield [], "", _line_stop(text, at, match)
                at = match.end()
            elif ruled := self._ruled(source, at):
                yield ruled[0], "", Stop.NONE
                at = ruled[1]
            elif match := self._word.match(text, at):
                while at < match.end():
                    end = _run_end(text, at, match.end())
                    yield self._words(source, at, end, kana_near=kana_near), "", Stop.NONE
                    at = end
            elif match := _PUNCTUATION.match(text, at):
                mark, stop = _punctuation(match)
                if mark:
                    yield [], mark + "".join(_CLOSING.get(c, "") for c in match[2] or ""), stop
                at = match.end()
            else:
                if mark := _bracket(text, at):
                    yield [], mark, Stop.NONE if _opens(text, at) else Stop.CLAUSE
                at += 1

    def _ruled(self, source: TrackedText, at: int) -> tuple[list[SpokenWord], int] | None:
        """Return what the first rule that knows this place says, and where it ends."""
        character = source.text[at]
        kind: Start = "digit" if character.isdigit() else "letter" if character.isalpha() else "sign"
        for rule in self._rules[kind]:
            match = rule.pattern.match(source.text, at)
            if match and (said := rule.speak(match)) is not None:
                return self._said(said, *source.span(at, match.end())), match.end()
        return None

    def _said(self, said: str, start: int, end: int) -> list[SpokenWord]:
        """Return the words that a rule says; they all stand for the same piece of the text."""
        words: list[SpokenWord] = []
        for word in said.split():
            mark, stop = _WORD_MARKS.get(word[-1], ("", Stop.NONE))
            text = word.rstrip(",.")
            if not text:
                continue
            script = script_of(text[0])
            language: Language = "en-us" if script == "Latin" and self._language in _NON_LATIN else self._language
            segmenter = self._segmenters.get(language) if script == "Han" else None
            parts = [part for part, _ in segmenter(text)] if segmenter else [text]
            words += [SpokenWord(part, start, end, language) for part in parts]
            words[-1] = replace(words[-1], after=mark, stop=stop)
        return words

    def _words(self, source: TrackedText, start: int, end: int, *, kana_near: bool) -> list[SpokenWord]:
        """Return the words of a run of letters in one script."""
        run = source.text[start:end]
        script: Script = script_of(run[0])
        language = self._language
        if script not in self._own:
            language = foreign_reader(script, kana_near=kana_near) or language
        elif script == "Latin" and language in _NON_LATIN:
            language = "en-us"
        segmenter = self._segmenters.get(language) if script in {"Han", "Kana"} else None
        if segmenter is None:
            return [SpokenWord(run, *source.span(start, end), language)]
        words = []
        for said, length in segmenter(run):
            words.append(SpokenWord(said, *source.span(start, start + length), language))
            start += length
        return words


def _run_end(text: str, start: int, limit: int) -> int:
    """Return where a run of one script ends; Han and kana run together."""

    def kind(character: str) -> Script:
        script = script_of(character)
        return "Han" if script == "Kana" or character == "ー" else script

    first, end = kind(text[start]), start + 1
    limit = min(limit, start + (_MAX_RUN if first == "Han" else _MAX_WORD))
    while end < limit and (kind(text[end]) == first or not text[end].isalpha()):
        end += 1
    return end


def _punctuation(match: re.Match[str]) -> tuple[str, Stop]:
    """Return the mark that a run of punctuation is for the model, and its stop."""
    run = match[1]
    if run == "–" or run == "—":  # noqa: PLR1714
        return "—", Stop.CLAUSE
    for mark, signs in (("?", "?？"), ("!", "!！")):
        if any(sign in run for sign in signs):
            return mark, _sentence_or_less(match)
    if "…" in run or ".." in run:
        return "…", _sentence_or_less(match)
    if any(sign in run for sign in ".。｡।॥"):
        stop = _sentence_or_less(match)
        return ("." if stop is Stop.SENTENCE else "," if stop is Stop.CLAUSE else ""), stop
    mark = _MARKS.get(run[0], run[0])
    return mark, Stop.CLAUSE


def _sentence_or_less(match: re.Match[str]) -> Stop:
    """End a sentence unless a word in small letters follows ("approx. five", "Wait... what?")."""
    text, at = match.string, match.end()
    while at < len(text) and text[at] in "\"')” ":
        at += 1
    following = text[at : at + 1]
    if at == match.end() and match[0] == "." and following and (following.isalnum() or following in "_/"):
        return Stop.NONE  # inside something that no rule knows
    return Stop.CLAUSE if following.islower() and match[1][-1] in ".…" else Stop.SENTENCE


def _line_stop(text: str, at: int, match: re.Match[str]) -> Stop:
    """Return what an end of line means."""
    if match[0].count("\n") > 1:
        return Stop.PARAGRAPH
    begin = text.rfind("\n", max(0, at - FULL_LINE), at)
    full = begin < 0 and at >= FULL_LINE
    following = text[match.end() : match.end() + 1]
    return Stop.NONE if following.islower() or full else Stop.SENTENCE


def _opens(text: str, at: int) -> bool:
    """Whether a bracket or a quotation mark opens: it stands before a word and not right after one."""
    if text[at] in "(“":
        return True
    before = text[at - 1] if at else " "
    after = text[at + 1] if at + 1 < len(text) else " "
    return text[at] not in ")”" and before.isspace() | (before in "(—-") and not after.isspace()


def _bracket(text: str, at: int) -> str:
    character = text[at]
    if character in "()“”":
        return character
    if character == '"':
        return "“" if _opens(text, at) else "”"
    return ""


def _joined(marks: str, more: str) -> str:
    """Join marks; the model knows no doubled ones."""
    return marks + "".join(mark for mark in more if mark not in marks)
