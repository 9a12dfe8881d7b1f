import io
import json
import os
import sys
from pathlib import Path

import pytest
from tests.cli.standin_house import StandInHouse, script
from typer.testing import CliRunner, Result

from tympan.cli import inputs
from tympan.cli.main import app, main
from tympan.errors import WeightsMissing

TALK = script("Hello there.", "Good bye.")


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["transcribe", *map(str, arguments)], input=stdin, catch_exceptions=False)


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    return write(tmp_path / "talk.wav", TALK)


def write(path: Path, media: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(media)
    os.utime(path, (1_000_000_000, 1_000_000_000))  # older than any result
    return path


def test_text_is_a_line_for_each_segment_and_nothing_else(house: StandInHouse, talk: Path):
    result = run(talk)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "Hello there.\nGood bye.\n", "")
    assert house.closed == 1
    assert house.listener.transcriptions[0].closed


@pytest.mark.usefixtures("house")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("txt", "Hello there.\nGood bye.\n"),
        ("srt", "1\n00:00:00,000 --> 00:00:01,000\nHello there.\n\n2\n00:00:01,000 --> 00:00:02,000\nGood bye.\n"),
        (
            "vtt",
            "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nHello there.\n\n00:00:01.000 --> 00:00:02.000\nGood bye.\n",
        ),
        ("json", '{"text": "Hello there. Good bye.", "usage": {"type": "duration", "seconds": 2}}\n'),
    ],
)
def test_each_format_on_stdout_and_in_a_file_is_the_same(name: str, expected: str, talk: Path, tmp_path: Path):
    assert run(talk, "--format", name).stdout == expected
    result = run(talk, "--format", name, "--output-dir", tmp_path / "out")
    assert result.stdout == ""
    assert (tmp_path / "out" / f"talk.{name}").read_bytes() == expected.encode()


@pytest.mark.usefixtures("house")
def test_verbose_json_holds_words_and_channels_when_they_are_asked_for(talk: Path):
    document = json.loads(run(talk, "-f", "verbose_json", "--words", "--channels", "split", "--translate").stdout)
    assert document["task"] == "translate"
    assert [segment["channel"] for segment in document["segments"]] == [0, 1]
    assert [word["word"] for word in document["words"]] == ["Hello", "there.", "Good", "bye."]
    plain = json.loads(run(talk, "-f", "verbose_json").stdout)
    assert "words" not in plain
    assert "channel" not in plain["segments"][0]


@pytest.mark.usefixtures("house")
def test_split_channels_are_named_in_text(talk: Path):
    assert run(talk, "--channels", "split").stdout == "Channel 0: Hello there.\nChannel 1: Good bye.\n"


@pytest.mark.usefixtures("house")
def test_subtitle_lines_are_broken_by_word_times(tmp_path: Path):
    talk = write(tmp_path / "a.wav", script("The quick brown fox jumps over the lazy dog."))
    blocks = run(talk, "-f", "srt", "--max-line", "12").stdout.split("\n\n")
    lines = [block.splitlines()[2:] for block in blocks]
    assert " ".join(line for cue in lines for line in cue) == "The quick brown fox jumps over the lazy dog."
    assert len(blocks) == 3
    assert all(len(cue) <= 2 and len(line) <= 12 for cue in lines for line in cue)


def test_options_reach_the_listener(house: StandInHouse, talk: Path):
    options = "--language pt_BR --prompt Intro. --keyword Ollama --keyword ROUGE --model whisper-1 --channels split"
    assert run(talk, *options.split(), "-f", "vtt", "--max-line", "42", "--translate").exit_code == 0
    (request,) = house.listener.requests
    assert request.media == talk
    assert (request.model, request.task, request.language) == ("whisper-1", "translate", "pt")
    assert (request.prompt, request.keywords) == ("Intro.", ("Ollama", "ROUGE"))
    assert (request.words, request.readable, request.split_channels) == (True, True, True)


def test_plain_text_asks_for_no_word_times(house: StandInHouse, talk: Path):
    assert run(talk, "--language", "German").exit_code == 0
    (request,) = house.listener.requests
    assert (request.words, request.readable, request.language) == (False, False, "de")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "Missing argument"),
        (("talk.wav", "--format", "pdf"), "pdf"),
        (("talk.wav", "--language", "klingon"), "klingon"),
        (("talk.wav", "--words"), "verbose_json"),
        (("talk.wav", "--max-line", "42"), "srt and vtt"),
        (("talk.wav", "-f", "srt", "--max-line", "5"), "10"),
        (("talk.wav", "--nope"), "--nope"),
    ],
)
def test_wrong_usage_ends_with_2_before_anything_is_opened(house: StandInHouse, options: tuple[str, ...], says: str):
    result = run(*options)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""
    assert house.opened == 0


