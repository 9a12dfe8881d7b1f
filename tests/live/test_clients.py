"""Voice agents' own clients against a running service, with nothing set but its address.

They pin versions of libraries that we have newer, so they get an environment of their own, made once in the user's
cache. Where it cannot be made (no registry), the tests say so and are skipped.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.live.conftest import wav_bytes

CLIENTS = Path(__file__).parent / "clients"
PACKAGES = ("livekit-plugins-openai==1.8.9", "pipecat-ai[openai]==1.14.0")


@pytest.fixture(scope="module")
def python():
    """The interpreter of an environment that has the clients."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "tympan" / "test-clients" / "-".join(PACKAGES).replace("[", "-").replace("]", "-")
    done = folder / "complete"
    if not done.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
        made = subprocess.run(
            [str(folder / "bin" / "pip"), "install", "-q", *PACKAGES],
            capture_output=True, text=True, check=False, timeout=400,
        )  # fmt: skip
        if made.returncode:
            pytest.skip(f"the clients cannot be installed: {made.stderr.strip()[-200:]}")
        done.touch()
    return folder / "bin" / "python"


@pytest.fixture
def run(python, url, sound, tmp_path):
    path = tmp_path / "printing.wav"
    path.write_bytes(wav_bytes(sound("printing.flac")))

    def run(script):
        done = subprocess.run(
            [str(python), str(CLIENTS / script), url, str(path)],
            capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        return json.loads(done.stdout.splitlines()[-1])

    return run


@pytest.mark.timeout(600)
def test_livekit(run):
    found = run("livekit_client.py")
    assert found["text"].startswith("Printing, in the only sense")
    assert all(1.5 < seconds < 6 for seconds in found["seconds"].values())
    assert set(found["seconds"]) == {"gpt-4o-mini-tts", "tts-1"}  # as events, and as bytes


@pytest.mark.timeout(600)
def test_pipecat(run):
    found = run("pipecat_client.py")
    assert found["errors"] == []
    assert found["text"].startswith("Printing, in the only sense")
    assert 1.5 < found["seconds"] < 6
