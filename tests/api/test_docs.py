"""The pages about the service are true: their examples run, and the table of errors is the tree."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.api.speech_requests import decoded
from tests.api.standins import AUDIO, Service

from tympan.errors import Cancelled, TympanError

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "http://127.0.0.1:8100"


def examples(language: str, page: str = "http.md") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "speech.wav").write_bytes(AUDIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path


@pytest.mark.parametrize("example", examples("python"))
@pytest.mark.usefixtures("folder")
def test_python_examples(service: Service, capsys: pytest.CaptureFixture[str], example: str):
    exec(compile(example.replace(ADDRESS, service.url), "docs/http.md", "exec"), {})
    assert "Hello there. How are you?" in capsys.readouterr().out


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("example", examples("bash"))
def test_shell_examples(service: Service, folder: Path, example: str):
    shown = subprocess.run(
        ["bash", "-c", example.replace(ADDRESS, service.url)], cwd=folder, capture_output=True, check=True, timeout=30
    )
    assert b"Hello there." in shown.stdout


@pytest.mark.parametrize("example", examples("python", "speak.md"))
def test_python_examples_of_speech(service: Service, folder: Path, example: str):
    exec(compile(example.replace(ADDRESS, service.url), "docs/speak.md", "exec"), {})
    assert (folder / "speech.wav").read_bytes()[8:12] == b"WAVE"
    assert service.speaker.pulled > 0


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("example", examples("bash", "speak.md"))
def test_shell_examples_of_speech(service: Service, folder: Path, example: str):
    shown = subprocess.run(
        ["bash", "-c", example.replace(ADDRESS, service.url)], cwd=folder, capture_output=True, check=True, timeout=30
    )
    mp3 = folder / "speech.mp3"
    assert b"speech.audio.done" in shown.stdout or decoded(mp3.read_bytes(), "mp3")[0].size > 0
    assert service.speaker.pulled > 0


def leaves(kind: type[TympanError]) -> list[type[TympanError]]:
    below = kind.__subclasses__()
    return [leaf for sub in below for leaf in leaves(sub)] if below else [kind]


def row(kind: type[TympanError]) -> str:
    cells = [
        str(kind.status),
        f"`{kind.type}`",
        f"`{kind.default_code}`" if kind.default_code else "null",
        f"`{kind.default_param}`" if kind.default_param else "null",
        "yes" if kind.retry else "no",
        (kind.__doc__ or "").split("\n")[0].rstrip("."),
    ]
    return "| " + " | ".join(cells) + " |"


def test_the_table_of_errors_is_the_tree():
    ours = [kind for kind in leaves(TympanError) if kind.__module__.startswith("tympan.errors")]
    expected = sorted(row(kind) for kind in ours if kind is not Cancelled)
    page = (DOCS / "errors.md").read_text().splitlines()
    found = [line for line in page if re.match(r"\| \d{3} \|", line)]
    assert found == expected, "the table should read:\n" + "\n".join(expected)
