from dataclasses import replace

import numpy as np
import pytest
from tests.inputs.makers import chunk, clips, encoded, fmt, model, riff, silence, wav

from tympan.cancel import Cancellation
from tympan.errors import (
    BadPlaceholder,
    ClipTooShort,
    EmptyClip,
    InputOverflow,
    LimitExceeded,
    MalformedClip,
    NoClips,
    PreparedTooLarge,
)
from tympan.inputs.clips import Clip, ClipSource
from tympan.inputs.plan import make_plan
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.wav import read_wav

PHI, GEMMA = model("phi4mm"), model("gemma3n")


def plan(opened, *payloads, reader=read_wav):
    return make_plan(clips(*payloads), opened, Cancellation(), reader)


def lowered(opened, **bounds):
    return replace(opened, policy=replace(opened.policy, **bounds))


def test_the_record_of_a_request():
    stereo = wav(np.zeros((44100, 2), np.float32), 44100, 2)
    got = plan(PHI, silence(16000), stereo)
    first, second = got.records
    assert (first.source_rate, first.channels, first.source_samples, first.source_micros) == (16000, 1, 16000, 10**6)
    assert (first.normalized_samples, first.frames, first.tokens, first.encoded_bytes) == (16000, 98, 13, 32_044)
    assert (first.start, first.end, first.source) == (0, 16000, ClipSource.INLINE)
    assert (second.source_rate, second.channels, second.source_samples) == (44100, 2, 44100)
    assert (second.effective_rate, second.normalized_samples, second.frames, second.tokens) == (16000, 22050, 136, 17)
    assert (second.start, second.end) == (16000, 38050)
    total = got.totals
    assert (total.clips, total.source_samples, total.source_micros) == (2, 60_100, 2 * 10**6)
    assert (total.normalized_samples, total.frames, total.tokens) == (38_050, 234, 30)
    assert total.encoded_bytes == len(silence(16000)) + len(stereo)


def test_sizes_follow_from_the_headers():
    got = plan(PHI, silence(48000, 48000), silence(16000))
    assert got.working_bytes == 4 * (32_000 + 48_000)
    assert got.tensor_bytes == 2 * 98 * 80 * 4 + 2 * 8 + 2 * 98
    assert got.host_bytes == got.working_bytes + got.tensor_bytes + got.totals.encoded_bytes + 4 * 26


def test_gemma_has_188_tokens_whatever_the_length():
    assert [record.tokens for record in plan(GEMMA, silence(800), silence(16000)).records] == [188, 188]
    assert plan(GEMMA, silence(800, 8000)).records[0].normalized_samples == 1600


@pytest.mark.parametrize(
    ("rate", "effective", "samples"),
    [
        (8000, 8000, 8000),
        (11025, 8000, 11025),
        (15999, 8000, 15999),
        (16000, 16000, 16000),
        (22050, 16000, 22050),
        (31999, 16000, 31999),
        (32000, 16000, 16000),
        (44100, 16000, 22050),
        (192000, 16000, 16000),
    ],
)
def test_the_rates_of_phi(rate, effective, samples):
    record = plan(PHI, silence(rate, rate)).records[0]
    assert (record.effective_rate, record.normalized_samples) == (effective, samples)


@pytest.mark.parametrize("rate", [16000, 32000, 48000])
def test_half_an_hour_fits(rate):
    longest = 1800 * rate
    got = plan(PHI, b"x", reader=encoded(rate, longest))
    assert got.totals.normalized_samples == 28_800_000
    assert got.totals.frames == 179_998
    assert got.totals.tokens == 22_500


def test_eight_kilohertz_for_half_an_hour():
    assert plan(PHI, b"x", reader=encoded(8000, 14_400_000)).totals.frames == 179_998
    with pytest.raises(LimitExceeded, match=r"duration samples 14400001 .* 14400000"):
        plan(PHI, b"x", reader=encoded(8001, 14_400_001))


def test_the_resampling_factor_is_bounded():
    with pytest.raises(LimitExceeded, match="resampling factor 13"):
        plan(PHI, b"x", reader=encoded(208_000, 10**6))


def test_the_work_bound_does_not_bind_before_half_an_hour():
    shape = PHI.frontend.shape
    assert shape(1, 192_000, 12 * 28_800_000).samples == 28_800_000
    with pytest.raises(LimitExceeded, match="resampling work"):
        shape(1, 192_000, 12 * 28_800_000 + 1)


def test_the_working_set_binds_where_the_source_itself_is_large():
    """The longest clip is held at its own rate: 512 MiB are 19 minutes at 96 kHz."""
    with pytest.raises(LimitExceeded, match="waveform working bytes per request 806400000"):
        plan(PHI, b"x", reader=encoded(96_000, 1800 * 96_000))


SECOND = 16_000
PER_REQUEST = [  # bound, the value of two clips of one second, the name in the error
    ("max_clips", 2, "clip count"),
    ("max_encoded_bytes_per_request", 64_088, "encoded bytes per request"),
    ("max_source_samples_per_request", 32_000, "source samples per request"),
    ("max_source_micros_per_request", 2_000_000, "source duration micros per request"),
    ("max_normalized_samples_per_request", 32_000, "normalized samples per request"),
    ("max_waveform_result_bytes", 128_000, "waveform result bytes per request"),
    ("max_waveform_working_bytes", 192_000, "waveform working bytes per request"),
    ("max_encoded_bytes_per_clip", 32_044, "encoded bytes per clip"),
    ("max_samples_per_clip", 16_000, "duration samples"),
]


