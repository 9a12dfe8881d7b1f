"""The running service under load, on the loopback interface: throughput, latency, fairness, memory, readiness.

    python -m benchmarks.server_load --json server_load.json

Starts `tympan serve` with the settings of the environment. Every part is bounded in requests or seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import httpx
from benchmarks.lines import cached_wav
from benchmarks.processes import MIB, Server
from benchmarks.verdicts import Verdict, conclude

from benchmarks import corpus

if TYPE_CHECKING:
    from collections.abc import Sequence

LENGTHS_S = (2.0, 5.0, 10.0)
CLIPS_PER_LENGTH = 4
REQUESTS = {1: 24, 4: 48, 16: 96}  # by number of callers
MIXED_REQUESTS, MIXED_CALLERS, MIXED_STEP = 200, 4, 20
LONG_FILE_S, LONG_FILE_PAUSE_S = 1200.0, 0.4
BUSY_S = 40.0  # how long the service is watched while it works on the long file
HEALTH_EVERY_S = 0.02
TIMEOUT_S = 120.0

MAX_HEALTH_P99_S = 0.05  # targets
MAX_GROWTH = 0.10


@dataclass(frozen=True, slots=True)
class Upload:
    """A clip as it is sent."""

    length_s: float  # the nominal one
    seconds: float
    data: bytes


@dataclass(slots=True)
class Report:
    """All that was measured; times in seconds, memory in MiB."""

    load: list[dict[str, float]] = field(default_factory=list)
    alone_s: list[float] = field(default_factory=list)  # a 2 s clip on an idle service
    beside_s: list[float] = field(default_factory=list)  # the same beside the long file
    batch_s: float = 0.0  # what one batch took meanwhile
    health_s: list[float] = field(default_factory=list)  # meanwhile, too
    memory_mib: list[float] = field(default_factory=list)  # over the mixed requests, at every step


def quantile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def uploads() -> list[Upload]:
    """Return English clips near each length, the lengths in turn."""
    clips = corpus.load("english")
    chosen = [sorted(clips, key=lambda clip: abs(clip.seconds - length))[:CLIPS_PER_LENGTH] for length in LENGTHS_S]
    return [
        Upload(length, clip.seconds, (corpus.cache() / "clips" / f"{clip.name}.wav").read_bytes())
        for turn in range(CLIPS_PER_LENGTH)
        for length, clip in zip(LENGTHS_S, [near[turn] for near in chosen], strict=True)
    ]


async def transcribe(client: httpx.AsyncClient, upload: Upload) -> float:
    """Send a clip and return the seconds until the whole answer is there."""
    started = time.perf_counter()
    form = {"model": "whisper", "language": "en", "response_format": "json"}
    answer = await client.post("/v1/audio/transcriptions", data=form, files={"file": ("clip.wav", upload.data)})
    answer.raise_for_status()
    if not answer.json()["text"]:
        raise RuntimeError("a clip of speech came back without text")
    return time.perf_counter() - started


async def drive(
    client: httpx.AsyncClient, clips: Sequence[Upload], callers: int, requests: int
) -> list[tuple[Upload, float]]:
    """Let `callers` send `requests` clips in all, each its next one as soon as the last is answered."""
    waiting = iter([clips[index % len(clips)] for index in range(requests)])
    done: list[tuple[Upload, float]] = []

    async def caller() -> None:
        for upload in waiting:  # shared: whoever is free takes the next
            latency = await transcribe(client, upload)
            done.append((upload, latency))

    async with asyncio.TaskGroup() as group:
        for _ in range(callers):
            group.create_task(caller())
    return done


async def measure_load(client: httpx.AsyncClient, clips: Sequence[Upload], report: Report) -> None:
    """Throughput and latency by number of callers."""
    for callers, requests in REQUESTS.items():
        started = time.perf_counter()
        done = await drive(client, clips, callers, requests)
        wall = time.perf_counter() - started
        row = {
            "callers": callers,
            "requests": requests,
            "requests_per_s": requests / wall,
            "audio_s_per_s": sum(upload.seconds for upload, _ in done) / wall,
        }
        for length in LENGTHS_S:
            latencies = [latency for upload, latency in done if upload.length_s == length]
            row |= {f"p50_{length:g}s": quantile(latencies, 0.5), f"p95_{length:g}s": quantile(latencies, 0.95)}
        report.load.append(row)


async def measure_memory(server: Server, client: httpx.AsyncClient, clips: Sequence[Upload], report: Report) -> None:
    """Memory of the process tree over mixed requests."""
    for _ in range(MIXED_REQUESTS // MIXED_STEP):
        await drive(client, clips, MIXED_CALLERS, MIXED_STEP)
        report.memory_mib.append(await asyncio.to_thread(server.tree_rss) / MIB)


async def measure_fairness(client: httpx.AsyncClient, clip: Upload, report: Report) -> None:
    """Send a short clip again and again, and ask for readiness, while a long file is transcribed."""
    report.alone_s = [await transcribe(client, clip) for _ in range(10)]
    long_file = cached_wav(LONG_FILE_S, LONG_FILE_PAUSE_S).read_bytes()
    begun = asyncio.Event()
    work = asyncio.create_task(_stream(client, long_file, begun))
    work.add_done_callback(lambda _: begun.set())  # also when it fails
    await begun.wait()
    before = await batch_counters(client)
    deadline = time.perf_counter() + BUSY_S
    health = asyncio.create_task(_poll_health(client, work, deadline, report.health_s))
    while not work.done() and time.perf_counter() < deadline:
        latency = await transcribe(client, clip)
        if not work.done():
            report.beside_s.append(latency)
    await health
    after = await batch_counters(client)
    report.batch_s = (after[0] - before[0]) / max(1.0, after[1] - before[1])
    if work.done():
        work.result()  # raises what ended it
    work.cancel()
    with suppress(asyncio.CancelledError):
        await work


async def _stream(client: httpx.AsyncClient, audio: bytes, begun: asyncio.Event) -> None:
    form = {"model": "whisper", "language": "en", "stream": "true"}
    files = {"file": ("long.wav", audio)}
    async with client.stream("POST", "/v1/audio/transcriptions", data=form, files=files) as answer:
        answer.raise_for_status()
        async for line in answer.aiter_lines():
            if "transcript.text.delta" in line:
                begun.set()


async def _poll_health(client: httpx.AsyncClient, work: asyncio.Task[None], deadline: float, into: list[float]) -> None:
    while not work.done() and time.perf_counter() < deadline:
        started = time.perf_counter()
        answer = await client.get("/healthz")
        into.append(time.perf_counter() - started)
        answer.raise_for_status()
        await asyncio.sleep(HEALTH_EVERY_S)


async def batch_counters(client: httpx.AsyncClient) -> tuple[float, float]:
    """Return the recognizer's busy seconds and batches so far, from `/metrics`."""
    text = (await client.get("/metrics")).text
    found = {"busy_seconds": 0.0, "batches": 0.0}
    for line in text.splitlines():
        for name in found:
            if line.startswith(f"tympan_engine_{name}") and "whisper" in line:
                found[name] = float(line.rsplit(" ", 1)[1])
    return found["busy_seconds"], found["batches"]


