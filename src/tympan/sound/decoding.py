"""The parent's side of one file: a decoder process at work, and the blocks that come from it."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tympan.child import Child
from tympan.errors import DecodeLimit, EngineUnavailable, NotReady, TympanError, UndecodableAudio
from tympan.sound.media import DecodeReport, MediaInfo
from tympan.sound.messages import DecodeLimits, Job, ProcessLimits, Stop, Stopped
from tympan.sound.waveform import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from tympan.cancel import Cancellation
    from tympan.settings import SoundSettings
    from tympan.sound.media import Media
    from tympan.sound.messages import Answer

LOOK_S = 0.05  # how often a wait looks whether it was cancelled
START_S = 60.0  # a process that has not imported its libraries by then never will
# Set before the interpreter starts. The mix is one small product after another, so threads of the linear algebra
# library would only reserve memory; arenas of the C library would use up the address space that is limited here.
ENVIRON = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
STOP_S = 0.5  # a process that was asked to stop answers within a few packets; a slower one is replaced


class Decoder:
    """A decoder process. Used by one file at a time."""

    def __init__(self, settings: SoundSettings) -> None:
        self.stall_s = settings.stall_s
        self.cpu_s = settings.cpu_s
        self.ready = False
        self.idle_since = time.monotonic()
        self.shut_down = False  # by the pool, while a file was at work
        self.stalled = False
        self._child = Child(
            "tympan.sound.worker:main",
            DecodeLimits(settings.min_rate, settings.max_rate, settings.max_channels, settings.max_seconds),
            ProcessLimits(settings.memory_mib, settings.cpu_s),
            environ=ENVIRON,
        )

    @property
    def pid(self) -> int:
        """The process id."""
        return self._child.pid

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._child.exitcode is None

    def send(self, message: Job | Stop, data: bytes | None = None) -> None:
        """Send a message, and the media's bytes when they come with it.

        A process that ends meanwhile, or does not take them within the stall time and is ended for it, is noticed
        by who reads its answer.
        """
        watch = threading.Timer(self.stall_s, self.stall) if data is not None else None
        if watch is not None:
            watch.daemon = True
            watch.start()
        with contextlib.suppress(OSError):
            self._child.connection.send(message)
            if data is not None:
                self._child.connection.send_bytes(data)
        if watch is not None:
            watch.cancel()

    def wait(self, timeout_s: float) -> bool:
        """Whether an answer, or the end of the process, came within `timeout_s` seconds."""
        return self._child.connection.poll(timeout_s)

    def receive(self) -> Answer:
        """Return the next answer. Raises `EOFError` or `OSError` when the process has ended."""
        answer: Answer = self._child.connection.recv()
        return answer

    def stall(self) -> None:
        """End the process because it takes too long."""
        self.stalled = True
        self._child.kill()

    def shut(self) -> None:
        """End the process because the pool closes; who waits for its answer learns it."""
        self.shut_down = True
        self._child.kill()
        self._child.reap()

    def stop(self, grace_s: float = STOP_S) -> None:
        """Close the pipe and end the process, which may take `grace_s` seconds; it is gone when this returns."""
        self._child.stop(grace_s)

    def obituary(self) -> TympanError:
        """Return what its end means for the file it worked on."""
        if self.shut_down:
            return NotReady("it is shutting down")
        how = self._child.how_it_ended()
        if not self.ready:
            return EngineUnavailable("decoder", how)
        if self.stalled:
            return DecodeLimit(f"gave no sound for {self.stall_s:g} seconds")
        if self._child.exitcode == -signal.SIGXCPU:
            return DecodeLimit(f"takes more than {self.cpu_s:g} seconds of processor time")
        return UndecodableAudio(f"decoding it failed, {how}")


class Decoding:
    """A file on its way in: its facts, then its blocks, then the report.

    A context manager and an iterator of `Block`, for one thread; cancelling works from any. `info` is what the
    container says. Errors of the file are raised by `DecoderPool.open` when its first block shows them, otherwise
    while iterating.
    """

    info: MediaInfo

    def __init__(self, decoder: Decoder, release: Callable[[Decoder, bool], None], cancellation: Cancellation) -> None:
        self._decoder = decoder
        self._release = release
        self._cancellation = cancellation
        self._first: Block | None = None
        self._report: DecodeReport | None = None
        self._released = False
        self._job_sent = False

    def begin(self, media: Media, *, split: bool, max_seconds: float | None) -> None:
        """Hand the file to the process and wait for its first block. Raises what is wrong with the file."""
        if not self._decoder.ready:
            self._answer(START_S)
            self._decoder.ready = True
        path, data = (media.absolute(), None) if isinstance(media, Path) else (None, media)
        self._job_sent = True
        self._decoder.send(Job(path, len(data or b""), split, max_seconds), data)
        while not isinstance(info := self._answer(), MediaInfo):
            pass  # still measuring
        self.info = info
        self._first = self._next()

    def __iter__(self) -> Iterator[Block]:
        """Give the blocks, each once; audio is decoded at most a couple of blocks ahead."""
        while (block := self._first or self._next()) is not None:
            self._first = None
            yield block

    @property
    def report(self) -> DecodeReport:
        """What decoding met. Raises `RuntimeError` before the last block was taken."""
        if self._report is None:
            raise RuntimeError("the report comes after the last block")
        return self._report

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    def close(self) -> None:
        """Stop the work, when it still goes on, and give the process back. May be called twice."""
        if self._released:
            return
        self._first = None
        self._free(reusable=not self._job_sent or self._stopped())

    def _next(self) -> Block | None:
        if self._released:
            return None
        answer = self._answer()
        if isinstance(answer, Block):
            return answer
        if isinstance(answer, DecodeReport):
            self._report = answer
        self._free(reusable=True)
        return None

    def _answer(self, patience_s: float | None = None) -> Answer:
        """Wait for the process. Raises the file's error, `Cancelled`, or what the end of the process means."""
        decoder = self._decoder
        deadline = time.monotonic() + (decoder.stall_s if patience_s is None else patience_s)
        while not decoder.wait(LOOK_S):
            self._cancellation.check()
            if time.monotonic() > deadline:
                decoder.stall()
        self._cancellation.check()
        try:
            answer = decoder.receive()
        except (EOFError, OSError):
            error = decoder.obituary()
            self._free(reusable=False)
            raise error from None
        if isinstance(answer, TympanError):
            self._free(reusable=True)
            raise answer
        return answer

    def _stopped(self) -> bool:
        """Ask the process to give the job up; whether it did so in time."""
        self._decoder.send(Stop())
        deadline = time.monotonic() + STOP_S
        try:
            while self._decoder.wait(max(0.0, deadline - time.monotonic())):
                if isinstance(self._decoder.receive(), DecodeReport | TympanError | Stopped):
                    return True
        except (EOFError, OSError):
            return False
        return False

    def _free(self, *, reusable: bool) -> None:
        self._released = True
        self._release(self._decoder, reusable)
