import json

import numpy as np
import pytest
from safetensors.numpy import load_file
from tests.inputs.golden import AUDIO, BEGIN, END, tokenizer
from tests.inputs.makers import inline, noise, silence, wav
from typer.testing import CliRunner

from tympan.cli.main import app, main
from tympan.errors import TympanError

HEAD = ["clip", "from", "rate", "channels", "seconds", "samples", "normalized", "frames", "tokens", "bytes"]


@pytest.fixture
def model(tmp_path):
    def make(kind="phi4mm", **config):
        folder = tmp_path / kind
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps({"model_type": kind, **config}))
        return folder

    return make


@pytest.fixture
def clip(tmp_path):
    def make(name, data):
        (tmp_path / name).write_bytes(data)
        return tmp_path / name

    return make


def run(*arguments):
    return CliRunner().invoke(app, ["prepare", *map(str, arguments)])


def test_a_table_with_every_clip_and_the_total(model, clip):
    one, two = clip("a.wav", silence(16000)), clip("b.wav", silence(44100, 44100))
    shown = run("-m", model(), "-a", one, "-a", two)
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert lines[0] == "phi4mm, policy: pinned default 93f923e1a7727d1c4f446756212d9d3e8fcc5d81"
    assert lines[1].split() == HEAD
    assert lines[2].split() == ["1", "file", "16000", "1", "1.000000", "16000", "16000", "98", "13", "32044"]
    assert lines[3].split() == ["2", "file", "44100", "1", "1.000000", "44100", "22050", "136", "17", "88244"]
    assert lines[4].split() == ["all", "2.000000", "60100", "38050", "234", "30", "120288"]
    assert lines[5].startswith("30 token ids, ")
    assert lines[5].endswith(" ms")


def test_arrays_are_written_whole(model, clip, tmp_path):
    target = tmp_path / "out.safetensors"
    shown = run("-m", model(), "-a", clip("a.wav", wav(noise(16000))), "-a", clip("b.wav", silence(600)), "-o", target)
    assert shown.exit_code == 0
    arrays = load_file(target)
    assert {name: (array.dtype.name, array.shape) for name, array in arrays.items()} == {
        "input_audio_embeds": ("float32", (2, 98, 80)),
        "audio_attention_mask": ("bool", (2, 98)),
        "audio_embed_sizes": ("int64", (2,)),
        "token_ids": ("int32", (14,)),
    }
    assert arrays["audio_embed_sizes"].tolist() == [13, 1]
    assert arrays["audio_attention_mask"].sum(axis=1).tolist() == [98, 2]
    assert not list(tmp_path.glob("*.part"))


def test_json(model, clip):
    shown = run("-m", model("gemma3n"), "-a", clip("a.wav", silence(1600)), "--json")
    report = json.loads(shown.stdout)
    assert report["family"] == "gemma3n"
    assert report["policy"]["source"].startswith("pinned default 181beb3b")
    assert report["policy"]["max_seconds"] == 30
    assert report["total"]["tokens"] == 188
    assert report["clips"][0] == {
        "ordinal": 1,
        "source": "file",
        "source_rate": 16000,
        "channels": 1,
        "source_samples": 1600,
        "source_micros": 100_000,
        "encoded_bytes": 3244,
        "effective_rate": 16000,
        "normalized_samples": 1600,
        "frames": 8,
        "tokens": 188,
        "start": 0,
        "end": 1600,
    }
    assert report["tensors"]["input_features"] == {"dtype": "float32", "shape": [1, 8, 128]}
    assert report["latency_ms"] > 0


def request(tmp_path, *payloads, text="Hi."):
    parts = [{"type": "text", "text": text}]
    parts += [{"type": "input_audio", "input_audio": {"data": inline(data), "format": "wav"}} for data in payloads]
    path = tmp_path / "request.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": parts}]}))
    return path


def test_a_request_with_the_folders_own_tokenizer(model, tmp_path):
    made = tokenizer()
    ids = {"audio_token_id": AUDIO, "boa_token_id": BEGIN, "eoa_token_id": END}
    folder = model("gemma3n", **{key: made.token_to_id(text) for key, text in ids.items()})
    made.save(str(folder / "tokenizer.json"))
    target = tmp_path / "out.safetensors"
    shown = run("-m", folder, "--request", request(tmp_path, silence(800), silence(900)), "-o", target)
    assert shown.exit_code == 0
    block = f"\n\n{BEGIN}{AUDIO * 188}{END}\n\n"
    text = f"<bos><start_of_turn>user\nHi.{block}{block}<end_of_turn>\n<start_of_turn>model\n"
    assert load_file(target)["token_ids"].tolist() == made.encode(text, add_special_tokens=False).ids
    assert "inline" in shown.stdout


def test_a_request_without_a_tokenizer_gives_the_clips_own_ids(model, tmp_path):
    target = tmp_path / "out.safetensors"
    assert run("-m", model(), "--request", request(tmp_path, silence(16000)), "-o", target).exit_code == 0
    np.testing.assert_array_equal(load_file(target)["token_ids"], [200_011] * 13)


def test_checking_a_model(model):
    folder = model(tympan_audio_limits={"max_clips": 3})
    shown = run("--check", folder)
    assert shown.exit_code == 0
    assert "policy        checkpoint" in shown.stdout
    assert "config.json: tympan_audio_limits.max_clips" in shown.stdout
    assert json.loads(run("--check", folder, "--json").stdout)["max_clips"] == 3


@pytest.mark.parametrize(
    ("payload", "says"),
    [
        (b"RIFF", "Audio clip 2: not a usable WAV: it does not begin as RIFF/WAVE."),
        (b"", "Audio clip 2: the file is empty."),
        (silence(559), "Audio clip 2: too short: 559 samples at 16000 Hz, the model needs 560."),
        (wav(np.full(600, np.nan, np.float32)), "Audio clip 2: the sample at frame 0 is NaN or infinite."),
    ],
)
def test_bad_clips_are_named_and_end_with_1(model, clip, payload, says, monkeypatch, capsys):
    arguments = ["-m", model(), "-a", clip("a.wav", silence(600)), "-a", clip("b.wav", payload)]
    monkeypatch.setattr("sys.argv", ["tympan", "prepare", *map(str, arguments)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    assert capsys.readouterr().err == f"tympan: {says}\n"


def test_a_bad_model_is_named_with_its_key(model):
    shown = run("--check", model(max_audio_duration=1801))
    assert isinstance(shown.exception, TympanError)
    assert "config.json: 'max_audio_duration' is 1801; expected a whole number from 1 to 1800." in str(shown.exception)


def test_files_share_the_policys_bytes(model, clip):
    folder = model(tympan_audio_limits={"max_encoded_bytes_per_request": 2000})
    one = clip("a.wav", silence(600))
    assert run("-m", folder, "-a", one).exit_code == 0
    shown = run("-m", folder, "-a", one, "-a", one)
    assert str(shown.exception) == "Audio clip 2: encoded bytes 1244 is over the maximum of 756."


def test_a_result_that_cannot_be_written(model, clip, tmp_path):
    shown = run("-m", model(), "-a", clip("a.wav", silence(600)), "-o", tmp_path / "none" / "out.safetensors")
    assert "cannot be written" in str(shown.exception)


@pytest.mark.parametrize(
    "arguments", [[], ["-m", "x"], ["-m", "x", "-a", "y", "--request", "z"], ["-a", "y"], ["--check", "x", "-m", "y"]]
)
def test_wrong_usage(arguments):
    assert run(*arguments).exit_code == 2