async def measure(server: Server) -> Report:
    """Run every part against a running service."""
    report, clips = Report(), uploads()
    limits = httpx.Limits(max_connections=64, max_keepalive_connections=64)
    async with httpx.AsyncClient(base_url=server.url, timeout=TIMEOUT_S, limits=limits) as client:
        await drive(client, clips, MIXED_CALLERS, 2 * MIXED_STEP)  # warm-up
        await measure_memory(server, client, clips, report)  # before the load starts more decoders
        await measure_load(client, clips, report)
        await measure_fairness(client, clips[0], report)
    return report


def verdicts(report: Report) -> list[Verdict]:
    """Compare with the targets."""
    health, first, most = quantile(report.health_s, 0.99), report.memory_mib[0], max(report.memory_mib)
    added, bound = median(report.beside_s) - median(report.alone_s), 2 * report.batch_s
    limit_ms = 1000 * MAX_HEALTH_P99_S
    return [
        Verdict(f"/healthz p99 {1000 * health:.0f} ms; under {limit_ms:.0f} wanted", health < MAX_HEALTH_P99_S),
        Verdict(f"a 2 s clip waits {added:.2f} s more beside a long file; two batches: {bound:.2f}", added <= bound),
        Verdict(
            f"memory {first:.0f} MiB, at most {most:.0f} over {MIXED_REQUESTS} requests; {MAX_GROWTH:+.0%} allowed",
            most <= first * (1 + MAX_GROWTH),
        ),
    ]


def show(report: Report) -> None:
    """Print the table."""
    lengths = "".join(f"{f'{length:g} s p50':>11}{'p95':>7}" for length in LENGTHS_S)
    print(f"{'callers':>7}{'requests':>10}{'req/s':>8}{'audio s/s':>11}{lengths}")
    for row in report.load:
        latencies = "".join(f"{row[f'p50_{length:g}s']:>11.2f}{row[f'p95_{length:g}s']:>7.2f}" for length in LENGTHS_S)
        rates = f"{row['requests_per_s']:>8.2f}{row['audio_s_per_s']:>11.1f}"
        print(f"{row['callers']:>7}{row['requests']:>10}{rates}{latencies}")
    print()
    parts = {"2 s clip, idle": report.alone_s, "2 s clip, beside": report.beside_s, "/healthz, beside": report.health_s}
    for name, values in parts.items():
        print(f"{name:<18}{len(values):>6} times  p50 {median(values):.3f} s  p99 {quantile(values, 0.99):.3f} s")
    print("memory, MiB: " + " ".join(f"{value:.0f}" for value in report.memory_mib))


def main() -> None:
    """Run the load; exit code 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, default=None, help="file for all figures")
    arguments = parser.parse_args()
    cached_wav(LONG_FILE_S, LONG_FILE_PAUSE_S)  # made before anything is timed
    with Server() as server:
        report = asyncio.run(measure(server))
    show(report)
    conclude(verdicts(report), asdict(report), arguments.json)


if __name__ == "__main__":
    main()
