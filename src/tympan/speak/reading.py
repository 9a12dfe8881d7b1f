"""What flows through the speaking job: text, spoken words, read words, chunks.

    text --normalize--> SpokenWord --phonemes--> ReadWord --chunks--> Chunk --> engine

Every step keeps, for each word, the half-open span of the *original* text it stands for, in code points. "$3.50"
becomes five spoken words that all carry the span of "$3.50"; the chunk has one entry for them, so a word time
found in the audio maps back to what the caller wrote.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

# What a voice speaks. English and Portuguese name their country since their voices differ by it.
Language = Literal["en-us", "en-gb", "es", "fr", "hi", "it", "ja", "pt-br", "zh"]


class Stop(IntEnum):
    """How strongly speech stops after a word."""

    NONE = 0
    CLAUSE = 1
    SENTENCE = 2
    PARAGRAPH = 3


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word as it is said, without digits or symbols.

    `text` is in the spelling that the language's phonemizer takes: letters; katakana for Japanese; pinyin with
    tone digits ("bei3jing1") for Chinese. `before` and `after` are the model's own punctuation marks around it.
    """

    text: str
    start: int
    end: int
    language: Language
    before: str = ""
    after: str = ""
    stop: Stop = Stop.NONE


@dataclass(frozen=True, slots=True)
class ReadWord:
    """A spoken word with its phonemes, all of them in the model's vocabulary; perhaps none."""

    word: SpokenWord
    phonemes: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of one sentence, in the order of the text; never empty."""

    words: tuple[ReadWord, ...]


@dataclass(frozen=True, slots=True)
class WordTokens:
    """Which tokens of a chunk speak which part of the original text: half-open spans, both ascending."""

    token_start: int
    token_end: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chunk:
    """What the engine speaks in one call.

    `tokens`: 1 to 510 ids of the model's vocabulary, without the zeros at both ends. `pause_s`: the silence that
    belongs after it, in seconds.
    """

    tokens: tuple[int, ...]
    words: tuple[WordTokens, ...]
    pause_s: float


@dataclass(frozen=True, slots=True)
class ReadItem:
    """A text to read as a voice of `language` does; `voice` is its name for errors."""

    text: str
    language: Language
    voice: str
