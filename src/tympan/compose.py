"""The composition root: the one place that wires settings, weights, sound and engines into jobs."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from tympan.cancel import Cancellation
from tympan.errors import NotReady, TympanError, WeightsMissing
from tympan.listen.listener import SpeechListener
from tympan.runners import (
    KOKORO_BUNDLE,
    VOICE,
    WHISPER,
    WHISPER_BUNDLE,
    kokoro_runner,
    reader_runner,
    voice_runner,
    whisper_runner,
)
from tympan.sound.pool import DecoderPool
from tympan.speak.speaker import KokoroSpeaker
from tympan.weights.catalog import load_catalog
from tympan.weights.fetch import ensure
from tympan.weights.progress import LineProgress
from tympan.weights.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from tympan.engines.runner import EngineRunner
    from tympan.engines.stats import EngineReport
    from tympan.settings import Job, Settings
    from tympan.weights.progress import Progress

log = logging.getLogger(__name__)

BUNDLES: dict[Job, tuple[str, ...]] = {"listen": (VOICE, WHISPER_BUNDLE), "speak": (KOKORO_BUNDLE,)}
AWAKE = frozenset({"ready", "asleep"})  # an engine that is asleep wakes with the next request


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether the service can serve, and if not why: what it waits for, by engine or by "weights"."""

    ready: bool
    reason: str = ""
    waiting: Mapping[str, str] = field(default_factory=dict)


class House:
    """Everything that runs for the jobs that are wanted: a decoder pool, the engines, and the jobs on top of them.

    `open` begins to fetch and to load in the background; `wait_ready` waits for it. A context manager.
    """

    def __init__(self, settings: Settings, jobs: tuple[Job, ...]) -> None:
        self.settings = settings
        self.jobs = jobs
        self._cancellation = Cancellation()
        self._runners: list[EngineRunner] = []
        self._decoders: DecoderPool | None = None
        self._listener: SpeechListener | None = None
        self._speaker: KokoroSpeaker | None = None
        self._weights_error: TympanError | None = None
        self._weights_ready = threading.Event()
        if "listen" in jobs:
            self._furnish_listening()
        if "speak" in jobs:
            self._furnish_speaking()

    @property
    def listener(self) -> SpeechListener:
        """The listening job. Raises `NotReady` when it is not one of the jobs."""
        if self._listener is None:
            raise NotReady("it does not listen (setting 'jobs')")
        return self._listener

    @property
    def speaker(self) -> KokoroSpeaker:
        """The speaking job. Raises `NotReady` when it is not one of the jobs."""
        if self._speaker is None:
            raise NotReady("it does not speak (setting 'jobs')")
        return self._speaker

    def engines(self) -> list[EngineReport]:
        """Return the state of every engine."""
        return [runner.report() for runner in self._runners]

    def engine(self, name: str) -> EngineRunner:
        """Return the runner of the engine with this name."""
        return next(runner for runner in self._runners if runner.spec.name == name)

    def open(self, *, fetch: bool = True, progress: Progress | None = None) -> None:
        """Begin: fetch what is missing (or, without `fetch`, only look), then load the engines."""
        threading.Thread(target=self._load, args=(fetch, progress), name="house-load", daemon=True).start()

    def wait_ready(self, timeout_s: float) -> Readiness:
        """Wait until everything has loaded, or something has failed."""
        deadline = time.monotonic() + timeout_s
        if self._weights_ready.wait(timeout_s) and self._weights_error is None:
            for runner in self._runners:
                runner.wait_ready(max(0.0, deadline - time.monotonic()))
        return self.readiness()

    def require_ready(self, timeout_s: float) -> None:
        """Wait like `wait_ready`; raise what went wrong with the weights, or `NotReady`."""
        readiness = self.wait_ready(timeout_s)
        if self._weights_error is not None:
            raise self._weights_error
        if not readiness.ready:
            raise NotReady(readiness.reason)

    def readiness(self) -> Readiness:
        """Return whether every engine has loaded and answered a probe, as far as is known now."""
        if self._weights_error is not None:
            return Readiness(ready=False, reason=self._weights_error.message, waiting={"weights": "missing"})
        if not self._weights_ready.is_set():
            return Readiness(ready=False, reason="fetching model files", waiting={"weights": "fetching"})
        waiting = {report.name: report.detail or report.state for report in self.engines() if report.state not in AWAKE}
        reason = ", ".join(f"{name}: {state}" for name, state in waiting.items())
        return Readiness(ready=not waiting, reason=reason, waiting=waiting)

    def close(self) -> None:
        """End every child."""
        self._cancellation.cancel()
        if self._decoders is not None:
            self._decoders.close()
        for runner in self._runners:
            runner.close()

    def _furnish_listening(self) -> None:
        self._decoders = DecoderPool(self.settings.sound)
        voice, whisper = voice_runner(self.settings), whisper_runner(self.settings)
        self._runners += [voice, whisper]
        listen = self.settings.listen
        self._listener = SpeechListener(
            self._decoders, voice, {WHISPER: whisper}, default=listen.model, ahead=listen.ahead
        )

    def _furnish_speaking(self) -> None:
        reader, kokoro = reader_runner(self.settings), kokoro_runner(self.settings)
        self._runners += [reader, kokoro]
        self._speaker = KokoroSpeaker(reader, kokoro, ahead=self.settings.speak.ahead)

    def _load(self, fetch: bool, progress: Progress | None) -> None:  # noqa: FBT001  (a thread's arguments)
        try:
            find_weights(self.settings, self.jobs, fetch=fetch, progress=progress, cancellation=self._cancellation)
        except TympanError as error:
            self._weights_error = error
        else:
            for runner in self._runners:
                runner.start()
        self._weights_ready.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@contextmanager
def open_house(
    settings: Settings, *, fetch: bool = True, progress: Progress | None = None, jobs: tuple[Job, ...] | None = None
) -> Iterator[House]:
    """Open the house for the length of a `with`; `jobs` default to those of the settings."""
    with House(settings, settings.jobs if jobs is None else jobs) as house:
        house.open(fetch=fetch, progress=progress)
        yield house


def find_weights(
    settings: Settings, jobs: tuple[Job, ...], *, fetch: bool, progress: Progress | None, cancellation: Cancellation
) -> Store:
    """Return the store with everything that the jobs need; raises a `WeightsError`."""
    bundles = [bundle for job in jobs for bundle in BUNDLES[job]]
    if fetch:
        return ensure(bundles, settings, progress or LineProgress(log.info), cancellation)
    store = Store(settings.weights)
    missing = store.missing(load_catalog().files(bundles))
    if missing:
        raise WeightsMissing([file.path for file in missing], store.root)
    return store
