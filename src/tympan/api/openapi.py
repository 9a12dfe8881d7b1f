"""What the OpenAPI document says of the bodies that this service reads and writes by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from tympan.api import fields, speech_fields, wire
from tympan.engines.protocols import MAX_SPEED, MIN_SPEED
from tympan.sound.encode import FORMATS, MEDIA_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable

Schema = dict[str, Any]

_MODEL: Schema = {"type": "string", "description": "A model's id or one of its aliases."}
_AUDIO: Schema = {
    "type": "object",
    "required": ["data"],
    "properties": {
        "data": {"type": "string", "description": "The audio file in base64, with or without a data: prefix."},
        "format": {"type": "string", "description": "Its container, as a hint; the content decides."},
    },
}
_COMMON: Schema = {
    "model": _MODEL,
    "prompt": {"type": "string", "description": "Text that came before, or a hint at style and spelling."},
    "temperature": {"type": "number", "minimum": 0, "maximum": fields.MAX_TEMPERATURE, "default": 0},
    "max_seconds": {"type": "number", "description": "Refuse longer audio with 413 before a model runs."},
}


def transcription_docs() -> dict[str, Any]:
    """Return the arguments for the route of transcriptions."""
    return _docs(
        {
            **_COMMON,
            "response_format": _one_of(fields.FORMATS),
            "language": {"type": "string", "description": "ISO-639-1, with or without a region, or an English name."},
            "languages": _array({"type": "string"}, "Candidates, when the language is to be identified."),
            "keywords": _array({"type": "string"}, "Words and phrases to expect."),
            "timestamp_granularities": _array(
                {"type": "string", "enum": ["word", "segment"]}, "With verbose_json; default: segment."
            ),
            "include": _array({"type": "string", "enum": ["logprobs"]}, "With json."),
            "stream": {"type": "boolean", "default": False, "description": "Server-sent events."},
            "chunking_strategy": {
                "description": "How voice is found and cut; what is left out keeps the measured default.",
                "oneOf": [{"type": "string", "enum": ["auto"]}, _CHUNKING],
            },
            "channels": _one_of(("split", "mix")) | {"description": "Hear each channel on its own, or all as one."},
            "known_speaker_names": _array({"type": "string"}, "With diarized_json: the channels' names, in order."),
        },
        [wire.Transcription, wire.VerboseTranscription, wire.DiarizedTranscription],
        ["text/plain", "text/event-stream"],
    )


def translation_docs() -> dict[str, Any]:
    """Return the arguments for the route of translations."""
    return _docs(
        {**_COMMON, "response_format": _one_of(fields.TRANSLATED)},
        [wire.Translation, wire.VerboseTranscription],
        ["text/plain"],
    )


def speech_docs(max_characters: int) -> dict[str, Any]:
    """Return the arguments for the route of speech."""
    voice: Schema = {"type": "string", "description": "An id or an alias of /v1/audio/voices, or a mix of ids."}
    body: Schema = {
        "type": "object",
        "required": ["model", "input", "voice"],
        "properties": {
            "model": _MODEL,
            "input": {"type": "string", "maxLength": max_characters},
            "voice": {"oneOf": [voice, {"type": "object", "required": ["id"], "properties": {"id": voice}}]},
            "instructions": {
                "type": "string",
                "maxLength": speech_fields.MAX_INSTRUCTIONS,
                "description": "Taken for compatibility; Kokoro does not use them.",
            },
            "response_format": _one_of(FORMATS),
            "speed": {"type": "number", "minimum": MIN_SPEED, "maximum": MAX_SPEED, "default": 1},
            "stream_format": _one_of(speech_fields.STREAM_FORMATS),
            "timestamps": {
                "type": "string",
                "enum": list(speech_fields.TIMESTAMPS),
                "description": "With sse: the times of words.",
            },
        },
    }
    binary: Schema = {"schema": {"type": "string", "format": "binary"}}
    content: Schema = dict.fromkeys(MEDIA_TYPES.values(), binary)
    content["text/event-stream"] = {"schema": {"type": "string"}}
    return {
        "response_model": None,
        "openapi_extra": {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}},
        "responses": {200: {"description": "The speech", "content": content}},
    }


def error_docs() -> dict[int | str, dict[str, Any]]:
    """Return the answer that all errors share."""
    return {
        "default": {
            "description": "An error, in OpenAI's shape",
            "content": {"application/json": {"schema": _schema(wire.ErrorBody)}},
        }
    }


_CHUNKING: Schema = {
    "type": "object",
    "required": ["type"],
    "properties": {
        "type": {"type": "string", "enum": ["server_vad"]},
        "threshold": {"type": "number", "minimum": 0, "maximum": 1},
        "silence_duration_ms": {"type": "number", "minimum": 0, "maximum": fields.MAX_SILENCE_MS},
        "prefix_padding_ms": {"type": "number", "minimum": 0, "maximum": fields.MAX_PADDING_MS},
    },
}


def _docs(properties: Schema, answers: Iterable[type], other: Iterable[str]) -> dict[str, Any]:
    file: Schema = {"type": "string", "format": "binary", "description": "Any audio or video file with sound."}
    form = {"type": "object", "required": ["file", "model"], "properties": {"file": file, **_bracketed(properties)}}
    body = {
        "type": "object",
        "required": ["input_audio", "model"],
        "properties": {"input_audio": _AUDIO, **properties},
    }
    content: Schema = {"application/json": {"schema": {"anyOf": [_schema(answer) for answer in answers]}}}
    content |= {media_type: {"schema": {"type": "string"}} for media_type in other}
    return {
        "response_model": None,
        "openapi_extra": {
            "requestBody": {
                "required": True,
                "content": {"multipart/form-data": {"schema": form}, "application/json": {"schema": body}},
            }
        },
        "responses": {200: {"description": "The transcript", "content": content}},
    }


def _bracketed(properties: Schema) -> Schema:
    """Name arrays as forms do."""
    return {name + "[]" * (schema.get("type") == "array"): schema for name, schema in properties.items()}


def _one_of(values: Iterable[str]) -> Schema:
    names = list(values)
    return {"type": "string", "enum": names, "default": names[0]}


def _array(items: Schema, description: str) -> Schema:
    return {"type": "array", "items": items, "description": description}


def _schema(shape: type) -> Schema:
    """Return the schema of a typed dictionary, with everything it refers to written out in place."""
    schema = TypeAdapter(shape).json_schema()
    definitions = schema.pop("$defs", {})

    def inlined(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return inlined(definitions[node["$ref"].rpartition("/")[2]])
            return {key: inlined(value) for key, value in node.items()}
        return [inlined(value) for value in node] if isinstance(node, list) else node

    result: Schema = inlined(schema)
    return result
