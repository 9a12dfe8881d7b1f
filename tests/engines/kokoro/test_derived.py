import hashlib
import os

import pytest
from tests.engines.kokoro.tiny import published

from tympan.engines.kokoro import derived
from tympan.engines.kokoro.derived import derived_graph


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.int8.onnx"
    path.write_bytes(published().SerializeToString())
    return path


@pytest.fixture
def verified():
    """Count what was verified."""
    return []


def derive(model, verified, **options):
    options.setdefault("signed", False)
    return derived_graph(model, verify=lambda *graphs: verified.append(graphs), **options)


def test_it_is_made_and_verified_once(model, verified):
    first, second = derive(model, verified), derive(model, verified)
    assert first == second
    assert first.parent == model.parent / "derived"
    assert verified == [(model.read_bytes(), first.read_bytes())]
    assert sorted(path.suffix for path in first.parent.iterdir()) == [".onnx", ".sha256"]


def test_both_forms_stand_side_by_side(model, verified):
    plain, signed = derive(model, verified), derive(model, verified, signed=True)
    assert plain.is_file()
    assert signed.is_file()
    assert plain != signed


@pytest.mark.parametrize("damage", [b"", b"half a graph"])
def test_a_damaged_file_is_made_anew(model, verified, damage):
    path = derive(model, verified)
    good = path.read_bytes()
    path.write_bytes(damage)
    assert derive(model, verified) == path
    assert path.read_bytes() == good
    assert len(verified) == 2


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe", b"0" * 64])
def test_a_file_without_its_digest_is_made_anew(model, verified, content):
    path = derive(model, verified)
    digest = path.with_suffix(".sha256")
    digest.unlink()
    if content is not None:
        digest.write_bytes(content)
    derive(model, verified)
    assert digest.read_text() == hashlib.sha256(path.read_bytes()).hexdigest()
    assert len(verified) == 2


def test_another_published_graph_gets_a_file_of_its_own_and_the_old_one_goes(model, verified):
    first = derive(model, verified)
    model.write_bytes(published(frequency=0.06).SerializeToString())
    second = derive(model, verified)
    assert first != second
    assert sorted(second.parent.iterdir()) == [second, second.with_suffix(".sha256")]


def test_another_recipe_gets_a_file_of_its_own(model, verified, monkeypatch):
    first = derive(model, verified)
    monkeypatch.setattr(derived, "recipe_digest", lambda: "f" * 64)
    assert derive(model, verified) != first


def test_what_does_not_verify_is_not_kept(model):
    def refuse(*_):
        raise ValueError("it sounds wrong")

    with pytest.raises(ValueError, match="sounds wrong"):
        derived_graph(model, signed=False, verify=refuse)
    assert not (model.parent / "derived").exists()


def test_where_nothing_can_be_written_the_bytes_are_given(model, verified):
    (model.parent / "derived").write_text("a file where the folder should be")
    graph = derive(model, verified)
    assert isinstance(graph, bytes)
    assert verified == [(model.read_bytes(), graph)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_no_fault(model, verified):
    model.parent.chmod(0o500)
    try:
        assert isinstance(derive(model, verified), bytes)
    finally:
        model.parent.chmod(0o700)


def test_a_full_disk_leaves_nothing_behind(model, verified, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert isinstance(derive(model, verified), bytes)
    assert list((model.parent / "derived").iterdir()) == []
