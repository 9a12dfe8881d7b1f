"""huggingface-hub reads its environment when it is imported, so each test runs a fresh interpreter."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing

import pytest

from tympan.weights.catalog import HubFile
from tympan.weights.sources.hub import HubSource
from tympan.weights.sources.ranged import RangedClient

REVISION = "0123456789" * 4
PATH = f"/some/one/resolve/{REVISION}/voices/a.bin"
DATA = b"0123456789" * 1000

SCRIPT = """
import json, sys
from contextlib import closing
from tympan.cancel import Cancellation
from tympan.errors import SourceUnavailable
from tympan.weights.catalog import CatalogFile, HubFile
from tympan.weights.sources.hub import HubSource
from tympan.weights.sources.ranged import RangedClient

file = CatalogFile("one/a.bin", 10000, "0" * 64, hub=HubFile("some/one", sys.argv[1], "voices/a.bin"))
with closing(RangedClient("hub", 20.0, Cancellation())) as client:
    try:
        with HubSource(client).open(file, int(sys.argv[2])) as stream:
            print(json.dumps([stream.start, b"".join(stream.chunks).decode()]))
    except SourceUnavailable as error:
        print(json.dumps([error.source, error.reason]))
"""


@pytest.fixture
def ask(tmp_path):
    def run(offset=0, **environ):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, REVISION, str(offset)],
            env={**clean, "HF_HOME": str(tmp_path / "hf"), **environ},
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run


def test_endpoint_token_revision_and_range(server, ask):
    server.files[PATH] = DATA
    assert ask(100, HF_ENDPOINT=server.url, HF_TOKEN="hf_secret") == [100, DATA[100:].decode()]
    assert server.requests == [(PATH, "bytes=100-")]
    assert server.headers[0]["Authorization"] == "Bearer hf_secret"


def test_the_token_stays_with_the_hub(server, ask):
    other = server.url.replace("127.0.0.1", "localhost")
    server.redirect[PATH] = f"{other}/signed"
    server.files["/signed"] = DATA
    assert ask(HF_ENDPOINT=server.url, HF_TOKEN="hf_secret") == [0, DATA.decode()]
    assert "Authorization" not in server.headers[1]


def test_offline_mode_asks_nobody(server, ask):
    server.files[PATH] = DATA
    source, reason = ask(HF_ENDPOINT=server.url, HF_HUB_OFFLINE="1")
    assert source == "hub"
    assert reason.startswith("offline mode")
    assert server.requests == []


def test_what_the_hubs_cache_has_needs_no_network(ask, tmp_path):
    cached = tmp_path / "hf" / "hub" / "models--some--one" / "snapshots" / REVISION / "voices" / "a.bin"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(DATA)
    assert ask(10, HF_HUB_OFFLINE="1") == [10, DATA[10:].decode()]


def test_a_hub_that_cannot_be_reached_is_skipped_quickly(unreachable, ask):
    begun = time.monotonic()
    source, reason = ask(HF_ENDPOINT=unreachable)
    assert source == "hub"
    assert "refused" in reason
    assert time.monotonic() - begun < 10


def test_only_files_with_a_repository_are_offered(make_file, cancellation):
    with closing(RangedClient("hub", 20.0, cancellation)) as client:
        source = HubSource(client)
        assert not source.offers(make_file("one/a.bin", b"x"))
        assert source.offers(make_file("one/a.bin", b"x", hub=HubFile("some/one", REVISION, "a")))
