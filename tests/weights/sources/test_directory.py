import pytest

from tympan.errors import SourceUnavailable
from tympan.weights.sources.directory import DirectorySource


def test_files_stand_as_in_the_store(tmp_path, make_file):
    file = make_file("bundle/voices/a.bin", b"0123456789")
    path = tmp_path / "bundle" / "voices" / "a.bin"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"0123456789")
    source = DirectorySource(tmp_path)
    assert source.offers(file)
    for offset in (0, 4, 10):
        with source.open(file, offset) as stream:
            assert (stream.start, b"".join(stream.chunks)) == (offset, b"0123456789"[offset:])


def test_a_file_that_is_not_there_is_a_reason(tmp_path, make_file):
    with (
        pytest.raises(SourceUnavailable, match=r"directory: .*bundle/a\.bin: No such file"),
        DirectorySource(tmp_path).open(make_file("bundle/a.bin", b"x"), 0),
    ):
        pass
