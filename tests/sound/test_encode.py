"""Six formats, read back by two readers that share no code: FFmpeg (PyAV) and libsndfile with mpg123 and libopus.

libsndfile has no AAC: there the frames are counted by their headers. And it cannot read a FLAC of unknown
length to its end: of those only the head differs.
"""

import io
import struct
import subprocess
import sys
import wave
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile
from tests.sound.makers import level_db, loudest_hz, tone

from tympan.sound.compressed import Mp3Encoder
from tympan.sound.encode import FORMATS, MEDIA_TYPES, encode, finite, open_encoder, to_int16
from tympan.sound.lame_tag import FRAME_BYTES, FRAME_HEADER, info_frame
from tympan.sound.waveform import SPEECH_RATE

LOSSLESS = ["flac", "wav", "pcm"]
SLACK_S = 0.05
STEP = 1 / 32_768


def speech_like(seconds=2.0):
    """A tone of 440 Hz at -6 dB, float32 [n]."""
    return tone(440, seconds, SPEECH_RATE).astype(np.float32)


def streamed(samples, speech_format, piece=2_400):
    encoder = open_encoder(speech_format)
    written = [encoder.push(samples[at : at + piece]) for at in range(0, len(samples), piece)]
    return b"".join([*written, encoder.finish()])


def rewritten(samples, speech_format):
    """A file that is written as a stream, and its head once more at the end."""
    encoder = open_encoder(speech_format)
    written = encoder.push(samples) + encoder.finish()
    return encoder.head() + written[len(encoder.head()) :]


WAYS = {"streamed": streamed, "whole": encode, "rewritten": rewritten}


def read_by_ffmpeg(data, speech_format):
    if speech_format == "pcm":
        return np.frombuffer(data, "<i2") * STEP, SPEECH_RATE
    with av.open(io.BytesIO(data), "r") as container:
        stream = container.streams.audio[0]
        frames = [frame.to_ndarray() for frame in container.decode(stream)]
    samples = np.concatenate(frames, axis=1)[0]
    return samples * (STEP if samples.dtype == np.int16 else 1.0), stream.rate


def read_by_another(data, speech_format):
    if speech_format == "pcm":
        return np.array(struct.unpack(f"<{len(data) // 2}h", data)) * STEP, SPEECH_RATE
    if speech_format == "aac":
        return np.zeros(1_024 * adts_frames(data)), 48_000
    return soundfile.read(io.BytesIO(data))


