import hashlib
from pathlib import Path

import pytest

from tympan.cancel import Cancellation
from tympan.errors import Cancelled, UnreadableFile
from tympan.weights.catalog import Bundle
from tympan.weights.partial import partial_path
from tympan.weights.store import Fault, sum_lines


def put(store, file, data):
    path = store.path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.fixture
def file(make_file):
    return make_file("bundle/voices/a.bin", b"right")


@pytest.mark.parametrize(("data", "present"), [(b"right", True), (b"wrong", True), (b"longer", False), (b"", False)])
def test_presence_is_size_alone(store, file, data, present):
    put(store, file, data)
    assert store.present(file) is present
    assert store.missing([file]) == ([] if present else [file])


def test_a_folder_in_the_files_place_is_not_the_file(store, make_file):
    folder = store.root / "bundle" / "a"
    folder.mkdir(parents=True)
    assert not store.present(make_file("bundle/a", b"x" * folder.stat().st_size))


def test_an_empty_store_misses_everything_and_is_not_made(store, file):
    assert store.missing([file]) == [file]
    assert not store.root.exists()


@pytest.mark.parametrize(
    ("data", "expected", "found"),
    [
        (b"wrong", f"sha256 {hashlib.sha256(b'right').hexdigest()}", f"sha256 {hashlib.sha256(b'wrong').hexdigest()}"),
        (b"longer", "5 bytes", "6 bytes"),
    ],
)
def test_verify_names_what_is_wrong(store, file, data, expected, found):
    put(store, file, data)
    assert store.verify(file, Cancellation()) == Fault(file, expected, found)


def test_verify_finds_nothing_wrong_with_right_bytes(store, file, cancellation):
    put(store, file, b"right")
    assert store.verify(file, cancellation) is None


def test_verify_names_a_file_that_cannot_be_read_and_stops_when_cancelled(store, file, cancellation):
    with pytest.raises(UnreadableFile, match=r"a\.bin: No such file"):
        store.verify(file, cancellation)
    put(store, file, b"right")
    cancellation.cancel()
    with pytest.raises(Cancelled):
        store.verify(file, cancellation)


def test_remove_takes_whole_and_partial_files_and_leaves_what_is_not_ours(store, file, make_file):
    other = make_file("bundle/model.bin", b"abc")
    bundle = Bundle("bundle", "", "", "", "", (file, other))
    put(store, file, b"right")
    partial_path(put(store, other, b"abc")).write_bytes(b"a")
    stranger = store.folder("bundle") / "notes.txt"
    stranger.write_text("mine")
    assert store.remove(bundle) == 5 + 3 + 1
    assert [path for path in store.root.rglob("*") if path.is_file()] == [stranger]
    stranger.unlink()
    assert store.remove(bundle) == 0
    assert list(store.root.iterdir()) == []


def test_sum_writes_sorted_catalog_lines_without_hidden_files(tmp_path, cancellation):
    (tmp_path / "voices").mkdir()
    (tmp_path / "voices" / "a.bin").write_bytes(b"right")
    (tmp_path / "model.bin").write_bytes(b"")
    (tmp_path / ".model.bin.part").write_bytes(b"x")
    assert list(sum_lines(tmp_path, cancellation)) == [
        f"{hashlib.sha256(b'').hexdigest()} 0 model.bin",
        f"{hashlib.sha256(b'right').hexdigest()} 5 voices/a.bin",
    ]


def test_sum_of_no_folder_says_so(cancellation):
    with pytest.raises(UnreadableFile, match="not a folder"):
        list(sum_lines(Path("/nowhere/at/all"), cancellation))
