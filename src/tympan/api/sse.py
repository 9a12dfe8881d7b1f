"""Server-sent events: the transcript as it grows."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

from tympan.api.answers import DiarizedWriter, languages, logprobs
from tympan.listen.documents import TIME_DECIMALS, duration_usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.api.fields import AnswerOptions
    from tympan.listen.results import Segment, Summary

PING = b": ping\n\n"
HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",  # nginx sends on what it gets
}
AUDIO_TOKENS_PER_S = 10  # the rate at which OpenAI's audio models count


def encode_event(event: Mapping[str, object]) -> bytes:
    """Return one event as it goes over the wire."""
    return f"data: {json.dumps(event, ensure_ascii=False, allow_nan=False)}\n\n".encode()


class GrowingText:
    """Cuts a growing text into deltas whose join is the whole text without white space around it."""

    def __init__(self) -> None:
        self._deltas: list[str] = []
        self._held = ""  # white space that only counts when more text follows

    @property
    def text(self) -> str:
        """The join of all deltas."""
        return "".join(self._deltas)

    def push(self, addition: str) -> str:
        """Add to the text; return what can be sent of it."""
        grown = self._held + addition
        if not self._deltas:
            grown = grown.lstrip()
        delta = grown.rstrip()
        self._held = grown[len(delta) :]
        if delta:
            self._deltas.append(delta)
        return delta


class TranscriptEvents:
    """Turns segments and the summary into events."""

    def __init__(self, options: AnswerOptions) -> None:
        self._options = options
        self._text = GrowingText()
        self._diarized = DiarizedWriter(options.speakers) if options.response_format == "diarized_json" else None
        self._logprobs: list[object] = []
        self._tokens = 0

    def segment(self, segment: Segment) -> bytes:
        """Return the events of one segment; none when it adds no text."""
        self._tokens += len(segment.tokens)
        event: dict[str, object] = {"type": "transcript.text.delta"}
        if self._diarized is not None:
            pushed = self._diarized.push(segment)
            if pushed is None:
                return b""
            wire, addition = pushed
            event |= {"delta": self._text.push(addition), "segment_id": wire["id"]}
            return encode_event(event) + encode_event({**wire})
        event["delta"] = self._text.push(segment.text)
        if self._options.logprobs:
            event["logprobs"] = heard = logprobs([segment])
            self._logprobs += heard
        return encode_event(event) if event["delta"] else b""

    def done(self, summary: Summary) -> bytes:
        """Return the last event."""
        event: dict[str, object] = {
            "type": "transcript.text.done",
            "text": self._text.text,
            "languages": languages(summary),
        }
        if self._options.logprobs:
            event["logprobs"] = self._logprobs
        if summary.warnings:
            event["warnings"] = list(summary.warnings)
        event["usage"] = self._usage(summary)
        return encode_event(event)

    def _usage(self, summary: Summary) -> dict[str, object]:
        """Return the usage in tokens: in a stream, strict clients know no other kind. The seconds are there too."""
        audio = math.ceil(round(summary.duration * AUDIO_TOKENS_PER_S, TIME_DECIMALS))
        return {
            "type": "tokens",
            "input_tokens": audio,
            "input_token_details": {"text_tokens": 0, "audio_tokens": audio},
            "output_tokens": self._tokens,
            "total_tokens": audio + self._tokens,
            "seconds": duration_usage(summary)["seconds"],
        }
