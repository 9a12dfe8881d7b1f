import hashlib
import json
import sys
from typing import NamedTuple

import pytest

import tympan.cli.weights
from tympan.cli.main import main
from tympan.weights import fetch as fetch_module
from tympan.weights.catalog import Bundle, Catalog, CatalogFile


def bundle(name, **files):
    return Bundle(
        name,
        name.title(),
        "MIT",
        "Somebody",
        "https://example.org",
        tuple(CatalogFile(f"{name}/{n}", len(data), hashlib.sha256(data).hexdigest()) for n, data in files.items()),
    )


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A small catalog, a folder that has its files, and an empty store."""
    mirror = tmp_path / "mirror"
    for name, data in {"one/a": b"alpha", "one/b": b"beta", "two/c": b"gamma"}.items():
        path = mirror / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    bundles = {"one": bundle("one", a=b"alpha", b=b"beta"), "two": bundle("two", c=b"gamma")}
    catalog = Catalog(bundles, {"starter": ("one",)})
    for module in (tympan.cli.weights, fetch_module):
        monkeypatch.setattr(module, "load_catalog", lambda: catalog)
    monkeypatch.setenv("TYMPAN_WEIGHTS", str(tmp_path / "store"))
    monkeypatch.setenv("TYMPAN_SOURCES__ORDER", "directory")
    monkeypatch.setenv("TYMPAN_SOURCES__DIRECTORY", str(mirror))
    return tmp_path / "store"


class Result(NamedTuple):
    exit_code: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch, capsys):
    """Run `tympan weights` as the shell does."""

    def run_verb(*arguments):
        monkeypatch.setattr(sys, "argv", ["tympan", "weights", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return Result(int(ended.value.code or 0), *capsys.readouterr())

    return run_verb


def test_fetch_takes_the_starter_set_unless_told_otherwise(run, store):
    result = run("fetch")
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "Fetching 2 files, 9 bytes\n" in result.stderr
    assert "one/a: 5 bytes from directory" in result.stderr
    assert result.stderr.endswith(f"All 2 files are in {store}.\n")
    assert (store / "one" / "a").read_bytes() == b"alpha"
    assert not (store / "two").exists()
    again = run("fetch", "starter", "two")
    assert "Fetching 1 file, 5 bytes\n" in again.stderr
    assert (store / "two" / "c").read_bytes() == b"gamma"


def test_fetch_ends_with_one_sentence_when_it_cannot(run, store, monkeypatch):
    monkeypatch.setenv("TYMPAN_SOURCES__DIRECTORY", str(store / "nothing"))
    result = run("fetch", "two")
    assert result.exit_code == 1
    assert result.stderr.splitlines()[-1].startswith("tympan: two/c could not be fetched (directory: ")
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("verb", ["fetch", "verify", "rm"])
def test_an_unknown_bundle_is_one_sentence(run, verb):
    result = run(verb, "three")
    assert result.exit_code == 1
    assert result.stderr == "tympan: No bundle 'three' in the catalog. Known: one, two, starter.\n"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("verb", ["list", "fetch", "verify", "rm"])
def test_a_wrong_setting_is_one_sentence(run, monkeypatch, verb):
    monkeypatch.setenv("TYMPAN_SOURCES__ORDER", "carrier-pigeon")
    result = run(verb, *(["one"] if verb == "rm" else []))
    assert result.exit_code == 1
    assert result.stderr.startswith("tympan: environment variable TYMPAN_SOURCES__ORDER")


@pytest.mark.usefixtures("store")
def test_list_shows_bundle_file_size_licence_and_presence(run):
    run("fetch")
    lines = run("list").stdout.splitlines()
    assert lines == [
        "one: One, 9 bytes",
        "  MIT, Somebody, https://example.org",
        "  one/a    5 bytes  MIT         present",
        "  one/b    4 bytes  MIT         present",
        "two: Two, 5 bytes",
        "  MIT, Somebody, https://example.org",
        "  two/c    5 bytes  MIT         missing",
    ]


@pytest.mark.usefixtures("store")
def test_list_as_json(run):
    run("fetch", "two")
    rows = json.loads(run("list", "--json").stdout)
    assert [(row["file"], row["present"]) for row in rows] == [("one/a", False), ("one/b", False), ("two/c", True)]
    assert rows[2] == {
        "bundle": "two",
        "file": "two/c",
        "size": 5,
        "sha256": hashlib.sha256(b"gamma").hexdigest(),
        "licence": "MIT",
        "author": "Somebody",
        "link": "https://example.org",
        "present": True,
    }


def test_verify_names_what_is_wrong_and_exits_with_1(run, store):
    run("fetch", "one", "two")
    right = run("verify")
    assert right.exit_code == 0
    assert right.stdout.splitlines() == ["ok     one/a", "ok     one/b", "ok     two/c"]
    (store / "one" / "b").write_bytes(b"BETA")
    (store / "one" / "a").unlink()
    wrong = run("verify")
    assert wrong.exit_code == 1
    expected, found = hashlib.sha256(b"beta").hexdigest(), hashlib.sha256(b"BETA").hexdigest()
    assert wrong.stdout.splitlines() == [
        f"WRONG  one/b: expected sha256 {expected}, found sha256 {found}",
        "ok     two/c",
    ]
    assert wrong.stderr == (
        f"tympan: 1 of 2 files in {store} are wrong. Run 'tympan weights rm one' and fetch again.\n"
    )
    assert run("verify", "two").exit_code == 0


def test_sum_writes_lines_that_a_catalog_takes(run, store):
    run("fetch", "one")
    assert run("sum", str(store)).stdout.splitlines() == [
        f"{hashlib.sha256(b'alpha').hexdigest()} 5 one/a",
        f"{hashlib.sha256(b'beta').hexdigest()} 4 one/b",
    ]
    result = run("sum", str(store / "nothing"))
    assert result.exit_code == 1
    assert result.stderr == f"tympan: {store / 'nothing'}: not a folder.\n"


def test_rm_takes_names_or_all(run, store):
    run("fetch", "one", "two")
    result = run("rm", "one")
    assert result.exit_code == 0
    assert result.stderr == f"9 bytes freed in {store}.\n"
    assert not (store / "one").exists()
    assert (store / "two" / "c").exists()
    assert run("rm", "--all").exit_code == 0
    assert not (store / "two").exists()


def test_rm_of_a_store_that_is_not_there_makes_none(run, store):
    result = run("rm", "--all")
    assert result.exit_code == 0
    assert not store.exists()


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("arguments", [("rm",), ("rm", "one", "--all"), ("sum",), ("fetch", "--fast"), ("burn",)])
def test_wrong_usage_is_2(run, arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
