"""Every kind of file: the right content, in the right place, at the right length."""

from fractions import Fraction

import av
import numpy as np
import pytest
from tests.sound.makers import (
    CLUSTER,
    encode,
    level_db,
    loudest_hz,
    tone,
    tone_db,
    two_tones,
    wav,
    with_unknown_cluster_sizes,
)

from tympan.cancel import Cancellation
from tympan.errors import AudioTooLong
from tympan.sound.media import BLOCK_SAMPLES

PADDING_S = 0.06  # what an encoder may add behind the last sample: up to two frames of 1024 at 44.1 kHz
START_S = 0.004  # how exactly the change between the tones can be found


def turning_point_s(samples):
    """Where 400 Hz ends and 1000 Hz begins, from the share of each in windows of 20 ms around every sample."""
    time = np.arange(len(samples)) / 16_000
    window = np.ones(320) / 320
    low, high = (np.abs(np.convolve(samples * np.exp(-2j * np.pi * f * time), window, "same")) for f in (400, 1000))
    middle = slice(8_000, 24_000)
    return 0.5 + int(np.argmax((high > low)[middle])) / 16_000


def check_two_tones(samples, *, padding_s=0.0, delay_s=0.0):
    assert loudest_hz(samples[2_000:14_000]) == pytest.approx(400, abs=2)
    assert loudest_hz(samples[18_000:30_000]) == pytest.approx(1000, abs=2)
    assert level_db(samples[2_000:14_000]) == pytest.approx(-6, abs=1.5)
    assert turning_point_s(samples) == pytest.approx(1.0 + delay_s, abs=START_S)
    assert 31_998 + min(0.0, delay_s) * 16_000 <= len(samples) <= 32_002 + padding_s * 16_000


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, 96_000])
@pytest.mark.parametrize("kind", ["u8", "s16", "s24", "s32", "f32", "f64", "mulaw", "alaw"])
def test_wav_of_every_kind_and_rate(decode, kind, rate):
    decoded = decode(wav(two_tones(rate), rate, kind))
    assert (decoded.info.container, decoded.info.rate, decoded.info.channels) == ("wav", rate, 1)
    assert decoded.info.seconds == pytest.approx(2.0, abs=0.001)
    assert decoded.report.warnings == ()
    check_two_tones(decoded.samples[0])


@pytest.mark.parametrize(
    "facts",
    [{"data_size": 0}, {"data_size": 2**32 - 1}, {"extensible": True}, {"extensible": True, "kind": "f32"}],
    ids=str,
)
def test_wav_headers_as_streams_and_recorders_write_them(decode, facts):
    decoded = decode(wav(two_tones(), **facts))
    assert decoded.report.warnings == ()
    check_two_tones(decoded.samples[0])


# container, codec, rate, options, and the seconds that an encoder adds in front where the container cannot say so
# (FFmpeg's wmav2 gives nothing for its first packet instead).
CONTAINERS = [
    ("mp3", "libmp3lame", 44_100, {}, 0.0),
    ("mp3", "libmp3lame", 22_050, {}, 0.0),
    ("ipod", "aac", 44_100, {}, 0.0),  # m4a, index at the end
    ("ipod", "aac", 44_100, {"movflags": "faststart"}, 0.0),
    ("ipod", "aac", 44_100, {"movflags": "frag_keyframe+empty_moov+delay_moov"}, 0.0),
    ("mp4", "alac", 44_100, {}, 0.0),
    ("mov", "pcm_s16le", 16_000, {}, 0.0),
    ("3gp", "aac", 16_000, {}, 0.0),
    ("adts", "aac", 24_000, {}, 1024 / 24_000),
    ("ogg", "libopus", 48_000, {}, 0.0),
    ("ogg", "flac", 16_000, {}, 0.0),
    ("webm", "libopus", 48_000, {}, 0.0),
    ("matroska", "flac", 48_000, {}, 0.0),
    ("flac", "flac", 44_100, {}, 0.0),
    ("aiff", "pcm_s16be", 44_100, {}, 0.0),
    ("caf", "pcm_s16le", 44_100, {}, 0.0),
    ("au", "pcm_mulaw", 8_000, {}, 0.0),
    ("wv", "wavpack", 44_100, {}, 0.0),
    ("w64", "pcm_s16le", 44_100, {}, 0.0),
    ("amr", "libopencore_amrnb", 8_000, {}, 0.005),
    ("asf", "wmav2", 44_100, {}, -2048 / 44_100),
    ("mpegts", "aac", 48_000, {}, 1024 / 48_000),
]


@pytest.mark.parametrize(("container", "codec", "rate", "options", "delay_s"), CONTAINERS)
def test_containers(decode, container, codec, rate, options, delay_s):
    bit_rate = 128_000 if codec == "wmav2" else None
    decoded = decode(encode(two_tones(rate), rate, container, codec, options=options, bit_rate=bit_rate))
    assert decoded.info.rate == rate
    assert decoded.report.warnings == ()
    check_two_tones(decoded.samples[0], padding_s=PADDING_S + abs(delay_s), delay_s=delay_s)


@pytest.mark.parametrize("unknown_sizes", [False, True], ids=["no duration", "clusters of unknown size, too"])
def test_a_browser_recording_loses_nothing(decode, unknown_sizes):
    data = encode(two_tones(48_000), 48_000, "webm", "libopus", options={"cluster_time_limit": "500"}, live=True)
    assert data.count(CLUSTER) >= 3
    decoded = decode(with_unknown_cluster_sizes(data) if unknown_sizes else data)
    assert decoded.info.seconds is None
    check_two_tones(decoded.samples[0])


