from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.inputs.makers import clips, encoded, model, noise, silence, wav
from tests.inputs.references import gemma_features, linear, phi_features

from tympan.cancel import Cancellation
from tympan.errors import ContextTooLong, MalformedClip, PreparedTooLarge
from tympan.inputs.plan import make_plan
from tympan.inputs.polling import CancelledAt, Checkpoint
from tympan.inputs.preparation import Prompt, prepare
from tympan.inputs.wav import read_wav

PHI, GEMMA = model("phi4mm"), model("gemma3n")


def prepared(opened, *payloads, prompt=None, reader=read_wav):
    return prepare(make_plan(clips(*payloads), opened, Cancellation(), reader), opened, Cancellation(), prompt)


def test_phi_one_clip_has_no_mask():
    samples = noise(16000)
    got = prepared(PHI, wav(samples))
    assert set(got.tensors) == {"input_audio_embeds", "audio_embed_sizes"}
    np.testing.assert_allclose(got.tensors["input_audio_embeds"][0], phi_features(samples, 16000), rtol=0, atol=2e-6)
    np.testing.assert_array_equal(got.tensors["audio_embed_sizes"], [13])
    assert got.tensors["audio_embed_sizes"].dtype == np.int64
    assert got.token_ids.tolist() == [200_011] * 13
    assert got.latency_micros >= 1


def test_phi_clips_of_unequal_rate_and_length():
    sources = [(noise(44100, 1), 44100), (noise(3000, 2), 8000), (noise(11025, 3), 11025), (noise(24000, 4), 48000)]
    got = prepared(PHI, *[wav(samples, rate) for samples, rate in sources])
    embeds, mask = got.tensors["input_audio_embeds"], got.tensors["audio_attention_mask"]
    counts = [record.frames for record in got.records]
    assert embeds.shape == (4, max(counts), 80)
    for index, (samples, rate) in enumerate(sources):
        expected = phi_features(samples, rate)
        assert counts[index] == len(expected)
        np.testing.assert_allclose(embeds[index, : len(expected)], expected, rtol=0, atol=1e-5)
        assert not embeds[index, len(expected) :].any()
        np.testing.assert_array_equal(mask[index], np.arange(max(counts)) < len(expected))
    assert got.tensors["audio_embed_sizes"].tolist() == [-(-count // 8) for count in counts]
    assert got.token_ids.size == got.totals.tokens == sum(-(-count // 8) for count in counts)


@pytest.mark.parametrize("side", ["left", "right"])
def test_gemma_clips_of_unequal_rate_and_length(side):
    opened = model("gemma3n", {"padding_side": side})
    sources = [(noise(44100, 1), 44100), (noise(3000, 2), 8000), (noise(9000, 3), 16000)]
    got = prepared(opened, *[wav(samples, rate) for samples, rate in sources])
    features, mask = gemma_features([linear(samples, rate) for samples, rate in sources], side)
    np.testing.assert_allclose(got.tensors["input_features"], features, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(got.tensors["input_features_mask"], mask)
    assert got.token_ids.tolist() == ([256_000] + [262_273] * 188 + [262_272]) * 3
    assert got.totals.tokens == 3 * 188


def test_the_planned_size_is_the_real_one():
    for opened in (PHI, GEMMA):
        for payloads in ([silence(16000)], [silence(16000), silence(700), silence(9000, 8000)]):
            plan = make_plan(clips(*payloads), opened, Cancellation())
            got = prepare(plan, opened, Cancellation())
            assert plan.tensor_bytes == sum(tensor.nbytes for tensor in got.tensors.values())
            assert got.size == plan.tensor_bytes + got.token_ids.nbytes


def test_ids_count_towards_the_prepared_size():
    plan = make_plan(clips(silence(16000)), PHI, Cancellation())
    small = replace(PHI, policy=replace(PHI.policy, max_prepared_result_bytes=plan.tensor_bytes))
    with pytest.raises(PreparedTooLarge):
        prepare(plan, small, Cancellation())


def test_a_context_at_its_length_and_one_past():
    for most, fits in ((13, True), (12, False)):
        prompt = Prompt("<|audio_1|>", lambda _: [200_011], max_tokens=most)
        if fits:
            assert prepared(PHI, silence(16000), prompt=prompt).token_ids.size == 13
        else:
            with pytest.raises(ContextTooLong) as caught:
                prepared(PHI, silence(16000), prompt=prompt)
            assert caught.value.code == "context_length_exceeded"


def test_a_decoder_that_gives_another_length_than_its_header():
    with pytest.raises(MalformedClip, match="promises 1000 samples, it has 999"):
        prepared(PHI, b"x", reader=encoded(16000, 1000, samples=np.zeros(999, np.float32)))


@pytest.mark.parametrize("at", [Checkpoint.DECODE, Checkpoint.RESAMPLE, Checkpoint.FEATURE])
@pytest.mark.parametrize("opened", [PHI, GEMMA], ids=["phi", "gemma"])
def test_each_step_notices_a_cancellation(opened, at):
    """Cancelled by the step before it, so that the step itself is the first to look."""
    cancellation = Cancellation()
    plan = make_plan(clips(wav(noise(48000), 48000)), opened, cancellation)
    if at is Checkpoint.DECODE:
        cancellation.cancel()
    elif at is Checkpoint.RESAMPLE:

        def decode(poll):
            samples = plan.encoded[0].decode(poll)
            cancellation.cancel()
            return samples

        spied = SimpleNamespace(rate=48000, channels=1, frames=48000, decode=decode)
        with pytest.raises(CancelledAt) as caught:
            prepare(replace(plan, encoded=(spied,)), opened, cancellation)
        assert (caught.value.checkpoint, caught.value.clip) == (at, 1)
        return
    else:

        def encode(_):
            cancellation.cancel()
            return [200_011] if opened is PHI else [256_000, *[262_273] * 188, 262_272]

        prompt = Prompt(opened.frontend.placeholder(1), encode)
        with pytest.raises(CancelledAt) as caught:
            prepare(plan, opened, cancellation, prompt)
        assert (caught.value.checkpoint, caught.value.clip) == (at, 1)
        return
    with pytest.raises(CancelledAt) as caught:
        prepare(plan, opened, cancellation)
    assert (caught.value.checkpoint, caught.value.clip) == (at, 1)
