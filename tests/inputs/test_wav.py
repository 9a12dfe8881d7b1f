import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.inputs.makers import ANY, chunk, clip, extensible, fmt, poll, riff, wav

from tympan.cancel import Cancellation
from tympan.errors import EmptyClip, InputError, LimitExceeded, MalformedClip, NonFiniteClip
from tympan.inputs.clips import SourceBounds
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.wav import BLOCK_VALUES, read_wav

FMT = chunk(b"fmt ", fmt())
DATA = chunk(b"data", b"\1\0\2\0")


def read(data, bounds=ANY):
    return read_wav(clip(data), bounds, poll())


def decode(data):
    return read(data).decode(poll())


def headered(head, body=b"\0" * 480):
    return riff(chunk(b"fmt ", head), chunk(b"data", body))


TAKEN = {
    "plain": riff(FMT, DATA),
    "a LIST before the data": riff(FMT, chunk(b"LIST", b"x" * 26), DATA),
    "an odd chunk with its pad byte": riff(FMT, chunk(b"junk", b"abc"), DATA),
    "data before fmt": riff(DATA, FMT),
    "junk behind the data is not looked at": riff(FMT, DATA, b"zzz"),
    "the last fmt counts": riff(chunk(b"fmt ", fmt(channels=0)), FMT, DATA),
    "the last data before a fmt counts": riff(chunk(b"data", b"\7\0"), DATA, FMT),
    "a streamed data size": riff(FMT, chunk(b"data", b"\1\0\2\0", 0xFFFFFFFF)),
    "a long fmt": riff(chunk(b"fmt ", fmt(extra=b"\0" * 30)), DATA),
    "255 chunks before the data": riff(FMT, *[chunk(b"junk", b"")] * 254, DATA),
    "extensible PCM": riff(chunk(b"fmt ", extensible()), DATA),
}


@pytest.mark.parametrize("data", TAKEN.values(), ids=TAKEN)
def test_what_is_taken(data):
    found = read(data)
    assert (found.rate, found.channels, found.frames) == (16000, 1, 2)
    np.testing.assert_array_equal(decode(data), np.array([1, 2], np.float32) / 32768)


def test_the_riff_size_is_never_read():
    for size in (0, 5, 0xFFFFFFFF):
        data = b"RIFF" + struct.pack("<I", size) + b"WAVE" + FMT + DATA
        assert read(data).frames == 2


REFUSED = {
    "nothing": (b"", "RIFF/WAVE"),
    "11 bytes": (b"RIFF\0\0\0\0WAV", "RIFF/WAVE"),
    "RIFX": (b"RIFX" + riff(FMT, DATA)[4:], "RIFF/WAVE"),
    "RF64": (b"RF64" + riff(FMT, DATA)[4:], "RIFF/WAVE"),
    "AVI": (riff(FMT, DATA).replace(b"WAVE", b"AVI "), "RIFF/WAVE"),
    "no chunk": (riff(), "no fmt"),
    "no data": (riff(FMT), "no data"),
    "no fmt": (riff(DATA), "no fmt"),
    "stray bytes while looking": (riff(FMT, b"1234567"), "ends within a chunk header"),
    "stray bytes behind data before fmt": (riff(DATA, FMT, b"1"), "ends within a chunk header"),
    "an odd chunk without its pad byte at the end": (riff(FMT, chunk(b"junk", b"abc", pad=False)), "ends within"),
    "a short fmt": (riff(chunk(b"fmt ", fmt()[:14]), DATA), "14 of 16"),
    "a cut-off data chunk": (riff(FMT, chunk(b"data", b"\0" * 4, 6)), "claims 6 bytes and 4"),
    "a streamed size elsewhere": (riff(FMT, chunk(b"LIST", b"", 0xFFFFFFFF), DATA), "claims"),
    "256 chunks before the data": (riff(FMT, *[chunk(b"junk", b"")] * 255, DATA), "no data"),
    "no channels": (headered(fmt(channels=0)), "0 channels"),
    "no rate": (headered(fmt(rate=0)), "at 0 Hz"),
    "8 bits": (headered(fmt(bits=8)), "neither"),
    "24 bits": (headered(fmt(bits=24)), "neither"),
    "32-bit integers": (headered(fmt(bits=32)), "neither"),
    "16-bit float": (headered(fmt(3, bits=16)), "neither"),
    "64-bit float": (headered(fmt(3, bits=64)), "neither"),
    "A-law": (headered(fmt(6, bits=8)), "neither"),
    "extensible with 12 valid bits": (headered(extensible(valid=12)), "neither"),
    "extensible with another GUID": (headered(extensible(tail=b"\1" * 14)), "neither"),
    "extensible and short": (headered(extensible()[:39]), "neither"),
    "extensible A-law": (headered(extensible(6, bits=8)), "neither"),
    "half a frame": (headered(fmt(channels=2), b"\0" * 6), "no multiple of the 4"),
    "six bytes of float": (headered(fmt(3, bits=32), b"\0" * 6), "no multiple"),
}


@pytest.mark.parametrize(("data", "says"), REFUSED.values(), ids=REFUSED)
def test_what_is_malformed(data, says):
    with pytest.raises(MalformedClip, match=says) as caught:
        read(data)
    assert caught.value.clip == 1
    assert caught.value.status == 400


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF])
def test_no_samples(size):
    with pytest.raises(EmptyClip):
        read(riff(FMT, chunk(b"data", b"", size)))


