"""Recognition beside faster-whisper on the same weights and audio: processor time, errors, loops, word starts.

    python -m benchmarks.recognition --json recognition.json

Every clip goes through every engine before the next clip, in an order that rotates, so that whatever else the
machine does hits all alike. Only ratios within one run mean anything. One core, one thread.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from benchmarks.recognizers import Heard, Recognizer, recognizers
from benchmarks.verdicts import Verdict, conclude

from benchmarks import corpus, wer
from tympan.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.corpus import Clip

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
BASELINE = "faster-whisper, beam 1"
OURS, FULL_WINDOW = "tympan", "tympan, 30 s window"
BUCKETS_S = ((0.0, 3.0), (3.0, 7.0), (7.0, 15.0))
LATE_S = 0.2  # a start this far off is counted as plainly wrong

MIN_SPEEDUP = 4.0  # targets
MAX_EXTRA_WER = 0.005
MAX_START_ERROR_S = 0.05


@dataclass(frozen=True, slots=True)
class Run:
    """One engine's passes over one clip: means of the rounds, and the text of the first."""

    engine: str
    clip: Clip
    cpu_s: float
    wall_s: float
    heard: Heard


@dataclass(frozen=True, slots=True)
class Row:
    """One engine over several clips."""

    title: str
    engine: str
    clips: int
    audio_s: float
    cpu_s: float
    wall_s: float
    rtf: float
    speedup: float  # processor time of the baseline over this one's
    error_rate: float
    loops: int
    fallbacks: int


@dataclass(frozen=True, slots=True)
class StartRow:
    """Errors of word starts, in seconds; the bias is negative when starts are early."""

    reference: str
    engine: str
    words: int
    median_s: float
    mean_s: float
    bias_s: float
    late: int


