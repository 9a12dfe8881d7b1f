import pytest
from tests.cli.standin_house import StandInHouse


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory):
    monkeypatch.setenv("TYMPAN_WEIGHTS", str(tmp_path_factory.mktemp("weights")))
    monkeypatch.setenv("TYMPAN_CONFIG", "")  # restored afterwards, also when --config sets it


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> StandInHouse:
    standin = StandInHouse()
    monkeypatch.setattr("tympan.compose.open_house", standin.open_house)
    return standin
