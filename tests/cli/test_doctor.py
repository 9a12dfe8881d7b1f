import hashlib
import json
import socket
from pathlib import Path

import pytest
from tests.cli.standin_house import StandInHouse
from typer.testing import CliRunner

from tympan.cli import checks, job_checks
from tympan.cli.doctor import describe
from tympan.cli.main import app
from tympan.settings import load_settings
from tympan.weights.catalog import Bundle, Catalog, CatalogFile

MODEL = b"weights"
NEEDED = "silero-vad"


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A store with the one file of a catalog of two bundles, of which listening needs the first."""

    def bundle(name: str) -> Bundle:
        file = CatalogFile(f"{name}/model.bin", len(MODEL), hashlib.sha256(MODEL).hexdigest())
        return Bundle(name, name, "MIT", "somebody", "https://example.org", (file,))

    catalog = Catalog({name: bundle(name) for name in (NEEDED, "other")}, {})
    monkeypatch.setattr(job_checks, "load_catalog", lambda: catalog)
    monkeypatch.setenv("TYMPAN_WEIGHTS", str(tmp_path))
    (tmp_path / NEEDED).mkdir()
    (tmp_path / NEEDED / "model.bin").write_bytes(MODEL)
    return tmp_path


def test_a_machine_on_which_listening_works(
    house: StandInHouse, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    config = tmp_path / "tympan.toml"
    config.write_text("[listen]\nthreads = 2\n[server]\nport = 0\n")
    monkeypatch.setenv("TYMPAN_CONFIG", str(config))
    monkeypatch.setenv("TYMPAN_SERVER__API_KEYS", "sk-aaaaaaaaaaaaaaaabcde")
    result = CliRunner().invoke(app, ["doctor", "--json"])
    document = json.loads(result.stdout)
    assert (result.exit_code, document["works"]) == (0, True)
    found = {check["name"]: check for check in document["checks"]}
    assert found["weights silero-vad"]["state"] == "ok"
    assert found["weights other"]["state"] == "off"
    assert found["source https"]["state"] == "off"
    assert found["decoder"]["found"] == "its process starts and gave 16000 samples for 1 s of audio"
    assert found["engine whisper"]["found"] == "loaded in 0.5 s and answered, 200.0 MB in memory"
    assert "numpy" in found["packages"]["found"]
    assert house.fetch is False
    settings = {setting["name"]: (setting["value"], setting["origin"]) for setting in document["settings"]}
    assert settings["listen.threads"] == ("2", str(config))
    assert settings["listen.batch"] == ("4", "default")
    assert settings["weights"] == (str(store), "TYMPAN_WEIGHTS")
    assert settings["server.api_keys"] == ("sk-********bcde", "TYMPAN_SERVER__API_KEYS")


@pytest.mark.usefixtures("store")
def test_a_machine_without_weights_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("TYMPAN_WEIGHTS", str(tmp_path / "empty"))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 1
    assert "warning  weights silero-vad     1 of 1 files missing, 7 bytes" in result.stdout
    assert "'tympan weights fetch silero-vad' brings them" in result.stdout
    assert "failed   engines to listen      Missing in" in result.stdout
    assert result.stdout.endswith("Something does not work: see what failed above.\n")


@pytest.mark.parametrize(("bundle", "state"), [(NEEDED, "failed"), ("other", "warning")])
def test_wrong_bytes_fail_where_listening_needs_them(store: Path, bundle: str, state: str):
    (store / bundle).mkdir(exist_ok=True)
    (store / bundle / "model.bin").write_bytes(b"WEIGHTS")
    found = {check.name: check for check in job_checks.check_weights(load_settings())}
    check = found[f"weights {bundle}"]
    assert check.state == state
    assert "expected sha256" in check.found
    assert f"tympan weights rm {bundle}" in check.advice


def test_sources_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr("shutil.which", lambda _: None)
    sources = {"directory": str(tmp_path / "absent"), "https": "https://example.org"}
    settings = load_settings({"sources": sources})
    found = {check.name: check.state for check in job_checks.check_sources(settings, network=False)}
    assert found == {
        "source directory": "warning",
        "source pypi": "ok",
        "source npm": "off",
        "source hub": "ok",
        "source https": "ok",
    }


def test_the_network_check_asks_each_source_for_its_smallest_file(store: Path, tmp_path: Path):
    settings = load_settings({"sources": {"order": ["directory"], "directory": str(store)}})
    assert [check.found for check in job_checks.check_sources(settings, network=True)] == [f"gives {NEEDED}/model.bin"]
    (tmp_path / "empty").mkdir()
    settings = load_settings({"sources": {"order": ["directory"], "directory": str(tmp_path / "empty")}})
    assert [check.state for check in job_checks.check_sources(settings, network=True)] == ["warning"]


def test_a_missing_package_fails(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "importlib.metadata.requires",
        lambda _: ["numpy>=2", "no-such-package>=1", 'absent; extra == "dev"', "pydantic[email]>=2"],
    )
    check = checks.check_packages()
    assert (check.state, check.found) == ("failed", "missing: no-such-package")


@pytest.mark.parametrize(
    ("flags", "state", "says"),
    [
        ("fpu avx2 avx512_vnni", "ok", "avx2, avx512_vnni"),
        ("fpu sse2", "warning", "none of avx2"),
    ],
)
def test_instruction_sets_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: str, state: str, says: str):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t: none\n")
    monkeypatch.setattr(checks, "CPUINFO", cpuinfo)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    check = checks.check_processor()
    assert check.state == state
    assert says in check.found


@pytest.mark.parametrize(
    ("limit", "state", "found"),
    [
        ("max\n", "ok", "8.2 GB available"),
        ("500000000\n", "warning", "500.0 MB available"),
        (None, "ok", "8.2 GB available"),
    ],
)
def test_a_containers_limit_counts_as_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, limit: str | None, state: str, found: str
):
    (tmp_path / "meminfo").write_text("MemTotal: 16000000 kB\nMemAvailable:    8000000 kB\n")
    if limit is not None:
        (tmp_path / "limit").write_text(limit)
    monkeypatch.setattr(checks, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(checks, "CGROUP_LIMIT", tmp_path / "limit")
    check = checks.check_memory()
    assert (check.state, check.found) == (state, found)


def test_a_port_in_use_is_a_warning():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        check = checks.check_port(load_settings({"server": {"port": taken.getsockname()[1]}}))
    assert check.state == "warning"
    assert "already in use" in check.found


def test_advice_stands_below_what_was_found():
    lines = describe(checks.Check("memory", "warning", "little", "Buy some.")).splitlines()
    assert lines == ["warning  memory                 little", " " * 32 + "Buy some."]
