"""The shapes of answers, for the type checker and for the OpenAPI document."""

from __future__ import annotations

from typing import (
    Literal,
    NotRequired,  # pydantic needs this one before Python 3.12
)

from typing_extensions import TypedDict


class DurationUsage(TypedDict):
    """What a request cost: seconds of audio, rounded up."""

    type: Literal["duration"]
    seconds: int


class Language(TypedDict):
    """A language that was heard."""

    code: str


class Logprob(TypedDict):
    """A token, its natural log-probability and its UTF-8 bytes."""

    token: str
    logprob: float
    bytes: list[int]


class Transcription(TypedDict):
    """`json`."""

    text: str
    usage: DurationUsage
    languages: list[Language]
    logprobs: NotRequired[list[Logprob]]


class VerboseSegment(TypedDict):
    """A segment of `verbose_json`; `channel` is there when channels are heard apart."""

    id: int
    seek: int
    start: float
    end: float
    text: str
    tokens: list[int]
    temperature: float
    avg_logprob: float
    compression_ratio: float
    no_speech_prob: float
    channel: NotRequired[int]


class VerboseWord(TypedDict):
    """A word of `verbose_json`."""

    word: str
    start: float
    end: float
    probability: float
    channel: NotRequired[int]


class VerboseTranscription(TypedDict):
    """`verbose_json`; `warnings` is there when something in the file was odd."""

    task: Literal["transcribe", "translate"]
    language: str
    duration: float
    text: str
    segments: NotRequired[list[VerboseSegment]]
    words: NotRequired[list[VerboseWord]]
    warnings: NotRequired[list[str]]
    usage: DurationUsage


class DiarizedSegment(TypedDict):
    """A segment of `diarized_json`; in a stream, an event."""

    type: Literal["transcript.text.segment"]
    id: str
    start: float
    end: float
    text: str
    speaker: str


class DiarizedTranscription(TypedDict):
    """`diarized_json`."""

    task: Literal["transcribe"]
    duration: float
    text: str
    segments: list[DiarizedSegment]
    warnings: NotRequired[list[str]]
    usage: DurationUsage


class Translation(TypedDict):
    """`json`, of a translation."""

    text: str


class Model(TypedDict):
    """A model, or another id of one."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str
    shutdown_date: None


class ModelList(TypedDict):
    """All models."""

    object: Literal["list"]
    data: list[Model]


class Voice(TypedDict):
    """A voice; `alias_of` is there when the id is another name of a voice."""

    id: str
    name: str
    language: str
    gender: Literal["female", "male"]
    alias_of: NotRequired[str]


class VoiceList(TypedDict):
    """All voices."""

    voices: list[Voice]


class ErrorFacts(TypedDict):
    """What went wrong; all four keys are always there."""

    message: str
    type: str
    param: str | None
    code: str | None


class ErrorBody(TypedDict):
    """The body of every error."""

    error: ErrorFacts
