"""Reads a text: from what the caller wrote to sentences of words with phonemes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from tympan.errors import NothingToSay
from tympan.speak.cleaning import clean
from tympan.speak.normalize.languages import scanner_for
from tympan.speak.phonemes.english import EnglishPhonemizer
from tympan.speak.phonemes.kana import KanaPhonemizer
from tympan.speak.phonemes.pinyin import PinyinPhonemizer
from tympan.speak.phonemes.spelled import EspeakPhonemizer
from tympan.speak.reading import ReadWord, Sentence
from tympan.speak.scripts import check_readable
from tympan.speak.vocabulary import known, sounds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.speak.phonemes.base import Phonemizer
    from tympan.speak.reading import Language, SpokenWord


def read(text: str, language: Language, voice: str) -> Iterator[Sentence]:
    """Read `text` as a voice of `language` does; `voice` is its name for errors.

    Sentences are read as they are asked for. Raises `UnreadableScript` at once, and `NothingToSay` instead of the
    first sentence when there is none.
    """
    check_readable(text, language, voice)
    return _sentences(text, language)


def _sentences(text: str, language: Language) -> Iterator[Sentence]:
    empty = True
    for spoken in scanner_for(language).sentences(clean(text)):
        words = _said(_phonemized(spoken))
        if words:
            empty = False
            yield Sentence(words)
    if empty:
        raise NothingToSay


def _phonemized(words: Sequence[SpokenWord]) -> list[ReadWord]:
    """Give each word its phonemes; a run of words of one language is read together."""
    read_words: list[ReadWord] = []
    for language, run in groupby(words, key=lambda word: word.language):
        together = list(run)
        phonemes = phonemizer_for(language).phonemize(together)
        read_words += [ReadWord(word, known(said)) for word, said in zip(together, phonemes, strict=True)]
    return read_words


def _said(words: Sequence[ReadWord]) -> tuple[ReadWord, ...]:
    """Leave out words without a sound; their marks and stops pass to the word before."""
    said: list[ReadWord] = []
    for read_word in words:
        if sounds(read_word.phonemes):
            said.append(read_word)
        elif said:
            last, silent = said[-1], read_word.word
            marks = last.word.after + "".join(mark for mark in silent.after if mark not in last.word.after)
            said[-1] = replace(last, word=replace(last.word, after=marks, stop=max(last.word.stop, silent.stop)))
    return tuple(said)


@cache
def phonemizer_for(language: Language) -> Phonemizer:
    """Return the language's phonemizer, made when first asked for."""
    match language:
        case "en-us" | "en-gb":
            return EnglishPhonemizer(british=language == "en-gb")
        case "ja":
            return KanaPhonemizer()
        case "zh":
            return PinyinPhonemizer()
        case _:
            return EspeakPhonemizer(language)
