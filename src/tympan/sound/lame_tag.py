"""The frame in front of an MP3 that says how much of what a decoder makes is the encoder's own.

A silent frame with an `Info` header (Xing's, for constant bit rates) and LAME's extension of it. Decoders
that cut the delay off read it, others skip it. Layout: "MP3 Info Tag revision 1", gabriel.mp3-tech.org/mp3infotag.html.
"""

from __future__ import annotations

import struct

MP3_RATE = 48_000  # Hz
MP3_BIT_RATE = 80_000
FRAME_SAMPLES = 1_152  # MPEG-1 layer III
FRAME_BYTES = FRAME_SAMPLES // 8 * MP3_BIT_RATE // MP3_RATE  # 240: divides evenly, so no frame is padded
# MPEG-1 layer III without checksum; bit rate 6 in its table (80 kbit/s), rate 1 (48 kHz); mono, marked as original.
FRAME_HEADER = bytes((0xFF, 0xFB, 6 << 4 | 1 << 2, 0xC4))
SIDE_INFO_BYTES = 17  # MPEG-1 mono; all zero: a frame of silence
ENCODER_DELAY = 576  # samples that LAME puts in front; a decoder adds 529 of its own, and knows that

FRAMES_KNOWN = 0x1
BYTES_KNOWN = 0x2
CONSTANT_BIT_RATE = 1


def info_frame(*, audio_frames: int | None = None, samples: int = 0) -> bytes:
    """Return the frame: 240 bytes, with the delay, and where `audio_frames` is known with length and padding.

    `samples` is how many went into those frames, at 48 kHz.
    """
    padding = 0
    if audio_frames is None:
        index = struct.pack(">4sI", b"Info", 0)
    else:
        padding = audio_frames * FRAME_SAMPLES - ENCODER_DELAY - samples
        size = (audio_frames + 1) * FRAME_BYTES
        index = struct.pack(">4sIII", b"Info", FRAMES_KNOWN | BYTES_KNOWN, audio_frames, size)
    # Encoder, method, low-pass and gain (not told), bit rate, delay and padding of 12 bits each, then nothing known.
    lame = struct.pack(">9sB10xB3s12x", b"LAME3.100", CONSTANT_BIT_RATE, MP3_BIT_RATE // 1_000,
                       (ENCODER_DELAY << 12 | padding).to_bytes(3, "big"))  # fmt: skip
    return (FRAME_HEADER + bytes(SIDE_INFO_BYTES) + index + lame).ljust(FRAME_BYTES, b"\0")
