"""The composition root: the one place that wires settings, weights, sound and engines into jobs."""

from __future__ import annotations

import logging
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from tympan.cancel import Cancellation
from tympan.engines.child import EngineSpec
from tympan.engines.runner import EngineRunner, Limits
from tympan.engines.whisper.windows import batch_key, batch_size
from tympan.errors import NotReady, TympanError, WeightsMissing
from tympan.listen.listener import SpeechListener
from tympan.sound.pool import DecoderPool
from tympan.weights.catalog import load_catalog
from tympan.weights.fetch import ensure
from tympan.weights.progress import LineProgress
from tympan.weights.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import TracebackType

    from tympan.engines.protocols import IdentifyItem, Span
    from tympan.settings import Settings
    from tympan.weights.progress import Progress

log = logging.getLogger(__name__)

VOICE = "silero-vad"  # bundle and engine
WHISPER = "whisper"
WHISPER_BUNDLE = "whisper-base"
BUNDLES = (VOICE, WHISPER_BUNDLE)
VOICE_QUEUE = 4096  # pieces of all requests; each request waits for its own before it sends the next
AWAKE = frozenset({"ready", "asleep"})  # an engine that is asleep wakes with the next request


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether the service can serve, and if not why: what it waits for, by engine or by "weights"."""

    ready: bool
    reason: str = ""
    waiting: Mapping[str, str] = field(default_factory=dict)


class House:
    """Everything that runs: a decoder pool, the engines and the listening job on top of them.

    `open` begins to fetch and to load in the background; `wait_ready` waits for it. A context manager.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._cancellation = Cancellation()
        self._decoders = DecoderPool(settings.sound)
        self._voice = voice_runner(settings)
        self._whisper = whisper_runner(settings)
        self._weights_error: TympanError | None = None
        self._weights_ready = threading.Event()
        self.listener = SpeechListener(
            self._decoders,
            self._voice,
            {WHISPER: self._whisper},
            default=settings.listen.model,
            ahead=settings.listen.ahead,
        )

    def open(self, *, fetch: bool = True, progress: Progress | None = None) -> None:
        """Begin: fetch what is missing (or, without `fetch`, only look), then load the engines."""
        threading.Thread(target=self._load, args=(fetch, progress), name="house-load", daemon=True).start()

    def _load(self, fetch: bool, progress: Progress | None) -> None:  # noqa: FBT001  (a thread's arguments)
        try:
            find_weights(self.settings, fetch=fetch, progress=progress, cancellation=self._cancellation)
        except TympanError as error:
            self._weights_error = error
        else:
            for runner in (self._voice, self._whisper):
                runner.start()
        self._weights_ready.set()

    def wait_ready(self, timeout_s: float) -> Readiness:
        """Wait until everything has loaded, or something has failed."""
        deadline = time.monotonic() + timeout_s
        if self._weights_ready.wait(timeout_s) and self._weights_error is None:
            for runner in (self._voice, self._whisper):
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
        waiting = {
            report.name: report.detail or report.state
            for report in self.listener.engines()
            if report.state not in AWAKE
        }
        reason = ", ".join(f"{name}: {state}" for name, state in waiting.items())
        return Readiness(ready=not waiting, reason=reason, waiting=waiting)

    def close(self) -> None:
        """End every child."""
        self._cancellation.cancel()
        self._decoders.close()
        self._voice.close()
        self._whisper.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


@contextmanager
def open_house(settings: Settings, *, fetch: bool = True, progress: Progress | None = None) -> Iterator[House]:
    """Open the house for the length of a `with`."""
    with House(settings) as house:
        house.open(fetch=fetch, progress=progress)
        yield house


def find_weights(settings: Settings, *, fetch: bool, progress: Progress | None, cancellation: Cancellation) -> Store:
    """Return the store with everything that listening needs; raises a `WeightsError`."""
    if fetch:
        return ensure(BUNDLES, settings, progress or LineProgress(log.info), cancellation)
    store = Store(settings.weights)
    missing = store.missing(load_catalog().files(BUNDLES))
    if missing:
        raise WeightsMissing([file.path for file in missing], store.root)
    return store


def voice_runner(settings: Settings) -> EngineRunner:
    """Return the voice detector, in a child of its own."""
    spec = EngineSpec(VOICE, "tympan.engines.silero:SileroEngine", {"folder": settings.weights / VOICE})
    limits = Limits(
        batch=lambda _: 16,
        key=lambda _: None,  # pieces of any streams share a batch
        queue=VOICE_QUEUE,
        timeout_s=settings.listen.decode_timeout_s,
        idle_unload_s=settings.listen.idle_unload_s,
    )
    return EngineRunner(spec, limits)


def whisper_runner(settings: Settings) -> EngineRunner:
    """Return the Whisper recognizer, in a child of its own."""
    listen = settings.listen
    floor_s, pad_s = listen.window_floor_s, listen.window_pad_s

    def key(item: Span | IdentifyItem) -> object:
        return batch_key(item, floor_s, pad_s)

    def size(item: Span | IdentifyItem) -> int:
        return batch_size(item, listen.batch, floor_s, pad_s)

    spec = EngineSpec(
        WHISPER,
        "tympan.engines.whisper.model:WhisperEngine",
        {
            "folder": settings.weights / WHISPER_BUNDLE,
            "threads": listen.threads,
            "compute_type": listen.compute_type,
            "window_floor_s": floor_s,
            "window_pad_s": pad_s,
        },
        threads=listen.threads,
    )
    limits = Limits(
        batch=size,
        key=key,
        queue=listen.queue,
        timeout_s=listen.decode_timeout_s,
        idle_unload_s=listen.idle_unload_s,
    )
    return EngineRunner(spec, limits)
