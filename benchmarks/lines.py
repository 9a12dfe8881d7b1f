"""Long speech whose order can be checked: numbered sentences, with pauses or without any.

    python -m benchmarks.lines long.wav --seconds 300 --pause 0.4    # writes long.wav and long.txt

"Line one: the bakers arrive ...", "Line two: ...": a sentence that is lost, doubled or out of order at a seam is
seen in the text. Beyond `DISTINCT` sentences the numbers begin again.
"""

from __future__ import annotations

import argparse
import json
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from benchmarks.audio import read_wav, write_wav
from benchmarks.spoken_numbers import cardinal

from benchmarks import corpus
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.sound.waveform import Samples

DISTINCT = 120
ROOM_TONE = 0.001  # -60 dBFS; a pause of exact zeros is easier than any room


def line_text(number: int) -> str:
    """Return the sentence with this number, which counts from 1."""
    phrases: list[str] = json.loads(corpus.TEXTS.read_text(encoding="utf-8"))["lines"]
    return f"Line {cardinal(number)}: {phrases[number % len(phrases)]}."


def long_wav(path: Path, seconds: float, pause_s: float) -> str:
    """Write at least `seconds` of numbered sentences, `pause_s` apart, as 16 kHz wav; return their text."""
    spoken: list[str] = []
    write_wav(path, _pieces(seconds, pause_s, spoken))
    return " ".join(spoken)


def cached_wav(seconds: float, pause_s: float) -> Path:
    """Return such a file from the cache, made when missing."""
    corpus.cache().mkdir(parents=True, exist_ok=True)
    path = corpus.cache() / f"lines-{seconds:g}s-{pause_s:g}s.wav"
    if not path.exists():
        long_wav(path, seconds, pause_s)
    return path


def _pieces(seconds: float, pause_s: float, spoken: list[str]) -> Iterator[Samples]:
    tone = np.random.default_rng(0).uniform(-ROOM_TONE, ROOM_TONE, round(pause_s * SAMPLE_RATE)).astype(np.float32)
    voices, kept = corpus.Voices(), dict[int, "Samples"]()
    left = round(seconds * SAMPLE_RATE)
    for index in count():
        if left <= 0:
            return
        number = index % DISTINCT + 1
        if number not in kept:
            kept[number] = _line(number, voices)
        spoken.append(line_text(number))
        for piece in (tone, kept[number]):
            left -= piece.size
            yield piece


def _line(number: int, voices: corpus.Voices) -> Samples:
    path = corpus.cache() / "lines" / f"{number:03}.wav"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        samples = voices.piper(line_text(number)).samples
        ends = round(corpus.onset_s(samples) * SAMPLE_RATE), round(corpus.onset_s(samples[::-1]) * SAMPLE_RATE)
        write_wav(path, [samples[ends[0] : samples.size - ends[1]]])
    return read_wav(path)


def main() -> None:
    """Write a file and its text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--pause", type=float, default=0.4, help="seconds between sentences; 0: none")
    arguments = parser.parse_args()
    text = long_wav(arguments.path, arguments.seconds, arguments.pause)
    arguments.path.with_suffix(".txt").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