def test_bounds_at_their_value_and_one_past():
    bounds = SourceBounds(8000, 48000, 1)
    for rate in (8000, 48000):
        assert read(headered(fmt(rate=rate)), bounds).rate == rate
    with pytest.raises(MalformedClip, match="7999 Hz is below the minimum of 8000"):
        read(headered(fmt(rate=7999)), bounds)
    with pytest.raises(LimitExceeded, match="source sample rate 48001 is over the maximum of 48000"):
        read(headered(fmt(rate=48001)), bounds)
    assert read(headered(fmt(rate=8000), bytes(2 * 8000)), bounds).frames == 8000
    with pytest.raises(LimitExceeded, match=r"source duration samples 8001 .* 8000"):
        read(headered(fmt(rate=8000), bytes(2 * 8001)), bounds)


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([[2.0, 0.0], [-2.0, 0.0], [0.5, -0.5]], [1.0, -1.0, 0.0]),
        ([[3.0, -1.0]], [1.0]),  # clamped after the average
        ([[1.5, 1.0]], [1.0]),
        ([[0.25, 0.5]], [0.375]),
    ],
)
def test_channels_are_averaged_then_clamped(samples, expected):
    np.testing.assert_array_equal(
        decode(wav(np.array(samples, np.float32), channels=2)), np.array(expected, np.float32)
    )


def test_scaling_of_integers_and_the_sign_of_zero():
    np.testing.assert_array_equal(
        decode(wav(np.array([32767, -32768, 0], np.int16))), np.array([32767 / 32768, -1.0, 0.0], np.float32)
    )
    assert np.signbit(decode(wav(np.array([-0.0], np.float32))))[0]


@pytest.mark.parametrize("channels", [1, 2, 3, 8, 9, 40])
@pytest.mark.parametrize("kind", [np.int16, np.float32])
def test_decoding_equals_one_sample_after_the_other(channels, kind):
    rng = np.random.default_rng(channels)
    frames = BLOCK_VALUES // channels + 3  # over a block's edge
    values = rng.uniform(-1.5, 1.5, (frames, channels))
    values = (values * 20000).astype(np.int16) if kind is np.int16 else values.astype(np.float32)
    got = decode(wav(values, channels=channels))
    for at in (*range(20), frames - 4, frames - 1):
        total = 0.0
        for value in values[at]:
            total += float(value) / 32768 if kind is np.int16 else float(value)
        assert got[at] == np.float32(min(1.0, max(-1.0, total / channels)))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("frame", [0, 7, BLOCK_VALUES // 2 + 5])
def test_the_first_bad_frame_is_named(bad, frame):
    samples = np.zeros((BLOCK_VALUES // 2 + 10, 2), np.float32)
    samples[frame, 1] = bad
    samples[-1, 0] = bad
    with pytest.raises(NonFiniteClip) as caught:
        decode(wav(samples, channels=2))
    assert caught.value.frame == frame


def test_extensible_float():
    data = riff(chunk(b"fmt ", extensible(3, bits=32)), chunk(b"data", np.array([0.5], np.float32).tobytes()))
    np.testing.assert_array_equal(decode(data), np.array([0.5], np.float32))


def test_unaligned_samples():
    data = riff(chunk(b"fmt ", fmt(3, 1, 16000, 32) + b"\0"), chunk(b"data", np.array([0.5, -1], np.float32).tobytes()))
    np.testing.assert_array_equal(decode(b"RIFF\0\0\0\0WAVE" + data[12:]), np.array([0.5, -1], np.float32))


def test_cancelling_stops_reading_and_decoding():
    cancellation = Cancellation()
    found = read(riff(FMT, DATA))
    cancellation.cancel()
    stop = poll(Checkpoint.DECODE, cancellation)
    for work in (lambda: read_wav(clip(riff(FMT, DATA)), ANY, stop), lambda: found.decode(stop)):
        with pytest.raises(CancelledAt) as caught:
            work()
        assert (caught.value.checkpoint, caught.value.clip) == (Checkpoint.DECODE, 1)


def hostile(rng, good):
    """Return a WAV with bytes changed, cut out, doubled or cut off."""
    data = bytearray(good[rng.integers(len(good))])
    for _ in range(rng.integers(1, 6)):
        at = int(rng.integers(len(data) + 1))
        match rng.integers(5):
            case 0 if at < len(data):
                data[at] = rng.integers(256)
            case 1:
                del data[at : at + int(rng.integers(9))]
            case 2:
                data[at:at] = data[at : at + int(rng.integers(40))]
            case 3:
                del data[at:]
            case _:
                data[at : at + 4] = struct.pack("<I", int(rng.choice([0, 1, 2, 3, 16, 0xFFFF, 2**31, 2**32 - 1])))
    return bytes(data)


def outcome(data):
    """Return whether the bytes are audio; any error but a named one is a failure of the reader."""
    try:
        samples = decode(data)
    except InputError:
        return False
    assert samples.dtype == np.float32
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() <= 1.0
    return True


def test_hostile_headers_give_a_result_or_a_named_error(fuzz_cases):
    rng = np.random.default_rng(7)
    good = [
        *TAKEN.values(),
        wav(rng.uniform(-1, 1, (9, 3)).astype(np.float32), 44100, 3),
        headered(extensible(3, bits=32)),
    ]
    taken = sum(outcome(hostile(rng, good)) for _ in range(fuzz_cases))
    assert 0.05 < taken / fuzz_cases < 0.9  # both sides of the fence were seen


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=80))
def test_any_bytes_behind_a_good_beginning(tail):
    outcome(riff(tail))
    outcome(riff(FMT, tail))
