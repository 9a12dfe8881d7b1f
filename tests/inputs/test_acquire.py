import base64

import pytest
from tests.inputs.makers import inline, poll, silence

from tympan.cancel import Cancellation
from tympan.errors import EmptyClip, LimitExceeded, UndecodableClip, UnreadableFile
from tympan.inputs.acquire import FILE_BLOCK, read_file, read_inline
from tympan.inputs.clips import ClipSource
from tympan.inputs.polling import CancelledAt, Checkpoint

WAV = silence(100)


def read(text, budget=10_000):
    return read_inline(text, 3, budget, poll())


def test_base64_and_data_uris():
    got = read(inline(WAV))
    assert (got.data, got.ordinal, got.source) == (WAV, 3, ClipSource.INLINE)
    for head in ("data:audio/wav;base64,", "DATA:AUDIO/X-WAV;codec=1;BASE64,"):
        got = read(head + inline(WAV))
        assert (got.data, got.source) == (WAV, ClipSource.DATA_URI)


@pytest.mark.parametrize(
    "text",
    [
        "QR==",  # stray bits behind the last byte
        "QUJD====",
        "QUJD\n",
        " QUJD",
        "QUI",
        "QUI=QUJD",
        "QU-_",
        "QUJDé",
        "data:audio/wav,QUJD",
        "data:image/png;base64,QUJD",
        "data:;base64,QUJD",
        "data:audio/wav;base64",
        "/etc/passwd",
        "file:///etc/passwd",
        "http://127.0.0.1/",
        "\ud800",
    ],
)
def test_what_is_no_canonical_base64(text):
    with pytest.raises(UndecodableClip, match="Audio clip 3"):
        read(text)


def test_nothing():
    for text in ("", "data:audio/wav;base64,"):
        with pytest.raises(EmptyClip):
            read(text)


def test_the_budget_at_its_value_and_one_past():
    for size in (3, 4, 5, 6):
        text = base64.b64encode(b"x" * size).decode()
        assert len(read(text, size).data) == size
        with pytest.raises(LimitExceeded, match="encoded bytes"):
            read(text, size - 1)


def test_characters_are_counted_before_they_are_decoded():
    with pytest.raises(LimitExceeded):
        read("!" * 1000, 10)
    with pytest.raises(LimitExceeded):
        read("QUJD", 0)


def test_files(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(b"x" * (FILE_BLOCK + 5))
    got = read_file(path, 1, FILE_BLOCK + 5, poll())
    assert (len(got.data), got.source) == (FILE_BLOCK + 5, ClipSource.FILE)
    with pytest.raises(LimitExceeded, match=f"encoded bytes {FILE_BLOCK + 5} .* {FILE_BLOCK + 4}"):
        read_file(path, 1, FILE_BLOCK + 4, poll())
    path.write_bytes(b"")
    with pytest.raises(EmptyClip):
        read_file(path, 1, 5, poll())
    with pytest.raises(UnreadableFile):
        read_file(tmp_path, 1, 5, poll())
    with pytest.raises(UnreadableFile):
        read_file(tmp_path / "b.wav", 1, 5, poll())


def test_cancelling_stops_reading(tmp_path):
    path = tmp_path / "a.wav"
    path.write_bytes(WAV)
    cancellation = Cancellation()
    cancellation.cancel()
    for work in (lambda p: read_file(path, 1, 10**6, p), lambda p: read_inline(inline(WAV), 1, 10**6, p)):
        with pytest.raises(CancelledAt) as caught:
            work(poll(Checkpoint.ACQUISITION, cancellation))
        assert caught.value.checkpoint is Checkpoint.ACQUISITION