@pytest.mark.parametrize(("container", "codec"), [("mp4", "aac"), ("matroska", "libopus")])
def test_the_sound_of_a_video(decode, container, codec):
    decoded = decode(encode(two_tones(48_000), 48_000, container, codec, picture="video"))
    assert decoded.report.warnings == ()
    check_two_tones(decoded.samples[0], padding_s=PADDING_S)


@pytest.mark.parametrize(("container", "codec"), [("mp3", "libmp3lame"), ("mp4", "aac")])
def test_cover_art_does_not_disturb(decode, container, codec):
    decoded = decode(encode(two_tones(44_100), 44_100, container, codec, picture="cover"))
    check_two_tones(decoded.samples[0], padding_s=PADDING_S)


@pytest.mark.parametrize("name", ["speech.wav", "speech.mp3", "list.m3u8", "blob"])
def test_a_file_is_what_it_holds_and_not_what_it_is_called(decode, tmp_path, name):
    (tmp_path / name).write_bytes(encode(two_tones(44_100), 44_100, "ipod", "aac"))
    decoded = decode(tmp_path / name)
    assert decoded.info.container == "mp4"
    check_two_tones(decoded.samples[0], padding_s=PADDING_S)


def test_an_mp3_without_a_stated_length_gives_none_and_no_warning(decode):
    data = encode(two_tones(44_100), 44_100, "mp3", "libmp3lame", options={"write_xing": "0", "id3v2_version": "0"})
    decoded = decode(data)
    assert decoded.info.seconds is None
    assert decoded.report.warnings == ()


def test_resampling_does_not_alias(decode):
    inside = decode(wav(tone(7_000, 2, 24_000), 24_000, "f32")).samples[0][800:-800]
    beyond = decode(wav(tone(9_000, 2, 24_000), 24_000, "f32")).samples[0][800:-800]
    assert tone_db(inside, 7_000) == pytest.approx(-6.4, abs=0.3)
    assert tone_db(beyond, 7_000) < tone_db(inside, 7_000) - 60
    assert level_db(beyond) < -66


def test_a_stream_that_changes_rate_and_channels_on_the_way(decode):
    first = encode(tone(400, 1, 44_100), 44_100, "adts", "aac")
    second = encode(np.stack([tone(1000, 1, 24_000)] * 2), 24_000, "adts", "aac")
    samples = decode(first + second).samples
    assert samples.shape[1] == pytest.approx(32_000, abs=2 * PADDING_S * 16_000)
    assert loudest_hz(samples[0][2_000:14_000]) == pytest.approx(400, abs=3)
    assert loudest_hz(samples[0][-14_000:-2_000]) == pytest.approx(1000, abs=3)
    split = decode(second + first, split=True).samples
    assert split.shape[0] == 2
    assert loudest_hz(split[1][-14_000:-2_000]) == pytest.approx(400, abs=3)


def test_blocks_have_their_size_and_the_last_is_what_is_left(pool):
    with pool.open(wav(tone(400, 5)), cancellation=Cancellation()) as decoding:
        sizes = [block.channels.shape for block in decoding]
    assert sizes == [(1, BLOCK_SAMPLES), (1, BLOCK_SAMPLES), (1, 80_000 - 2 * BLOCK_SAMPLES)]


@pytest.mark.parametrize(
    ("container", "codec", "channels"), [("wav", "", 16), ("ogg", "libopus", 8), ("mp4", "aac", 6)]
)
def test_channels_stay_apart_when_split(decode, container, codec, channels):
    frequencies = [200 + 100 * channel for channel in range(channels)]
    samples = np.stack([tone(frequency, 1, 48_000, 0.3) for frequency in frequencies])
    data = wav(samples, 48_000) if container == "wav" else encode(samples, 48_000, container, codec, bit_rate=512_000)
    decoded = decode(data, split=True)
    assert decoded.samples.shape[0] == channels == decoded.info.channels
    found = sorted(round(loudest_hz(channel[1_000:15_000]) / 10) * 10 for channel in decoded.samples)
    # The low-frequency channel of a surround layout keeps nothing above 120 Hz in some encoders.
    assert len(set(found) & set(frequencies)) >= channels - (container != "wav")


def test_samples_beyond_full_scale_are_clipped_and_counted(decode):
    loud = tone(400, 1)
    loud[4_000:4_100] = 3.0
    decoded = decode(wav(loud, kind="f32"))
    assert decoded.report.clipped == 100
    assert decoded.samples[0][4_050] == 1.0
    assert any("beyond full scale" in warning for warning in decoded.report.warnings)


def test_a_pause_in_the_timestamps_is_silence_so_that_times_stay_true(decode, tmp_path):
    path = tmp_path / "paused.mka"
    with av.open(str(path), "w") as file:
        stream = file.add_stream("pcm_s16le", rate=16_000, layout="mono")
        for start, frequency in ((0, 400), (3 * 16_000, 1000)):
            pcm = np.round(tone(frequency, 1) * 32767).astype(np.int16)[None]
            frame = av.AudioFrame.from_ndarray(pcm, format="s16", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = 16_000, start, Fraction(1, 16_000)
            file.mux(stream.encode(frame))
    with pytest.raises(AudioTooLong):
        decode(path, max_seconds=2.5)
    decoded = decode(path, max_seconds=4.0)
    samples = decoded.samples[0]
    assert len(samples) == 64_000
    assert level_db(samples[16_100:47_900]) < -100
    assert loudest_hz(samples[48_100:63_900]) == pytest.approx(1000, abs=2)
    assert decoded.report.warnings == ("2.0 s without data are silence, so that times stay those of the file.",)
