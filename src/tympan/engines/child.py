"""What runs in an engine's child process: load, probe, then batches in and results out."""

from __future__ import annotations

import contextlib
import os
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tympan.errors import EngineFailed, TympanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.connection import Connection

    from tympan.engines.protocols import Engine

NICENESS = 2  # the HTTP loop goes first, yet other programs of the machine do not push decodes aside


@dataclass(frozen=True, slots=True)
class EngineSpec:
    """How to make an engine in a child.

    `target` is `package.module:Class`, made with `arguments`; `threads` call its `run` at the same time.
    """

    name: str
    target: str
    arguments: Mapping[str, object]
    threads: int = 1

    def build(self) -> Engine:
        """Make the engine, here."""
        module, _, name = self.target.partition(":")
        engine: Engine = getattr(import_module(module), name)(**self.arguments)
        return engine


def main(connection: Connection, spec: EngineSpec) -> None:
    """Serve batches until the pipe ends or a None comes.

    Messages in: (id, items). Out: ("ready", seconds) or ("failed", reason) once, then (id, results), where a
    result is what the engine gave or the `TympanError` of that item.
    """
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    began = time.monotonic()
    try:
        engine = spec.build()
        engine.run([engine.probe()])
    except Exception as error:  # noqa: BLE001  (whatever a native loader throws is the reason)
        connection.send(("failed", f"{type(error).__name__}: {error}"))
        return
    connection.send(("ready", time.monotonic() - began))
    sending = threading.Lock()

    def work(batch_id: int, items: Sequence[Any]) -> None:
        results = run_batch(spec.name, engine, items)
        try:
            data = pickle.dumps((batch_id, results))
        except Exception as error:  # noqa: BLE001  (an answer that cannot be sent must not be waited for)
            failed = EngineFailed(spec.name, f"its answer cannot be sent ({type(error).__name__})")
            data = pickle.dumps((batch_id, [failed] * len(items)))
        with sending, contextlib.suppress(OSError):
            connection.send_bytes(data)

    pool = ThreadPoolExecutor(spec.threads, thread_name_prefix=spec.name)
    with contextlib.suppress(EOFError, OSError):
        while message := connection.recv():
            pool.submit(work, *message)
    os._exit(0)  # nobody is left to hear the batches that still run


def run_batch(name: str, engine: Engine, items: Sequence[Any]) -> list[Any]:
    """Run a batch; when it fails, run its items one by one, so that one bad item harms none beside it."""
    try:
        results = engine.run(items)
        if len(results) != len(items):
            return [EngineFailed(name, f"{len(results)} results for {len(items)} items")] * len(items)
    except Exception as error:  # noqa: BLE001  (native runtimes raise anything)
        if len(items) > 1:
            return [result for item in items for result in run_batch(name, engine, [item])]
        return [error if isinstance(error, TympanError) else EngineFailed(name, f"{type(error).__name__}: {error}")]
    return list(results)
