"""Gemma 3n: 30 seconds, 188 soft tokens for every clip, whatever its length."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from tympan.errors import BadPlaceholder
from tympan.inputs.families.base import FLOAT_BYTES, Shape
from tympan.inputs.features import gemma3n as features
from tympan.inputs.policy import EXTRACTORS, AudioPolicy, exactly
from tympan.inputs.resampling.linear import linear_length, resample_linear
from tympan.inputs.tokens import token_id
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tympan.inputs.families.base import Encode, Tensors, Turn
    from tympan.inputs.features.gemma3n import PaddingSide
    from tympan.inputs.keys import Keys
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

MAX_SECONDS = 30
MAX_SAMPLES = MAX_SECONDS * SAMPLE_RATE  # 480,000
MAX_RATE = 192_000  # Hz
MIB = 2**20

SOFT_TOKENS = 188  # positions of a clip: a quarter of half of half of 2997 frames
MAX_SOFT_TOKENS = 2**16  # a checkpoint that names more is broken
AUDIO, BEGIN, END = "<audio_soft_token>", "<start_of_audio>", "<end_of_audio>"
AUDIO_ID, BEGIN_ID, END_ID = 262_273, 256_000, 262_272
TURN_BEGIN, TURN_END = "<start_of_turn>", "<end_of_turn>"
MODEL_ROLES = frozenset({"assistant", "model"})
DEFAULT_SIDE: PaddingSide = "right"  # transformers' own, where a checkpoint names none

PINNED = AudioPolicy(
    family="gemma3n",
    reference="181beb3ba4c47098ed8cbc97ee250d1d45ae0107",
    min_source_rate=1,
    max_source_rate=MAX_RATE,
    resampling="linear",
    max_seconds=MAX_SECONDS,
    max_samples_per_clip=MAX_SAMPLES,
    max_clips=16,
    max_encoded_bytes_per_clip=64 * MIB,
    max_encoded_bytes_per_request=64 * MIB,
    max_source_samples_per_request=MAX_RATE * MAX_SECONDS,
    max_normalized_samples_per_request=MAX_SAMPLES,
    max_source_micros_per_request=MAX_SECONDS * 1_000_000,
    max_frames_per_clip=features.frame_count(MAX_SAMPLES),  # 2,997
    max_frames_per_request=features.frame_count(MAX_SAMPLES),
    max_waveform_result_bytes=2 * MIB,
    max_waveform_working_bytes=32 * MIB,
    max_prepared_result_bytes=64 * MIB,
    frame_lengths=(features.UNFOLD, features.FRAMING.frame),  # 513 samples are read for a frame of 512
    frame_hop=features.FRAMING.hop,
)


@dataclass(frozen=True, slots=True)
class _Frontend:
    side: PaddingSide
    soft_tokens: int
    audio_id: int
    begin_id: int
    end_id: int

    def shape(self, clip: int, rate: int, frames: int) -> Shape:
        del clip  # interpolation costs the same at every rate
        samples = linear_length(frames, rate)
        return Shape(rate=SAMPLE_RATE, samples=samples, frames=features.frame_count(samples))

    def min_samples(self, rate: int) -> int:
        del rate
        return features.UNFOLD

    def tokens(self, frames: int) -> int:
        del frames
        return self.soft_tokens

    def resample(self, samples: Samples, rate: int, poll: Poll) -> Samples:
        return resample_linear(samples, rate, poll)

    def tensor_bytes(self, shapes: Sequence[Shape]) -> int:
        longest = max(shape.frames for shape in shapes)
        return len(shapes) * longest * (features.MELS * FLOAT_BYTES + 1)

    def extract(self, shapes: Sequence[Shape], waveforms: Sequence[Samples], poll: Callable[[int], Poll]) -> Tensors:
        longest = max(shape.samples for shape in shapes)
        frames = features.frame_count(longest)
        out = np.empty((len(shapes), frames, features.MELS), np.float32)
        mask = np.empty((len(shapes), frames), np.bool_)
        for index, samples in enumerate(waveforms):
            features.log_mel(samples, self.side, longest, (out[index], mask[index]), poll(index + 1))
        return {"input_features": out, "input_features_mask": mask}

    def placeholder(self, ordinal: int) -> str:
        del ordinal  # they are not numbered
        return AUDIO

    def reserved(self) -> tuple[str, ...]:
        return (AUDIO, BEGIN, END)

    def prompt(self, turns: Sequence[Turn]) -> str:
        written = [
            f"{TURN_BEGIN}{'model' if turn.role in MODEL_ROLES else 'user'}\n{turn.text}{TURN_END}\n" for turn in turns
        ]
        return f"<bos>{''.join(written)}{TURN_BEGIN}model\n"

    def token_ids(self, prompt: str, sizes: Sequence[int], encode: Encode) -> list[int]:
        """Expand the text and encode it as a whole: newlines of an expansion merge with those around it."""
        if BEGIN in prompt or END in prompt:
            raise BadPlaceholder(f"the prompt holds {BEGIN} or {END} itself")
        found = prompt.count(AUDIO)
        if found == 0:
            before, end, after = prompt.rpartition(TURN_END)
            block = AUDIO * len(sizes)
            prompt = before + block + end + after if end else prompt + block
        elif found != len(sizes):
            raise BadPlaceholder(f"found {found} for {len(sizes)} clips")
        expansion = f"\n\n{BEGIN}{AUDIO * self.soft_tokens}{END}\n\n"
        ids = encode(prompt.replace(AUDIO, expansion))
        counted = ids.count(self.audio_id), ids.count(self.begin_id), ids.count(self.end_id)
        expected = sum(sizes), len(sizes), len(sizes)
        if counted != expected:
            raise BadPlaceholder(f"the tokenizer gives {counted} audio, begin and end tokens, not {expected}")
        return ids

    def audio_ids(self, size: int) -> list[int]:
        return [self.begin_id, *[self.audio_id] * size, self.end_id]


@dataclass(frozen=True, slots=True)
class Gemma3n:
    """The family."""

    name: str = "gemma3n"
    model_types: frozenset[str] = frozenset({"gemma3n"})
    pinned: AudioPolicy = PINNED

    @property
    def fixed(self) -> Mapping[str, tuple[object, ...]]:
        """The numbers of transformers' extractor."""
        return {
            "feature_size": (features.MELS,),
            "frame_length": PINNED.frame_lengths,
            "hop_length": (PINNED.frame_hop,),
            "fft_length": (features.FRAMING.transform,),
            "min_frequency": (125.0, 125),
            "max_frequency": (7600.0, 7600),
            "preemphasis": (0.97,),
            "preemphasis_htk_flavor": (True,),
            "fft_overdrive": (True,),
            "dither": (0.0, 0),
            "input_scale_factor": (1.0, 1),
            "mel_floor": (1e-5,),
            "padding_value": (0.0, 0),
            "per_bin_mean": (None,),
            "per_bin_stddev": (None,),
        }

    def frames(self, samples: int) -> int:
        """Return the frames of a clip at 16 kHz, by itself."""
        return features.frame_count(samples)

    def bind(self, keys: Keys) -> _Frontend:
        """Read the padding side, the number of soft tokens and the ids."""
        names = (*(f"{extractor}.padding_side" for extractor in EXTRACTORS), "padding_side")
        processor = keys.processor_only()
        exactly(processor, names, ("left", "right"))
        side = processor.find(names)
        soft = keys.integer(("audio_soft_tokens_per_image", "audio_seq_length"), at_most=MAX_SOFT_TOKENS)
        return _Frontend(
            side=DEFAULT_SIDE if side is None else cast("PaddingSide", side.value),
            soft_tokens=SOFT_TOKENS if soft is None else soft,
            audio_id=token_id(keys, ("audio_token_id",), AUDIO_ID),
            begin_id=token_id(keys, ("boa_token_id",), BEGIN_ID),
            end_id=token_id(keys, ("eoa_token_id",), END_ID),
        )
