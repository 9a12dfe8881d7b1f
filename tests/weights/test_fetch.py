import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from tympan.cancel import Cancellation
from tympan.errors import Cancelled, FetchFailed, StoreUnwritable, UnknownBundle
from tympan.settings import Settings, SourceSettings
from tympan.weights import fetch as fetch_module
from tympan.weights.catalog import Bundle, Catalog
from tympan.weights.fetch import ensure, exclusive, fetch
from tympan.weights.partial import partial_path

DATA = bytes(range(256)) * 200
PATH = "/bundle/model.bin"

CHILD = """
import json, resource, signal, sys
from pathlib import Path
from tympan.cancel import Cancellation
from tympan.errors import TympanError
from tympan.settings import SourceSettings
from tympan.weights.catalog import CatalogFile
from tympan.weights.fetch import fetch
from tympan.weights.progress import LineProgress
from tympan.weights.store import Store

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have switched it off for its jobs
told = json.loads(sys.argv[1])
if told.get("max_file_bytes"):
    resource.setrlimit(resource.RLIMIT_FSIZE, (told["max_file_bytes"],) * 2)
try:
    fetch(
        [CatalogFile(*facts) for facts in told["files"]],
        Store(Path(told["store"])),
        SourceSettings(https=told["https"], order=("https",)),
        LineProgress(print),
        Cancellation(),
    )
except TympanError as error:
    print(type(error).__name__, error)
"""


@pytest.fixture
def file(make_file):
    return make_file("bundle/model.bin", DATA)


@pytest.fixture
def mirror(tmp_path):
    """Write bytes where a directory source finds them."""

    def write(path, data):
        target = tmp_path / "mirror" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)

    return write


@pytest.fixture
def run(store, progress, cancellation, tmp_path, server):
    """Fetch from the mirror folder, then from the server."""

    def fetch_files(*files, **settings):
        chosen = {"directory": tmp_path / "mirror", "https": server.url, "order": ("directory", "https"), **settings}
        fetch(files, store, SourceSettings(**chosen), progress, cancellation)

    return fetch_files


def start_child(store, server, *files, **told):
    facts = [(file.path, file.size, file.sha256) for file in files]
    told |= {"store": str(store.root), "https": server.url, "files": facts}
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, json.dumps(told)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until(condition, timeout_s=20.0):
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def test_the_first_source_that_has_it_gives_it(run, store, server, mirror, file, make_file, progress):
    other = make_file("bundle/other.bin", b"other")
    mirror("bundle/other.bin", b"other")
    server.files[PATH] = DATA
    run(file, other)
    assert store.path(file).read_bytes() == DATA
    assert sorted(progress.finished) == [("bundle/model.bin", "https"), ("bundle/other.bin", "directory")]
    assert progress.positions["bundle/model.bin"][-1] == len(DATA)
    assert progress.total == len(DATA) + 5
    assert progress.ended == 1
    assert [(path, source) for path, source in progress.asked if path == "bundle/model.bin"] == [
        ("bundle/model.bin", "directory"),
        ("bundle/model.bin", "https"),
    ]


def test_what_is_there_is_not_asked_for_and_not_locked(run, store, server, file, progress):
    store.path(file).parent.mkdir(parents=True)
    store.path(file).write_bytes(DATA)
    run(file)
    assert server.requests == []
    assert progress.ended == 0
    assert not store.lock_path.exists()


def test_a_file_of_another_size_is_replaced(run, store, mirror, file):
    store.path(file).parent.mkdir(parents=True)
    store.path(file).write_bytes(b"old")
    mirror("bundle/model.bin", DATA)
    run(file)
    assert store.path(file).read_bytes() == DATA


@pytest.mark.parametrize("wrong", [DATA[:-1] + b"x", DATA[:-1], DATA + b"x"], ids=["hash", "short", "long"])
def test_wrong_bytes_are_said_and_the_next_source_is_asked(run, store, server, mirror, file, progress, wrong):
    mirror("bundle/model.bin", wrong)
    server.files[PATH] = DATA
    run(file)
    assert store.path(file).read_bytes() == DATA
    (sentence,) = progress.sentences
    assert sentence.startswith("bundle/model.bin: directory: expected ")
    assert server.requests == [(PATH, None)]  # nothing of the wrong bytes was kept


def test_when_all_fail_each_reason_is_told_and_nothing_stays(run, store, mirror, file, left_over):
    mirror("bundle/model.bin", DATA[:-1] + b"x")
    with pytest.raises(FetchFailed) as caught:
        run(file)
    found = hashlib.sha256(DATA[:-1] + b"x").hexdigest()
    assert f"directory: expected sha256 {file.sha256}, found sha256 {found}; https: " in str(caught.value)
    assert "answered HTTP 404" in str(caught.value)
    assert str(store.path(file)) in str(caught.value)
    assert left_over(store) == []