@pytest.mark.parametrize("opened", [PHI, GEMMA], ids=["phi", "gemma"])
@pytest.mark.parametrize(("bound", "value", "name"), PER_REQUEST)
def test_every_bound_at_its_value_and_one_past(opened, bound, value, name):
    two = silence(SECOND), silence(SECOND)
    plan(lowered(opened, **{bound: value}), *two)
    with pytest.raises(LimitExceeded) as caught:
        plan(lowered(opened, **{bound: value - 1}), *two)
    assert (caught.value.name, caught.value.actual, caught.value.maximum) == (name, value, value - 1)
    assert caught.value.status == 413


@pytest.mark.parametrize(("opened", "frames"), [(PHI, 98), (GEMMA, 97)], ids=["phi", "gemma"])
def test_frame_bounds(opened, frames):
    two = silence(SECOND), silence(SECOND)
    plan(lowered(opened, max_frames_per_clip=frames, max_frames_per_request=2 * frames), *two)
    with pytest.raises(LimitExceeded, match="feature frames per clip"):
        plan(lowered(opened, max_frames_per_clip=frames - 1), *two)
    with pytest.raises(LimitExceeded, match="feature frames per request"):
        plan(lowered(opened, max_frames_per_request=2 * frames - 1), *two)


@pytest.mark.parametrize("opened", [PHI, GEMMA], ids=["phi", "gemma"])
def test_the_prepared_result_is_bounded_before_it_is_made(opened):
    size = plan(opened, silence(SECOND)).tensor_bytes
    plan(lowered(opened, max_prepared_result_bytes=size), silence(SECOND))
    with pytest.raises(PreparedTooLarge) as caught:
        plan(lowered(opened, max_prepared_result_bytes=size - 1), silence(SECOND))
    assert caught.value.rejection == "memory_limit"


def test_padding_to_the_longest_counts():
    long, short = encoded(16000, 28_000_000), silence(600)

    def reader(clip, bounds, poll):
        return long(clip, bounds, poll) if clip.ordinal == 1 else read_wav(clip, bounds, poll)

    with pytest.raises(PreparedTooLarge):  # sixteen rows of half an hour
        plan(PHI, b"x", *[short] * 15, reader=reader)


def test_bounds_are_aggregates():
    plan(GEMMA, silence(20 * 16000))
    with pytest.raises(LimitExceeded, match=r"Audio clip 2: source duration micros per request 40000000 .* 30000000"):
        plan(GEMMA, silence(20 * 16000), silence(20 * 16000))


@pytest.mark.parametrize(
    ("opened", "rate", "minimum"), [(PHI, 16000, 560), (PHI, 8000, 280), (PHI, 48000, 3 * 560 - 2), (GEMMA, 16000, 513)]
)
def test_clips_that_are_too_short(opened, rate, minimum):
    plan(opened, silence(minimum, rate))
    with pytest.raises(ClipTooShort, match="Audio clip 2: too short"):
        plan(opened, silence(minimum, rate), silence(minimum - 1, rate))


def test_ordinals_count_from_one_without_a_gap():
    for ordinals in ((2,), (1, 1), (1, 3), (2, 1), (0, 1)):
        given = [Clip(ordinal, silence(800), ClipSource.FILE) for ordinal in ordinals]
        with pytest.raises(BadPlaceholder):
            make_plan(given, PHI, Cancellation())


def test_nothing():
    with pytest.raises(NoClips):
        plan(PHI)
    with pytest.raises(EmptyClip, match="Audio clip 2"):
        plan(PHI, silence(800), b"")


def test_a_bad_clip_is_named_before_any_is_decoded():
    decoded = []

    def reader(clip, bounds, poll):
        found = read_wav(clip, bounds, poll)
        decoded.append(clip.ordinal)
        return found

    with pytest.raises(MalformedClip) as caught:
        plan(PHI, silence(800), b"RIFF", silence(800), reader=reader)
    assert caught.value.clip == 2
    assert decoded == [1]


def test_the_rate_comes_before_the_bytes():
    """Eight channels at a high rate: a short duration in many bytes."""
    head = fmt(3, 8, 192_000, 32)
    data = riff(chunk(b"fmt ", head), chunk(b"data", bytes(4 * 8 * 192_000)))
    with pytest.raises(LimitExceeded, match="encoded bytes per clip"):
        plan(lowered(GEMMA, max_encoded_bytes_per_clip=10**6), data)


def test_sums_that_overflow():
    huge = lowered(GEMMA, max_source_samples_per_request=2**70, max_source_micros_per_request=2**90)
    with pytest.raises(InputOverflow, match="source samples per request overflow"):
        plan(huge, b"x", reader=encoded(192_000, 2**63))
    with pytest.raises(InputOverflow, match="source duration micros per request overflow"):
        plan(huge, b"x", reader=encoded(1000, 2**60))


def test_cancelling():
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(CancelledAt) as caught:
        make_plan(clips(silence(800)), PHI, cancellation)
    assert caught.value.checkpoint is Checkpoint.ACQUISITION
