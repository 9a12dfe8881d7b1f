import json
from pathlib import Path

import pytest
from tests.api.speech_requests import decoded
from tests.cli.standin_house import StandInHouse
from typer.testing import CliRunner, Result

from tympan.cli.main import app
from tympan.cli.voices import SAMPLES
from tympan.speak.scripts import check_readable
from tympan.speak.voices import VOICES


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["voices", *map(str, arguments)], catch_exceptions=False)


def test_all_are_listed_without_opening_the_house(house: StandInHouse):
    lines = run().stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(VOICES)
    assert "am_michael    en-us  male    Michael     ash" in lines
    assert house.opened == 0


@pytest.mark.parametrize(
    ("language", "prefixes"),
    [("en", "ab"), ("en-gb", "b"), ("EN_US", "a"), ("pt", "p"), ("pt-BR", "p"), ("ja", "j"), ("zh", "z")],
)
def test_those_of_a_language(language: str, prefixes: str):
    found = [voice["id"] for voice in json.loads(run("--language", language, "--json").stdout)["voices"]]
    assert found == [voice for voice in VOICES if voice[0] in prefixes]


def test_a_voice_as_json():
    first = json.loads(run("--json", "-l", "it").stdout)["voices"][0]
    assert first == {"id": "if_sara", "name": "Sara", "language": "it", "gender": "female", "aliases": []}


@pytest.mark.parametrize("voice", VOICES.values(), ids=VOICES)
def test_every_voice_has_a_sentence_that_it_reads(voice):
    assert voice.language in SAMPLES
    check_readable(SAMPLES[voice.language], voice.language, voice.id)


def test_a_sample_is_spoken(house: StandInHouse, tmp_path: Path):
    result = run("--sample", "ff_siwis", "-o", tmp_path / "siwis.mp3")
    assert (result.exit_code, result.stdout) == (0, "")
    assert house.speaker.requests[0].text == SAMPLES["fr"]
    assert decoded((tmp_path / "siwis.mp3").read_bytes(), "mp3")[0].size > 0


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--language", "de"], "no voice speaks 'de'"),
        (["--sample", "bob"], "Unknown voice 'bob'"),
        (["-o", "a.mp3"], "give --sample VOICE"),
        (["--play"], "give --sample VOICE"),
    ],
)
def test_wrong_usage(house: StandInHouse, options: list[str], part: str):
    result = run(*options)
    assert result.exit_code == 2
    assert part in " ".join(result.stderr.replace("│", " ").split())
    assert house.opened == 0
