import numpy as np
import pytest

from tympan.engines.kokoro.styles import VoiceTables
from tympan.errors import EngineFailed


@pytest.fixture
def folder(tmp_path):
    for index, name in enumerate(("af_one", "am_two"), 1):
        table = index * 1000 + np.arange(510, dtype="<f4")[:, None] + np.zeros(256, "<f4")
        table.astype("<f4").tofile(tmp_path / f"{name}.bin")
    return tmp_path


@pytest.mark.parametrize("tokens", [1, 2, 250, 510])
def test_the_row_is_one_before_the_number_of_tokens(folder, tokens):
    style = VoiceTables(folder).style([("af_one", 1.0)], tokens)
    assert style.shape == (1, 256)
    assert style.dtype == np.float32
    assert (style == 1000 + tokens - 1).all()


@pytest.mark.parametrize(("weights", "expected"), [((1, 1), 1500), ((0.5, 0.5), 1500), ((3, 1), 1250), ((0, 2), 2000)])
def test_a_mix_is_the_weighted_mean(folder, weights, expected):
    parts = list(zip(("af_one", "am_two"), weights, strict=True))
    np.testing.assert_allclose(VoiceTables(folder).style(parts, 1), expected)


def test_names_are_those_of_the_files(folder):
    assert VoiceTables(folder).names == ("af_one", "am_two")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([("af_none", 1.0)], "no voice 'af_none'"),
        ([("../af_one", 1.0)], "no voice"),
        ([("af_one", 0.0)], "not all 0"),
        ([("af_one", -1.0), ("am_two", 3.0)], "0 or more"),
        ([("af_one", float("nan"))], "not all 0"),
        ([("af_one", float("inf"))], "not all 0"),
    ],
)
def test_wrong_mixes_are_refused(folder, parts, message):
    with pytest.raises(EngineFailed, match=message):
        VoiceTables(folder).style(parts, 1)


@pytest.mark.parametrize("table", [np.zeros(100, "<f4"), np.full(510 * 256, np.nan, "<f4")])
def test_a_broken_table_is_refused(folder, table):
    table.tofile(folder / "xx_bad.bin")
    with pytest.raises(EngineFailed, match="xx_bad"):
        VoiceTables(folder).style([("xx_bad", 1.0)], 1)
