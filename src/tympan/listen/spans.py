"""Where somebody speaks: from voice probabilities to spans. Pure arithmetic, a window at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.engines.protocols import WINDOW_SAMPLES
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tympan.listen.request import Cutting

MIN_VOICED_WINDOWS = 3  # 96 ms above the threshold: "Go" has more, a click less


@dataclass(frozen=True, slots=True)
class VoiceSpan:
    """Speech from sample `start` to sample `end` (exclusive) of the whole audio.

    `cut_before` and `cut_after` say that speech goes on beyond that side: there was no pause to cut at.
    """

    start: int
    end: int
    cut_before: bool = False
    cut_after: bool = False


class SpanTracker:
    """Opens above the threshold, holds above a lower one, closes after a stretch of quiet."""

    def __init__(self, cutting: Cutting) -> None:
        self._open_above = cutting.threshold
        self._hold_above = cutting.hold
        self._quiet_windows = max(1, round(cutting.min_quiet_s * SAMPLE_RATE / WINDOW_SAMPLES))
        self._window = 0
        self._start: int | None = None  # sample
        self._voiced = 0
        self._cut_before = False
        self._quiet_from: int | None = None  # window

    @property
    def open_since(self) -> int | None:
        """The sample at which a span under way began."""
        return self._start

    @property
    def heard(self) -> int:
        """Samples looked at so far."""
        return self._window * WINDOW_SAMPLES

    def feed(self, probabilities: Iterable[float]) -> list[VoiceSpan]:
        """Take one probability a window; return the spans that have ended."""
        ended: list[VoiceSpan] = []
        for probability in probabilities:
            if self._start is None:
                if probability > self._open_above:
                    self._start = self._window * WINDOW_SAMPLES
                    self._voiced = 1
            else:
                self._voiced += probability > self._open_above
                self._hold(probability, ended)
            self._window += 1
        return ended

    def cut(self, sample: int) -> VoiceSpan:
        """End the span under way at `sample`, inside it; the next one begins there.

        Where it has been quiet since before `sample`, the span ends with the voice and nothing begins.
        """
        if self._start is None or not self._start < sample:
            raise ValueError("there is no open span to cut here")
        quiet_from = None if self._quiet_from is None else self._quiet_from * WINDOW_SAMPLES
        if quiet_from is not None and self._start < quiet_from <= sample:
            span = VoiceSpan(self._start, quiet_from, cut_before=self._cut_before)
            self._reset()
            return span
        span = VoiceSpan(self._start, sample, cut_before=self._cut_before, cut_after=True)
        self._start, self._cut_before = sample, True
        return span

    def finish(self, samples: int) -> list[VoiceSpan]:
        """End with the audio, which has `samples` samples in all."""
        ended: list[VoiceSpan] = []
        if self._start is not None:
            end = samples if self._quiet_from is None else self._quiet_from * WINDOW_SAMPLES
            self._close(min(end, samples), ended)
        return ended

    def _hold(self, probability: float, ended: list[VoiceSpan]) -> None:
        if probability > self._hold_above:
            self._quiet_from = None
            return
        if self._quiet_from is None:
            self._quiet_from = self._window
        if self._window - self._quiet_from + 1 >= self._quiet_windows:
            self._close(self._quiet_from * WINDOW_SAMPLES, ended)

    def _close(self, end: int, ended: list[VoiceSpan]) -> None:
        start = self._start
        if start is not None and end > start and (self._voiced >= MIN_VOICED_WINDOWS or self._cut_before):
            ended.append(VoiceSpan(start, end, cut_before=self._cut_before))
        self._reset()

    def _reset(self) -> None:
        self._start, self._quiet_from, self._cut_before, self._voiced = None, None, False, 0
