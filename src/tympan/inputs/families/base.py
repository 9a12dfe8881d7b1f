"""What the pipeline asks of a model family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from tympan.inputs.keys import Keys
    from tympan.inputs.policy import AudioPolicy
    from tympan.inputs.polling import Poll
    from tympan.sound.waveform import Samples

    Tensors = dict[str, NDArray[np.generic]]
    """What the model is called with, by the names that its own code uses."""

    Encode = Callable[[str], list[int]]
    """A checkpoint's tokenizer: text to token ids, special tokens recognized where they stand in the text."""

FLOAT_BYTES = 4


@dataclass(frozen=True, slots=True)
class Shape:
    """A clip at the model's rate: `rate` in Hz as the features see it, `samples`, the `frames` they give."""

    rate: int
    samples: int
    frames: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One message: audio stands in `text` as the family's placeholders."""

    role: str
    text: str


class Frontend(Protocol):
    """A family as one checkpoint configures it. Nothing in it changes; any thread may use it."""

    def shape(self, clip: int, rate: int, frames: int) -> Shape:
        """Return what `frames` at `rate` Hz become. Raises `LimitExceeded` when resampling would cost too much."""

    def min_samples(self, rate: int) -> int:
        """Return the fewest normalized samples at that effective rate that the encoder can take."""

    def tokens(self, frames: int) -> int:
        """Return how many positions a clip takes in the prompt."""

    def resample(self, samples: Samples, rate: int, poll: Poll) -> Samples:
        """Bring float32 [n] at `rate` Hz to the number of samples that `shape` gives."""

    def tensor_bytes(self, shapes: Sequence[Shape]) -> int:
        """Return the size of what `extract` will give."""

    def extract(self, shapes: Sequence[Shape], waveforms: Sequence[Samples], poll: Callable[[int], Poll]) -> Tensors:
        """Make features, masks and sizes of a request's clips; `poll` is made for each clip's ordinal."""

    def placeholder(self, ordinal: int) -> str:
        """Return the text that stands for a clip in a prompt."""

    def reserved(self) -> tuple[str, ...]:
        """Return the texts that a user may not type where audio is declared."""

    def prompt(self, turns: Sequence[Turn]) -> str:
        """Write messages as the model was trained to read them, ready for its answer."""

    def token_ids(self, prompt: str, sizes: Sequence[int], encode: Encode) -> list[int]:
        """Return the prompt's ids with every placeholder expanded. Raises `BadPlaceholder`.

        A prompt without any placeholder gets them where the family's own code puts them.
        """

    def audio_ids(self, size: int) -> list[int]:
        """Return the ids that one clip becomes by itself."""


class Family(Protocol):
    """A family of models. `fixed` names configuration that only one extractor implements, and its allowed values."""

    @property
    def name(self) -> str:
        """The name in reports."""

    @property
    def model_types(self) -> frozenset[str]:
        """Values of `model_type` in config.json."""

    @property
    def pinned(self) -> AudioPolicy:
        """The policy of the published model."""

    @property
    def fixed(self) -> Mapping[str, tuple[object, ...]]:
        """Keys of the extractor whose other values would need another extractor."""

    def frames(self, samples: int) -> int:
        """Return the frames of a clip of `samples` at 16 kHz."""

    def bind(self, keys: Keys) -> Frontend:
        """Return the family as a checkpoint configures it. Raises `PolicyRefused`."""
