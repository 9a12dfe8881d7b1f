import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import tympan
from tympan.cli.main import VERBS, app, main

HEAVY = "numpy,av,fastapi,uvicorn,pydantic,httpx,onnxruntime,ctranslate2"


def test_help_lists_every_verb_without_importing_what_is_heavy():
    code = (
        "import sys\n"
        "from tympan.cli.main import app\n"
        "app(['--help'], standalone_mode=False)\n"
        f"print(sorted(set('{HEAVY}'.split(',')) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "[]\n")
    for name, verb in VERBS.items():
        assert name in done.stdout
        assert verb.summary[:30] in done.stdout


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_summed_up_by_the_first_line_of_its_help(name: str):
    module = __import__(VERBS[name].module, fromlist=["app"])
    command = typer.main.get_command(module.app)
    assert command.help is not None
    assert command.help.splitlines()[0] == VERBS[name].summary
    assert CliRunner().invoke(app, [name, "--help"]).exit_code == 0


@pytest.mark.parametrize("name", ["transcribe", "speak", "voices", "serve", "doctor"])
def test_every_option_is_documented(name: str):
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    section = page.split(f"## tympan {name}")[1].split("\n## ")[0]
    command = typer.main.get_command(__import__(VERBS[name].module, fromlist=["app"]).app)
    options = [option for parameter in command.params for option in parameter.opts if option.startswith("-")]
    assert [option for option in options if f"`{option}" not in section] == []


def test_the_version_is_told():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.stdout) == (0, f"tympan {tympan.__version__}\n")


def test_an_unknown_verb_is_wrong_usage_that_names_the_nearest():
    result = CliRunner().invoke(app, ["trnscribe"])
    assert result.exit_code == 2
    assert "transcribe" in result.stderr


def test_a_settings_file_that_is_not_there_is_wrong_usage(tmp_path: Path):
    result = CliRunner().invoke(app, ["--config", str(tmp_path / "absent.toml"), "weights", "list"])
    assert result.exit_code == 2


def test_the_settings_file_is_read_by_every_verb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    config = tmp_path / "tympan.toml"
    config.write_text("[listen]\nthread = 2\n")
    for verb in (["weights", "list"], ["transcribe", "a.wav"], ["doctor"], ["serve"]):
        monkeypatch.setattr(sys, "argv", ["tympan", "--config", str(config), *verb])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == 1
        assert capsys.readouterr().err == (
            f"tympan: {config}: unknown setting 'listen.thread'; did you mean 'listen.threads'?\n"
        )


def test_a_reader_that_goes_away_ends_it_without_noise():
    process = subprocess.Popen(
        [sys.executable, "-c", "from tympan.cli.main import main; main()", "weights", "list", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_behind_stdout_is_one_sentence():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tympan", "--version"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.strip() == "tympan: No space left on device"
