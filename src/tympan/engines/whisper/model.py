"""The recognizer: spans in, recognitions out.

Whisper pads every decode to 30 s and pays its encoder for them. CTranslate2 takes a shorter window: a clip of 5 s
costs a seventh. Below the span and a second of silence, and below 8 s, the base model begins to repeat itself;
hence the floor, the checks, and the fallback to the full window.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import ctranslate2
import numpy as np

from tympan.engines.protocols import DecodeOptions, IdentifyItem, LanguageGuess, Recognition, Span, TokenLogprob, Word
from tympan.engines.waveforms import checked
from tympan.engines.whisper.alignment import FRAME_S, word_times
from tympan.engines.whisper.checks import Attempt, best, confirms, token_limit
from tympan.engines.whisper.features import log_mel
from tympan.engines.whisper.tokenizer import WhisperTokenizer
from tympan.engines.whisper.windows import FULL_WINDOW_S, window_s
from tympan.sound.waveform import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_CONTEXT_TOKENS = 448
FALLBACK_TEMPERATURES = (0.2, 0.4, 0.6, 0.8, 1.0)
SAMPLES_PER_TEMPERATURE = 5
IDENTIFY_FLOOR_S = 5.0  # measured: as good as 30 s for identifying the language, at a fourteenth of its cost
ENGLISH = "en"


class WhisperEngine:
    """A Whisper model in CTranslate2's format, from `folder`; `run` may be called by `threads` threads at once.

    `window_floor_s` and `window_pad_s` set the decoding window: max(span + pad, floor), at most 30 s.
    """

    def __init__(
        self,
        folder: Path,
        *,
        threads: int = 1,
        compute_type: str = "int8",
        window_floor_s: float = 8.0,
        window_pad_s: float = 1.0,
    ) -> None:
        self._model = ctranslate2.models.Whisper(
            str(folder), device="cpu", compute_type=compute_type, inter_threads=threads, intra_threads=1
        )
        self._tokenizer = WhisperTokenizer(folder)
        self._floor_s, self._pad_s = window_floor_s, window_pad_s
        ctranslate2.set_random_seed(0)  # sampling is the last resort; let it at least be the same each time

    # -- the engine's protocol ----------------------------------------------------------------------------------

    def run(self, batch: Sequence[Span] | Sequence[IdentifyItem]) -> list[Recognition] | list[LanguageGuess]:
        """Decode, or identify, items that share a batch key."""
        spans = [item for item in batch if isinstance(item, Span)]
        if len(spans) == len(batch):
            return self.recognize(spans)
        return [self.identify(item) for item in batch if isinstance(item, IdentifyItem)]

    def probe(self) -> Span:
        """Return half a second of silence."""
        return Span(np.zeros(SAMPLE_RATE // 2, np.float32), DecodeOptions(language=ENGLISH))

    def recognize(self, spans: Sequence[Span]) -> list[Recognition]:
        """Decode spans that share a window and a prompt."""
        window = max(window_s(span.samples.size / SAMPLE_RATE, self._floor_s, self._pad_s) for span in spans)
        encoded = [self._encode(span.samples, window) for span in spans]
        guesses = [
            self._language(output, span.options.language, span.options.candidates)
            for span, output in zip(spans, encoded, strict=True)
        ]
        attempts = self._generate(spans, encoded, [guess.language for guess in guesses])
        return [
            self._finish(span, output, guess, attempt, window)
            for span, output, guess, attempt in zip(spans, encoded, guesses, attempts, strict=True)
        ]

    def identify(self, item: IdentifyItem) -> LanguageGuess:
        """Name the language of speech. No text is decoded, so the shortest window is safe."""
        window = window_s(item.samples.size / SAMPLE_RATE, IDENTIFY_FLOOR_S, self._pad_s)
        return self._language(self._encode(item.samples, window), None, item.candidates)

    # -- one step each ------------------------------------------------------------------------------------------

    def _encode(self, samples: Samples, window: float) -> Any:
        samples = checked("whisper", samples, at_most=int(FULL_WINDOW_S * SAMPLE_RATE))
        mel = log_mel(samples, self._model.n_mels, silence=int(window * SAMPLE_RATE) - samples.size)
        return self._model.encode(ctranslate2.StorageView.from_array(mel[None]), to_cpu=True)

    def _language(self, encoded: Any, language: str | None, candidates: tuple[str, ...]) -> LanguageGuess:
        if not self._model.is_multilingual:
            return LanguageGuess(ENGLISH, 1.0)
        if language is not None:
            return LanguageGuess(language, 1.0)
        ranked = [(token[2:-2], float(share)) for token, share in self._model.detect_language(encoded)[0]]
        allowed = [pair for pair in ranked if pair[0] in candidates] or ranked
        likeliest, share = allowed[0]
        total = sum(share for _, share in allowed)
        return LanguageGuess(likeliest, round(share / total, 4) if total else 0.0)

    def _generate(self, batch: Sequence[Span], encoded: list[Any], languages: list[str]) -> list[Attempt]:
        stacked = encoded[0]
        if len(encoded) > 1:
            stacked = ctranslate2.StorageView.from_array(np.concatenate([np.array(output) for output in encoded]))
        prompts = [
            self._tokenizer.prompt(span.options) + self._start(language, span.options)
            for span, language in zip(batch, languages, strict=True)
        ]
        limits = [token_limit(span.samples.size / SAMPLE_RATE) for span in batch]
        temperature = batch[0].options.temperature
        results = self._model.generate(
            stacked,
            prompts,
            beam_size=1,
            sampling_topk=0 if temperature else 1,
            sampling_temperature=temperature or 1.0,
            max_length=_max_length(max(limits), len(prompts[0])),
            return_scores=True,
            return_no_speech_prob=True,
        )
        return [self._attempt(result, 0, limit, temperature) for result, limit in zip(results, limits, strict=True)]

    def _attempt(self, result: Any, hypothesis: int, limit: int, temperature: float) -> Attempt:
        tokens = list(result.sequences_ids[hypothesis])
        return Attempt(
            tokens=tokens,
            text=self._tokenizer.decode(tokens),
            avg_logprob=float(result.scores[hypothesis]),
            no_speech_prob=float(result.no_speech_prob),
            temperature=temperature,
            token_limit=limit,
        )

    def _finish(self, span: Span, encoded: Any, guess: LanguageGuess, attempt: Attempt, window: float) -> Recognition:
        options = span.options
        fallbacks = 0
        if attempt.suspicious and not options.temperature:
            attempt, encoded, fallbacks = self._fall_back(span, encoded, guess.language, attempt, window)
        if attempt.silent:
            return Recognition("", guess.language, guess.probability, no_speech_prob=attempt.no_speech_prob)
        tokens = attempt.tokens
        return Recognition(
            text=attempt.text,
            language=guess.language,
            language_probability=guess.probability,
            tokens=tuple(tokens),
            words=self._words(span, encoded, guess.language, tokens) if options.words and tokens else (),
            logprobs=self._logprobs(span, encoded, guess.language, tokens) if options.logprobs and tokens else (),
            temperature=attempt.temperature,
            avg_logprob=round(attempt.avg_logprob, 4),
            compression_ratio=round(attempt.compression_ratio, 3),
            no_speech_prob=round(attempt.no_speech_prob, 4),
            fallbacks=fallbacks,
        )

    def _fall_back(
        self, span: Span, encoded: Any, language: str, first: Attempt, window: float
    ) -> tuple[Attempt, Any, int]:
        """Try the full window, then higher temperatures in it, until a decode can be believed."""
        attempts = [first]
        if window < FULL_WINDOW_S:
            encoded = self._encode(span.samples, FULL_WINDOW_S)
            attempts += self._generate([span], [encoded], [language])
            if not attempts[-1].suspicious or confirms(attempts[-1], first):
                return attempts[-1], encoded, len(attempts) - 1
        prompt = self._start(language, span.options)  # a prompt may be what misled it
        limit = token_limit(span.samples.size / SAMPLE_RATE)
        for temperature in FALLBACK_TEMPERATURES:
            result = self._model.generate(
                encoded,
                [prompt],
                beam_size=1,
                num_hypotheses=SAMPLES_PER_TEMPERATURE,
                sampling_topk=0,
                sampling_temperature=temperature,
                max_length=_max_length(limit, len(prompt)),
                return_scores=True,
                return_no_speech_prob=True,
            )[0]
            attempts.append(self._attempt(result, 0, limit, temperature))
            if not attempts[-1].suspicious:
                return attempts[-1], encoded, len(attempts) - 1
        return best(attempts), encoded, len(attempts) - 1

    def _words(self, span: Span, encoded: Any, language: str, tokens: list[int]) -> tuple[Word, ...]:
        text_tokens = [token for token in tokens if token < self._tokenizer.end_of_text]
        words = self._tokenizer.words(text_tokens, language)
        kept = [token for _, ids in words for token in ids]
        aligned = self._align(span, encoded, language, kept)
        return word_times(words, aligned.alignments, aligned.text_token_probs, span.samples)

    def _logprobs(self, span: Span, encoded: Any, language: str, tokens: list[int]) -> tuple[TokenLogprob, ...]:
        aligned = self._align(span, encoded, language, tokens)
        logprobs = []
        for token, probability in zip(tokens, aligned.text_token_probs, strict=False):
            data = self._tokenizer.token_bytes(token)
            logprob = math.log(max(float(probability), 1e-10))
            logprobs.append(TokenLogprob(data.decode(errors="replace"), round(min(0.0, logprob), 6), tuple(data)))
        return tuple(logprobs)

    def _align(self, span: Span, encoded: Any, language: str, tokens: list[int]) -> Any:
        frames = max(2, 2 * math.ceil(span.samples.size / SAMPLE_RATE / FRAME_S))  # counted in features of 10 ms
        return self._model.align(encoded, self._start(language, span.options), [tokens], frames)[0]

    def _start(self, language: str, options: DecodeOptions) -> list[int]:
        return self._tokenizer.start_sequence(language if self._model.is_multilingual else None, options.task)


def _max_length(tokens: int, prompt: int) -> int:
    """Return CTranslate2's `max_length` for `tokens` new ones: it gives half of it, and counts the prompt."""
    return min(MAX_CONTEXT_TOKENS, max(2 * tokens, prompt + tokens))