def test_without_any_source_the_error_says_so(run, file):
    with pytest.raises(FetchFailed, match="no source is configured for it"):
        run(file, order=())


def test_a_failure_leaves_the_other_files_whole(run, store, mirror, file, make_file):
    others = [make_file(f"bundle/{n}", bytes([n])) for n in range(3)]
    for n, other in enumerate(others):
        mirror(other.path, bytes([n]))
    with pytest.raises(FetchFailed, match=r"bundle/model\.bin"):
        run(*others, file, parallel=1)
    assert store.missing([*others, file]) == [file]


def test_a_connection_that_breaks_is_picked_up_where_it_ended(run, store, server, file):
    server.files[PATH] = DATA
    server.cut_after = 20_000
    run(file, order=("https",))
    assert store.path(file).read_bytes() == DATA
    assert server.requests == [(PATH, None), (PATH, "bytes=20000-"), (PATH, "bytes=40000-")]


def test_a_source_that_brings_nothing_more_is_given_up(run, store, server, file, left_over):
    server.files[PATH] = DATA
    server.cut_after = 0
    with pytest.raises(FetchFailed, match="https: "):
        run(file, order=("https",))
    assert server.counts[PATH] == 1
    assert left_over(store) == []


def test_a_server_that_drips_is_given_up_after_some_tries(run, store, server, file, left_over):
    server.files[PATH] = DATA
    server.cut_after = 10
    with pytest.raises(FetchFailed):
        run(file, order=("https",))
    assert server.counts[PATH] == fetch_module.MAX_TRIES
    assert left_over(store) == ["bundle/.model.bin.part"]  # the next fetch continues it


def test_a_stalled_server_is_left_for_the_next_source(run, store, server, mirror, file):
    server.files[PATH] = DATA
    server.stall_after = 30_000
    mirror("bundle/model.bin", DATA)
    run(file, order=("https", "directory"), timeout_s=0.3)
    assert store.path(file).read_bytes() == DATA
    assert server.requests == [(PATH, None), (PATH, "bytes=30000-")]


@pytest.mark.parametrize("knows_range", [True, False])
def test_an_earlier_fetch_is_continued_and_hashed_as_a_whole(run, store, server, file, knows_range):
    server.files[PATH] = DATA
    server.knows_range = knows_range
    partial = partial_path(store.path(file))
    partial.parent.mkdir(parents=True)
    partial.write_bytes(DATA[:12_345])
    run(file)
    assert store.path(file).read_bytes() == DATA
    assert server.requests == [(PATH, "bytes=12345-")]
    assert not partial.exists()


def test_wrong_bytes_of_an_earlier_fetch_are_no_fault_of_the_source(run, store, server, file):
    server.files[PATH] = DATA
    partial = partial_path(store.path(file))
    partial.parent.mkdir(parents=True)
    partial.write_bytes(b"x" * 12_345)
    run(file, order=("https",))
    assert store.path(file).read_bytes() == DATA
    assert server.requests == [(PATH, "bytes=12345-"), (PATH, None)]


@pytest.mark.parametrize(("left", "requests"), [(DATA, 0), (DATA[:-1] + b"x", 1)])
def test_an_earlier_fetch_that_was_killed_before_its_rename(run, store, server, file, left, requests):
    server.files[PATH] = DATA
    partial = partial_path(store.path(file))
    partial.parent.mkdir(parents=True)
    partial.write_bytes(left)
    run(file)
    assert store.path(file).read_bytes() == DATA
    assert len(server.requests) == requests


def test_files_come_side_by_side(run, store, server, make_file):
    files = [make_file(f"bundle/{n}", bytes([n]) * 1000) for n in range(4)]
    together = threading.Barrier(4, timeout=20)  # breaks unless four requests are open at the same time

    class Meeting(dict[str, bytes]):
        def __getitem__(self, path):
            together.wait()
            return super().__getitem__(path)

    server.files = Meeting({f"/bundle/{n}": bytes([n]) * 1000 for n in range(4)})
    run(*files, order=("https",), parallel=4)
    assert store.missing(files) == []


