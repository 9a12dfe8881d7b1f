"""Whisper's tokens: prompts in, text and words out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizers import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tympan.engines.protocols import DecodeOptions

WITHOUT_SPACES = frozenset({"zh", "ja", "th", "lo", "my", "yue"})  # languages that write no space between words
MAX_PROMPT_TOKENS = 223  # half of the text context of 448, less the marker in front of it
OPENING = frozenset("\"'“‘¿¡([{-«")  # noqa: RUF001  (punctuation that belongs to the word behind it)
CLOSING = frozenset("\"'.。,，!！?？:：”’)]}、»…;")  # noqa: RUF001  (and to the word before it)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"  # what half a UTF-8 character decodes to


class WhisperTokenizer:
    """The tokenizer of `folder/tokenizer.json`, multilingual or English only."""

    def __init__(self, folder: Path) -> None:
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.end_of_text = self._id("<|endoftext|>")
        self._start = self._id("<|startoftranscript|>")
        self._previous = self._id("<|startofprev|>")
        self._no_timestamps = self._id("<|notimestamps|>")

    def start_sequence(self, language: str | None, task: str) -> list[int]:
        """Return the ids that begin a decode without time tokens; `language` None for an English-only model."""
        if language is None:
            return [self._start, self._no_timestamps]
        return [self._start, self._id(f"<|{language}|>"), self._id(f"<|{task}|>"), self._no_timestamps]

    def prompt(self, options: DecodeOptions) -> list[int]:
        """Return the ids of what went before: keywords, then the prompt, its end if it is too long; or nothing.

        The keywords are kept whole as long as they fit, since each of them was asked for.
        """
        keywords = self._encode(" " + ", ".join(options.keywords) + ".") if options.keywords else []
        before = self._encode(" " + options.prompt.strip()) if options.prompt.strip() else []
        keywords = keywords[:MAX_PROMPT_TOKENS]
        room = MAX_PROMPT_TOKENS - len(keywords)
        tokens = keywords + (before[-room:] if room else [])
        return [self._previous, *tokens] if tokens else []

    def decode(self, tokens: Sequence[int]) -> str:
        """Return the text of `tokens` without special ones; never half a character."""
        text: str = self._tokenizer.decode([token for token in tokens if token < self.end_of_text])
        return text.strip(REPLACEMENT)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that one token stands for."""
        piece = self._tokenizer.id_to_token(token) or ""
        table = _byte_table()
        return bytes(table[char] for char in piece if char in table)

    def words(self, tokens: Sequence[int], language: str) -> list[tuple[str, list[int]]]:
        """Split text tokens into words as (text with its leading space, tokens); the texts join to the whole.

        Punctuation stays with its word, except that languages without spaces split at every character.
        """
        pieces = list(self._characters(tokens))
        if language not in WITHOUT_SPACES:
            pieces = list(_join_at_spaces(pieces))
        return list(_attach_punctuation(pieces))

    def _characters(self, tokens: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
        """Group tokens so that each group is whole characters."""
        held: list[int] = []
        for token in tokens:
            held.append(token)
            text = b"".join(map(self.token_bytes, held)).decode(errors="replace")
            if REPLACEMENT not in text:
                yield text, held
                held = []
        # a character that never became whole is dropped, as `decode` drops it

    def _encode(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return [token for token in ids if token < self.end_of_text]  # a prompt must not smuggle control tokens in

    def _id(self, token: str) -> int:
        found = self._tokenizer.token_to_id(token)
        if found is None:
            raise ValueError(f"the tokenizer has no {token}")
        return int(found)


def _join_at_spaces(pieces: Sequence[tuple[str, list[int]]]) -> Iterator[tuple[str, list[int]]]:
    text = ""
    tokens: list[int] = []
    for piece, ids in pieces:
        if piece.startswith(" ") and text:
            yield text, tokens
            text, tokens = "", []
        text, tokens = text + piece, tokens + ids
    if text:
        yield text, tokens


def _attach_punctuation(pieces: Sequence[tuple[str, list[int]]]) -> Iterator[tuple[str, list[int]]]:
    held: tuple[str, list[int]] | None = None  # complete but for closing punctuation
    opening: tuple[str, list[int]] = ("", [])  # waits for its word
    for text, tokens in pieces:
        bare = text.strip()
        if held and bare and set(bare) <= CLOSING and not text.startswith(" "):
            held = (held[0] + text, held[1] + tokens)
        elif bare and set(bare) <= OPENING:
            opening = (opening[0] + text, opening[1] + tokens)
        elif not bare and held:
            held = (held[0] + text, held[1] + tokens)
        else:
            if held:
                yield held
            held = (opening[0] + text, opening[1] + tokens)
            opening = ("", [])
    if opening[0]:
        held = (held[0] + opening[0], held[1] + opening[1]) if held else opening
    if held:
        yield held


def _byte_table() -> dict[str, int]:
    """Return the byte behind each character of a byte-level vocabulary.

    Printable Latin-1 characters stand for their own byte; the others, in order, for U+0100 upward.
    """
    if not _TABLE:
        own = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
        rest = [byte for byte in range(256) if byte not in own]
        _TABLE.update({chr(byte): byte for byte in own})
        _TABLE.update({chr(256 + place): byte for place, byte in enumerate(rest)})
    return _TABLE


_TABLE: dict[str, int] = {}
