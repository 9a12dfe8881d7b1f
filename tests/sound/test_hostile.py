"""Bad input: each has its error, and the process that met it takes the next file."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.sound.makers import CLUSTER, encode, level_db, loudest_hz, tone, two_tones, wav

from tympan.cancel import Cancellation
from tympan.errors import (
    AudioTooLong,
    AudioTooShort,
    EmptyAudio,
    NoAudioStream,
    NonFiniteAudio,
    SampleRateRefused,
    TooManyChannels,
    TympanError,
    UndecodableAudio,
    UnreadableFile,
)
from tympan.settings import SoundSettings
from tympan.sound.pool import DecoderPool


def zip_file():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("speech.wav", wav(tone(400)))
    return out.getvalue()


def m4a(seconds=4.0):
    return encode(tone(400, seconds, 44_100), 44_100, "ipod", "aac")


def webm(seconds=4.0):
    return encode(tone(400, seconds, 48_000), 48_000, "webm", "libopus", options={"cluster_time_limit": "250"})


def mp3(seconds=11.0):
    return encode(tone(400, seconds, 44_100), 44_100, "mp3", "libmp3lame")


def png():
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes(9 * 8))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def not_finite():
    samples = tone(400)
    samples[1_600:1_603] = np.nan
    samples[20_000] = -np.inf
    return samples


BAD: dict[str, tuple[Callable[[], bytes], type[TympanError], str]] = {
    "empty": (lambda: b"", EmptyAudio, "empty"),
    "header only wav": (lambda: wav(np.zeros(0)), EmptyAudio, "no decodable sample"),
    "header only webm": (lambda: webm()[: webm().index(CLUSTER)], UndecodableAudio, "without readable content"),
    "one sample": (lambda: wav(np.zeros(1)), AudioTooShort, "0.1 seconds"),
    "0.05 s": (lambda: wav(tone(400, 0.05)), AudioTooShort, "0.1 seconds"),
    "text": (lambda: b"Dear sir or madam, " * 40, UndecodableAudio, "it is text"),
    "text in another script": (lambda: "Добрый день. ".encode() * 400, UndecodableAudio, "it is text"),
    "json": (lambda: json.dumps({"file": "speech.wav"}).encode(), UndecodableAudio, "it is JSON"),
    "html": (lambda: b"<!DOCTYPE html><html><body>404</body></html>", UndecodableAudio, "it is an HTML page"),
    "xml": (lambda: b"<?xml version='1.0'?><Error>AccessDenied</Error>", UndecodableAudio, "it is XML"),
    "zip": (zip_file, UndecodableAudio, "it is a ZIP archive"),
    "pdf": (lambda: b"%PDF-1.7\n" + bytes(200), UndecodableAudio, "it is a PDF document"),
    "png": (png, UndecodableAudio, "it is a PNG image"),
    "zeros": (lambda: bytes(10_000), UndecodableAudio, "not recognised"),
    "webm piece": (lambda: webm()[webm().index(CLUSTER) :], UndecodableAudio, "without the header"),
    "m4a cut before its index": (
        lambda: m4a()[: m4a().index(b"moov") - 4],
        UndecodableAudio,
        "without a readable index",
    ),
    "video only": (lambda: encode(tone(400), 16_000, "mp4", "aac", picture="video", sound=False), NoAudioStream, "mp4"),
    "not finite f32": (lambda: wav(not_finite(), kind="f32"), NonFiniteAudio, "4 samples.*first at 0.100"),
    "not finite f64": (lambda: wav(not_finite(), 8_000, kind="f64"), NonFiniteAudio, "4 samples.*first at 0.200"),
    "2 GHz": (lambda: wav(tone(400), 2_000_000_000), SampleRateRefused, "2000000000 Hz"),
    "100 Hz": (lambda: wav(tone(40), 100), SampleRateRefused, "100 Hz"),
    "rate 0": (lambda: wav(tone(400), 0), UndecodableAudio, "header cannot be read"),
    "64 channels": (lambda: wav(np.zeros((64, 4_000))), TooManyChannels, "64 channels; at most 16"),
    "no channel": (lambda: wav(tone(400))[:22] + b"\0\0" + wav(tone(400))[24:], EmptyAudio, "no decodable sample"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_a_clear_error(decode, name):
    make, kind, sentence = BAD[name]
    with pytest.raises(kind, match=sentence) as caught:
        decode(make())
    assert caught.value.status == 400
    assert caught.value.param == "file"
    decode(wav(tone(400)))


@pytest.mark.parametrize("channels_apart", [False, True])
def test_random_bytes_never_become_a_long_sound(decode, channels_apart):
    with pytest.raises(TympanError):
        decode(np.random.default_rng(1).bytes(100_000), split=channels_apart)


@pytest.mark.parametrize(
    "playlist",
    [
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile://{path}\n#EXT-X-ENDLIST\n",
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{path}\n#EXT-X-ENDLIST\n",
        "ffconcat version 1.0\nfile {path}\n",
        "ffconcat version 1.0\nfile 'file:{path}'\n",
        "[playlist]\nFile1={path}\nNumberOfEntries=1\n",
        "<?xml version='1.0'?><MPD><BaseURL>{path}</BaseURL></MPD>",
    ],
)
@pytest.mark.parametrize("as_path", [False, True])
def test_a_playlist_cannot_open_another_file(decode, tmp_path, playlist, as_path):
    other = tmp_path / "secret.wav"
    other.write_bytes(wav(tone(400)))
    listing = tmp_path / "list.m3u8"
    listing.write_text(playlist.format(path=other))
    with pytest.raises(UndecodableAudio, match="it is a playlist"):
        decode(listing if as_path else listing.read_bytes())


def test_a_path_that_cannot_be_read_is_named(decode, tmp_path):
    with pytest.raises(UnreadableFile, match=r"nothing\.wav: No such file"):
        decode(tmp_path / "nothing.wav")
    with pytest.raises(UnreadableFile, match="directory"):
        decode(tmp_path)


@pytest.mark.parametrize(("make", "seconds"), [(mp3, 11.0), (webm, 4.0)])
def test_a_truncated_file_gives_what_there_is_and_says_so(decode, make, seconds):
    data = make()
    decoded = decode(data[: len(data) // 2])
    length = decoded.samples.shape[1] / 16_000
    assert length == pytest.approx(seconds / 2, rel=0.15)
    assert loudest_hz(decoded.samples[0]) == pytest.approx(400, abs=3)
    assert any(f"declares {seconds:.1f} s" in warning for warning in decoded.report.warnings)


def test_a_truncated_m4a_with_its_index_in_front_says_so(decode):
    data = encode(tone(400, 4, 44_100), 44_100, "ipod", "aac", options={"movflags": "faststart"})
    decoded = decode(data[: len(data) * 2 // 3])
    assert 1.5 < decoded.samples.shape[1] / 16_000 < 3.5
    assert any("declares 4.0 s" in warning for warning in decoded.report.warnings)


def damaged(data, start, length):
    noise = np.random.default_rng(2).bytes(length)
    return data[:start] + noise + data[start + length :]


@pytest.mark.parametrize("make", [mp3, m4a, webm])
def test_damage_in_the_middle_costs_little_and_is_said(decode, make):
    whole = decode(make()).samples.shape[1]
    data = make()
    decoded = decode(damaged(data, len(data) // 2, len(data) // 25))
    assert 0.9 * whole <= decoded.samples.shape[1] <= 1.02 * whole
    assert decoded.report.bad_packets or decoded.report.warnings
    assert decoded.report.warnings
    tail = decoded.samples[0][-16_000:-2_000]
    assert loudest_hz(tail) == pytest.approx(400, abs=3)
    assert level_db(tail) == pytest.approx(-6, abs=1.5)


def test_max_seconds_is_counted_before_a_block_is_given(decode, pool):
    data = wav(tone(400, 3))
    assert decode(data, max_seconds=3.0).samples.shape[1] == 48_000
    assert decode(data, max_seconds=2.8).samples.shape[1] == 48_000  # a quarter second of padding is no overrun
    with pytest.raises(AudioTooLong, match=r"longer than the 2\.5 seconds") as caught:
        pool.open(data, max_seconds=2.5, cancellation=Cancellation())
    assert (caught.value.param, caught.value.status) == ("max_seconds", 413)


@pytest.mark.parametrize("declares", [True, False])
def test_the_operators_bound(declares):
    samples = tone(400, 4.5, 44_100)
    options = {} if declares else {"write_xing": "0"}
    data = encode(samples, 44_100, "mp3", "libmp3lame", options=options)
    pool = DecoderPool(SoundSettings(workers=1, max_workers=1, max_seconds=2.5))
    try:
        if declares:  # then it is refused at once, else when the count passes the bound
            with pytest.raises(AudioTooLong, match=r"2\.5 seconds") as caught:
                pool.open(data, cancellation=Cancellation())
        else:
            decoding = pool.open(data, cancellation=Cancellation())
            with pytest.raises(AudioTooLong, match=r"2\.5 seconds") as caught:
                list(decoding)
        assert caught.value.param == "file"
    finally:
        pool.close()


SMALL = {
    "wav": wav(two_tones(seconds=0.3), kind="f32"),
    "mp3": encode(tone(400, 0.3, 44_100), 44_100, "mp3", "libmp3lame"),
    "m4a": encode(tone(400, 0.3, 44_100), 44_100, "ipod", "aac"),
    "webm": encode(tone(400, 0.3, 48_000), 48_000, "webm", "libopus"),
    "ogg": encode(tone(400, 0.3, 48_000), 48_000, "ogg", "libopus"),
    "flac": encode(tone(400, 0.3, 16_000), 16_000, "flac", "flac"),
}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(
    name=st.sampled_from(sorted(SMALL)),
    changes=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), max_size=12),
    cut=st.one_of(st.none(), st.floats(0, 1)),
    split=st.booleans(),
)
def test_any_mutation_gives_blocks_or_an_error_of_ours(decode, name, changes, cut, split):
    data = bytearray(SMALL[name])
    for place, value in changes:
        data[int(place**2 * len(data))] = value  # headers are in front, and matter more
    if cut is not None:
        del data[int(cut * len(data)) :]
    try:
        decode(bytes(data), split=split)
    except TympanError as error:
        assert error.status in (400, 413)  # noqa: PT017  (either outcome is right)


def test_a_length_of_nonsense_in_a_header_asks_for_no_memory(decode):
    data = bytearray(wav(tone(400)))
    data[16:20] = struct.pack("<I", 2**31 - 1)  # the size of the fmt chunk
    with pytest.raises(TympanError):
        decode(bytes(data))
