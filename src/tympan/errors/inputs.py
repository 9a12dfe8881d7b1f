"""Errors of audio clips on their way into a model.

`clip` is the one-based ordinal of the clip an error is about, None when it is about the request. `rejection` is
the label under which a refusal is counted.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from tympan.errors.base import TympanError
from tympan.errors.service import ServiceError

Rejection = Literal[
    "queue_full",
    "memory_limit",
    "worker_unavailable",
    "overflow",
    "waveform",
    "feature",
    "feature_panic",
    "context_limit",
]


class InputError(TympanError):
    """Something about audio for a model."""

    status = 400
    default_code = "invalid_audio"
    rejection: ClassVar[Rejection] = "waveform"

    def __init__(self, sentence: str, clip: int | None = None) -> None:
        super().__init__(sentence if clip is None else f"Audio clip {clip}: {sentence}")
        self.clip = clip


class NoClips(InputError):
    """A request for audio that has none."""

    def __init__(self) -> None:
        super().__init__("There is no audio clip.")


class EmptyClip(InputError):
    """A clip without bytes, or without samples."""

    def __init__(self, clip: int, what: str) -> None:
        super().__init__(f"{what}.", clip)


class MalformedClip(InputError):
    """A clip that is no WAV of a kind that models take."""

    def __init__(self, clip: int, reason: str) -> None:
        super().__init__(f"not a usable WAV: {reason}.", clip)


class NonFiniteClip(InputError):
    """A clip with a sample that is NaN or infinite."""

    def __init__(self, clip: int, frame: int) -> None:
        super().__init__(f"the sample at frame {frame} is NaN or infinite.", clip)
        self.frame = frame


class ClipTooShort(InputError):
    """A clip too short for the model's encoder."""

    default_code = "audio_too_short"

    def __init__(self, clip: int, samples: int, minimum: int, rate: int) -> None:
        super().__init__(f"too short: {samples} samples at {rate} Hz, the model needs {minimum}.", clip)


class UndecodableClip(InputError):
    """A clip whose base64 or data URI cannot be read."""

    def __init__(self, clip: int, reason: str) -> None:
        super().__init__(f"the data cannot be read: {reason}.", clip)


class LimitExceeded(InputError):
    """A size, duration, sample, frame or clip bound of the model's policy."""

    status = 413
    default_code = "audio_limit_exceeded"

    def __init__(self, name: str, actual: int, maximum: int, clip: int | None = None) -> None:
        super().__init__(f"{name} {actual} is over the maximum of {maximum}.", clip)
        self.name = name
        self.actual = actual
        self.maximum = maximum


class PreparedTooLarge(InputError):
    """Features and token ids that would take more memory than the policy keeps for a result."""

    status = 413
    default_code = "audio_limit_exceeded"
    rejection = "memory_limit"

    def __init__(self, actual: int, maximum: int) -> None:
        super().__init__(f"The prepared result of {actual} bytes is over the maximum of {maximum}.")


class InputOverflow(InputError):
    """A sum of sizes that no machine can count."""

    status = 413
    default_code = "audio_limit_exceeded"
    rejection = "overflow"

    def __init__(self, context: str) -> None:
        super().__init__(f"The {context} overflow a 64-bit count.")


class BadPlaceholder(InputError):
    """Audio placeholders that are missing, repeated, out of order, or typed by a user."""

    default_code = "invalid_placeholder"
    rejection = "feature"

    def __init__(self, reason: str) -> None:
        super().__init__(f"Audio placeholders do not match the clips: {reason}.")


class ContextTooLong(InputError):
    """A prompt that, with its audio, is longer than the model's context."""

    default_code = "context_length_exceeded"
    rejection = "context_limit"

    def __init__(self, tokens: int, maximum: int) -> None:
        super().__init__(f"The prompt has {tokens} tokens with its audio; the model takes at most {maximum}.")


class FeatureCrash(ServiceError):
    """Making features failed in a way that nobody foresaw."""

    default_code = "feature_crash"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The audio could not be made into features: {reason}.")


class MemoryRefused(ServiceError):
    """Host memory for model input is reserved for other requests."""

    status = 503
    default_code = "memory_refused"
    retry = True

    def __init__(self, what: str, wanted: int, free: int) -> None:
        super().__init__(f"The request needs {wanted} {what}; {max(free, 0)} are free now. Try again later.")

    @property
    def retry_after_s(self) -> int:
        """A clip is prepared within a second."""
        return 1


class InputWorkerGone(ServiceError):
    """The worker that prepares model input is not running."""

    status = 503
    default_code = "worker_unavailable"
    retry = True

    def __init__(self) -> None:
        super().__init__("The worker that prepares audio for models is not running.")

    @property
    def retry_after_s(self) -> int:
        """It comes back with the service."""
        return 5


class CheckpointRefused(TympanError):
    """A model folder whose audio configuration is missing, malformed or not what can be served."""

    default_code = "checkpoint"

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: {reason}.")


class PolicyRefused(TympanError):
    """A key of a model's audio configuration with a value that cannot be kept."""

    default_code = "checkpoint"

    def __init__(self, file: str, key: str, value: str, expected: str) -> None:
        super().__init__(f"{file}: '{key}' is {value}; expected {expected}.")
        self.file = file
        self.key = key