def adts_frames(data):
    """How many ADTS frames follow each other without a gap (ISO 13818-7, 6.2): AAC-LC, 48 kHz, mono, no CRC."""
    at = frames = 0
    while at < len(data):
        assert data[at : at + 2] == b"\xff\xf1"
        assert data[at + 2] >> 6 == 1  # profile: LC
        assert data[at + 2] >> 2 & 15 == 3  # sampling frequency: 48 kHz
        assert (data[at + 2] & 1) << 2 | data[at + 3] >> 6 == 1  # channels
        at += (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
        frames += 1
    assert at == len(data)
    return frames


READERS = {"ffmpeg": read_by_ffmpeg, "another": read_by_another}


def test_every_format_has_a_media_type():
    assert set(MEDIA_TYPES) == set(FORMATS)
    assert MEDIA_TYPES["mp3"] == "audio/mpeg"


CASES = [
    (speech_format, way, reader)
    for speech_format in FORMATS
    for way in WAYS
    for reader in READERS
    if (speech_format, way, reader) != ("flac", "streamed", "another")
]


@pytest.mark.parametrize(("speech_format", "way", "reader"), CASES)
def test_what_is_read_is_what_was_made(speech_format, way, reader):
    samples = speech_like()
    read, rate = READERS[reader](WAYS[way](samples, speech_format), speech_format)
    assert 0 <= len(read) / rate - len(samples) / SPEECH_RATE <= SLACK_S
    if (speech_format, reader) != ("aac", "another"):
        inside = read[rate // 2 : rate * 3 // 2]
        assert loudest_hz(inside, rate) == pytest.approx(440, abs=1.5)
        assert level_db(inside) == pytest.approx(-6.02, abs=0.15)


# Around one frame of each coder, and where two tenths of a frame decide over one frame more.
LENGTHS = [1, 2, 21, 22, 239, 240, 241, 511, 512, 513, 575, 576, 577, 863, 864, 865, 1_024, 1_152, 2_304, 12_345]


@pytest.mark.parametrize(("speech_format", "way", "reader"), CASES)
def test_length_within_50_ms_whatever_the_length(speech_format, way, reader):
    for length in LENGTHS:
        read, rate = READERS[reader](WAYS[way](speech_like()[:length], speech_format), speech_format)
        assert 0 <= len(read) / rate - length / SPEECH_RATE <= SLACK_S, length


@pytest.mark.parametrize("speech_format", ["mp3", "opus", "flac", "wav"])
def test_a_file_whose_length_is_known_has_exactly_that_length(speech_format):
    for length in (500, 23_456):
        samples = speech_like()[:length]
        for read in READERS.values():
            decoded, rate = read(encode(samples, speech_format), speech_format)
            assert len(decoded) == length * rate // SPEECH_RATE


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("speech_format", FORMATS)
def test_first_and_last_samples_are_there(speech_format, way):
    burst = tone(1_000, 0.02, SPEECH_RATE)
    samples = np.zeros(SPEECH_RATE, np.float32)
    samples[: len(burst)] = samples[-len(burst) :] = burst
    read, rate = read_by_ffmpeg(WAYS[way](samples, speech_format), speech_format)
    half = len(read) // 2
    for part in (read[:half], read[half:]):
        heard = np.flatnonzero(np.abs(part) > 0.15)
        assert (heard[-1] - heard[0]) / rate == pytest.approx(0.02, abs=0.001)
        energy = np.sum(np.square(part)) / rate
        assert energy == pytest.approx(np.sum(np.square(burst)) / SPEECH_RATE, rel=0.35)


@pytest.mark.parametrize("speech_format", FORMATS)
def test_pieces_give_what_the_whole_gives(speech_format):
    samples = speech_like(1.0)
    whole, _ = read_by_ffmpeg(streamed(samples, speech_format, len(samples)), speech_format)
    for piece in (1_000, 17_777) if speech_format not in LOSSLESS else (61, 1_000, 17_777):
        read, _ = read_by_ffmpeg(streamed(samples, speech_format, piece), speech_format)
        np.testing.assert_array_equal(read, whole)


@pytest.mark.parametrize(("speech_format", "head_bytes"), [("mp3", 240), ("flac", 42), ("wav", 44), ("aac", 0)])
def test_a_file_differs_from_a_stream_in_its_head_only(speech_format, head_bytes):
    stream, file = streamed(speech_like(), speech_format), encode(speech_like(), speech_format)
    assert stream[head_bytes:] == file[head_bytes:]
    assert (stream == file) is (head_bytes == 0)


def test_an_empty_piece_is_not_the_end():
    for speech_format in FORMATS:
        encoder = open_encoder(speech_format)
        data = encoder.push(np.empty(0, np.float32)) + encoder.push(speech_like(0.5))
        data += encoder.push(np.empty(0, np.float32)) + encoder.push(speech_like(0.5)) + encoder.finish()
        read, rate = read_by_ffmpeg(data, speech_format)
        assert len(read) / rate >= 1.0


@pytest.mark.parametrize("speech_format", LOSSLESS)
def test_samples_are_rounded_and_clipped_never_wrapped(speech_format):
    given = [0.0, 0.5, -0.5, 0.6 * STEP, 1.0, -1.0, 1.5, -1.5, 1e30, np.inf, -np.inf, np.nan]
    kept = [0, 16_384, -16_384, 1, 32_767, -32_768, 32_767, -32_768, 32_767, 32_767, -32_768, 0]
    read, _ = read_by_ffmpeg(encode(np.array(given, np.float32), speech_format), speech_format)
    assert (read / STEP).tolist() == kept


@pytest.mark.parametrize("speech_format", ["mp3", "opus", "aac"])
def test_too_loud_speech_stays_in_phase_in_lossy_formats(speech_format):
    read, rate = read_by_ffmpeg(encode(4 * speech_like(), speech_format), speech_format)
    inside = read[rate // 2 : rate * 3 // 2]
    assert loudest_hz(inside, rate) == pytest.approx(440, abs=1.5)
    assert 0 < level_db(inside) < 3  # a clipped tone, neither wrapped into noise nor louder than full scale


@pytest.mark.parametrize("speech_format", FORMATS)
def test_silence_stays_silent(speech_format):
    read, rate = read_by_ffmpeg(encode(np.zeros(SPEECH_RATE, np.float32), speech_format), speech_format)
    assert len(read) >= rate
    assert np.abs(read).max() < 2 * STEP


@pytest.mark.parametrize(
    ("speech_format", "header_bytes"), [("mp3", 240), ("aac", 0), ("flac", 42), ("wav", 44), ("pcm", 0), ("opus", None)]
)
def test_without_a_sample_there_is_only_the_header(speech_format, header_bytes):
    nothing = np.empty(0, np.float32)
    assert len(encode(nothing, speech_format)) == len(open_encoder(speech_format).finish())
    if header_bytes is None:
        assert encode(nothing, speech_format).startswith(b"OggS")
    else:
        assert len(encode(nothing, speech_format)) == header_bytes


def test_a_streamed_wav_has_unknown_sizes_and_nothing_after_the_samples():
    samples = speech_like()
    data = streamed(samples, "wav")
    assert data[:4] == b"RIFF"
    assert data[4:8] == data[40:44] == b"\xff\xff\xff\xff"
    assert data[44:] == to_int16(samples).tobytes()


def test_a_whole_wav_has_its_sizes():
    samples = speech_like()
    data = encode(samples, "wav")
    assert struct.unpack_from("<I", data, 4) == (len(data) - 8,)
    with wave.open(io.BytesIO(data)) as file:
        assert file.getparams()[:4] == (1, 2, SPEECH_RATE, len(samples))
        assert file.readframes(len(samples)) == to_int16(samples).tobytes()


def test_a_whole_flac_says_its_length_and_checksum():
    data = encode(speech_like(), "flac")
    assert soundfile.info(io.BytesIO(data)).frames == len(speech_like())
    assert any(data[26:42])  # MD5 of the samples, RFC 9639 section 8.2


def test_the_info_frame_is_a_frame_like_those_behind_it():
    data = encode(speech_like(), "mp3")
    assert len(data) % FRAME_BYTES == 0
    for at in range(0, len(data), FRAME_BYTES):
        assert data[at : at + 4] == FRAME_HEADER
    frames = len(data) // FRAME_BYTES - 1
    assert data[:FRAME_BYTES] == info_frame(audio_frames=frames, samples=2 * len(speech_like()))


def test_the_head_is_as_long_as_what_it_replaces():
    encoder = Mp3Encoder()
    first = encoder.push(speech_like())
    encoder.finish()
    assert len(encoder.head()) == FRAME_BYTES
    assert first[:FRAME_BYTES] == info_frame()


@pytest.mark.parametrize("speech_format", FORMATS)
def test_the_first_half_second_leaves_at_once(speech_format):
    encoder = open_encoder(speech_format)
    read, rate = read_by_ffmpeg(encoder.push(speech_like(0.5)), speech_format)
    assert len(read) / rate >= 0.35
    assert np.abs(read).max() > 0.4


@pytest.mark.parametrize(
    ("speech_format", "minutes"), [("mp3", 2), ("aac", 2), ("opus", 10), ("flac", 10), ("wav", 10), ("pcm", 10)]
)
def test_long_speech_takes_no_memory(speech_format, minutes):
    piece = speech_like(10.0)
    encoder = open_encoder(speech_format)
    for _ in range(3):
        encoder.push(piece)
    before = resident_mib()
    for _ in range(minutes * 6 - 3):
        encoder.push(piece)
    assert resident_mib() - before < 4  # what was pushed is 10 MiB in two minutes, 55 in ten


def resident_mib():
    if sys.platform != "linux":
        pytest.skip("reads /proc")
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4_096 / 2**20


def test_ffmpeg_is_loaded_by_the_encoders_that_need_it():
    script = """
import sys
from tympan.sound.encode import open_encoder
open_encoder("wav"), open_encoder("pcm")
assert "av" not in sys.modules
open_encoder("mp3")
assert "av" in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_finite_leaves_good_samples_as_they_are():
    samples = speech_like(0.1)
    np.testing.assert_array_equal(finite(samples), samples)
    assert finite(np.array([np.nan, np.inf, -np.inf, 2], np.float32)).tolist() == [0, 1, -1, 1]
