"""WAV bytes, clips, policies and signals for the tests of this room."""

import base64
import struct
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np

from tympan.cancel import Cancellation
from tympan.inputs.checkpoint import configure
from tympan.inputs.clips import Clip, ClipSource, SourceBounds
from tympan.inputs.families import FAMILIES
from tympan.inputs.keys import Keys, Root
from tympan.inputs.polling import Checkpoint, Poll

GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")
ANY = SourceBounds(1, 192_000, 1800)


def chunk(name, body, size=None, *, pad=True):
    size = len(body) if size is None else size
    return name + struct.pack("<I", size) + body + (b"\0" if pad and len(body) % 2 else b"")


def fmt(tag=1, channels=1, rate=16000, bits=16, extra=b""):
    return struct.pack("<HHIIHH", tag, channels, rate, 0xDEADBEEF, 0xBEEF, bits) + extra


def extensible(sub=1, channels=1, rate=16000, bits=16, valid=None, tail=GUID_TAIL):
    extra = struct.pack("<HHI", 22, bits if valid is None else valid, 0) + struct.pack("<H", sub) + tail
    return fmt(0xFFFE, channels, rate, bits, extra)


def riff(*chunks):
    body = b"".join(chunks)
    return b"RIFF" + struct.pack("<I", 0) + b"WAVE" + body


def wav(samples, rate=16000, channels=1):
    """Return int16 or float32 samples [n] or [n, channels] as a WAV."""
    samples = np.asarray(samples)
    if samples.dtype == np.int16:
        return riff(chunk(b"fmt ", fmt(1, channels, rate, 16)), chunk(b"data", samples.astype("<i2").tobytes()))
    data = samples.astype("<f4").tobytes()
    return riff(chunk(b"fmt ", fmt(3, channels, rate, 32)), chunk(b"data", data))


def silence(frames, rate=16000):
    return wav(np.zeros(frames, np.int16), rate)


def clips(*payloads):
    return [Clip(ordinal, data, ClipSource.INLINE) for ordinal, data in enumerate(payloads, 1)]


def clip(data):
    return Clip(1, data, ClipSource.INLINE)


def poll(checkpoint=Checkpoint.FEATURE, cancellation=None):
    return Poll(cancellation or Cancellation(), checkpoint, 1)


@dataclass(frozen=True)
class Looks(Poll):
    """Notes every look."""

    looks: list[int] = field(default_factory=list)

    def __call__(self):
        self.looks.append(1)
        super().__call__()


def model(family="phi4mm", processor=None, config=None, families=FAMILIES):
    roots = [Root("processor_config.json", processor or {}), Root("config.json", config or {})]
    return configure(next(one for one in families if one.name == family), Keys(roots))


def inline(payload):
    return base64.b64encode(payload).decode()


def noise(count, seed=0, scale=1.0):
    return (np.random.default_rng(seed).uniform(-scale, scale, count)).astype(np.float32)


def tone(count):
    """Return the fixture of the golden numbers of Phi."""
    return (0.25 * np.sin(2 * np.pi * 440 * np.arange(count) / 16000)).astype(np.float32)


def chirp(count):
    t = np.arange(count) / 16000
    length = max(count / 16000, 1e-3)
    return np.sin(2 * np.pi * (50 * t + 6950 / (2 * length) * t * t)).astype(np.float32)


def signals(count):
    return {
        "noise": noise(count),
        "quiet": noise(count, 1, 1e-4),
        "silence": np.zeros(count, np.float32),
        "chirp": chirp(count),
    }


def encoded(rate, frames, channels=1, samples=None):
    """Return a reader that claims a shape and decodes to `samples` (zeros by default), as a media decoder could."""
    made = np.zeros(min(frames, 10**6), np.float32) if samples is None else samples

    def read(_clip, _bounds, _poll):
        return SimpleNamespace(rate=rate, frames=frames, channels=channels, decode=lambda _: made)

    return read
