"""A JSON body with the audio in it: `{"model": …, "input_audio": {"data": <base64>, "format": "wav"}, …}`."""

from __future__ import annotations

import asyncio
import binascii
import json
import re
from typing import TYPE_CHECKING, Any

from tympan.api.body import MIB
from tympan.errors import InvalidValue, MalformedBody, MissingParameter, UnsupportedValue

if TYPE_CHECKING:
    from collections.abc import Mapping
    from concurrent.futures import Executor

    from tympan.api.body import Body

MAX_JSON_BYTES = 64 * MIB  # it has to be held whole: 48 MiB of audio; longer files go as multipart
ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
DATA_URL = re.compile(r"data:[^,]{0,200};base64,", re.IGNORECASE)
CONTAINERS = (
    "aac, aif, aiff, amr, caf, flac, m4a, m4b, mka, mkv, mov, mp3, mp4, mpeg, mpga, oga, ogg, opus, wav, wave, webm"
)
RAW = "g711_alaw, g711_ulaw, l16, pcm, pcm16, pcm_s16le, raw, s16le"


async def read_json(body: Body, worker: Executor) -> tuple[Mapping[str, object], bytes]:
    """Read a whole body; return its other members and the audio's bytes. `worker` runs what takes processor time.

    Raises `MalformedBody`, `MissingParameter`, `InvalidValue`, `UnsupportedValue`, and what `body` raises.
    """
    text = await body.read(MAX_JSON_BYTES)
    return await asyncio.get_running_loop().run_in_executor(worker, parse_json, text)


def parse_json(text: bytes) -> tuple[Mapping[str, object], bytes]:
    """Parse a whole body; see `read_json`."""
    members = parse_object(text)
    audio = members.pop("input_audio", None)
    if audio is None:
        raise MissingParameter("input_audio")
    if not isinstance(audio, dict):
        raise InvalidValue("input_audio", audio, expected="an object with 'data' and 'format'")
    _check_format(audio.get("format"))
    data = audio.get("data")
    if not data:
        raise MissingParameter("input_audio.data")
    if not isinstance(data, str):
        raise InvalidValue("input_audio.data", data, expected="a base64 string")
    return members, decode_base64(data)


def parse_object(text: bytes) -> dict[str, object]:
    """Parse a body that is one JSON object; half a surrogate pair, which is no character, becomes U+FFFD.

    Raises `MalformedBody`.
    """
    try:
        members = json.loads(text.decode("utf-8-sig"))
        if ESCAPED_SURROGATE.search(text):
            members = _with_characters(members)
    except (ValueError, RecursionError) as error:  # ValueError: also bad UTF-8 and numbers of 5,000 digits
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be parsed"
        raise MalformedBody(f"it is no JSON ({reason})") from error
    if not isinstance(members, dict):
        raise MalformedBody("it is no JSON object")
    return members


def _with_characters(value: Any) -> Any:
    if isinstance(value, str):
        return LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_with_characters(item) for item in value]
    if isinstance(value, dict):
        return {LONE_SURROGATE.sub("\ufffd", key): _with_characters(item) for key, item in value.items()}
    return value


def decode_base64(data: str) -> bytes:
    """Decode base64, with or without a `data:…;base64,` prefix; strict but for white space around it."""
    prefix = DATA_URL.match(data)
    try:
        return binascii.a2b_base64(data[prefix.end() if prefix else 0 :].strip(), strict_mode=True)
    except ValueError:
        raise InvalidValue("input_audio.data", data[:20], expected="base64, with or without a data: prefix") from None


def _check_format(name: object) -> None:
    """Refuse a format that is no container: the content decides which one it is, so no other name does harm."""
    if name is None or name == "":
        return
    if not isinstance(name, str):
        raise InvalidValue("input_audio.format", name, expected="the name of a container, such as 'wav' or 'mp3'")
    if name.lower() in RAW.split(", "):
        raise UnsupportedValue("input_audio.format", name, why="Raw samples do not say their rate; send them as wav.")
    if name.lower().lstrip(".") not in CONTAINERS.split(", "):
        raise UnsupportedValue("input_audio.format", name[:40], why=f"Known are {CONTAINERS}.")
