"""Media made for tests: tones whose frequency and place are known, in any container."""

import io
import struct
import tempfile
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

SECONDS = 2.0
PCM_FORMATS = {"u8": 1, "s16": 1, "s24": 1, "s32": 1, "f32": 3, "f64": 3, "alaw": 6, "mulaw": 7}  # WAVE format tags


def tone(frequency, seconds=SECONDS, rate=16_000, level=0.5):
    """A sine, float64 [n]."""
    return level * np.sin(2 * np.pi * frequency * np.arange(round(seconds * rate)) / rate)


def two_tones(rate=16_000, seconds=SECONDS):
    """400 Hz in the first half, 1000 Hz in the second, float64 [n]."""
    half = round(seconds * rate) // 2
    return np.concatenate([tone(400, seconds, rate)[:half], tone(1000, seconds, rate)[half:]])


def loudest_hz(samples, rate=16_000):
    """The frequency with the most energy."""
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples))))
    return float(np.argmax(spectrum) * rate / len(samples))


def level_db(samples):
    """RMS level relative to a full-scale sine's."""
    return float(10 * np.log10(2 * np.mean(np.square(np.asarray(samples, np.float64))) + 1e-20))


def tone_db(samples, frequency, rate=16_000):
    """The level of one frequency in dB relative to a full-scale sine's."""
    window = np.blackman(len(samples))
    turn = np.exp(-2j * np.pi * frequency * np.arange(len(samples)) / rate)
    return float(20 * np.log10(2 * abs(np.sum(samples * window * turn)) / np.sum(window) + 1e-12))


def pcm(samples, kind):
    """Float [C, n] as the bytes of a WAVE data chunk."""
    samples = np.atleast_2d(samples).T
    if kind == "u8":
        return np.round(samples * 127 + 128).astype(np.uint8).tobytes()
    if kind == "s24":
        wide = np.round(samples * (2**23 - 1)).astype("<i4")
        return wide[..., None].view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    if kind in ("alaw", "mulaw"):
        return _companded(samples, kind)
    kinds = {"s16": ("<i2", 2**15 - 1), "s32": ("<i4", 2**31 - 1), "f32": ("<f4", 1), "f64": ("<f8", 1)}
    dtype, scale = kinds[kind]
    scaled = samples * scale
    return (scaled if scale == 1 else np.round(scaled)).astype(dtype).tobytes()


def _companded(samples, kind):
    codec = av.CodecContext.create("pcm_" + kind, "w")
    codec.sample_rate, codec.format, codec.layout = 8000, "s16", "mono"
    flat = np.round(samples.reshape(1, -1) * 32767).astype(np.int16)
    frame = av.AudioFrame.from_ndarray(flat, format="s16", layout="mono")
    frame.sample_rate = 8000
    return b"".join(bytes(packet) for packet in [*codec.encode(frame), *codec.encode(None)])


def wav(samples, rate=16_000, kind="s16", *, data_size=None, extensible=False, channels=None):
    """A WAVE file of float [n] or [C, n]; `data_size` writes another length, `channels` another count."""
    samples = np.atleast_2d(samples)
    data = pcm(samples, kind)
    count = channels or samples.shape[0]
    width = {"u8": 1, "alaw": 1, "mulaw": 1, "s16": 2, "s24": 3, "s32": 4, "f32": 4, "f64": 8}[kind]
    tag = PCM_FORMATS[kind]
    byte_rate = min(rate * count * width, 2**32 - 1)
    body = struct.pack("<HIIHH", count, rate, byte_rate, count * width, 8 * width)
    if extensible:
        guid = struct.pack("<H", tag) + bytes.fromhex("000000001000800000aa00389b71")
        fmt = struct.pack("<H", 0xFFFE) + body + struct.pack("<HHI", 22, 8 * width, 0) + guid
    else:
        fmt = struct.pack("<H", tag) + body
    size = len(data) if data_size is None else data_size
    header = b"WAVEfmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", size)
    return b"RIFF" + struct.pack("<I", min(len(header) + len(data), 2**32 - 1)) + header + data


CLUSTER = b"\x1f\x43\xb6\x75"  # Matroska's id of a cluster


def with_unknown_cluster_sizes(data):
    """A WebM file with the size of every cluster unknown: all bits of the number set (RFC 8794, section 6.2)."""
    changed = bytearray(data)
    at = changed.find(CLUSTER)
    while at >= 0:
        width = 9 - changed[at + 4].bit_length()
        changed[at + 4 : at + 4 + width] = ((1 << 7 * width + 1) - 1).to_bytes(width)
        at = changed.find(CLUSTER, at + 4)
    return bytes(changed)


class Unseekable(io.RawIOBase):
    """Where a live recorder writes: nothing can be written twice, so no duration and no sizes."""

    def __init__(self):
        self.written = bytearray()

    def writable(self):
        return True

    def write(self, data):
        self.written += bytes(data)
        return len(data)


def encode(samples, rate, container, codec, *, options=None, live=False, picture=None, bit_rate=None, sound=True):
    """Encode float [n] or [C, n]. `picture` is "video" or "cover"."""
    samples = np.atleast_2d(samples)
    if "faststart" in (options or {}).get("movflags", ""):  # the muxer opens its file a second time
        with tempfile.NamedTemporaryFile() as whole:
            _mux(whole.name, samples, rate, container, codec, options, picture, bit_rate, sound)
            return Path(whole.name).read_bytes()
    if live:
        stream = Unseekable()
        _mux(stream, samples, rate, container, codec, options, picture, bit_rate, sound)
        return bytes(stream.written)
    out = io.BytesIO()
    _mux(out, samples, rate, container, codec, options, picture, bit_rate, sound)
    return out.getvalue()


def _mux(out, samples, rate, container, codec, options, picture, bit_rate, sound):
    with av.open(out, "w", format=container, options=options or {}) as file:
        streams = []
        if sound:
            layout = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}[samples.shape[0]]
            audio = file.add_stream(codec, rate=rate, layout=layout)
            if bit_rate:
                audio.bit_rate = bit_rate
            streams.append(audio)
        if picture == "video":
            video = file.add_stream("mpeg4", rate=10, width=64, height=64, pix_fmt="yuv420p")
            for index in range(20):
                frame = av.VideoFrame.from_ndarray(np.full((64, 64, 3), index * 10, np.uint8), format="rgb24")
                frame.pts, frame.time_base = index, Fraction(1, 10)
                file.mux(video.encode(frame))
            file.mux(video.encode(None))
        if picture == "cover":
            cover = file.add_stream("mjpeg", rate=1, width=64, height=64, pix_fmt="yuvj420p")
            cover.disposition = av.stream.Disposition.attached_pic
            frame = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
            file.start_encoding()
            file.mux(cover.encode(frame))
            file.mux(cover.encode(None))
        if sound:
            packed = np.ascontiguousarray(samples.T, np.float32).reshape(1, -1)
            source = av.AudioFrame.from_ndarray(packed, format="flt", layout=layout)
            source.sample_rate, source.pts, source.time_base = rate, 0, Fraction(1, rate)
            size = audio.codec_context.frame_size or 1024
            resampler = av.AudioResampler(format=audio.codec_context.format, layout=layout, rate=rate, frame_size=size)
            for piece in [*resampler.resample(source), *resampler.resample(None)]:
                file.mux(audio.encode(piece))
            file.mux(audio.encode(None))
