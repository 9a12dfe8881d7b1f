import errno
import os
from io import FileIO

import pytest

from tympan.errors import Cancelled, StoreUnwritable, WrongBytes
from tympan.weights.partial import PartialFile, partial_path

DATA = bytes(range(256)) * 40


@pytest.fixture
def target(tmp_path):
    return tmp_path / "bundle" / "model.bin"


@pytest.fixture
def file(make_file):
    return make_file("bundle/model.bin", DATA)


def test_bytes_get_the_real_name_only_when_all_are_right(file, target, cancellation):
    with PartialFile(file, target, cancellation) as partial:
        partial.write(DATA[:100], "here")
        assert not target.exists()
        partial.write(DATA[100:], "here")
        assert partial.complete
        assert not target.exists()
        partial.commit("here")
    assert target.read_bytes() == DATA
    assert not partial_path(target).exists()


def test_what_was_written_is_continued_and_hashed_as_a_whole(file, target, cancellation):
    with PartialFile(file, target, cancellation) as partial:
        partial.write(DATA[:5000], "here")
    with PartialFile(file, target, cancellation) as partial:
        assert partial.position == 5000
        partial.continue_at(5000)
        assert partial.continued
        partial.write(DATA[5000:], "there")
        partial.commit("there")
    assert target.read_bytes() == DATA


def test_a_source_that_begins_elsewhere_starts_the_file_again(file, target, cancellation):
    with PartialFile(file, target, cancellation) as partial:
        partial.write(b"x" * 5000, "here")
        partial.continue_at(0)
        assert (partial.position, partial.continued) == (0, False)
        partial.write(DATA, "here")
        partial.commit("here")
    assert target.read_bytes() == DATA


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (DATA[:-1], "expected 10240 bytes, found 10239 bytes"),
        (DATA[:-1] + b"x", "expected sha256 [0-9a-f]{64}, found sha256 [0-9a-f]{64}"),
    ],
)
def test_wrong_bytes_name_file_source_expected_and_found(file, target, cancellation, written, sentence):
    with PartialFile(file, target, cancellation) as partial:
        partial.write(written, "here")
        with pytest.raises(WrongBytes, match=f"bundle/model.bin from here is not the right file: {sentence}"):
            partial.commit("here")
    assert not target.exists()


def test_more_bytes_than_the_file_has_are_not_written(file, target, cancellation):
    with PartialFile(file, target, cancellation) as partial:
        partial.write(DATA, "here")
        with pytest.raises(WrongBytes, match="expected 10240 bytes, found more"):
            partial.write(b"x", "here")
    assert partial_path(target).stat().st_size == len(DATA)


def test_a_partial_file_that_is_too_long_is_forgotten(file, target, cancellation):
    target.parent.mkdir()
    partial_path(target).write_bytes(DATA + b"x")
    with PartialFile(file, target, cancellation) as partial:
        assert partial.position == 0
    assert not partial_path(target).exists()


def test_nothing_written_leaves_nothing(file, target, cancellation):
    with PartialFile(file, target, cancellation):
        pass
    assert list(target.parent.iterdir()) == []


def test_hashing_what_is_there_stops_when_cancelled(file, target, cancellation):
    target.parent.mkdir()
    partial_path(target).write_bytes(DATA[:100])
    cancellation.cancel()
    with pytest.raises(Cancelled), PartialFile(file, target, cancellation):
        pass
    assert partial_path(target).read_bytes() == DATA[:100]


def test_a_disk_that_is_full_is_named_and_gets_its_room_back(file, target, cancellation):
    class FullDisk(FileIO):
        def write(self, _data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with PartialFile(file, target, cancellation) as partial:
        partial.write(DATA[:100], "here")
        partial._stream.close()
        partial._stream = FullDisk(partial_path(target), "ab")
        with pytest.raises(
            StoreUnwritable, match=r"model.bin cannot be written: no space left on device \(10240 bytes"
        ):
            partial.write(DATA[100:], "here")
    assert list(target.parent.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(file, tmp_path, cancellation):
    (tmp_path / "bundle").write_text("a file in the way")
    with (
        pytest.raises(StoreUnwritable, match=r"cannot be written: (not a directory|file exists)"),
        PartialFile(file, tmp_path / "bundle" / "model.bin", cancellation),
    ):
        pass
