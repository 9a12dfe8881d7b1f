"""An upload's file goes away, whatever happens to its request."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tympan.api.spool import BLOCK_BYTES, Spool


async def fill(spool: Spool, blocks: int) -> None:
    for _ in range(blocks):
        await spool.write(bytes(BLOCK_BYTES))


def test_it_keeps_what_was_written(tmp_path: Path):
    async def use() -> None:
        with ThreadPoolExecutor(2) as disk:
            async with Spool(5, tmp_path, disk) as spool:
                await spool.write(b"abc")
                assert await spool.finish() == b"abc"
                await spool.write(b"defg")
                check(await spool.finish())
                assert spool.size == 7

    def check(path: object) -> None:
        assert isinstance(path, Path)
        assert path.read_bytes() == b"abcdefg"
        assert path.stat().st_mode & 0o077 == 0  # nobody else reads it

    asyncio.run(use())
    assert list(tmp_path.iterdir()) == []


def test_it_goes_away_on_an_error(tmp_path: Path):
    async def use(disk: ThreadPoolExecutor) -> None:
        async with Spool(0, tmp_path, disk) as spool:
            await fill(spool, 2)
            assert isinstance(await spool.finish(), Path)
            raise KeyError

    with ThreadPoolExecutor(1) as disk, pytest.raises(KeyError):
        asyncio.run(use(disk))
    assert list(tmp_path.iterdir()) == []


def test_it_goes_away_when_its_task_is_cancelled_before_the_disk_has_begun(tmp_path: Path):
    async def use(disk: ThreadPoolExecutor) -> None:
        gate = threading.Event()
        disk.submit(gate.wait, 10)  # the disk is busy

        async def upload() -> None:
            async with Spool(0, tmp_path, disk) as spool:
                await fill(spool, 2)

        task = asyncio.create_task(upload())
        await asyncio.sleep(0.05)
        task.cancel()
        asyncio.get_running_loop().call_later(0.05, gate.set)
        with pytest.raises(asyncio.CancelledError):
            await task

    with ThreadPoolExecutor(1) as disk:
        asyncio.run(use(disk))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_an_error_and_leaves_nothing(tmp_path: Path):
    async def use(disk: ThreadPoolExecutor) -> None:
        async with Spool(0, tmp_path / "missing", disk) as spool:
            await fill(spool, 1)

    with ThreadPoolExecutor(1) as disk, pytest.raises(FileNotFoundError):
        asyncio.run(use(disk))


def test_it_goes_away_when_the_service_has_stopped(tmp_path: Path):
    async def use(disk: ThreadPoolExecutor) -> None:
        async with Spool(0, tmp_path, disk) as spool:
            await fill(spool, 1)
            disk.shutdown()

    asyncio.run(use(ThreadPoolExecutor(1)))
    assert list(tmp_path.iterdir()) == []
