import io
import os
import stat
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from tests.api.speech_requests import decoded
from tests.api.standins import wait_for
from tests.cli.standin_house import StandInHouse
from tests.standin_speaker import WORD_S, failing
from typer.testing import CliRunner, Result

from tympan.cancel import Cancellation
from tympan.cli.main import app, main
from tympan.cli.player import PLAYERS, Player, playing
from tympan.cli.speaking import AudioFormat
from tympan.errors import EngineCrashed, NotReady, PlayerFailed
from tympan.sound.encode import FORMATS
from tympan.speak.request import SpeakRequest
from tympan.speak.results import SpokenPiece, TimedText

TEXT = "Hello there, world. One two three four five."
TEXT_S = 8 * WORD_S


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["speak", *map(str, arguments)], input=stdin, catch_exceptions=False)


def sentence_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the program itself; return what it says of an error that ends it with 1."""
    monkeypatch.setattr(sys, "argv", ["tympan", "speak", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    return capsys.readouterr().err


def test_the_formats_are_those_of_the_encoders():
    assert [name.value for name in AudioFormat] == list(FORMATS)


@pytest.mark.parametrize(
    ("name", "speech_format"),
    [*((f"speech.{name}", name) for name in FORMATS), ("speech.ogg", "opus"), ("SPEECH.MP3", "mp3")],
)
def test_the_name_of_the_file_says_the_format(house: StandInHouse, tmp_path: Path, name: str, speech_format: str):
    target = tmp_path / "new" / name
    result = run(TEXT, "-o", target)
    assert (result.exit_code, result.stdout_bytes) == (0, b"")
    assert result.stderr == f"Wrote {target}.\n"
    samples, rate = decoded(target.read_bytes(), speech_format)
    assert abs(samples.size / rate - TEXT_S) <= 0.05
    assert [path.name for path in target.parent.iterdir()] == [name]
    assert (house.closed, house.speaker.active) == (1, 0)


@pytest.mark.usefixtures("house")
def test_a_file_states_its_length_and_a_pipe_cannot(tmp_path: Path):
    run(TEXT, "-o", tmp_path / "a.wav")
    written = (tmp_path / "a.wav").read_bytes()
    assert int.from_bytes(written[40:44], "little") == len(written) - 44 == TEXT_S * 48_000
    result = run(TEXT)
    assert result.stdout_bytes[40:44] == b"\xff" * 4
    assert result.stdout_bytes[44:] == written[44:]
    assert result.stderr == ""


@pytest.mark.usefixtures("house")
def test_the_format_may_be_named(tmp_path: Path):
    assert run(TEXT, "-f", "pcm").stdout_bytes == run(TEXT, "-o", "-", "--format", "pcm").stdout_bytes
    run(TEXT, "-f", "flac", "-o", tmp_path / "speech.sound")
    assert (tmp_path / "speech.sound").read_bytes()[:4] == b"fLaC"


def test_what_is_asked_for_reaches_the_job(house: StandInHouse):
    run(TEXT, "-f", "pcm", "--voice", "bf_emma", "--speed", "1.5")
    assert house.speaker.requests[0].voice.parts[0][0].id == "bf_emma"
    assert house.speaker.requests[0].speed == 1.5
    run(TEXT, "-f", "pcm", "--voice", "af_heart(3)+af_bella")
    assert [weight for _, weight in house.speaker.requests[1].voice.parts] == [0.75, 0.25]


@pytest.mark.parametrize(
    ("argument", "stdin", "text", "said"),
    [
        ("chapter.txt", None, "Once upon.\n", "Reading the file chapter.txt, 11 characters.\n"),
        ("-", b"\xef\xbb\xbfFrom a pipe", "From a pipe", ""),
        ("verse.txt", None, "verse.txt", "There is no file verse.txt: these words are spoken.\n"),
        ("and/or", None, "and/or", "There is no file and/or: these words are spoken.\n"),
        ("Hello.", None, "Hello.", ""),
        ("Hello " * 100, None, "Hello " * 100, ""),
    ],
)
def test_a_file_a_pipe_or_the_text_itself(
    house: StandInHouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    argument: str,
    stdin: bytes | None,
    text: str,
    said: str,
):
    monkeypatch.chdir(tmp_path)
    Path("chapter.txt").write_bytes(b"Once upon.\n")
    result = run(argument, "-f", "pcm", stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, said)
    assert house.speaker.requests[0].text == text


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--voice", "bob"], "af_heart"),
        (["--voice", "af_heart(0)"], "weights are above 0"),
        (["--speed", "5"], "--speed"),
        (["-f", "m4a"], "opus"),
        (["-o", "speech.m4a"], "does not end with the name of a format"),
        (["-o", "speech"], "give --format"),
        (["--timestamps", "srt"], "name it with -o"),
        (["--cues", "word", "-o", "a.mp3"], "give --timestamps"),
        (["--timestamps", "ass", "-o", "a.mp3"], "vtt"),
    ],
)
def test_wrong_usage_begins_nothing(house: StandInHouse, options: list[str], part: str):
    result = run(TEXT, *options)
    assert result.exit_code == 2
    assert part in " ".join(result.stderr.replace("│", " ").split())
    assert house.opened == 0


def test_sound_is_not_written_to_a_terminal(house: StandInHouse, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tympan.cli.speaking.sys", Terminal())
    result = run(TEXT)
    assert result.exit_code == 2
    assert "give -o FILE, --play, or a pipe" in " ".join(result.stderr.replace("│", " ").split())
    assert house.opened == 0


class Terminal:
    class stdout:  # noqa: N801  (as in sys)
        @staticmethod
        def isatty() -> bool:
            return True


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([" \n"], "no words to speak"),
        (["Привет, мир"], "cannot read Cyrillic text"),
        (["latin1.txt"], "latin1.txt: it is no UTF-8 text (byte 1)"),
    ],
)
def test_a_text_that_cannot_be_spoken_is_refused_before_models_are_loaded(
    house: StandInHouse,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    part: str,
):
    monkeypatch.chdir(tmp_path)
    Path("latin1.txt").write_bytes(b"h\xe9 there")
    assert part in sentence_of(monkeypatch, capsys, *arguments, "-o", "a.mp3")
    assert house.opened == 0


def test_what_fails_half_way_leaves_nothing(
    house: StandInHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    target = tmp_path / "a.mp3"
    target.write_bytes(b"from before")
    house.speaker.script = failing(EngineCrashed("kokoro", "it died"), pieces=1)
    said = sentence_of(monkeypatch, capsys, TEXT, "-o", str(target), "-t", "srt")
    assert said == "tympan: The kokoro engine could not process this audio: it died.\n"
    assert target.read_bytes() == b"from before"
    assert list(tmp_path.iterdir()) == [target]
    assert (house.speaker.active, house.closed) == (0, 1)


def test_a_house_that_is_not_ready_is_one_sentence(
    house: StandInHouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    house.problem = NotReady("kokoro: failed")
    assert (
        sentence_of(monkeypatch, capsys, TEXT, "-o", "a.mp3") == "tympan: The service is not ready: kokoro: failed.\n"
    )


def test_a_folder_that_cannot_be_written_to(
    house: StandInHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "file").touch()
    said = sentence_of(monkeypatch, capsys, TEXT, "-o", str(tmp_path / "file" / "a.mp3"))
    assert "cannot be written" in said
    assert house.speaker.active == 0


def test_an_interrupt_leaves_nothing(house: StandInHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    house.speaker.script = failing(KeyboardInterrupt(), pieces=1)
    monkeypatch.setattr(sys, "argv", ["tympan", "speak", TEXT, "-o", str(tmp_path / "a.mp3")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert list(tmp_path.iterdir()) == []
    assert house.speaker.active == 0


PHRASES = """1
00:00:00,000 --> 00:00:00,750
Hello there, world.

