import pytest
from tests.inputs.makers import inline, model, silence

from tympan.cancel import Cancellation
from tympan.errors import BadPlaceholder, InvalidValue, LimitExceeded, MalformedBody, MissingParameter, UnsupportedValue
from tympan.inputs.chat import read_body, read_messages

PHI, GEMMA = model("phi4mm").frontend, model("gemma3n").frontend


def audio(payload):
    return {"type": "input_audio", "input_audio": {"data": inline(payload), "format": "wav"}}


def text(value):
    return {"type": "text", "text": value}


def read(content, frontend=PHI):
    return read_messages({"messages": [{"role": "user", "content": content}]}, frontend, Cancellation())


def test_text_and_audio_keep_their_places_across_messages():
    first, second, third = silence(600), silence(601), silence(602)
    body = {
        "messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": [text("a"), audio(first), text("b"), audio(second)]},
            {"role": "assistant", "content": [text("c")]},
            {"role": "user", "content": [audio(third), text("d")]},
        ]
    }
    prompt, clips = read_messages(body, PHI, Cancellation())
    assert prompt == (
        "<|system|>s<|end|><|user|>a<|audio_1|>b<|audio_2|><|end|>"
        "<|assistant|>c<|end|><|user|><|audio_3|>d<|end|><|assistant|>"
    )
    assert [(clip.ordinal, clip.data) for clip in clips] == [(1, first), (2, second), (3, third)]


@pytest.mark.parametrize(
    ("frontend", "typed"),
    [
        (PHI, "<|audio_1|>"),
        (PHI, "<|audio_"),
        (PHI, "<|endoftext11|>"),
        (GEMMA, "<audio_soft_token>"),
        (GEMMA, "<start_of_audio>"),
        (GEMMA, "<end_of_audio>"),
    ],
)
def test_a_user_cannot_type_a_placeholder(frontend, typed):
    with pytest.raises(BadPlaceholder) as caught:
        read([audio(silence(600)), text(f"x {typed}")], frontend)
    assert caught.value.param == "messages[0].content[1].text"
    with pytest.raises(BadPlaceholder):
        read(f"x{typed}", frontend)


@pytest.mark.parametrize(
    ("body", "error", "param"),
    [
        ({}, MissingParameter, "messages"),
        ({"messages": []}, InvalidValue, "messages"),
        ({"messages": "x"}, InvalidValue, "messages"),
        ({"messages": ["x"]}, InvalidValue, "messages[0]"),
        ({"messages": [{"role": "king", "content": ""}]}, InvalidValue, "messages[0].role"),
        ({"messages": [{"role": ["user"], "content": ""}]}, InvalidValue, "messages[0].role"),
        ({"messages": [{"role": "user"}]}, InvalidValue, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [1]}]}, InvalidValue, "messages[0].content[0]"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, InvalidValue, "messages[0].content[0].text"),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": "x"}]}]},
            InvalidValue,
            "messages[0].content[0].input_audio.data",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "audio_url", "audio_url": {"url": "http://x/"}}]}]},
            UnsupportedValue,
            "messages[0].content[0].type",
        ),
    ],
)
def test_what_is_wrong_is_named(body, error, param):
    with pytest.raises(error) as caught:
        read_messages(body, PHI, Cancellation())
    assert caught.value.param == param


def test_sixteen_clips_and_one_more():
    assert len(read([audio(silence(1))] * 16)[1]) == 16
    with pytest.raises(LimitExceeded, match="clip count 17"):
        read([audio(silence(1))] * 17)


def test_all_clips_share_one_budget(monkeypatch):
    monkeypatch.setattr("tympan.inputs.chat.MAX_ENCODED_BYTES", 100)
    assert len(read([audio(silence(3)), audio(silence(3))])[1]) == 2
    with pytest.raises(LimitExceeded, match=r"Audio clip 2: encoded bytes 50 .* 49"):
        read([audio(silence(3) + b"x"), audio(silence(3))])


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b"[" * 100_000])
def test_bodies_that_are_no_object(body):
    with pytest.raises(MalformedBody):
        read_body(body)
