"""Equality with transformers' own output, kept in golden.npz and golden_tokens.json (see golden.py)."""

import json

import numpy as np
import pytest
from tests.inputs.golden import ARRAYS, GEMMA_CLIPS, PHI_CLIPS, SIDES, TOKENS
from tests.inputs.makers import clips, model, wav
from tokenizers import Tokenizer

from tympan.cancel import Cancellation
from tympan.inputs.plan import make_plan
from tympan.inputs.preparation import prepare

GOLDEN = np.load(ARRAYS)
CASES = json.loads(TOKENS.read_text())
TOKENIZER = Tokenizer.from_str(json.dumps(CASES["tokenizer"]))


def tensors(opened, audio):
    plan = make_plan(clips(*[wav(samples) for samples in audio]), opened, Cancellation())
    return prepare(plan, opened, Cancellation()).tensors


@pytest.mark.parametrize("name", PHI_CLIPS)
def test_phi(name):
    got, expected = tensors(model("phi4mm"), PHI_CLIPS[name])["input_audio_embeds"], GOLDEN[f"phi/{name}"]
    np.testing.assert_allclose(got[..., :79], expected[..., :79], rtol=0, atol=2e-6)
    # its filterbank has one more bin in the last filter than the one that the model was published with
    np.testing.assert_allclose(got[..., 79], expected[..., 79], rtol=0, atol=0.03)


@pytest.mark.parametrize("name", GEMMA_CLIPS)
@pytest.mark.parametrize("side", SIDES)
def test_gemma(name, side):
    got = tensors(model("gemma3n", {"feature_extractor": {"padding_side": side}}), GEMMA_CLIPS[name])
    np.testing.assert_allclose(got["input_features"], GOLDEN[f"gemma/{side}/{name}"], rtol=0, atol=1e-6)
    np.testing.assert_array_equal(got["input_features_mask"], GOLDEN[f"gemma/{side}/{name}/mask"])


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: repr(case["text"][:20]))
def test_the_ids_are_those_of_the_expanded_text(case):
    def one(text):
        return TOKENIZER.token_to_id(text)

    opened = model(
        "gemma3n",
        config={
            "audio_token_id": one("<audio_soft_token>"),
            "boa_token_id": one("<start_of_audio>"),
            "eoa_token_id": one("<end_of_audio>"),
        },
    )
    sizes = [188] * case["text"].count("<audio_soft_token>")
    ids = opened.frontend.token_ids(
        case["text"], sizes, lambda text: TOKENIZER.encode(text, add_special_tokens=False).ids
    )
    assert ids == case["ids"]
