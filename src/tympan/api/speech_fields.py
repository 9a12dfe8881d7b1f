"""The fields of a speech, checked, and how its answer is to look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast, get_args

from tympan.api.form import Fields
from tympan.api.values import choice, number
from tympan.engines.protocols import MAX_SPEED, MIN_SPEED
from tympan.errors import ContradictoryFields, InvalidValue, MissingParameter, NothingToSay, TextTooLong
from tympan.sound.encode import FORMATS, SpeechFormat
from tympan.speak.request import SpeakRequest
from tympan.speak.voices import parse_voice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tympan.speak.voices import VoiceMix

StreamFormat = Literal["audio", "sse"]
STREAM_FORMATS: tuple[StreamFormat, ...] = get_args(StreamFormat)
TIMESTAMPS = ("word",)
MAX_INSTRUCTIONS = 4096  # code points, OpenAI's bound

_PLAIN = frozenset({"model", "voice", "response_format", "speed", "stream_format", "timestamps"})


@dataclass(frozen=True, slots=True)
class SpeechOptions:
    """How the answer looks: one file in `response_format`, as bytes or in events, these perhaps with word times."""

    response_format: SpeechFormat = "mp3"
    events: bool = False
    words: bool = False


def parse_speech(
    members: Mapping[str, object], resolve: Callable[[str], str], max_characters: int
) -> tuple[SpeakRequest, SpeechOptions]:
    """Check all fields of a speech; `resolve` turns a model's name into its id. Others are ignored.

    `instructions` are checked and not used: Kokoro takes none. Raises a `RequestError` that names the field, or
    `UnknownModel`.
    """
    fields = Fields.from_json(members, _PLAIN)
    text = _text(members, "input", max_characters)
    if text is None:
        raise MissingParameter("input")
    model = fields.one("model")
    if model is None:
        raise MissingParameter("model")
    _text(members, "instructions", MAX_INSTRUCTIONS)
    events = choice(fields, "stream_format", STREAM_FORMATS) == "sse"
    words = choice(fields, "timestamps", TIMESTAMPS) is not None
    if words and not events:
        raise ContradictoryFields("timestamps", "stream_format", why="only sse carries word times.")
    request = SpeakRequest(
        text,
        voice=_voice(fields),
        model=resolve(model),
        speed=number(fields, "speed", MIN_SPEED, MAX_SPEED) or 1.0,
    )
    response_format = cast("SpeechFormat", choice(fields, "response_format", FORMATS) or "mp3")
    if not text.strip():
        raise NothingToSay
    return request, SpeechOptions(response_format, events=events, words=words)


def _text(members: Mapping[str, object], name: str, longest: int) -> str | None:
    """Return a text as it was sent: word times count its code points."""
    text = members.get(name)
    if text is None:
        return None
    if not isinstance(text, str):
        raise InvalidValue(name, text, expected="a string")
    if len(text) > longest:
        raise TextTooLong(longest, param=name)
    return text


def _voice(fields: Fields) -> VoiceMix:
    """Read `voice`: a name, or an object with the name as its `id`."""
    members = fields.members("voice")
    name = members.get("id") if members else fields.one("voice")
    if not name:
        raise MissingParameter("voice.id" if members else "voice")
    return parse_voice(name)
