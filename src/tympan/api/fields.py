"""The fields of a transcription, checked, and how its answer is to look."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

from tympan.api.values import choice, choices, flag, number, parse_number
from tympan.errors import (
    MIN_AUDIO_S,
    ContradictoryFields,
    IncompatibleFormat,
    InvalidValue,
    MissingParameter,
    UnsupportedValue,
)
from tympan.listen.language import parse_language
from tympan.listen.request import Cutting, ListenRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tympan.api.form import Fields
    from tympan.sound.media import Media

ResponseFormat = Literal["json", "text", "srt", "verbose_json", "vtt", "diarized_json"]
FORMATS: tuple[ResponseFormat, ...] = get_args(ResponseFormat)
STREAMED: tuple[ResponseFormat, ...] = ("json", "text", "verbose_json", "diarized_json")
PLAIN: tuple[ResponseFormat, ...] = ("json", "text")  # answers in which no segment is seen
TRANSLATED: tuple[ResponseFormat, ...] = ("json", "text", "srt", "verbose_json", "vtt")

MAX_TEMPERATURE = 1.0  # OpenAI's range
MAX_PADDING_MS = 5_000  # more would merge what pauses part
MAX_SILENCE_MS = 10_000  # the longest pause that people make within one turn
MAX_NAME_CHARACTERS = 64  # OpenAI asks for short identifiers
MAX_KEYWORD_CHARACTERS = 200  # a phrase

COMMON_FIELDS = frozenset({"model", "prompt", "response_format", "temperature", "max_seconds"})
TRANSLATION_FIELDS = COMMON_FIELDS
TRANSCRIPTION_FIELDS = COMMON_FIELDS | {
    "channels",
    "chunking_strategy",
    "include",
    "keywords",
    "known_speaker_names",
    "known_speaker_references",
    "language",
    "languages",
    "stream",
    "timestamp_granularities",
}


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """How the answer looks. `speakers` name the channels in order; `segments` and `words` are of verbose_json."""

    response_format: ResponseFormat = "json"
    stream: bool = False
    segments: bool = True
    words: bool = False
    logprobs: bool = False
    speakers: tuple[str, ...] = ()


def parse_transcription(
    fields: Fields, media: Media, resolve: Callable[[str], str]
) -> tuple[ListenRequest, AnswerOptions]:
    """Check all fields of a transcription; `resolve` turns a model's name into its id.

    Raises a `RequestError` that names the field, or `UnknownModel`.
    """
    model = _model(fields, resolve)
    options = _answer_options(fields)
    language, candidates = _languages(fields)
    prompt = fields.one("prompt") or ""
    if prompt and options.response_format == "diarized_json":
        raise ContradictoryFields("prompt", "response_format", why="as in OpenAI's service, diarized_json takes none.")
    request = ListenRequest(
        media,
        model=model,
        language=language,
        candidates=candidates,
        prompt=prompt,
        keywords=_short_texts(fields, "keywords", MAX_KEYWORD_CHARACTERS),
        temperature=_temperature(fields),
        words=options.words,
        early=options.stream,
        readable=options.response_format not in PLAIN,  # segments of subtitle length cost word times
        logprobs=options.logprobs,
        split_channels=_split_channels(fields, options.response_format),
        max_seconds=number(fields, "max_seconds", MIN_AUDIO_S, math.inf),
        cutting=_cutting(fields),
    )
    return request, options


def parse_translation(
    fields: Fields, media: Media, resolve: Callable[[str], str]
) -> tuple[ListenRequest, AnswerOptions]:
    """Check all fields of a translation into English; raises as `parse_transcription`."""
    response_format = _response_format(fields, TRANSLATED)
    request = ListenRequest(
        media,
        model=_model(fields, resolve),
        task="translate",
        prompt=fields.one("prompt") or "",
        temperature=_temperature(fields),
        readable=response_format not in PLAIN,
        max_seconds=number(fields, "max_seconds", MIN_AUDIO_S, math.inf),
    )
    return request, AnswerOptions(response_format)


def _model(fields: Fields, resolve: Callable[[str], str]) -> str:
    model = fields.one("model")
    if model is None:
        raise MissingParameter("model")
    return resolve(model)


def _answer_options(fields: Fields) -> AnswerOptions:
    response_format = _response_format(fields, FORMATS)
    stream = flag(fields, "stream")
    if stream and response_format not in STREAMED:
        raise IncompatibleFormat(response_format, "stream=true", use=STREAMED)

    granularities = choices(fields, "timestamp_granularities", ("word", "segment")) or ("segment",)
    if granularities != ("segment",) and response_format != "verbose_json":  # ["segment"] is the default
        raise ContradictoryFields(
            "timestamp_granularities", "response_format", why="only verbose_json carries word times."
        )

    logprobs = bool(choices(fields, "include", ("logprobs",)))
    if logprobs and response_format != "json":
        raise ContradictoryFields("include", "response_format", why="only json carries logprobs.")

    speakers = _short_texts(fields, "known_speaker_names", MAX_NAME_CHARACTERS)
    if fields.many("known_speaker_references"):
        raise UnsupportedValue(
            "known_speaker_references",
            "data:…",
            why="Speakers are told apart by channel, not by voice; known_speaker_names name the channels in order.",
        )
    if speakers and response_format != "diarized_json":
        raise ContradictoryFields("known_speaker_names", "response_format", why="only diarized_json names who speaks.")
    return AnswerOptions(
        response_format,
        stream=stream,
        segments="segment" in granularities,
        words="word" in granularities,
        logprobs=logprobs,
        speakers=speakers,
    )


def _response_format(fields: Fields, allowed: Sequence[ResponseFormat]) -> ResponseFormat:
    return cast("ResponseFormat", choice(fields, "response_format", allowed) or "json")


def _languages(fields: Fields) -> tuple[str | None, tuple[str, ...]]:
    """Return the one language, or the candidates among which it is to be identified."""
    language = fields.one("language")
    if language and language.casefold() == "auto":  # as some clients say that they do not know
        language = None
    several = fields.many("languages")
    if language and several:
        raise ContradictoryFields("languages", "language", why="name one language, or candidates for it.")
    if language:
        return parse_language(language), ()
    candidates = tuple(dict.fromkeys(parse_language(text, param="languages") for text in several))
    return (candidates[0], ()) if len(candidates) == 1 else (None, candidates)


def _split_channels(fields: Fields, response_format: ResponseFormat) -> bool:
    channels = choice(fields, "channels", ("split", "mix"))
    if response_format != "diarized_json":
        return channels == "split"
    if channels == "mix":
        raise ContradictoryFields("channels", "response_format", why="diarized_json tells speakers apart by channel.")
    return True


def _temperature(fields: Fields) -> float:
    return number(fields, "temperature", 0.0, MAX_TEMPERATURE) or 0.0


def _cutting(fields: Fields) -> Cutting:
    """Read `chunking_strategy`; what its object leaves out keeps our measured value."""
    name = "chunking_strategy"
    members = dict(fields.members(name))
    plain = None if members else fields.one(name)
    if plain is not None and plain.startswith("{"):
        members = _json_members(name, plain)
    elif plain not in {None, "auto"}:
        raise InvalidValue(name, plain, expected="'auto' or an object")
    if not members:
        return Cutting()
    if members.get("type") != "server_vad":
        raise InvalidValue(f"{name}.type", members.get("type"), expected="'server_vad'")
    default = Cutting()
    return Cutting(
        threshold=_member(members, "threshold", 1.0, default.threshold),
        min_quiet_s=_member(members, "silence_duration_ms", MAX_SILENCE_MS, default.min_quiet_s * 1000) / 1000,
        pad_s=_member(members, "prefix_padding_ms", MAX_PADDING_MS, default.pad_s * 1000) / 1000,
    )


def _json_members(name: str, text: str) -> dict[str, str]:
    try:
        members = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidValue(name, text, expected="'auto' or an object") from None
    return {key: str(value) for key, value in members.items() if value is not None}


def _member(members: Mapping[str, str], key: str, highest: float, default: float) -> float:
    return parse_number(f"chunking_strategy.{key}", members[key], 0.0, highest) if key in members else default


def _short_texts(fields: Fields, name: str, longest: int) -> tuple[str, ...]:
    texts = fields.many(name)
    for text in texts:
        if len(text) > longest:
            raise InvalidValue(name, text, expected=f"texts of at most {longest} characters")
    return texts
