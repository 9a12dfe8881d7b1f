"""Phi-4 Multimodal: numbered placeholders, one token for eight frames, the published integer-ratio resampler."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tympan.errors import BadPlaceholder, LimitExceeded
from tympan.inputs.families.base import FLOAT_BYTES, Shape
from tympan.inputs.features import phi4mm as features
from tympan.inputs.policy import AudioPolicy
from tympan.inputs.resampling.polyphase import MAX_FACTOR, polyphase_length, resample_polyphase, taps
from tympan.inputs.tokens import expand, token_id
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tympan.inputs.families.base import Encode, Tensors, Turn
    from tympan.inputs.keys import Keys
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

MAX_SECONDS = 30 * 60
MAX_SAMPLES = MAX_SECONDS * SAMPLE_RATE  # 28,800,000
MAX_RATE = 192_000  # Hz
MAX_WORK = MAX_SAMPLES * taps(MAX_FACTOR)  # multiplications of a filter: 30 minutes at the highest rate
MIB = 2**20

COMPRESSION = 8  # frames of one token
MIN_FRAMES = 2  # the encoder cannot take one
AUDIO_TOKEN, AUDIO_ID = "<|endoftext11|>", 200_011
_TAG = re.compile(r"<\|audio_\d+\|>")
MAX_SHOWN = 20  # tags in an error

PINNED = AudioPolicy(
    family="phi4mm",
    reference="93f923e1a7727d1c4f446756212d9d3e8fcc5d81",
    min_source_rate=features.NARROW_RATE,
    max_source_rate=MAX_RATE,
    resampling="scipy_polyphase_integer",
    max_seconds=MAX_SECONDS,
    max_samples_per_clip=MAX_SAMPLES,
    max_clips=16,
    max_encoded_bytes_per_clip=256 * MIB,
    max_encoded_bytes_per_request=256 * MIB,
    max_source_samples_per_request=MAX_RATE * MAX_SECONDS,
    max_normalized_samples_per_request=MAX_SAMPLES,
    max_source_micros_per_request=MAX_SECONDS * 1_000_000,
    max_frames_per_clip=features.frame_count(MAX_SAMPLES, SAMPLE_RATE),  # 179,998
    max_frames_per_request=features.frame_count(MAX_SAMPLES, SAMPLE_RATE),
    max_waveform_result_bytes=128 * MIB,
    max_waveform_working_bytes=512 * MIB,
    max_prepared_result_bytes=256 * MIB,
    frame_lengths=(features.FRAMING[SAMPLE_RATE].frame,),
    frame_hop=features.FRAMING[SAMPLE_RATE].hop,
)


def effective(rate: int) -> tuple[int, int]:
    """Return the rate that features take a source as, and the factor by which it is brought there.

    As published: 8001 to 15999 Hz are taken as 8 kHz and 16001 to 31999 Hz as 16 kHz without resampling.
    """
    target = SAMPLE_RATE if rate >= SAMPLE_RATE else features.NARROW_RATE
    return target, rate // target


@dataclass(frozen=True, slots=True)
class _Frontend:
    audio_id: int

    def shape(self, clip: int, rate: int, frames: int) -> Shape:
        target, factor = effective(rate)
        if factor > MAX_FACTOR:
            raise LimitExceeded("resampling factor", factor, MAX_FACTOR, clip)
        samples = polyphase_length(frames, factor)
        work = samples * taps(factor) if factor > 1 else 0
        if work > MAX_WORK:
            raise LimitExceeded("resampling work", work, MAX_WORK, clip)
        return Shape(rate=target, samples=samples, frames=features.frame_count(samples, target))

    def min_samples(self, rate: int) -> int:
        framing = features.FRAMING[rate]
        return framing.frame + (MIN_FRAMES - 1) * framing.hop

    def tokens(self, frames: int) -> int:
        return -(-frames // COMPRESSION)

    def resample(self, samples: Samples, rate: int, poll: Poll) -> Samples:
        return resample_polyphase(samples, effective(rate)[1], poll)

    def tensor_bytes(self, shapes: Sequence[Shape]) -> int:
        longest = max(shape.frames for shape in shapes)
        mask = len(shapes) * longest if len(shapes) > 1 else 0
        return len(shapes) * (longest * features.MELS * FLOAT_BYTES + np.dtype(np.int64).itemsize) + mask

    def extract(self, shapes: Sequence[Shape], waveforms: Sequence[Samples], poll: Callable[[int], Poll]) -> Tensors:
        counts = np.array([shape.frames for shape in shapes])
        embeds = np.zeros((len(shapes), counts.max(), features.MELS), np.float32)
        for index, (shape, samples) in enumerate(zip(shapes, waveforms, strict=True)):
            features.log_mel(samples, shape.rate, embeds[index, : shape.frames], poll(index + 1))
        sizes = np.array([self.tokens(shape.frames) for shape in shapes], np.int64)
        tensors: Tensors = {"input_audio_embeds": embeds, "audio_embed_sizes": sizes}
        if len(shapes) > 1:  # the published processor gives no mask for one clip
            tensors["audio_attention_mask"] = np.arange(counts.max()) < counts[:, None]
        return tensors

    def placeholder(self, ordinal: int) -> str:
        return f"<|audio_{ordinal}|>"

    def reserved(self) -> tuple[str, ...]:
        return ("<|audio_", AUDIO_TOKEN)

    def prompt(self, turns: Sequence[Turn]) -> str:
        return "".join(f"<|{turn.role}|>{turn.text}<|end|>" for turn in turns) + "<|assistant|>"

    def token_ids(self, prompt: str, sizes: Sequence[int], encode: Encode) -> list[int]:
        if AUDIO_TOKEN in prompt:
            raise BadPlaceholder(f"the prompt holds {AUDIO_TOKEN} itself")
        tags = _TAG.findall(prompt)
        expected = [self.placeholder(ordinal) for ordinal in range(1, len(sizes) + 1)]
        if not tags:
            prompt = _placed(prompt, "".join(expected))
        elif tags != expected:
            raise BadPlaceholder(f"found {', '.join(tags[:MAX_SHOWN])} for {len(sizes)} clips")
        return expand(encode(_TAG.sub(AUDIO_TOKEN, prompt)), self.audio_id, sizes)

    def audio_ids(self, size: int) -> list[int]:
        return [self.audio_id] * size


def _placed(prompt: str, block: str) -> str:
    """Put a block of placeholders where the user's first turn begins, else in front."""
    for begin in ("<|user|>\n", "<|user|>"):
        if begin in prompt:
            return prompt.replace(begin, begin + block, 1)
    return block + prompt


@dataclass(frozen=True, slots=True)
class Phi4Multimodal:
    """The family."""

    name: str = "phi4mm"
    model_types: frozenset[str] = frozenset({"phi4mm", "phi4_multimodal"})
    pinned: AudioPolicy = PINNED

    @property
    def fixed(self) -> Mapping[str, tuple[object, ...]]:
        """The published extractor's own numbers."""
        return {
            "feature_size": (features.MELS,),
            "hop_length": (160,),
            "win_length": (400,),
            "n_fft": (512,),
            "preemphasis": (0.97,),
            "padding_value": (0.0, 0),
            "mel_min_frequency": (0.0, 0),
            "mel_max_frequency": (7690.0, 7690),
            "audio_compression_rate": (COMPRESSION,),
            "audio_downsample_rate": (1,),
            "audio_feat_stride": (1,),
        }

    def frames(self, samples: int) -> int:
        """Return the frames of a clip at 16 kHz."""
        return features.frame_count(samples, SAMPLE_RATE)

    def bind(self, keys: Keys) -> _Frontend:
        """Read the audio token's id."""
        return _Frontend(audio_id=token_id(keys, ("audio_token_id", "audio_config.audio_token_id"), AUDIO_ID))