2
00:00:00,750 --> 00:00:02,000
One two three four five.
"""


@pytest.mark.usefixtures("house")
def test_subtitles_stand_beside_the_audio(tmp_path: Path):
    result = run(TEXT, "-o", tmp_path / "a.mp3", "--timestamps", "srt")
    assert (tmp_path / "a.srt").read_text() == PHRASES
    assert result.stderr == f"Wrote {tmp_path / 'a.mp3'} and {tmp_path / 'a.srt'}.\n"
    run("One two. Three!", "-o", tmp_path / "a.mp3", "-t", "vtt", "--cues", "word")
    assert (tmp_path / "a.vtt").read_text() == (
        "WEBVTT\n"
        "\n00:00:00.000 --> 00:00:00.250\nOne\n"
        "\n00:00:00.250 --> 00:00:00.500\ntwo.\n"
        "\n00:00:00.500 --> 00:00:00.750\nThree!\n"
    )


def test_a_long_text_takes_no_more_memory_than_a_short_one(house: StandInHouse, tmp_path: Path):
    sizes = []

    def book(_request: SpeakRequest, _cancellation: Cancellation) -> Iterator[SpokenPiece]:
        for second in range(300):  # 14 MB of samples in the file, twice that in memory
            sizes.append(sum(path.stat().st_size for path in tmp_path.iterdir()))
            yield SpokenPiece(
                np.zeros(24_000, np.float32),
                (TimedText(second, second + 1, 5 * second, 5 * second + 4),),
                5 * second + 5,
            )

    house.speaker.script = book
    tracemalloc.start()
    try:
        assert run("word " * 300, "-o", tmp_path / "book.wav", "-t", "srt").exit_code == 0
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4e6
    assert sizes[0] < sizes[150] < sizes[299]  # it is written as it is made
    assert (tmp_path / "book.srt").read_text().count("word") == 300


Install = Callable[[str, str], Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a shell script of a name on an otherwise empty path; return where it may leave what it heard."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    heard = tmp_path / "heard"
    monkeypatch.setenv("HEARD", str(heard))

    def write(name: str, script: str) -> Path:
        program = folder / name
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return heard

    return write


COPY_INPUT = '/bin/cat > "$HEARD"'
COPY_FILE = '/bin/cat "$1" > "$HEARD"'


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("program", "script", "speech_format"),
    [
        ("ffplay", COPY_INPUT, "wav"),
        ("aplay", COPY_INPUT, "pcm"),
        ("afplay", COPY_FILE, "wav"),
        ("paplay", COPY_INPUT, "pcm"),
    ],
)
def test_the_player_that_is_there_plays_all(install: Install, program: str, script: str, speech_format: str):
    heard = install(program, script)
    result = run(TEXT, "--play")
    assert (result.exit_code, result.stdout_bytes, result.stderr) == (0, b"", "")
    samples, _ = decoded(heard.read_bytes(), speech_format)
    assert samples.size == TEXT_S * 24_000


@pytest.mark.usefixtures("house")
def test_it_is_played_and_written(install: Install, tmp_path: Path):
    heard = install("ffplay", COPY_INPUT)
    run(TEXT, "--play", "-o", tmp_path / "a.flac")
    assert decoded((tmp_path / "a.flac").read_bytes(), "flac")[0].size == decoded(heard.read_bytes(), "wav")[0].size


@pytest.mark.usefixtures("install")
def test_without_a_player_it_says_what_was_looked_for(
    house: StandInHouse, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert "ffplay, aplay, afplay, paplay" in sentence_of(monkeypatch, capsys, TEXT, "--play")
    assert house.opened == 0


def play(player: Player, seconds: int) -> None:
    with playing(player) as push:
        for _ in range(seconds):
            push(np.zeros(24_000, np.float32))


@pytest.mark.parametrize(
    ("player", "script"), [(PLAYERS[0], "exit 3"), (PLAYERS[0], COPY_INPUT + "; exit 3"), (PLAYERS[2], "exit 3")]
)
def test_a_player_that_fails_is_an_error(install: Install, player: Player, script: str):
    install(player.program, script)
    with pytest.raises(PlayerFailed, match=rf"{player.program} stopped playing \(exit code 3\)"):
        play(player, 100)


def fail_while_playing(heard: Path) -> None:
    with playing(PLAYERS[0]):
        wait_for(lambda: heard.exists() and heard.read_text().endswith("\n"))
        raise EngineCrashed("kokoro", "it died")


def test_a_player_does_not_outlive_an_error(install: Install):
    heard = install("ffplay", 'echo $$ > "$HEARD"; exec /bin/sleep 60')
    with pytest.raises(EngineCrashed):
        fail_while_playing(heard)
    with pytest.raises(ProcessLookupError):
        os.kill(int(heard.read_text()), 0)


def test_a_terminal_shows_the_sentence_that_was_spoken(house: StandInHouse, monkeypatch: pytest.MonkeyPatch):
    shown = io.StringIO()
    monkeypatch.setattr(
        "tympan.cli.speaking.error_console", lambda: Console(file=shown, force_terminal=True, width=120)
    )
    assert run(TEXT, "-f", "pcm").exit_code == 0
    assert "One two three four five" in shown.getvalue()
    assert "0:02 of speech" in shown.getvalue()
    assert house.closed == 1