def test_an_unknown_model_is_wrong_usage_that_names_the_known(house: StandInHouse, talk: Path):
    result = run(talk, "--model", "nope")
    assert result.exit_code == 2
    assert "Known: whisper" in result.stderr
    assert house.listener.requests == []


@pytest.mark.usefixtures("house")
def test_several_files_come_in_order_with_their_names_on_stderr(tmp_path: Path):
    second, first = write(tmp_path / "b.wav", script("Two.")), write(tmp_path / "a.wav", script("One."))
    result = run(second, first, second)
    assert result.stdout == "Two.\nOne.\n"
    assert result.stderr == f"== {second}\n== {first}\n"


@pytest.mark.usefixtures("house")
def test_a_file_that_fails_does_not_stop_the_others(talk: Path, tmp_path: Path):
    broken = write(tmp_path / "broken.wav", script("Begin.", "fail: it is text"))
    result = run(broken, tmp_path / "absent.wav", talk)
    assert result.exit_code == 1
    assert result.stdout == "Begin.\nHello there.\nGood bye.\n"
    assert f"tympan: {broken}: Audio file might be corrupted or unsupported: it is text.\n" in result.stderr
    assert f"tympan: {tmp_path / 'absent.wav'}: no such file.\n" in result.stderr


def test_nothing_is_opened_when_no_file_is_there(house: StandInHouse):
    assert run("absent.wav", "absent/*.wav").exit_code == 1
    assert house.opened == 0


@pytest.mark.usefixtures("house")
def test_a_file_that_fails_leaves_no_result(talk: Path, tmp_path: Path):
    broken = write(tmp_path / "broken.wav", script("Begin.", "fail: it is text"))
    assert run(broken, talk, "-o", tmp_path / "out").exit_code == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["talk.txt"]


@pytest.mark.usefixtures("house")
def test_a_folder_gives_its_media_by_suffix_or_content_and_names_the_rest(tmp_path: Path):
    folder = tmp_path / "in"
    write(folder / "b" / "x.OGG", script("Two."))
    write(folder / "a.mp3", script("One."))
    write(folder / "c" / "recording", script("fLaC", "Three."))
    write(folder / "notes.txt", b"Not audio.")
    write(folder / ".hidden.wav", script("Never."))
    write(folder / ".git" / "x.wav", script("Never."))
    result = run(folder)
    assert result.stdout == "One.\nTwo.\nfLaC\nThree.\n"
    assert result.stderr.startswith(f"Skipped 1 that are no audio or video: {folder / 'notes.txt'}\n")


@pytest.mark.usefixtures("house")
def test_results_of_a_folder_keep_their_place(tmp_path: Path):
    write(tmp_path / "in" / "one" / "track.wav", script("One."))
    write(tmp_path / "in" / "two" / "track.wav", script("Two."))
    assert run(tmp_path / "in", "-o", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "one" / "track.txt").read_text() == "One.\n"
    assert (tmp_path / "out" / "two" / "track.txt").read_text() == "Two.\n"


@pytest.mark.usefixtures("house")
def test_a_folder_without_media_is_a_failure(tmp_path: Path):
    write(tmp_path / "in" / "notes.txt", b"Not audio.")
    result = run(tmp_path / "in")
    assert result.exit_code == 1
    assert "no audio or video file in this folder" in result.stderr


@pytest.mark.usefixtures("house")
def test_patterns_that_the_shell_left_alone_are_expanded(tmp_path: Path):
    write(tmp_path / "b.wav", script("Two."))
    write(tmp_path / "a.wav", script("One."))
    write(tmp_path / "deep" / "er" / "c.wav", script("Three."))
    write(tmp_path / "[x].wav", script("Brackets."))
    assert run(tmp_path / "[ab].wav").stdout == "One.\nTwo.\n"
    assert run(tmp_path / "deep" / "**" / "*.wav").stdout == "Three.\n"
    assert run(tmp_path / "[x].wav").stdout == "Brackets.\n"


def test_stdin_is_read(house: StandInHouse):
    result = run("-", stdin=TALK)
    assert (result.exit_code, result.stdout) == (0, "Hello there.\nGood bye.\n")
    assert house.listener.requests[0].media == TALK


