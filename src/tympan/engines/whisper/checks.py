"""When a decode is not to be believed. A short window can make Whisper repeat itself; this notices."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from difflib import SequenceMatcher

TOKENS_PER_SECOND = 25.0  # faster than anybody speaks
TOKENS_ANYWAY = 30
MAX_TOKENS = 224  # what Whisper itself stops at: half of its text context
MAX_COMPRESSION_RATIO = 2.4  # Whisper's own limits
MIN_AVG_LOGPROB = -1.0
NO_SPEECH_PROB = 0.6
SURE_AVG_LOGPROB = -0.5
SAME_TEXT = 0.9  # of the tokens, in order


@dataclass(frozen=True, slots=True)
class Attempt:
    """One decode of one span. `avg_logprob` is natural, `temperature` what it was sampled at."""

    tokens: list[int]
    text: str
    avg_logprob: float
    no_speech_prob: float
    temperature: float
    token_limit: int

    @property
    def compression_ratio(self) -> float:
        """How well the text compresses: repetition does, speech does not. 1.0 for no text."""
        data = self.text.strip().encode()
        return len(data) / len(zlib.compress(data)) if data else 1.0

    @property
    def loops(self) -> bool:
        """Whether it repeats itself."""
        return len(self.tokens) >= self.token_limit or self.compression_ratio > MAX_COMPRESSION_RATIO

    @property
    def silent(self) -> bool:
        """Whether it is words made of no speech, by Whisper's own rule."""
        return self.no_speech_prob > NO_SPEECH_PROB and self.avg_logprob < MIN_AVG_LOGPROB

    @property
    def suspicious(self) -> bool:
        """Whether another decode should be tried."""
        return self.loops or (self.avg_logprob < MIN_AVG_LOGPROB and not self.silent)


def confirms(second: Attempt, first: Attempt) -> bool:
    """Whether a decode in another window shows that a repetition was really said, as in a song or a roll call.

    A loop comes from the window: it does not come again, word for word and with certainty, in another one.
    """
    return (
        len(second.tokens) < second.token_limit
        and second.avg_logprob > SURE_AVG_LOGPROB
        and SequenceMatcher(None, first.tokens, second.tokens, autojunk=False).ratio() >= SAME_TEXT
    )


def token_limit(seconds: float) -> int:
    """Return how many tokens `seconds` of speech may give."""
    return min(MAX_TOKENS, int(TOKENS_PER_SECOND * seconds) + TOKENS_ANYWAY)


def best(attempts: list[Attempt]) -> Attempt:
    """Return the one to keep when none is beyond doubt: not one that ran on, then the least repetitive, the likeliest.

    Repetition counts from the limit on only: some was really said.
    """

    def worth(attempt: Attempt) -> tuple[bool, float, float]:
        ended = len(attempt.tokens) < attempt.token_limit
        return ended, -max(MAX_COMPRESSION_RATIO, attempt.compression_ratio), attempt.avg_logprob

    return max(attempts, key=worth)
