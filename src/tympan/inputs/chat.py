"""A chat request's messages, as text and audio in their order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tympan.errors import BadPlaceholder, InvalidValue, LimitExceeded, MalformedBody, MissingParameter, UnsupportedValue
from tympan.inputs.acquire import MAX_CLIPS, MAX_ENCODED_BYTES, read_inline
from tympan.inputs.families.base import Turn
from tympan.inputs.polling import Checkpoint, Poll

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tympan.cancel import Cancellation
    from tympan.inputs.clips import Clip
    from tympan.inputs.families.base import Frontend

ROLES = ("developer", "system", "user", "assistant", "tool")


def read_messages(body: Mapping[str, Any], frontend: Frontend, cancellation: Cancellation) -> tuple[str, list[Clip]]:
    """Return the prompt, with the family's placeholders where audio stood, and the clips in order.

    Clips are counted across all messages. Text parts are joined without a separator. Errors name the part, such as
    `messages[0].content[1].input_audio`.
    """
    messages = body.get("messages")
    if messages is None:
        raise MissingParameter("messages")
    if not isinstance(messages, list) or not messages:
        raise InvalidValue("messages", messages, expected="a list of messages")
    reader = _Reader(frontend, cancellation)
    turns = [reader.turn(message, f"messages[{index}]") for index, message in enumerate(messages)]
    return frontend.prompt(turns), reader.clips


class _Reader:
    def __init__(self, frontend: Frontend, cancellation: Cancellation) -> None:
        self._frontend = frontend
        self._cancellation = cancellation
        self._left = MAX_ENCODED_BYTES
        self.clips: list[Clip] = []

    def turn(self, message: Any, param: str) -> Turn:
        if not isinstance(message, dict):
            raise InvalidValue(param, message, expected="an object with role and content")
        role, content = message.get("role"), message.get("content")
        if role not in ROLES:
            raise InvalidValue(f"{param}.role", role, expected="one of " + ", ".join(ROLES))
        if isinstance(content, str):
            return Turn(role, self._text(content, f"{param}.content"))
        if not isinstance(content, list):
            raise InvalidValue(f"{param}.content", content, expected="text or a list of parts")
        return Turn(role, "".join(self._part(part, f"{param}.content[{index}]") for index, part in enumerate(content)))

    def _part(self, part: Any, param: str) -> str:
        if not isinstance(part, dict):
            raise InvalidValue(param, part, expected="a part with a type")
        kind = part.get("type")
        if kind == "text":
            return self._text(part.get("text"), f"{param}.text")
        if kind == "input_audio":
            return self._audio(part.get("input_audio"), f"{param}.input_audio")
        raise UnsupportedValue(f"{param}.type", kind, why="Only text and input_audio can be prepared.")

    def _text(self, text: Any, param: str) -> str:
        if not isinstance(text, str):
            raise InvalidValue(param, text, expected="text")
        for reserved in self._frontend.reserved():
            if reserved in text:
                error = BadPlaceholder(f"the text holds {reserved}, which stands for audio")
                error.param = param
                raise error
        return text

    def _audio(self, audio: Any, param: str) -> str:
        data = audio.get("data") if isinstance(audio, dict) else None
        if not isinstance(data, str):
            raise InvalidValue(f"{param}.data", data, expected="base64, or a data:audio/...;base64, URI")
        ordinal = len(self.clips) + 1
        if ordinal > MAX_CLIPS:
            raise LimitExceeded("clip count", ordinal, MAX_CLIPS)
        clip = read_inline(data, ordinal, self._left, Poll(self._cancellation, Checkpoint.ACQUISITION, ordinal))
        self._left -= len(clip.data)
        self.clips.append(clip)
        return self._frontend.placeholder(ordinal)


def read_body(text: bytes) -> Mapping[str, Any]:
    """Parse a request's body. Raises `MalformedBody`."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MalformedBody(str(error)) from error
    if not isinstance(body, dict):
        raise MalformedBody("it is no JSON object")
    return body
