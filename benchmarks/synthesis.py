"""Synthesis beside its peers on the same weights, voice and phonemes: processor time, first audio, errors.

    python -m benchmarks.synthesis --json synthesis.json

Every text goes through every engine before the next round, so that whatever else the machine does hits all alike.
Only ratios within one run mean anything. One core, one thread. Errors are counted in what Whisper base hears.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from benchmarks.audio import resample
from benchmarks.synthesizers import KokoroOnnx, SherpaOnnx, Synthesizer, Tympan
from benchmarks.verdicts import Verdict, conclude

from benchmarks import corpus, wer
from tympan.engines.protocols import DecodeOptions, Span
from tympan.engines.whisper.model import WhisperEngine
from tympan.settings import load_settings
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.sound.waveform import Samples

BASELINE, OURS = KokoroOnnx.name, Tympan.name
TEXTS = {"1 s": slice(0, 1), "5 s": slice(14, 15), "20 s": slice(16, 22)}  # of the English sentences
VOICES = ("af_heart", "am_michael", "bf_emma", "bm_george")  # the first is timed, all are listened to
LISTENED = slice(14, 34)  # long enough for Whisper to have a context
MAX_SHARE = 0.5  # targets: of the baseline's RTF
MAX_FIRST_SHARE = 0.25  # of the time the baseline takes for the whole 20 s
FULL_SCALE = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """One engine on one text: medians of the rounds, in processor seconds.

    `rtf` is over the seconds of speech that the baseline makes of the text, the same for all.
    """

    text: str
    engine: str
    speech_s: float
    whole_s: float
    first_s: float
    rtf: float
    share: float  # of the baseline's time
    first_share: float  # of the baseline's time for the whole


@dataclass(frozen=True, slots=True)
class Heard:
    """One engine's speech, as Whisper understood it."""

    engine: str
    errors: int
    words: int
    rate: float


def timed(engine: Synthesizer, phonemes: Sequence[str], *, whole: bool) -> tuple[float, Samples]:
    """Return the processor time of one call, and its samples."""
    began = time.process_time()
    samples = engine.speak(phonemes, VOICES[0]) if whole else engine.begin(phonemes, VOICES[0])
    return time.process_time() - began, samples


def measure(engines: Sequence[Synthesizer], text: str, phonemes: Sequence[str], rounds: int) -> list[Row]:
    """Time every engine on one text, A B A B."""
    wholes: dict[str, list[float]] = {engine.name: [] for engine in engines}
    firsts: dict[str, list[float]] = {engine.name: [] for engine in engines}
    speech_s: dict[str, float] = {}
    for turn in range(rounds):
        for place in range(len(engines)):
            engine = engines[(turn + place) % len(engines)]
            seconds, samples = timed(engine, phonemes, whole=True)
            wholes[engine.name].append(seconds)
            speech_s[engine.name] = samples.size / SPEECH_RATE
            first = timed(engine, phonemes, whole=False)[0] if len(phonemes) > 1 else seconds
            firsts[engine.name].append(first)
            print(f"\r{text}: round {turn + 1} of {rounds}, {engine.name:<20}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    baseline = median(wholes[BASELINE])
    return [
        Row(
            text=text,
            engine=name,
            speech_s=speech_s[name],
            whole_s=median(times),
            first_s=median(firsts[name]),
            rtf=median(times) / speech_s[BASELINE],
            share=median(times) / baseline,
            first_share=median(firsts[name]) / baseline,
        )
        for name, times in wholes.items()
    ]


def listen(engine: Synthesizer, whisper: WhisperEngine, said: Sequence[tuple[str, str]]) -> Heard:
    """Count the word errors of sentences, given as text and phonemes."""
    total = wer.Score()
    for (text, phonemes), voice in product(said, VOICES):
        samples = resample(engine.speak([phonemes], voice), SPEECH_RATE)
        span = Span(np.clip(samples, -FULL_SCALE, FULL_SCALE), DecodeOptions(language="en"))
        total += wer.score(text, whisper.recognize([span])[0].text, "en")
    return Heard(engine.name, total.errors, total.units, total.rate)


def verdicts(rows: Sequence[Row], heard: Sequence[Heard]) -> list[Verdict]:
    """Compare with the targets."""
    ours = [row for row in rows if row.engine == OURS]
    errors = {entry.engine: entry for entry in heard}
    told = [
        Verdict(f"{row.text}: {row.share:.0%} of {BASELINE}'s time; at most {MAX_SHARE:.0%}", row.share <= MAX_SHARE)
        for row in ours
    ]
    longest = ours[-1]
    sentence = f"first audio of {longest.text} within {longest.first_share:.0%} of {BASELINE}'s whole"
    told.append(Verdict(f"{sentence}; at most {MAX_FIRST_SHARE:.0%}", longest.first_share <= MAX_FIRST_SHARE))
    mine, theirs = errors[OURS], errors[BASELINE]
    return [*told, Verdict(f"{mine.errors} word errors against {theirs.errors}", mine.errors <= theirs.errors)]


def show(rows: Sequence[Row], heard: Sequence[Heard]) -> None:
    """Print the tables."""
    print(f"{'text':<8}{'engine':<16}{'speech s':>9}{'whole s':>9}{'first s':>9}{'RTF':>8}{'share':>8}{'first':>8}")
    for row in rows:
        print(
            f"{row.text:<8}{row.engine:<16}{row.speech_s:>9.2f}{row.whole_s:>9.2f}{row.first_s:>9.2f}{row.rtf:>8.3f}"
            f"{row.share:>8.2f}{row.first_share:>8.2f}"
        )
    print(f"\n{'round trip':<24}{'words':>6}{'errors':>8}{'WER %':>8}")
    for entry in heard:
        print(f"{entry.engine:<24}{entry.words:>6}{entry.errors:>8}{entry.rate * 100:>8.2f}")


def main() -> None:
    """Run the comparison; exit code 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="passes over every text (default 5)")
    parser.add_argument("--core", type=int, default=None, help="processor to run on (default: the last one allowed)")
    parser.add_argument("--json", type=Path, default=None, help="file for all figures")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0)) if arguments.core is None else arguments.core})
    weights = load_settings().weights
    kokoro = weights / "kokoro-v1.0"
    peer = KokoroOnnx(kokoro)
    with TemporaryDirectory() as folder:
        engines: list[Synthesizer] = [peer, Tympan(kokoro), SherpaOnnx(kokoro, Path(folder))]
    texts = json.loads(corpus.TEXTS.read_text(encoding="utf-8"))["en"]
    phonemes = {text: peer.phonemes(text) for text in texts[: LISTENED.stop]}
    rows: list[Row] = []
    for name, which in TEXTS.items():
        rows += measure(engines, name, [phonemes[text] for text in texts[which]], arguments.rounds)
    whisper = WhisperEngine(weights / "whisper-base")
    said = [(text, phonemes[text]) for text in texts[LISTENED]]
    heard = [listen(engine, whisper, said) for engine in engines]
    show(rows, heard)
    figures = {"rows": [asdict(row) for row in rows], "round_trip": [asdict(entry) for entry in heard]}
    conclude(verdicts(rows, heard), figures, arguments.json)


if __name__ == "__main__":
    main()
