import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.cli.standin_house import StandInHouse
from typer.testing import CliRunner

from tympan.cli.main import app, main
from tympan.cli.serve import bound_socket, is_loopback, url_of
from tympan.errors import CannotListen, WeightsMissing
from tympan.settings import load_settings

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.168.1.4", False),
        ("example.org", False),
    ],
)
def test_loopback_is_what_other_machines_cannot_reach(host: str, *, expected: bool):
    assert is_loopback(host) is expected


def test_other_machines_are_not_served_without_a_key(house: StandInHouse):
    result = CliRunner().invoke(app, ["serve", "--host", "0.0.0.0"])
    assert result.exit_code == 2
    assert "--no-auth" in result.stderr
    assert house.opened == 0


@pytest.mark.parametrize("given", ["listen.threads", "=2", "listen=1 listen.threads=2"])
def test_a_setting_is_a_key_and_a_value(house: StandInHouse, given: str):
    options = [part for setting in given.split() for part in ("--set", setting)]
    assert CliRunner().invoke(app, ["serve", *options]).exit_code == 2
    assert house.opened == 0


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--set", "listen.thread=2"], "command line: unknown setting 'listen.thread'; did you mean 'listen.threads'?"),
        (["--set", "listen.threads=two"], "command line: 'listen.threads': Input should be a valid integer"),
        (["--port", "70000"], "command line: 'server.port': Input should be less than or equal to 65535"),
    ],
)
def test_wrong_settings_are_one_sentence(
    options: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", ["tympan", "serve", *options])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith(f"tympan: {sentence}")


def test_a_port_in_use_is_refused():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = load_settings({"server": {"port": taken.getsockname()[1]}})
        with pytest.raises(CannotListen, match="Address already in use"), bound_socket(settings.server):
            pass


def test_flags_come_before_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TYMPAN_SERVER__PORT", "1")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(app, ["serve", "--port", str(port)])
    assert isinstance(result.exception, CannotListen)
    assert str(result.exception).startswith(f"Cannot listen on 127.0.0.1 port {port}: ")


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "localhost"), ("", "localhost"), ("::1", "[::1]")]
)
def test_the_url_is_one_that_this_machine_can_open(host: str, shown: str):
    with socket.create_server(("127.0.0.1", 0)) as bound:
        assert url_of(host, bound) == f"http://{shown}:{bound.getsockname()[1]}"


def test_the_service_ends_when_it_can_never_be_ready(
    house: StandInHouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    house.problem = WeightsMissing(["whisper-base/model.bin"], Path("store"))
    monkeypatch.setattr(sys, "argv", ["tympan", "serve", "--port", "0"])
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "tympan: Missing in store: whisper-base/model.bin." in capsys.readouterr().err
    assert house.closed == 1
    assert signal.getsignal(signal.SIGTERM) is before


SERVE = """
import tympan.compose
from tests.cli.standin_house import StandInHouse
from tympan.cli.main import main
house = StandInHouse()
tympan.compose.open_house = house.open_house
try:
    main()
finally:
    print("closed", house.closed, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_says_where_it_is_ready_answers_and_ends_in_peace(number: signal.Signals):
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr:
        lines = iter(process.stderr.readline, "")
        url = next(line.split()[1] for line in lines if line.startswith("Ready: "))
        with urllib.request.urlopen(f"{url}/models", timeout=10) as answer:
            assert json.load(answer)["data"][0]["id"] == "whisper"
        process.send_signal(number)
        assert process.stdout.read() == "closed 1\n"
        assert process.wait(10) == 0
