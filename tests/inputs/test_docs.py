"""The example of docs/model-input.md runs."""

import re
from pathlib import Path

from tests.inputs.makers import silence

PAGE = Path(__file__).parents[2] / "docs" / "model-input.md"


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("gemma-3n").mkdir()
    Path("gemma-3n/config.json").write_text('{"model_type": "gemma3n"}')
    Path("question.wav").write_bytes(silence(1600))
    (example,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == "(1, 8, 128) 188\n"
