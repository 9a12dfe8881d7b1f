"""Server-sent events: a speech as it is made."""

from __future__ import annotations

import base64
import math
from typing import TYPE_CHECKING

from tympan.api.sse import encode_event

if TYPE_CHECKING:
    from tympan.api.encoded import EncodedPiece
    from tympan.speak.results import SpeechSummary, TimedText

SPOKEN_TOKENS_PER_S = 20  # the rate at which OpenAI's models write audio: one in 50 ms
MAX_DELTA_BYTES = 24_000  # half a second of pcm: a line of 32 kB, where many readers refuse one of 64 KiB


class SpeechEvents:
    """Turns pieces and the summary into events; with `words`, those of a piece come before its sound."""

    def __init__(self, text: str, *, words: bool) -> None:
        self._text = text
        self._words = words

    def piece(self, piece: EncodedPiece) -> bytes:
        """Return the events of a piece; none when it adds nothing."""
        words = b"".join(encode_event(self._word(word)) for word in piece.words) if self._words else b""
        return words + b"".join(
            encode_event({"type": "speech.audio.delta", "audio": base64.b64encode(part).decode()})
            for part in _parts(piece.data)
        )

    def done(self, summary: SpeechSummary) -> bytes:
        """Return the last event. Tokens in are phonemes, tokens out what OpenAI would count for as much sound."""
        spoken = math.ceil(summary.seconds * SPOKEN_TOKENS_PER_S)
        usage = {
            "input_tokens": summary.tokens,
            "output_tokens": spoken,
            "total_tokens": summary.tokens + spoken,
        }
        return encode_event({"type": "speech.audio.done", "usage": usage})

    def _word(self, word: TimedText) -> dict[str, object]:
        return {
            "type": "speech.audio.word",
            "word": self._text[word.text_start : word.text_end],
            "start": word.start,
            "end": word.end,
            "text_start": word.text_start,
            "text_end": word.text_end,
        }


def _parts(data: bytes) -> list[bytes]:
    return [data[start : start + MAX_DELTA_BYTES] for start in range(0, len(data), MAX_DELTA_BYTES)]
