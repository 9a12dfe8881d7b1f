"""The decoder processes: limits, crashes, cancelling, waiting, back-pressure, and that none is left behind."""

import os
import signal
import struct
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from tests.sound.makers import encode, tone, wav

from tympan.cancel import Cancellation
from tympan.child import resident_bytes
from tympan.errors import Cancelled, DecodeLimit, EngineUnavailable, NotReady, UndecodableAudio
from tympan.settings import SoundSettings
from tympan.sound import decoding as decoding_module
from tympan.sound import pool as pool_module
from tympan.sound.pool import DecoderPool

MIB = 1024 * 1024
SHORT = wav(tone(400, 0.5))
LONG_SECONDS = 60
LONG = wav(tone(400, LONG_SECONDS))


@pytest.fixture
def make_pool():
    pools = []

    def make(**settings):
        pools.append(DecoderPool(SoundSettings(**{"workers": 1, "max_workers": 1, **settings})))
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def silent_wav(folder, seconds, rate=16_000):
    path = folder / "silence.wav"
    path.write_bytes(wav(np.zeros(0), rate, data_size=2 * rate * seconds))
    os.truncate(path, path.stat().st_size + 2 * rate * seconds)
    return path


def samples_of(pool, media, **options):
    with pool.open(media, cancellation=Cancellation(), **options) as decoding:
        return sum(block.channels.shape[1] for block in decoding)


def processes(pool):
    return [decoder.pid for decoder in [*pool._idle, *pool._busy]]


