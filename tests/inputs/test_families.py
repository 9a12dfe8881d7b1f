"""A third family is one file: here is a toy one, through the whole pipeline."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from tests.inputs.makers import clips, noise, silence, wav

from tympan.cancel import Cancellation
from tympan.errors import ClipTooShort, LimitExceeded, PolicyRefused
from tympan.inputs.checkpoint import open_checkpoint
from tympan.inputs.families import FAMILIES
from tympan.inputs.families.base import Shape
from tympan.inputs.families.gemma3n import PINNED
from tympan.inputs.plan import make_plan
from tympan.inputs.preparation import Prompt, prepare
from tympan.inputs.resampling.linear import linear_length, resample_linear
from tympan.inputs.tokens import expand, token_id

WINDOW = 1600


@dataclass(frozen=True)
class LoudnessFrontend:
    """One number for each tenth of a second: its mean square."""

    audio_id: int

    def shape(self, clip, rate, frames):  # noqa: ARG002  (the protocol names it)
        samples = linear_length(frames, rate)
        return Shape(rate=16000, samples=samples, frames=samples // WINDOW)

    def min_samples(self, rate):  # noqa: ARG002
        return WINDOW

    def tokens(self, frames):
        return frames

    def resample(self, samples, rate, poll):
        return resample_linear(samples, rate, poll)

    def tensor_bytes(self, shapes):
        return 4 * sum(shape.frames for shape in shapes)

    def extract(self, shapes, waveforms, poll):
        rows = []
        for ordinal, (shape, samples) in enumerate(zip(shapes, waveforms, strict=True), 1):
            poll(ordinal)()
            rows.append(np.square(samples[: shape.frames * WINDOW].reshape(-1, WINDOW)).mean(axis=1))
        return {"loudness": np.concatenate(rows)}

    def placeholder(self, ordinal):  # noqa: ARG002
        return "<sound>"

    def reserved(self):
        return ("<sound>",)

    def prompt(self, turns):
        return "".join(turn.text for turn in turns)

    def token_ids(self, prompt, sizes, encode):
        return expand(encode(prompt), self.audio_id, sizes)

    def audio_ids(self, size):
        return [self.audio_id] * size


@dataclass(frozen=True)
class Loudness:
    name = "loudness"
    model_types = frozenset({"loudness"})
    pinned = replace(PINNED, family="loudness", reference="1", max_frames_per_clip=300, max_frames_per_request=300)
    fixed: ClassVar = {"window": (WINDOW,)}

    def frames(self, samples):
        return samples // WINDOW

    def bind(self, keys):
        return LoudnessFrontend(token_id(keys, ("sound_id",), 7))


def opened(tmp_path, config=""):
    (tmp_path / "config.json").write_text('{"model_type": "loudness"' + config + "}")
    return open_checkpoint(tmp_path, (*FAMILIES, Loudness()))


def test_a_toy_family_goes_through_the_whole_pipeline(tmp_path):
    model = opened(tmp_path, ', "sound_id": 9, "max_audio_duration": 2')
    assert (model.family, model.policy.max_frames_per_clip) == ("loudness", 20)
    samples = noise(16000)
    plan = make_plan(clips(wav(samples), silence(8000, 8000)), model, Cancellation())
    got = prepare(plan, model, Cancellation(), Prompt("a<sound>b<sound>", lambda _: [1, 9, 2, 9]))
    assert got.token_ids.tolist() == [1, *[9] * 10, 2, *[9] * 10]
    expected = [np.mean(samples[at : at + WINDOW] ** 2) for at in range(0, 16000, WINDOW)]
    np.testing.assert_allclose(np.asarray(got.tensors["loudness"], float), [*expected, *[0] * 10], rtol=1e-6)
    assert plan.tensor_bytes == got.tensors["loudness"].nbytes


def test_its_bounds_are_kept_as_those_of_any_family(tmp_path):
    model = opened(tmp_path)
    with pytest.raises(LimitExceeded):
        make_plan(clips(silence(31 * 16000)), model, Cancellation())
    with pytest.raises(ClipTooShort):
        make_plan(clips(silence(WINDOW - 1)), model, Cancellation())
    (tmp_path / "processor_config.json").write_text('{"window": 800}')
    with pytest.raises(PolicyRefused, match="'window' is 800; expected 1600"):
        opened(tmp_path)
