"""Where an upload is kept: in memory up to a bound, then in a temporary file that is always removed."""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from types import TracebackType

    from tympan.sound.media import Media

BLOCK_BYTES = 2**20  # bytes handed to the disk at once: few threads' turns, little memory
PREFIX = "tympan-"


class Spool:
    """Bytes on their way in.

    `memory_bytes` may stay in memory; `directory` (None: the system's) takes the rest. `disk` runs what blocks.
    An asynchronous context manager: leaving it removes the file, also when the task is cancelled.
    """

    def __init__(self, memory_bytes: int, directory: Path | None, disk: Executor) -> None:
        self._memory_bytes = memory_bytes
        self._directory = directory
        self._disk = disk
        self._buffer = bytearray()
        self._spilled = False
        self._lock = threading.Lock()  # a cancelled task may remove the file while a write is under way
        self._descriptor: int | None = None
        self._path: Path | None = None
        self._removed = False
        self.size = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._spilled:
            return
        try:
            removal = asyncio.get_running_loop().run_in_executor(self._disk, self._remove)
        except RuntimeError:  # the service is stopping and its threads are gone
            self._remove()
        else:
            await asyncio.shield(removal)

    async def write(self, data: bytes) -> None:
        """Append `data`."""
        self.size += len(data)
        self._buffer += data
        if len(self._buffer) > self._memory_bytes if not self._spilled else len(self._buffer) >= BLOCK_BYTES:
            await self._flush()

    async def finish(self) -> Media:
        """Return all that was written: bytes, or the path of a file that lives as long as this context."""
        if not self._spilled:
            return bytes(self._buffer)
        if self._buffer:
            await self._flush()
        if self._path is None:  # pragma: no cover  (a flush has set it)
            raise RuntimeError
        return self._path

    async def _flush(self) -> None:
        block, self._buffer = self._buffer, bytearray()
        self._spilled = True
        await asyncio.get_running_loop().run_in_executor(self._disk, self._append, block)

    def _append(self, block: bytearray) -> None:
        with self._lock:
            if self._removed:
                return
            if self._descriptor is None:
                self._descriptor, name = tempfile.mkstemp(prefix=PREFIX, dir=self._directory)
                self._path = Path(name)
            view = memoryview(block)
            while view:
                view = view[os.write(self._descriptor, view) :]

    def _remove(self) -> None:
        with self._lock:
            self._removed = True
            if self._descriptor is not None:
                os.close(self._descriptor)
                self._descriptor = None
            if self._path is not None:
                self._path.unlink(missing_ok=True)
