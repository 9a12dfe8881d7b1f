"""Equality with transformers itself, over every length, both padding sides and batches; where it is installed."""

import numpy as np
import pytest
from tests.inputs.makers import noise, poll, signals

from tympan.inputs.features import gemma3n, phi4mm

transformers = pytest.importorskip(
    "transformers", reason="transformers is in the bench extra; golden.npz stands for it"
)
pytest.importorskip("torch", reason="transformers' extractors need torch")

LENGTHS = {"short": range(513, 1001), "long": (16_000, 160_000, 479_999, 480_000)}


@pytest.fixture(scope="module")
def phi():
    return transformers.Phi4MultimodalFeatureExtractor()


@pytest.mark.parametrize("kind", signals(10))
def test_phi(phi, kind):
    for length in (*range(400, 1001), *LENGTHS["long"]):
        samples = signals(length)[kind]
        out = np.empty((phi4mm.frame_count(length, 16000), 80), np.float32)
        phi4mm.log_mel(samples, 16000, out, poll())
        expected = phi(samples, sampling_rate=16000, return_tensors="np")["audio_input_features"][0]
        np.testing.assert_allclose(out[:, :79], expected[:, :79], rtol=0, atol=2e-6)
        np.testing.assert_allclose(out[:, 79], expected[:, 79], rtol=0, atol=0.03)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", signals(10))
def test_gemma(kind, side):
    extractor = transformers.Gemma3nAudioFeatureExtractor(padding_side=side)
    for length in (*LENGTHS["short"], *LENGTHS["long"]):
        same(extractor, [signals(length)[kind]], side)


@pytest.mark.parametrize("side", ["left", "right"])
def test_gemma_batches(side):
    extractor = transformers.Gemma3nAudioFeatureExtractor(padding_side=side)
    for seed in range(40):
        lengths = np.random.default_rng(seed).integers(513, 40_000, size=seed % 5 + 2)
        same(extractor, [noise(int(length), seed) for length in lengths], side)


def same(extractor, clips, side):
    longest = max(clip.size for clip in clips)
    expected = extractor(clips, return_tensors="np")
    for index, clip in enumerate(clips):
        out = np.empty((gemma3n.frame_count(longest), 128), np.float32)
        mask = np.empty(len(out), bool)
        gemma3n.log_mel(clip, side, longest, (out, mask), poll())
        np.testing.assert_allclose(out, expected["input_features"][index], rtol=0, atol=1e-6)
        np.testing.assert_array_equal(mask, expected["input_features_mask"][index])
