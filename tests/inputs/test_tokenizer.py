import pytest
from tests.inputs.golden import tokenizer

from tympan.errors import CheckpointRefused
from tympan.inputs.tokenizer import load_encode


def test_a_folder_without_a_tokenizer(tmp_path):
    assert load_encode(tmp_path) is None


def test_the_tokenizers_own_beginning_is_not_doubled(tmp_path):
    from tokenizers.processors import TemplateProcessing  # noqa: PLC0415

    made = tokenizer()
    bos = made.token_to_id("<bos>")
    made.post_processor = TemplateProcessing(single="<bos> $0", special_tokens=[("<bos>", bos)])
    made.save(str(tmp_path / "tokenizer.json"))
    encode = load_encode(tmp_path)
    assert encode is not None
    assert encode("hi") == encode("<bos>hi")
    assert encode("hi").count(bos) == 1


def test_a_broken_tokenizer_is_named(tmp_path):
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(CheckpointRefused, match=r"tokenizer\.json: no tokenizer"):
        load_encode(tmp_path)
