"""The engines' runners, made from the settings: the class in the child, its threads, and what may share a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.engines.child import EngineSpec
from tympan.engines.runner import EngineRunner, Limits
from tympan.engines.whisper.windows import batch_key, batch_size

if TYPE_CHECKING:
    from tympan.engines.protocols import IdentifyItem, Span
    from tympan.settings import Settings

VOICE = "silero-vad"  # bundles of the catalog, and engines where they are called the same
WHISPER, WHISPER_BUNDLE = "whisper", "whisper-base"
READER = "reader"
KOKORO, KOKORO_BUNDLE = "kokoro", "kokoro-v1.0"
VOICE_QUEUE = 4096  # pieces of all requests; each request waits for its own before it sends the next
READER_QUEUE = 1024


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


def reader_runner(settings: Settings) -> EngineRunner:
    """Return the reading front end, in a child of its own."""
    limits = Limits(
        batch=lambda _: 1,
        key=lambda _: None,
        queue=READER_QUEUE,
        timeout_s=settings.speak.timeout_s,
        idle_unload_s=settings.speak.idle_unload_s,
    )
    return EngineRunner(EngineSpec(READER, "tympan.speak.reading_engine:ReadingEngine", {}), limits)


def kokoro_runner(settings: Settings) -> EngineRunner:
    """Return the Kokoro synthesizer, in a child of its own."""
    speak = settings.speak
    spec = EngineSpec(
        KOKORO,
        "tympan.engines.kokoro.model:KokoroEngine",
        {"folder": settings.weights / KOKORO_BUNDLE},
        threads=speak.threads,
    )
    limits = Limits(
        batch=lambda _: 1,  # the graph takes one chunk at a time
        key=lambda _: None,
        queue=speak.queue,
        timeout_s=speak.timeout_s,
        idle_unload_s=speak.idle_unload_s,
    )
    return EngineRunner(spec, limits)