def wait_until(condition, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def gone(pid):
    return not Path(f"/proc/{pid}").exists()


def test_a_process_is_used_again(make_pool):
    pool = make_pool()
    before = processes(pool)
    for media in (SHORT, b"text", SHORT):
        try:
            assert samples_of(pool, media) == 8_000
        except UndecodableAudio:
            assert media == b"text"
    assert processes(pool) == before


def test_a_killed_process_fails_its_file_and_no_other(make_pool):
    pool = make_pool(workers=2, max_workers=2)
    with pool.open(LONG, cancellation=Cancellation()) as beside:
        with pool.open(LONG, cancellation=Cancellation()) as decoding:
            victim = decoding._decoder.pid
            blocks = iter(decoding)
            next(blocks)
            os.kill(victim, signal.SIGKILL)
            with pytest.raises(UndecodableAudio, match="ended by SIGKILL"):
                list(blocks)
        assert gone(victim)
        assert samples_of(pool, SHORT) == 8_000
        assert sum(block.channels.shape[1] for block in beside) == LONG_SECONDS * 16_000
    assert len(processes(pool)) == 2


def test_a_process_that_died_idle_is_nobodys_error(make_pool):
    pool = make_pool()
    assert samples_of(pool, SHORT) == 8_000
    (pid,) = processes(pool)
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z")
    assert samples_of(pool, SHORT) == 8_000
    assert gone(pid)


def test_a_stalled_process_is_ended(make_pool):
    pool = make_pool(stall_s=0.5)
    with pool.open(LONG, cancellation=Cancellation()) as decoding:
        os.kill(decoding._decoder.pid, signal.SIGSTOP)
        with pytest.raises(DecodeLimit, match=r"no sound for 0\.5 seconds"):
            list(decoding)
    assert samples_of(pool, SHORT) == 8_000


def test_a_process_that_does_not_take_its_bytes_is_ended(make_pool):
    pool = make_pool(stall_s=0.5)
    assert samples_of(pool, SHORT) == 8_000
    os.kill(processes(pool)[0], signal.SIGSTOP)
    with pytest.raises(DecodeLimit, match="no sound"):
        pool.open(LONG, cancellation=Cancellation())
    assert samples_of(pool, SHORT) == 8_000


def test_a_slow_reader_is_no_stall_and_holds_the_decode_back(make_pool):
    pool = make_pool(stall_s=0.5)
    with pool.open(LONG, cancellation=Cancellation()) as decoding:
        pid = decoding._decoder.pid
        blocks = iter(decoding)
        next(blocks)
        time.sleep(0.2)
        used = processor_ticks(pid)
        time.sleep(0.8)  # longer than the stall time
        assert processor_ticks(pid) - used <= 1  # it waits for us
        assert 1 + sum(1 for _ in blocks) == -(-LONG_SECONDS * 16_000 // 32_768)


def processor_ticks(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def test_the_processor_limit(make_pool, tmp_path):
    pool = make_pool(cpu_s=0.1)
    with pytest.raises(DecodeLimit, match=r"more than 0\.1 seconds of processor time"):
        samples_of(pool, silent_wav(tmp_path, 6 * 3600, rate=8_000), max_seconds=7 * 3600)
    assert samples_of(pool, SHORT) == 8_000


def test_the_memory_limit(make_pool, tmp_path):
    data = bytearray(encode(tone(400, 1, 44_100), 44_100, "ipod", "aac", options={"movflags": "faststart"}))
    size_of_all = data.index(b"stsz") + 8
    data[size_of_all : size_of_all + 4] = struct.pack(">I", 150 * MIB)  # every packet, its index says
    path = tmp_path / "packets.m4a"
    path.write_bytes(data)
    os.truncate(path, 400 * MIB)
    pool = make_pool(memory_mib=64)
    with pytest.raises(DecodeLimit, match="more than 64 MiB of memory"):
        samples_of(pool, path)
    assert samples_of(pool, SHORT) == 8_000


def test_large_bytes_do_not_count_against_the_memory_limit(make_pool):
    pool = make_pool(memory_mib=64)
    header = wav(np.zeros(0), 192_000, channels=16, data_size=2**32 - 1)
    assert samples_of(pool, header + bytes(16 * 2 * 192_000 * 20)) == 20 * 16_000  # 117 MiB


def test_cancelling_while_decoding(make_pool):
    pool = make_pool()
    before = processes(pool)
    cancellation = Cancellation()
    with pool.open(LONG, cancellation=cancellation) as decoding:
        blocks = iter(decoding)
        assert next(blocks).start == 0
        cancellation.cancel()
        with pytest.raises(Cancelled):
            next(blocks)
    assert samples_of(pool, SHORT) == 8_000
    assert processes(pool) == before  # it gave the file up when asked


def test_cancelling_while_a_process_is_silent(make_pool):
    pool = make_pool()
    cancellation = Cancellation()
    with pool.open(LONG, cancellation=cancellation) as decoding:
        victim = decoding._decoder.pid
        os.kill(victim, signal.SIGSTOP)
        threading.Timer(0.1, cancellation.cancel).start()
        with pytest.raises(Cancelled):
            list(decoding)
    assert gone(victim)
    assert samples_of(pool, SHORT) == 8_000


def test_cancelling_while_waiting_for_a_process(make_pool):
    pool = make_pool()
    cancellation = Cancellation()
    with pool.open(LONG, cancellation=Cancellation()) as decoding:
        threading.Timer(0.05, cancellation.cancel).start()
        with pytest.raises(Cancelled):
            pool.open(SHORT, cancellation=cancellation)
        assert sum(block.channels.shape[1] for block in decoding) == LONG_SECONDS * 16_000
    assert samples_of(pool, SHORT) == 8_000


def test_a_decode_given_up_early_frees_its_process(make_pool):
    pool = make_pool()
    before = processes(pool)
    for _ in range(5):
        with pool.open(LONG, cancellation=Cancellation()) as decoding:
            next(iter(decoding))
        decoding.close()
        assert list(decoding) == []
    assert samples_of(pool, SHORT) == 8_000
    assert processes(pool) == before


def test_the_report_comes_last(make_pool):
    with make_pool().open(SHORT, cancellation=Cancellation()) as decoding:
        with pytest.raises(RuntimeError, match="after the last block"):
            _ = decoding.report
        list(decoding)
        assert decoding.report.samples == 8_000


def test_twenty_files_at_once_on_four_processes(make_pool):
    pool = make_pool(workers=2, max_workers=4)
    most = 0

    def decode(index):
        nonlocal most
        with pool.open(wav(tone(400, 3 + 0.1 * index)), cancellation=Cancellation()) as decoding:
            most = max(most, len(pool._busy))
            return sum(block.channels.shape[1] for block in decoding)

    with ThreadPoolExecutor(20) as threads:
        counts = list(threads.map(decode, range(20)))
    assert counts == [48_000 + 1_600 * index for index in range(20)]
    assert 2 <= most <= 4
    assert len(processes(pool)) <= 4


def test_processes_beyond_the_warm_ones_end_after_a_while(make_pool, monkeypatch):
    monkeypatch.setattr(pool_module, "LINGER_S", 0.2)
    pool = make_pool(workers=1, max_workers=3)
    open_ones = [pool.open(LONG, cancellation=Cancellation()) for _ in range(3)]
    for decoding in open_ones:
        decoding.close()
    assert len(processes(pool)) == 3
    wait_until(lambda: len(processes(pool)) == 1)
    assert samples_of(pool, SHORT) == 8_000


def test_a_burst_of_short_files_waits_for_a_process_rather_than_starting_many(make_pool, monkeypatch):
    monkeypatch.setattr(pool_module, "PATIENCE_S", 10.0)
    pool = make_pool(max_workers=8)
    samples_of(pool, SHORT)
    [pid] = processes(pool)
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda _: samples_of(pool, SHORT), range(16))) == [8000] * 16
    assert processes(pool) == [pid]


def test_a_long_file_does_not_hold_up_others_for_long(make_pool):
    pool = make_pool(max_workers=2)
    with pool.open(LONG, cancellation=Cancellation()):
        assert samples_of(pool, SHORT) == 8000
        assert len(processes(pool)) == 2


def test_close_leaves_no_process_and_tells_who_waits(make_pool):
    pool = make_pool()
    decoding = pool.open(LONG, cancellation=Cancellation())
    everything = processes(pool)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(pool.open, SHORT, cancellation=Cancellation())
        wait_until(lambda: pool._turns._waiting)
        pool.close()
        with pytest.raises(NotReady):
            waiting.result(5)
    with pytest.raises(NotReady):
        list(decoding)
    with pytest.raises(NotReady):
        pool.open(SHORT, cancellation=Cancellation())
    assert all(gone(pid) for pid in everything)
    pool.close()


def test_a_process_ends_with_its_parent(tmp_path):
    script = (
        "import os, sys\n"
        "from tympan.cancel import Cancellation\n"
        "from tympan.settings import SoundSettings\n"
        "from tympan.sound.pool import DecoderPool\n"
        "from pathlib import Path\n"
        "pool = DecoderPool(SoundSettings(workers=2, max_workers=2))\n"
        "decoding = pool.open(Path(sys.argv[1]), cancellation=Cancellation())\n"
        "print(*[d.pid for d in [*pool._idle, *pool._busy]], flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    path = tmp_path / "long.wav"
    path.write_bytes(LONG)
    out = subprocess.run([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, check=False).stdout
    pids = [int(pid) for pid in out.split()]
    assert len(pids) == 2
    wait_until(lambda: all(gone(pid) for pid in pids))


def test_a_child_that_cannot_start_is_a_503(make_pool, monkeypatch):
    monkeypatch.setattr(decoding_module, "ENVIRON", {"PYTHONHOME": "/nowhere"})
    with pytest.raises(EngineUnavailable, match="decoder"):
        make_pool().open(SHORT, cancellation=Cancellation())


def test_interrupts_are_the_parents_matter(make_pool):
    pool = make_pool()
    with pool.open(LONG, cancellation=Cancellation()) as decoding:
        os.kill(decoding._decoder.pid, signal.SIGINT)
        assert sum(block.channels.shape[1] for block in decoding) == LONG_SECONDS * 16_000


def test_a_long_file_takes_no_more_memory_than_a_short_one(make_pool, tmp_path):
    pool = make_pool()
    samples_of(pool, LONG)
    with pool.open(silent_wav(tmp_path, 1_800), cancellation=Cancellation()) as decoding:
        child = decoding._decoder.pid
        ours, theirs = resident_bytes(os.getpid()), resident_bytes(child)
        count = 0
        for block in decoding:
            count += block.channels.shape[1]
            assert resident_bytes(os.getpid()) < ours + 24 * MIB
        assert resident_bytes(child) < theirs + 24 * MIB
    assert count == 30 * 60 * 16_000
