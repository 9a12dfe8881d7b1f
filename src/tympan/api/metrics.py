"""Prometheus metrics, in a registry of their own. Labels come from closed sets only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from tympan.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from prometheus_client.metrics_core import Metric

    from tympan.engines.stats import EngineReport
    from tympan.listen.results import Summary
    from tympan.speak.results import SpeechSummary

    Engines = Callable[[], Sequence[EngineReport]]

MEDIA_TYPE = CONTENT_TYPE_LATEST
REQUEST_BUCKETS_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
FIRST_AUDIO_BUCKETS_S = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30)
FIRST_TEXT_BUCKETS_S = (0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120)
RTF_BUCKETS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 2, 5)
ENGINE_STATES = ("starting", "ready", "asleep", "restarting", "failed", "stopped")


class Metrics:
    """All counters of the service. `engines` is asked with each scrape."""

    def __init__(self, engines: Engines) -> None:
        self.registry = CollectorRegistry()
        self.in_progress = Gauge("tympan_requests_in_progress", "Requests being served", registry=self.registry)
        self._requests = Counter(
            "tympan_requests", "Requests answered", ["route", "model", "status"], registry=self.registry
        )
        self._seconds = Histogram(
            "tympan_request_seconds",
            "Time from a request's head to the end of its answer",
            ["route"],
            buckets=REQUEST_BUCKETS_S,
            registry=self.registry,
        )
        self._rejections = Counter(
            "tympan_rejections", "Requests that ended in an error, by its code", ["code"], registry=self.registry
        )
        self._cancellations = Counter(
            "tympan_cancellations", "Requests whose client went away", ["route"], registry=self.registry
        )
        self._audio = Counter("tympan_audio_seconds", "Audio taken in", ["model"], registry=self.registry)
        self._speech = Counter("tympan_speech_seconds", "Speech decoded", ["model"], registry=self.registry)
        self._fallbacks = Counter("tympan_fallbacks", "Decodes that were repeated", ["model"], registry=self.registry)
        self._first_text = Histogram(
            "tympan_first_text_seconds",
            "Time from the end of an upload to its first text",
            ["model"],
            buckets=FIRST_TEXT_BUCKETS_S,
            registry=self.registry,
        )
        self._characters = Counter(
            "tympan_spoken_characters", "Code points of the texts spoken", ["model"], registry=self.registry
        )
        self._spoken = Counter("tympan_spoken_seconds", "Speech made", ["model"], registry=self.registry)
        self._first_audio = Histogram(
            "tympan_first_audio_seconds",
            "Time from the end of a text's upload to its first audio",
            ["model"],
            buckets=FIRST_AUDIO_BUCKETS_S,
            registry=self.registry,
        )
        self._rtf = Histogram(
            "tympan_real_time_factor",
            "Processing time over audio time",
            ["model"],
            buckets=RTF_BUCKETS,
            registry=self.registry,
        )
        self.registry.register(EngineCollector(engines))

    def count_request(self, route: str, model: str, status: int, seconds: float, code: str) -> None:
        """Count an answered request; `code` is that of its error, "" without one."""
        self._requests.labels(route, model, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if code == Cancelled.default_code:
            self._cancellations.labels(route).inc()
        elif code:
            self._rejections.labels(code).inc()

    def count_transcript(self, model: str, summary: Summary, seconds: float, first_text_s: float | None) -> None:
        """Count a finished transcription that took `seconds`; there may have been no text."""
        self._audio.labels(model).inc(summary.duration)
        self._speech.labels(model).inc(summary.speech)
        self._fallbacks.labels(model).inc(summary.fallbacks)
        if summary.duration > 0:
            self._rtf.labels(model).observe(seconds / summary.duration)
        if first_text_s is not None:
            self._first_text.labels(model).observe(first_text_s)

    def count_speech(self, model: str, summary: SpeechSummary, worked_s: float, first_audio_s: float | None) -> None:
        """Count a finished speech; `worked_s` is what it took, without the waits for a slow reader."""
        self._characters.labels(model).inc(summary.characters)
        self._spoken.labels(model).inc(summary.seconds)
        if summary.seconds > 0:
            self._rtf.labels(model).observe(worked_s / summary.seconds)
        if first_audio_s is not None:
            self._first_audio.labels(model).observe(first_audio_s)

    def write(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self.registry)


class EngineCollector(Collector):
    """Reads the engines when asked, so that their counters live in one place."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def describe(self) -> Iterable[Metric]:
        """Name nothing ahead: engines may not be up yet."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Give the state of every engine."""
        reports = self._engines()
        states = GaugeMetricFamily("tympan_engine_state", "1 for the state it is in", labels=["engine", "state"])
        for report in reports:
            for state in ENGINE_STATES:
                states.add_metric([report.name, state], float(report.state == state))
        yield states
        for name, help_text, field in _GAUGES:
            gauge = GaugeMetricFamily(name, help_text, labels=["engine"])
            _fill(gauge, field, reports)
            yield gauge
        for name, help_text, field in _COUNTERS:
            counter = CounterMetricFamily(name, help_text, labels=["engine"])
            _fill(counter, field, reports)
            yield counter


def _fill(family: GaugeMetricFamily | CounterMetricFamily, field: str, reports: Iterable[EngineReport]) -> None:
    for report in reports:
        family.add_metric([report.name], getattr(report, field))


_GAUGES = (
    ("tympan_engine_queue_depth", "Items that wait", "queue_depth"),
    ("tympan_engine_running", "Items being processed", "running"),
    ("tympan_engine_memory_bytes", "Resident memory of the engine's process", "memory_bytes"),
)
_COUNTERS = (
    ("tympan_engine_batches", "Batches processed", "batches"),
    ("tympan_engine_items", "Items processed", "items"),
    ("tympan_engine_restarts", "Times its process was started again after it had died", "restarts"),
    ("tympan_engine_crashes", "Items that ended with the process", "crashes"),
    ("tympan_engine_busy_seconds", "Time spent processing", "busy_seconds"),
    ("tympan_engine_wait_seconds", "Time that items have waited, in total", "wait_seconds"),
    ("tympan_engine_loads", "Times a model was loaded", "loads"),
    ("tympan_engine_load_seconds", "Time spent loading", "load_seconds"),
)
