"""Model input beside transformers: milliseconds for a second of audio, peak memory, largest difference.

    python -m benchmarks.features --json features.json    # with the bench extra; on Linux

One core, one thread. Ours and theirs take turns on the same arrays, so that whatever else the machine does hits both
alike; only ratios within one run mean anything. Theirs takes 16 kHz waveforms only, so ours is measured on the same
waveforms; WAV decoding and resampling have a table of their own. Peak memory is that of a fresh process above its
imports, with the waveform in it. The floor is what the Fourier transforms alone take here, in the same turns.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from benchmarks.verdicts import Verdict, conclude

from tympan.cancel import Cancellation
from tympan.inputs.checkpoint import configure
from tympan.inputs.clips import Clip, ClipSource, SourceBounds
from tympan.inputs.families import FAMILIES
from tympan.inputs.features import gemma3n, phi4mm
from tympan.inputs.keys import Keys
from tympan.inputs.plan import make_plan
from tympan.inputs.polling import Checkpoint, Poll
from tympan.inputs.preparation import prepare
from tympan.inputs.resampling.linear import resample_linear
from tympan.inputs.resampling.polyphase import resample_polyphase
from tympan.inputs.wav import read_wav

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tympan.inputs.preparation import Prepared

    Features = NDArray[np.float32]

RATE = 16_000
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SECONDS = {"phi4mm": (1, 10, 30, 300, 1800), "gemma3n": (1, 10, 30)}  # Gemma 3n takes no more
MIB = 2**20

MIN_SPEEDUP = 4.0  # targets
SPEEDUP_AT_S = (10, 30)
MAX_MIB = 350.0  # of half an hour for Phi
EXACT = {"phi4mm": 2e-6, "gemma3n": 1e-6}


@dataclass(frozen=True, slots=True)
class Row:
    """One length of one family. Milliseconds for a second of audio are medians; errors are against transformers."""

    family: str
    seconds: int
    ours_ms: float
    theirs_ms: float
    speedup: float  # median of the ratios of neighbouring turns
    floor_ms: float  # the Fourier transforms alone
    ours_mib: float
    theirs_mib: float
    max_error: float
    last_mel_error: float  # of the one filter in which transformers' bank differs from the published one


@dataclass(frozen=True, slots=True)
class SourceRow:
    """Decoding or resampling one second of a source, beside the plain way to do it."""

    what: str
    ours_ms: float
    theirs_ms: float
    speedup: float


def poll() -> Poll:
    """Return a look at a cancellation that never comes."""
    return Poll(Cancellation(), Checkpoint.FEATURE, 1)


def ours(family: str) -> Callable[[Features], Features]:
    """Return our extractor: float32 [n] to float32 [frames, mels]."""

    def phi(samples: Features) -> Features:
        out = np.empty((phi4mm.frame_count(samples.size, RATE), phi4mm.MELS), np.float32)
        phi4mm.log_mel(samples, RATE, out, poll())
        return out

    def gemma(samples: Features) -> Features:
        out = np.empty((gemma3n.frame_count(samples.size), gemma3n.MELS), np.float32)
        gemma3n.log_mel(samples, "right", samples.size, (out, np.empty(len(out), np.bool_)), poll())
        return out

    return {"phi4mm": phi, "gemma3n": gemma}[family]


def theirs(family: str) -> Callable[[Features], Features]:
    """Return transformers' extractor, with one thread."""
    import torch
    import transformers

    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    if family == "phi4mm":
        phi = transformers.Phi4MultimodalFeatureExtractor()
        return lambda samples: np.asarray(
            phi(samples, sampling_rate=RATE, return_tensors="np")["audio_input_features"][0]
        )
    gemma = transformers.Gemma3nAudioFeatureExtractor()
    return lambda samples: np.asarray(gemma(samples, return_tensors="np")["input_features"][0])