def measure(engines: Sequence[Recognizer], clips: Sequence[Clip], rounds: int) -> list[Run]:
    """Time every engine on every clip, A B A B."""
    for engine in engines:
        engine.transcribe(clips[0].samples(), clips[0].language)  # first calls allocate
    runs = []
    for index, clip in enumerate(clips):
        samples = clip.samples()
        cpu, wall = [0.0] * len(engines), [0.0] * len(engines)
        heard: dict[int, Heard] = {}
        for turn in range(rounds * len(engines)):
            which = (index + turn) % len(engines)
            started, started_cpu = time.perf_counter(), time.process_time()
            found = engines[which].transcribe(samples, clip.language)
            cpu[which] += (time.process_time() - started_cpu) / rounds
            wall[which] += (time.perf_counter() - started) / rounds
            heard.setdefault(which, found)
        runs += [Run(engine.name, clip, cpu[k], wall[k], heard[k]) for k, engine in enumerate(engines)]
        print(f"\r{index + 1}/{len(clips)} clips", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return runs


def start_errors(clip: Clip, heard: Heard) -> list[float]:
    """Return by how many seconds each word that both know starts too late (or, negative, too early)."""
    expected = [
        (unit, start)
        for word, start in zip(clip.text.split(), clip.starts, strict=True)
        for unit in wer.units(word, clip.language)[:1]
    ]
    found = [(unit, start) for word, start in heard.words for unit in wer.units(word, clip.language)[:1]]
    matches = wer.align([unit for unit, _ in expected], [unit for unit, _ in found]).matches
    pairs = [(expected[i][1], found[j][1]) for i, j in matches]
    return [said - known for known, said in pairs if known is not None]


def summarize(title: str, runs: Iterable[Run]) -> list[Row]:
    """One row for each engine."""
    by_engine: dict[str, list[Run]] = {}
    for run in runs:
        by_engine.setdefault(run.engine, []).append(run)
    baseline = sum(run.cpu_s for run in by_engine.get(BASELINE, []))
    rows = []
    for engine, own in by_engine.items():
        audio, cpu = sum(run.clip.seconds for run in own), sum(run.cpu_s for run in own)
        scores = [wer.score(run.clip.text, run.heard.text, run.clip.language) for run in own]
        loops = sum(wer.is_loop(run.clip.text, run.heard.text, run.clip.language) for run in own)
        rows.append(
            Row(
                title=title,
                engine=engine,
                clips=len(own),
                audio_s=audio,
                cpu_s=cpu,
                wall_s=sum(run.wall_s for run in own),
                rtf=cpu / audio,
                speedup=baseline / cpu,
                error_rate=sum(scores, wer.Score()).rate,
                loops=loops,
                fallbacks=sum(run.heard.fallbacks for run in own),
            )
        )
    return rows


def summarize_starts(engines: Sequence[Recognizer], clips: Sequence[Clip]) -> list[StartRow]:
    """Ask every engine for word times where a reference knows them; one row for each reference and engine."""
    errors: dict[tuple[str, str], list[float]] = {}
    for clip in clips:
        samples = clip.samples()
        reference = "after pauses" if clip.group == "onsets" else clip.origin
        for engine in engines:
            heard = engine.transcribe(samples, clip.language, words=True)
            errors.setdefault((reference, engine.name), []).extend(start_errors(clip, heard))
    return [
        StartRow(
            reference=reference,
            engine=engine,
            words=len(own),
            median_s=median(map(abs, own)),
            mean_s=mean(map(abs, own)),
            bias_s=mean(own),
            late=sum(abs(error) > LATE_S for error in own),
        )
        for (reference, engine), own in sorted(errors.items())
        if own
    ]


def tables(runs: Sequence[Run]) -> list[Row]:
    """Rows by set and length."""
    english = [run for run in runs if run.clip.language == "en"]
    rows = []
    for low, high in BUCKETS_S:
        rows += summarize(f"English, {low:g}-{high:g} s", [run for run in english if low <= run.clip.seconds < high])
    rows += summarize("English, all", english)
    rows += summarize("English, human", [run for run in english if run.clip.origin in {"lj-speech", "librivox"}])
    rows += summarize("other languages", [run for run in runs if run.clip.language != "en"])
    return rows


def verdicts(rows: Sequence[Row], starts: Sequence[StartRow]) -> list[Verdict]:
    """Compare with the targets."""
    found = {(row.title, row.engine): row for row in rows}
    ours, full = found["English, all", OURS], found["English, all", FULL_WINDOW]
    others = found["other languages", OURS]
    extra, limit_ms = ours.error_rate - full.error_rate, MAX_START_ERROR_S * 1000
    told = [
        Verdict(f"{ours.speedup:.1f} times {BASELINE}; at least {MIN_SPEEDUP:g} wanted", ours.speedup >= MIN_SPEEDUP),
        Verdict(
            f"WER {extra:+.2%} against the 30 s window; at most {MAX_EXTRA_WER:+.2%} wanted", extra <= MAX_EXTRA_WER
        ),
        Verdict(f"{others.loops} runaway loops in other languages; none wanted", others.loops == 0),
    ]
    return told + [
        Verdict(
            f"word starts ({row.reference}) off by {row.median_s * 1000:.0f} ms; under {limit_ms:.0f} wanted",
            row.median_s < MAX_START_ERROR_S,
        )
        for row in starts
        if row.engine == OURS
    ]


def show(rows: Sequence[Row], starts: Sequence[StartRow]) -> None:
    """Print the table."""
    print(
        f"{'set':<19}{'engine':<26}{'clips':>6}{'audio s':>9}{'CPU s':>8}{'wall s':>8}{'RTF':>7}"
        f"{'times':>7}{'WER %':>8}{'loops':>7}{'again':>7}"
    )
    for row in rows:
        print(
            f"{row.title:<19}{row.engine:<26}{row.clips:>6}{row.audio_s:>9.1f}{row.cpu_s:>8.2f}{row.wall_s:>8.2f}"
            f"{row.rtf:>7.3f}{row.speedup:>7.2f}{row.error_rate * 100:>8.2f}{row.loops:>7}{row.fallbacks:>7}"
        )
    late = f"> {LATE_S * 1000:.0f} ms"
    print(f"\n{'word starts':<19}{'engine':<26}{'words':>6}{'median ms':>11}{'mean ms':>9}{'bias ms':>9}{late:>10}")
    for start in starts:
        print(
            f"{start.reference:<19}{start.engine:<26}{start.words:>6}{start.median_s * 1000:>11.0f}"
            f"{start.mean_s * 1000:>9.0f}{start.bias_s * 1000:>9.0f}{start.late:>10}"
        )


def figures(runs: Sequence[Run], rows: Sequence[Row], starts: Sequence[StartRow]) -> dict[str, Any]:
    """Return all that was measured, down to the text of each clip."""
    clips = [
        {
            "engine": run.engine,
            "clip": run.clip.name,
            "cpu_s": run.cpu_s,
            "said": run.clip.text,
            "heard": run.heard.text,
        }
        for run in runs
    ]
    return {"rows": [asdict(row) for row in rows], "starts": [asdict(row) for row in starts], "clips": clips}


def settle(core: int | None) -> None:
    """Start this process anew on one processor with one thread: native libraries look only when they load."""
    if ONE_THREAD.items() <= os.environ.items():
        return
    os.environ.update(ONE_THREAD)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0)) if core is None else core})
    os.execv(sys.executable, [sys.executable, "-m", "benchmarks.recognition", *sys.argv[1:]])  # noqa: S606  (itself)


def main() -> None:
    """Run the comparison; exit code 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=2, help="passes over every clip (default 2)")
    parser.add_argument("--every", type=int, default=1, help="take only every n-th clip, for a quick look")
    parser.add_argument("--core", type=int, default=None, help="processor to run on (default: the last one allowed)")
    parser.add_argument("--json", type=Path, default=None, help="file for all figures and texts")
    arguments = parser.parse_args()
    settle(arguments.core)
    engines = recognizers(load_settings().weights / "whisper-base")
    spoken = corpus.load("english", "multilingual")[:: arguments.every]
    runs = measure(engines, spoken, arguments.rounds)
    timed = [clip for clip in corpus.load("english", "onsets") if clip.starts][:: arguments.every]
    rows, starts = tables(runs), summarize_starts(engines, timed)
    show(rows, starts)
    conclude(verdicts(rows, starts), figures(runs, rows, starts), arguments.json)


if __name__ == "__main__":
    main()
