"""Errors of a text to speak and of the voice to speak it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors.request import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence


class SpeakError(RequestError):
    """Something about the text or the voice."""

    default_code = "invalid_value"
    default_param = "input"


class NothingToSay(SpeakError):
    """The text has no word in it: empty, spaces, punctuation or pictures alone."""

    default_code = "empty_input"

    def __init__(self) -> None:
        super().__init__("Invalid 'input': it has no words to speak.")


class TextTooLong(SpeakError):
    """More code points than a text may have."""

    default_code = "string_too_long"

    def __init__(self, limit: int, *, param: str = "input") -> None:
        super().__init__(  # word for word as OpenAI's service says it
            f"[{{'type': 'string_too_long', 'loc': ('body', '{param}'), "
            f"'msg': 'String should have at most {limit} characters', 'ctx': {{'max_length': {limit}}}}}]",
            param=param,
        )


class UnreadableScript(SpeakError):
    """The voice does not read the script that the text is in."""

    default_code = "unsupported_script"

    def __init__(self, voice: str, script: str, example: str, languages: Sequence[str]) -> None:
        super().__init__(
            f"Voice '{voice[:100]}' cannot read {script} text ({example[:20]!r}). It reads {_listed(languages)}."
        )


class UnknownVoice(SpeakError):
    """No voice has this name."""

    default_code = "voice_not_found"
    default_param = "voice"

    def __init__(self, voice: str, valid: Sequence[str]) -> None:
        super().__init__(f"Unknown voice '{voice[:100]}'. Valid voices are: {', '.join(valid)}.")


class InvalidVoiceMix(SpeakError):
    """A mix of voices that cannot be understood or spoken."""

    default_code = "invalid_voice_mix"
    default_param = "voice"

    def __init__(self, mix: str, why: str) -> None:
        super().__init__(f"Invalid voice mix '{mix[:100]}': {why}. Expected something like 'af_heart(2)+af_bella(1)'.")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
