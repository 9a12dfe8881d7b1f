"""What runs in a decoder process: one file at a time, under limits that it sets for itself."""

from __future__ import annotations

import contextlib
import math
import os
import resource
import time
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import av.logging
import numpy as np

from tympan.child import PAGE_BYTES
from tympan.errors import DecodeLimit, TympanError, UndecodableAudio, UnreadableFile
from tympan.sound.decode import AudioFile, Gap
from tympan.sound.downmix import HOP_SAMPLES, DownMixer
from tympan.sound.media import BLOCK_SAMPLES
from tympan.sound.messages import Job, Ready, Stopped, Working
from tympan.sound.render import Rendering
from tympan.sound.waveform import seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.connection import Connection

    from tympan.sound.messages import Answer, DecodeLimits, ProcessLimits

MIB = 1024 * 1024


def main(connection: Connection, decode_limits: DecodeLimits, process_limits: ProcessLimits) -> None:
    """Take jobs until the pipe ends."""
    av.logging.set_level(None)  # FFmpeg's complaints about a broken file are that file's error, not our log
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    # The linear algebra library takes its working memory at the first product, and exits where it gets none.
    DownMixer(2).mix(np.zeros((2, HOP_SAMPLES), np.float32))
    start_bytes = _address_space_bytes()
    connection.send(Ready())
    try:
        while True:
            job = connection.recv()
            if isinstance(job, Job):  # a `Stop` may cross with the end of its job
                # Bytes that come with a job are held by its sender, too: they come on top of what a file may cost.
                data = connection.recv_bytes() if job.path is None else None
                with _limited(process_limits, start_bytes, job.size):
                    _work(connection, job, data, decode_limits, process_limits)
    except (EOFError, OSError):
        os._exit(0)  # nobody is left; nothing here needs tidying


def _work(
    connection: Connection, job: Job, data: bytes | None, limits: DecodeLimits, process_limits: ProcessLimits
) -> None:
    try:
        with _file(job, data) as file:
            for answer in _answers(connection, job, file, limits):
                connection.send(answer)
    except TympanError as error:
        connection.send(error)
    except MemoryError:
        connection.send(DecodeLimit(f"needs more than {process_limits.memory_mib} MiB of memory"))
    except Exception as error:  # noqa: BLE001  (whatever a native decoder throws at a broken file is the reason)
        connection.send(UndecodableAudio(f"decoding it failed ({type(error).__name__})"))


def _answers(connection: Connection, job: Job, file: BinaryIO, limits: DecodeLimits) -> Iterator[Answer]:
    if job.max_seconds is not None:
        # Measured before a block is given: decoded, counted, nothing kept.
        measured_s = 0.0
        for item in AudioFile(file, limits).frames(job.max_seconds):
            measured_s += item.seconds if isinstance(item, Gap) else item.samples / item.sample_rate
            if measured_s >= seconds(BLOCK_SAMPLES):
                measured_s = 0.0
                yield Working()
                if connection.poll(0):
                    yield Stopped()
                    return
        file.seek(0)
    audio = AudioFile(file, limits)
    yield audio.info
    rendering = Rendering(audio, split=job.split)
    for block in rendering.blocks():
        yield block
        if connection.poll(0):
            yield Stopped()
            return
    yield rendering.report()


def _file(job: Job, data: bytes | None) -> BinaryIO:
    if job.path is None:
        return BytesIO(data or b"")
    try:
        # By number: FFmpeg judges an object with a name by its extension, too.
        return os.fdopen(os.open(job.path, os.O_RDONLY | os.O_CLOEXEC), "rb")
    except OSError as error:
        raise UnreadableFile(str(job.path), error.strerror or "cannot be read") from error


@contextlib.contextmanager
def _limited(limits: ProcessLimits, start_bytes: int | None, media_bytes: int) -> Iterator[None]:
    _set_soft(resource.RLIMIT_CPU, math.ceil(time.process_time() + limits.cpu_s))
    if start_bytes is not None:
        _set_soft(resource.RLIMIT_AS, start_bytes + limits.memory_mib * MIB + media_bytes)
    yield
    if start_bytes is not None:
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def _set_soft(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))


def _address_space_bytes() -> int | None:
    """Return this process's address space, None where the system does not tell (and does not limit it either)."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * PAGE_BYTES
    except OSError:
        return None
