"""Errors of the audio itself."""

from __future__ import annotations

from tympan.errors.base import TympanError

MIN_AUDIO_S = 0.1  # what OpenAI's service takes as its minimum, too


class AudioError(TympanError):
    """Something about the audio."""

    status = 400
    default_code = "invalid_value"
    default_param = "file"


class EmptyAudio(AudioError):
    """No bytes, or no sample in them."""

    def __init__(self, reason: str = "the file is empty") -> None:
        super().__init__(f"Audio file might be corrupted or unsupported: {reason}.")


class UndecodableAudio(AudioError):
    """The bytes are no audio that can be read."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Audio file might be corrupted or unsupported: {reason}.")


class NoAudioStream(AudioError):
    """A container without sound."""

    def __init__(self, container: str) -> None:
        super().__init__(f"Audio file might be corrupted or unsupported: no audio stream in this {container} file.")


class AudioTooShort(AudioError):
    """Less than a tenth of a second."""

    default_code = "audio_too_short"

    def __init__(self) -> None:
        super().__init__(f"Audio file is too short. Minimum audio length is {MIN_AUDIO_S} seconds.")


class AudioTooLong(AudioError):
    """Longer than the caller or the operator allows."""

    status = 413
    default_code = "audio_too_long"

    def __init__(self, limit_s: float, *, param: str = "file") -> None:
        super().__init__(f"Audio is longer than the {limit_s:g} seconds allowed.", param=param)


class NonFiniteAudio(AudioError):
    """Samples that are no numbers."""

    def __init__(self, count: int, first_s: float) -> None:
        super().__init__(f"Audio holds {count} samples that are NaN or infinite, the first at {first_s:.3f} seconds.")


class SampleRateRefused(AudioError):
    """A sample rate outside what sound has."""

    def __init__(self, rate: int, lowest: int, highest: int) -> None:
        super().__init__(f"Sample rate {rate} Hz is outside the {lowest} to {highest} Hz allowed.")


class TooManyChannels(AudioError):
    """More channels than the operator allows."""

    def __init__(self, channels: int, limit: int) -> None:
        super().__init__(f"Audio has {channels} channels; at most {limit} are allowed.")


class DecodeLimit(AudioError):
    """The decoder needed more time or memory than a file may cost."""

    def __init__(self, what: str) -> None:
        super().__init__(f"Audio file might be corrupted or unsupported: decoding it {what}.")