def test_a_long_stdin_lies_in_a_temporary_file_meanwhile(house: StandInHouse, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(inputs, "STDIN_IN_MEMORY", 8)
    monkeypatch.setattr(inputs, "CHUNK", 5)
    assert run("-", stdin=TALK).stdout == "Hello there.\nGood bye.\n"
    media = house.listener.requests[0].media
    assert isinstance(media, Path)
    assert not media.exists()


@pytest.mark.usefixtures("house")
def test_stdin_is_named_stdin(tmp_path: Path):
    assert run("-", "-o", tmp_path, "-f", "srt", stdin=TALK).exit_code == 0
    assert (tmp_path / "stdin.srt").exists()


def test_what_is_done_is_skipped_until_its_file_changes_or_it_is_forced(house: StandInHouse, talk: Path):
    out = talk.parent / "out"
    assert run(talk, "-o", out).exit_code == 0
    again = run(talk, "-o", out)
    assert (again.exit_code, house.opened) == (0, 1)
    assert "1 of 1 are done already" in again.stderr
    run(talk, "-o", out, "--format", "json")
    assert house.opened == 2
    run(talk, "-o", out, "--force")
    assert house.opened == 3
    os.utime(talk, None)
    os.utime(out / "talk.txt", (1_000_000_000, 1_000_000_000))
    run(talk, "-o", out)
    assert house.opened == 4


def test_json_and_verbose_json_are_not_taken_for_each_other(house: StandInHouse, talk: Path, tmp_path: Path):
    run(talk, "-o", tmp_path / "out", "-f", "json")
    run(talk, "-o", tmp_path / "out", "-f", "verbose_json")
    assert house.opened == 2
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["talk.json", "talk.verbose.json"]


def test_two_inputs_with_one_result_are_refused_before_work_starts(house: StandInHouse, talk: Path):
    other = write(talk.with_suffix(".mp3"), TALK)
    result = run(talk, other, "-o", talk.parent / "out")
    assert result.exit_code == 2
    assert house.opened == 0
    assert not (talk.parent / "out").exists()


def test_a_result_never_overwrites_an_input(house: StandInHouse, tmp_path: Path):
    odd = write(tmp_path / "talk.txt", TALK)
    assert run(odd, "-o", tmp_path).exit_code == 2
    assert (house.opened, odd.read_bytes()) == (0, TALK)


@pytest.mark.usefixtures("house")
def test_a_result_that_cannot_be_written_is_told_and_leaves_nothing(talk: Path):
    out = talk.parent / "out"
    (out / "talk.txt" / "in the way").mkdir(parents=True)
    os.utime(out / "talk.txt", (1, 1))
    result = run(talk, "-o", out)
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert [path.name for path in out.iterdir()] == ["talk.txt"]


def test_an_output_folder_that_is_a_file_is_wrong_usage(house: StandInHouse, talk: Path):
    assert run(talk, "-o", talk).exit_code == 2
    assert house.opened == 0


@pytest.mark.usefixtures("house")
def test_warnings_go_to_stderr(tmp_path: Path):
    talk = write(tmp_path / "a.wav", script("Hello.", "warn: 3 broken packets were left out."))
    result = run(talk)
    assert (result.stdout, result.stderr) == ("Hello.\n", f"{talk}: 3 broken packets were left out.\n")


def call_main(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    monkeypatch.setattr(sys, "argv", ["tympan", "transcribe", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_text_streams_segment_by_segment(
    house: StandInHouse, talk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    seen: list[str] = []
    house.listener.between = lambda: seen.append(capsys.readouterr().out)
    assert call_main(monkeypatch, talk) == 0
    assert seen == ["Hello there.\n", "Good bye.\n"]


@pytest.mark.usefixtures("house")
def test_output_is_utf8_in_any_locale(talk: Path, monkeypatch: pytest.MonkeyPatch):
    talk.write_bytes(script("京都へ行きます。"))
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert call_main(monkeypatch, talk) == 0
    assert raw.getvalue().decode() == "京都へ行きます。\n"


def test_an_interrupt_ends_with_130_and_closes_everything(
    house: StandInHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    talk = write(tmp_path / "a.wav", script("Hello.", "interrupt"))
    assert call_main(monkeypatch, talk, "-o", tmp_path / "out") == 130
    assert (house.closed, house.listener.transcriptions[0].closed) == (1, True)
    assert list((tmp_path / "out").iterdir()) == []


def test_what_keeps_the_house_closed_is_one_sentence(
    house: StandInHouse, talk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    house.problem = WeightsMissing(["whisper-base/model.bin"], Path("store"))
    assert call_main(monkeypatch, talk) == 1
    assert capsys.readouterr().err == (
        "tympan: Missing in store: whisper-base/model.bin. Run 'tympan weights fetch'.\n"
    )
