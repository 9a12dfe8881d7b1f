"""Every error a user can meet, in one tree.

Each class knows its HTTP status, OpenAI `type`, `code` and `param`, and whether trying again can help. Call
sites pass typed facts; the class writes the sentence. The command line prints the same sentence.
"""

from tympan.errors.audio import (
    MIN_AUDIO_S,
    AudioError,
    AudioTooLong,
    AudioTooShort,
    DecodeLimit,
    EmptyAudio,
    NoAudioStream,
    NonFiniteAudio,
    SampleRateRefused,
    TooManyChannels,
    UndecodableAudio,
)
from tympan.errors.base import (
    Cancelled,
    TympanError,
)
from tympan.errors.request import (
    BodyTooLarge,
    ContradictoryFields,
    IncompatibleFormat,
    InvalidApiKey,
    InvalidLanguage,
    InvalidValue,
    MalformedBody,
    MethodNotAllowed,
    MissingParameter,
    RequestError,
    UnknownModel,
    UnknownRoute,
    UnsupportedValue,
    mask_key,
)
from tympan.errors.service import (
    Busy,
    EngineCrashed,
    EngineFailed,
    EngineUnavailable,
    InternalError,
    NotReady,
    ServiceError,
)
from tympan.errors.usage import (
    SettingsError,
    UnreadableFile,
)
from tympan.errors.weights import (
    FetchFailed,
    SourceUnavailable,
    UnknownBundle,
    WeightsError,
    WeightsMissing,
    WrongBytes,
)

__all__ = [
    "MIN_AUDIO_S",
    "AudioError",
    "AudioTooLong",
    "AudioTooShort",
    "BodyTooLarge",
    "Busy",
    "Cancelled",
    "ContradictoryFields",
    "DecodeLimit",
    "EmptyAudio",
    "EngineCrashed",
    "EngineFailed",
    "EngineUnavailable",
    "FetchFailed",
    "IncompatibleFormat",
    "InternalError",
    "InvalidApiKey",
    "InvalidLanguage",
    "InvalidValue",
    "MalformedBody",
    "MethodNotAllowed",
    "MissingParameter",
    "NoAudioStream",
    "NonFiniteAudio",
    "NotReady",
    "RequestError",
    "SampleRateRefused",
    "ServiceError",
    "SettingsError",
    "SourceUnavailable",
    "TooManyChannels",
    "TympanError",
    "UndecodableAudio",
    "UnknownBundle",
    "UnknownModel",
    "UnknownRoute",
    "UnreadableFile",
    "UnsupportedValue",
    "WeightsError",
    "WeightsMissing",
    "WrongBytes",
    "mask_key",
]
