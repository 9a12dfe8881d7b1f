"""A long file against a short one: memory of the whole process tree, and the wait for the first words.

    python -m benchmarks.long_file --hours 3

Each file gets a fresh service, is uploaded with `stream=true`, and is transcribed to its end.
"""

from __future__ import annotations

import argparse
import io
import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import httpx
from benchmarks.lines import cached_wav
from benchmarks.processes import MIB, PeakMemory, Server
from benchmarks.verdicts import Verdict, conclude

SHORT_S = 60.0
PAUSE_S = 0.4
SECONDS_PER_HOUR = 3600.0
SILENCE_S = 120.0  # without a byte of answer

MAX_GROWTH_MIB = 150.0  # targets
MAX_FIRST_WORDS_S = 5.0


@dataclass(frozen=True, slots=True)
class Row:
    """One file. Times in seconds from the end of the upload."""

    audio_s: float
    first_words_s: float
    whole_s: float
    peak_mib: float
    characters: int


class TimedFile(io.FileIO):
    """A file that knows when it was read to its end: when the upload is over."""

    ended = 0.0

    def read(self, size: int | None = -1, /) -> Any:
        """Read as any file does."""
        data = super().read(-1 if size is None else size)
        if not data:
            self.ended = time.perf_counter()
        return data


def measure(seconds: float) -> Row:
    """Transcribe `seconds` of numbered sentences on a fresh service."""
    path = cached_wav(seconds, PAUSE_S)
    with Server() as server, PeakMemory(server) as memory, TimedFile(path) as file:
        first = 0.0
        text = ""
        form = {"model": "whisper", "language": "en", "stream": "true"}
        files = {"file": ("lines.wav", file)}
        url = f"{server.url}/v1/audio/transcriptions"
        with httpx.stream("POST", url, data=form, files=files, timeout=SILENCE_S) as answer:
            answer.raise_for_status()
            for line in answer.iter_lines():
                if not line.startswith("data: {"):
                    continue
                event = json.loads(line.removeprefix("data: "))
                if "error" in event:
                    raise RuntimeError(event["error"]["message"])
                if event["type"] == "transcript.text.delta":
                    first = first or time.perf_counter()
                    text += event["delta"]
        over = time.perf_counter()
    return Row(seconds, first - file.ended, over - file.ended, memory.peak / MIB, len(text))


def main() -> None:
    """Compare; exit code 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=3.0)
    parser.add_argument("--json", type=Path, default=None, help="file for all figures")
    arguments = parser.parse_args()
    rows = [measure(SHORT_S), measure(arguments.hours * SECONDS_PER_HOUR)]
    print(f"{'audio s':>9}{'first words s':>15}{'whole s':>10}{'peak MiB':>10}{'characters':>12}")
    for row in rows:
        print(
            f"{row.audio_s:>9.0f}{row.first_words_s:>15.2f}{row.whole_s:>10.1f}{row.peak_mib:>10.0f}{row.characters:>12}"
        )
    short, long = rows
    growth = long.peak_mib - short.peak_mib
    told = [
        Verdict(f"memory grows by {growth:.0f} MiB; under {MAX_GROWTH_MIB:g} wanted", growth < MAX_GROWTH_MIB),
        Verdict(
            f"first words {long.first_words_s:.1f} s after the upload; within {MAX_FIRST_WORDS_S:g} wanted",
            long.first_words_s <= MAX_FIRST_WORDS_S,
        ),
    ]
    conclude(told, [asdict(row) for row in rows], arguments.json)


if __name__ == "__main__":
    main()
