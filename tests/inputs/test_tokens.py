import pytest
from tests.inputs.makers import model

from tympan.errors import BadPlaceholder
from tympan.inputs.families.base import Turn
from tympan.inputs.tokens import expand

PHI, GEMMA = model("phi4mm").frontend, model("gemma3n").frontend
PHI_IDS = {"<|endoftext11|>": 200_011}
GEMMA_IDS = {"<audio_soft_token>": 262_273, "<start_of_audio>": 256_000, "<end_of_audio>": 262_272}


def encode(special):
    """Return a tokenizer that knows some special tokens and else one id for each character."""

    def run(text):
        ids = []
        while text:
            name = next((name for name in special if text.startswith(name)), None)
            ids.append(special[name] if name else ord(text[0]))
            text = text[len(name) if name else 1 :]
        return ids

    return run


def phi(prompt, sizes):
    return PHI.token_ids(prompt, sizes, encode(PHI_IDS))


def test_expanding_ids():
    assert expand([1, 9, 2, 9, 3], 9, [2, 3]) == [1, 9, 9, 2, 9, 9, 9, 3]
    for ids in ([1], [9, 9, 9]):
        with pytest.raises(BadPlaceholder):
            expand(ids, 9, [1, 1])


@pytest.mark.parametrize(
    ("frames", "size"), [(2, 1), (8, 1), (9, 2), (98, 13), (2998, 375), (3998, 500), (179_998, 22_500)]
)
def test_embed_sizes_of_phi(frames, size):
    assert PHI.tokens(frames) == size


def test_numbered_placeholders_of_phi():
    a = ord("a")
    assert phi("a<|audio_1|>a<|audio_2|>", [2, 1]) == [a, 200_011, 200_011, a, 200_011]


@pytest.mark.parametrize(
    "prompt",
    [
        "<|audio_2|><|audio_1|>",
        "<|audio_1|>",
        "<|audio_1|><|audio_1|>",
        "<|audio_1|><|audio_3|>",
        "<|audio_01|><|audio_2|>",
        "<|audio_0|><|audio_1|>",
        "<|audio_1|><|audio_2|><|audio_3|>",
        "<|audio_1|><|audio_2|><|endoftext11|>",
    ],
)
def test_placeholders_that_do_not_match(prompt):
    with pytest.raises(BadPlaceholder):
        phi(prompt, [1, 1])


@pytest.mark.parametrize(
    ("prompt", "placed"),
    [
        ("<|user|>\nhi<|end|>", "<|user|>\n**hi<|end|>"),
        ("<|system|>s<|end|><|user|>hi", "<|system|>s<|end|><|user|>**hi"),
        ("hi", "**hi"),
    ],
)
def test_a_prompt_without_placeholders_gets_them_in_phi(prompt, placed):
    assert phi(prompt, [1, 1]) == [200_011 if letter == "*" else ord(letter) for letter in placed]


def gemma(prompt, clips):
    return GEMMA.token_ids(prompt, [188] * clips, encode(GEMMA_IDS))


BLOCK = [10, 10, 256_000, *[262_273] * 188, 262_272, 10, 10]


def test_gemma_expands_each_placeholder():
    assert gemma("a<audio_soft_token>b<audio_soft_token>", 2) == [97, *BLOCK, 98, *BLOCK]


def test_a_prompt_without_placeholders_gets_them_in_gemma():
    assert gemma("a<end_of_turn>b<end_of_turn>c", 1)[-len(BLOCK) - 14 : -14] == BLOCK
    assert gemma("a", 2) == [97, *BLOCK, *BLOCK]


@pytest.mark.parametrize(
    "prompt",
    ["<audio_soft_token>", "<audio_soft_token>" * 3, "<audio_soft_token>" * 2 + "<start_of_audio>", "<end_of_audio>"],
)
def test_gemma_refuses_what_does_not_match(prompt):
    with pytest.raises(BadPlaceholder):
        gemma(prompt, 2)


def test_a_tokenizer_that_does_not_know_audio():
    with pytest.raises(BadPlaceholder, match="tokenizer gives"):
        GEMMA.token_ids("<audio_soft_token>", [188], encode({}))
    with pytest.raises(BadPlaceholder):
        PHI.token_ids("<|audio_1|>", [3], encode({}))


def test_prompts():
    turns = [Turn("system", "s"), Turn("user", "u"), Turn("assistant", "a")]
    assert PHI.prompt(turns) == "<|system|>s<|end|><|user|>u<|end|><|assistant|>a<|end|><|assistant|>"
    assert GEMMA.prompt(turns[1:]) == (
        "<bos><start_of_turn>user\nu<end_of_turn>\n<start_of_turn>model\na<end_of_turn>\n<start_of_turn>model\n"
    )