def transforms(family: str, frames: int) -> Callable[[], None]:
    """Return the Fourier transforms of so many frames, in blocks, and nothing else."""
    points = phi4mm.FRAMING[RATE].transform if family == "phi4mm" else gemma3n.FRAMING.transform
    block = np.random.default_rng(0).standard_normal((128, points))
    out = np.empty((128, points // 2 + 1), np.complex128)

    def run() -> None:
        for low in range(0, frames, len(block)):
            count = min(len(block), frames - low)
            np.fft.rfft(block[:count], out=out[:count])

    return run


def noise(seconds: float, rate: int = RATE) -> Features:
    """Return noise within ±1."""
    return np.random.default_rng(0).uniform(-1, 1, round(seconds * rate)).astype(np.float32)


def quiet(seconds: float) -> Features:
    """Return a waveform that is made without any memory but its own."""
    samples = np.empty(round(seconds * RATE), np.float32)
    samples[:] = 0.001
    return samples


def clock(work: Callable[[], Any]) -> float:
    """Return processor seconds of one run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def again(work: Callable[[], Any], times: int) -> None:
    """Do it several times."""
    for _ in range(times):
        work()


def turns(works: list[Callable[[], Any]], seconds: float, rounds: int) -> list[list[float]]:
    """Let them take turns; return milliseconds for each second of audio, a list for each."""
    repeat = max(1, round(3 / seconds))  # short clips are too short for the clock
    for work in works:
        work()
    taken: list[list[float]] = [[] for _ in works]
    for turn in range(rounds):
        for index in range(len(works)):
            at = (index + turn) % len(works)
            taken[at].append(clock(partial(again, works[at], repeat)) / repeat / seconds * 1000)
    return taken


def ratio(slow: list[float], fast: list[float]) -> float:
    """Return the median of the ratios of each round."""
    return median(a / b for a, b in zip(slow, fast, strict=True))


def measure(family: str, seconds: int, rounds: int) -> Row:
    """Measure one length."""
    samples, mine, peer = noise(seconds), ours(family), theirs(family)
    got, expected = mine(samples), peer(samples)
    error = np.abs(got - expected)
    last = float(error[:, -1].max()) if family == "phi4mm" else 0.0
    if family == "phi4mm":
        error = error[:, :-1]
    largest = float(error.max())
    del expected, error
    ours_ms, theirs_ms, floor_ms = turns(
        [lambda: mine(samples), lambda: peer(samples), transforms(family, len(got))],
        seconds,
        rounds if seconds < 300 else 3,
    )
    return Row(
        family=family,
        seconds=seconds,
        ours_ms=median(ours_ms),
        theirs_ms=median(theirs_ms),
        speedup=ratio(theirs_ms, ours_ms),
        floor_ms=median(floor_ms),
        ours_mib=memory("ours", family, seconds),
        theirs_mib=memory("theirs", family, seconds),
        max_error=largest,
        last_mel_error=last,
    )


def memory(who: str, family: str, seconds: int) -> float:
    """Return MiB above the imports in a fresh process."""
    command = [sys.executable, "-m", "benchmarks.features", "--memory", who, family, str(seconds)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ).stdout)


def pipeline(family: str) -> Callable[[Features], Prepared]:
    """Return all that happens to a WAV of 16-bit samples."""
    model = configure(next(one for one in FAMILIES if one.name == family), Keys([]))

    def run(samples: Features) -> Prepared:
        one = clip((samples * 32767).astype(np.int16).reshape(-1, 1), RATE)
        del samples
        return prepare(make_plan([one], model, Cancellation()), model, Cancellation())

    return run


def peak_mib() -> float:
    """Return this process's peak; getrusage would give its parent's where that is higher."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def print_memory(who: str, family: str, seconds: int) -> None:
    """Print the MiB that one run adds to the imports and to a first short run, which loads what is loaded lazily."""
    work = pipeline(family) if who == "pipeline" else ours(family) if who == "ours" else theirs(family)
    work(noise(0.1))
    before = peak_mib()
    work(quiet(seconds))
    print(peak_mib() - before)


def measure_sources(rounds: int) -> list[SourceRow]:
    """Measure decoding, beside NumPy's plain conversion, and resampling, beside SciPy's and NumPy's own."""
    from scipy.signal import resample_poly

    rows = []
    for what, rate, samples in (
        ("decode 16 kHz, 16 bit, mono", RATE, (noise(30) * 32767).astype(np.int16).reshape(-1, 1)),
        ("decode 48 kHz, 16 bit, stereo", 48_000, (noise(30, 96_000) * 32767).astype(np.int16).reshape(-1, 2)),
        ("decode 48 kHz, float, stereo", 48_000, noise(30, 96_000).reshape(-1, 2)),
    ):
        found = read_wav(clip(samples, rate), SourceBounds(1, 192_000, 1800), poll())
        rows.append(source_row(what, 30, rounds, partial(found.decode, poll()), partial(plain, samples)))
    for rate in (32_000, 44_100, 48_000, 96_000, 192_000):
        samples, factor = noise(10, rate), rate // RATE
        mine = partial(resample_polyphase, samples, factor, poll())
        peer = partial(resample_poly, samples.astype(np.float64), 1, factor)
        rows.append(source_row(f"polyphase from {rate} Hz", 10, rounds, mine, peer))
    for rate in (8_000, 44_100, 48_000):
        samples, at = noise(10, rate), np.arange(10 * RATE) * (rate / RATE)
        mine = partial(resample_linear, samples, rate, poll())
        rows.append(
            source_row(
                f"linear from {rate} Hz", 10, rounds, mine, partial(np.interp, at, np.arange(samples.size), samples)
            )
        )
    return rows


def source_row(what: str, seconds: float, rounds: int, mine: Callable[[], Any], peer: Callable[[], Any]) -> SourceRow:
    """Let two ways of doing one thing take turns."""
    taken = turns([mine, peer], seconds, rounds)
    return SourceRow(what, median(taken[0]), median(taken[1]), ratio(taken[1], taken[0]))


def clip(samples: NDArray[Any], rate: int) -> Clip:
    """Return samples [n, channels] as a WAV."""
    body = samples.tobytes()
    tag, width = (1, 2) if samples.dtype == np.int16 else (3, 4)
    channels = samples.shape[1]
    head = np.array([tag, channels], "<u2").tobytes() + np.array([rate, 0], "<u4").tobytes()
    head += np.array([0, 8 * width], "<u2").tobytes()
    chunks = b"fmt " + len(head).to_bytes(4, "little") + head + b"data" + len(body).to_bytes(4, "little") + body
    return Clip(1, b"RIFF\0\0\0\0WAVE" + chunks, ClipSource.INLINE)


def plain(samples: NDArray[Any]) -> Features:
    """Convert in one expression, without checks: what loaders do."""
    scale = 32768.0 if samples.dtype == np.int16 else 1.0
    return np.asarray((samples / scale).mean(axis=1), np.float32)


def verdicts(rows: list[Row]) -> list[Verdict]:
    """Compare with the targets."""
    found = []
    for row in rows:
        name, exact = f"{row.family}, {row.seconds} s", EXACT[row.family]
        found.append(Verdict(f"{name}: off by {row.max_error:.2g}, at most {exact:g}", row.max_error <= exact))
        if row.seconds in SPEEDUP_AT_S:
            sentence = f"{name}: {row.speedup:.2f} times as fast, at least {MIN_SPEEDUP:g}"
            found.append(Verdict(sentence, row.speedup >= MIN_SPEEDUP))
    half_hour = memory("pipeline", "phi4mm", 1800)
    sentence = (
        f"phi4mm, 1800 s from WAV to features and ids: {half_hour:.0f} MiB above the imports, at most {MAX_MIB:g}"
    )
    found.append(Verdict(sentence, half_hour <= MAX_MIB))
    return found


def main() -> None:
    """Measure, print, and end with 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memory", nargs=3, metavar=("WHO", "FAMILY", "SECONDS"), help="one run in this process")
    arguments = parser.parse_args()
    if any(os.environ.get(name) != value for name, value in ONE_THREAD.items()):  # too late for this process
        command = [sys.executable, "-m", "benchmarks.features", *sys.argv[1:]]
        sys.exit(subprocess.run(command, check=False, env={**os.environ, **ONE_THREAD}).returncode)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if arguments.memory:
        who, family, seconds = arguments.memory
        print_memory(who, family, int(seconds))
        return
    rows = [measure(family, seconds, arguments.rounds) for family, lengths in SECONDS.items() for seconds in lengths]
    sources = measure_sources(arguments.rounds)
    print("| family | s | ours ms/s | theirs ms/s | times | FFT ms/s | ours MiB | theirs MiB | error | last mel |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row.family} | {row.seconds} | {row.ours_ms:.3f} | {row.theirs_ms:.3f} | {row.speedup:.2f} "
            f"| {row.floor_ms:.3f} | {row.ours_mib:.0f} | {row.theirs_mib:.0f} | {row.max_error:.2g} "
            f"| {row.last_mel_error:.2g} |"
        )
    print("\n| source | ours ms/s | plain ms/s | times |\n|---|---|---|---|")
    for source in sources:
        print(f"| {source.what} | {source.ours_ms:.3f} | {source.theirs_ms:.3f} | {source.speedup:.2f} |")
    figures = {"features": [asdict(row) for row in rows], "sources": [asdict(row) for row in sources]}
    conclude(verdicts(rows), figures, arguments.json)


if __name__ == "__main__":
    main()
