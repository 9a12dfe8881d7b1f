"""The real starter models, fetched once into the user's store, loaded once for all live tests."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import numpy as np
import pytest

from tympan.cancel import Cancellation
from tympan.compose import open_house
from tympan.listen.request import ListenRequest
from tympan.listen.results import Transcript
from tympan.settings import load_settings
from tympan.sound.pool import DecoderPool
from tympan.sound.waveform import SAMPLE_RATE

SAMPLES = Path(__file__).parents[2] / "samples"
FETCH_TIMEOUT_S = 900
READY_TIMEOUT_S = 60


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.live)


@pytest.fixture(scope="session")
def live_settings():
    return load_settings()


@pytest.fixture(scope="session")
def house(live_settings):
    with open_house(live_settings) as opened:
        opened.require_ready(FETCH_TIMEOUT_S)
        yield opened


@pytest.fixture(scope="session")
def url(house):
    """The address of a running service; `house` has fetched the weights."""
    del house
    process = subprocess.Popen(
        [sys.executable, "-m", "tympan", "serve", "--port", "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        address = next(found.group() for line in lines if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
        deadline = time.monotonic() + READY_TIMEOUT_S
        while httpx.get(f"{address}/healthz").status_code != 200:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


@pytest.fixture(scope="session")
def hear(house):
    """Transcribe media (bytes, a path, or float32 [n] or [channels, n] at 16 kHz) and return the transcript."""

    def run(media, **fields):
        if isinstance(media, np.ndarray):
            media = wav_bytes(media)
        transcription = house.listener.transcribe(ListenRequest(media, **fields), Cancellation())
        segments = tuple(transcription)
        return Transcript(segments, transcription.summary)

    return run


@pytest.fixture(scope="session")
def manifest():
    return {entry["file"]: entry for entry in json.loads((SAMPLES / "manifest.json").read_text(encoding="utf-8"))}


@pytest.fixture(scope="session")
def sound(live_settings):
    """Read a sample as float32 [n] at 16 kHz."""
    with_pool = DecoderPool(live_settings.sound)

    def read(name):
        decoding = with_pool.open(SAMPLES / name, cancellation=Cancellation())
        try:
            return np.concatenate([block.channels[0] for block in decoding])
        finally:
            decoding.close()

    yield read
    with_pool.close()


def wav_bytes(samples, rate=SAMPLE_RATE):
    """Return a 16-bit wav of float32 [n] or [channels, n]."""
    channels = np.atleast_2d(samples)
    data = (np.clip(channels, -1, 1) * 32767).round().astype("<i2").T.tobytes()
    count = len(channels)
    header = b"RIFF" + (36 + len(data)).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    header += (1).to_bytes(2, "little") + count.to_bytes(2, "little") + rate.to_bytes(4, "little")
    header += (rate * count * 2).to_bytes(4, "little") + (count * 2).to_bytes(2, "little") + (16).to_bytes(2, "little")
    return header + b"data" + len(data).to_bytes(4, "little") + data


def noise(seconds, level_db, seed=0):
    """Return white noise: float32 [n] with this RMS in dB of full scale."""
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(round(seconds * SAMPLE_RATE)) * 10 ** (level_db / 20)).astype(np.float32)