def test_cancelling_keeps_what_came_and_gives_nothing_the_real_name(run, store, server, file, cancellation, left_over):
    server.files[PATH] = DATA
    server.stall_after = 20_000
    partial = partial_path(store.path(file))

    def cancel_in_the_middle():
        wait_until(lambda: partial.exists() and partial.stat().st_size == 20_000)
        cancellation.cancel()

    thread = threading.Thread(target=cancel_in_the_middle)
    thread.start()
    with pytest.raises(Cancelled):
        run(file, order=("https",))
    thread.join()
    assert left_over(store) == ["bundle/.model.bin.part"]
    server.stall_after = None
    fetch([file], store, SourceSettings(https=server.url, order=("https",)), _Silent(), Cancellation())
    assert store.path(file).read_bytes() == DATA
    assert server.requests[1] == (PATH, "bytes=20000-")


class _Silent:
    def __getattr__(self, name):
        return lambda *_: None


def test_a_killed_process_leaves_a_part_that_the_next_one_continues(run, store, server, file, left_over):
    server.files[PATH] = DATA
    server.stall_after = 20_000
    partial = partial_path(store.path(file))
    with start_child(store, server, file) as child:
        wait_until(lambda: partial.exists() and partial.stat().st_size == 20_000)
        os.kill(child.pid, signal.SIGKILL)
    assert left_over(store) == ["bundle/.model.bin.part"]
    server.stall_after = None
    run(file, order=("https",))  # the lock of the dead is free
    assert store.path(file).read_bytes() == DATA
    assert server.requests == [(PATH, None), (PATH, "bytes=20000-")]


def test_an_interrupt_from_the_keyboard_ends_a_fetch_that_waits_for_bytes(store, server, file, left_over):
    server.files[PATH] = DATA
    server.stall_after = 20_000
    partial = partial_path(store.path(file))
    with start_child(store, server, file) as child:
        wait_until(lambda: partial.exists() and partial.stat().st_size == 20_000)
        child.send_signal(signal.SIGINT)
        assert child.wait(20) != 0  # the default limit on silence is 60 s
    assert left_over(store) == ["bundle/.model.bin.part"]


def test_two_processes_fetch_each_file_once(store, server, make_file):
    files = [make_file(f"bundle/{n}", bytes([n]) * 20_000) for n in range(6)]
    server.files = {f"/bundle/{n}": bytes([n]) * 20_000 for n in range(6)}
    server.pause_s = 0.01
    children = [start_child(store, server, *files) for _ in range(2)]
    outputs = [child.communicate(timeout=60)[0] for child in children]
    assert set(server.counts.values()) == {1}
    assert sorted(server.counts) == sorted(server.files)
    assert store.missing(files) == []
    assert sum("Fetching 6 files" in output for output in outputs) == 1


def test_who_waits_for_the_lock_says_so_and_can_be_cancelled(store, progress, cancellation):
    with exclusive(store, progress, cancellation):
        waiting = Cancellation()
        failures = []

        def wait_for_lock():
            try:
                with exclusive(store, progress, waiting):
                    pass
            except Cancelled as error:
                failures.append(error)

        other = threading.Thread(target=wait_for_lock)
        other.start()
        wait_until(lambda: progress.sentences)
        waiting.cancel()
        other.join(20)
    assert len(failures) == 1
    assert progress.sentences == [f"Waiting for another process that fetches into {store.root}"]


def test_a_disk_without_room_is_named(store, server, file, left_over):
    server.files[PATH] = DATA
    with start_child(store, server, file, max_file_bytes=30_000) as child:
        output = child.communicate(timeout=60)[0]
    assert f"StoreUnwritable {store.path(file)} cannot be written: file too large (51200 bytes are needed)." in output
    assert left_over(store) == []


def test_a_folder_that_is_none_is_named(run, store, file):
    store.root.write_text("a file in the way")
    with pytest.raises(StoreUnwritable, match=r"cannot be written: (not a directory|file exists)"):
        run(file)


def test_ensure_gives_the_store_with_everything_that_the_names_stand_for(
    tmp_path, monkeypatch, mirror, make_file, progress, cancellation
):
    files = [make_file("one/a", b"a"), make_file("two/b", b"b"), make_file("three/c", b"c")]
    bundles = {file.path[:-2]: Bundle(file.path[:-2], "", "", "", "", (file,)) for file in files}
    monkeypatch.setattr(fetch_module, "load_catalog", lambda: Catalog(bundles, {"some": ("one", "two")}))
    for file in files:
        mirror(file.path, file.path[-1:].encode())
    settings = Settings(weights=tmp_path / "store", sources=SourceSettings(directory=tmp_path / "mirror"))
    store = ensure(["some"], settings, progress, cancellation)
    assert store.missing(files) == [files[2]]
    with pytest.raises(UnknownBundle):
        ensure(["four"], settings, progress, cancellation)
