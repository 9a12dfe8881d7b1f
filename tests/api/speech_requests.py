"""Requests for speech, and what is in the sound that answers them."""

import base64
import io
import json
from typing import Any

import av
import numpy as np
from tests.api.standins import events_of, post

from tympan.sound.waveform import SPEECH_RATE, Samples

PATH = "/v1/audio/speech"
TEXT = "Hello there, world. One two three four five."  # eight words in two sentences
TEXT_S = 8 * 0.25


def speech(*headers: str, **fields: Any) -> bytes:
    """Write a request for speech; a field that is None is left out."""
    members = {"model": "tts-1", "input": TEXT, "voice": "alloy"} | fields
    return speech_body(json.dumps({name: value for name, value in members.items() if value is not None}), *headers)


def speech_body(body: str | bytes, *headers: str, content_type: str = "application/json") -> bytes:
    return post(body.encode() if isinstance(body, str) else body, *headers, path=PATH, content_type=content_type)


def audio_of(body: bytes) -> bytes:
    """Join the deltas of a stream of events."""
    return b"".join(
        base64.b64decode(event["audio"]) for event in events_of(body) if event["type"] == "speech.audio.delta"
    )


def decoded(data: bytes, speech_format: str) -> tuple[Samples, int]:
    """Decode a whole file; return mono float32 [n] and its rate."""
    if speech_format == "pcm":
        return np.frombuffer(data, "<i2").astype(np.float32) / np.float32(2**15), SPEECH_RATE
    with av.open(io.BytesIO(data), "r") as container:
        frames = [frame.to_ndarray() for frame in container.decode(audio=0)]
        rate = container.streams.audio[0].rate
    samples = np.concatenate(frames, axis=1)[0]
    full_scale = {"int16": 2**15, "int32": 2**31}.get(samples.dtype.name, 1)
    return (samples / full_scale).astype(np.float32), rate
