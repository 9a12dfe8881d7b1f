"""From spans of speech to the excerpts that are decoded. Pure, streaming, and the same however audio arrives."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from tympan.listen.spans import SpanTracker, VoiceSpan
from tympan.sound.waveform import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tympan.listen.request import Cutting

MERGE_GAP = 2 * SAMPLE_RATE  # neighbours closer than this are decoded together, for context
MERGE_TO = 20 * SAMPLE_RATE  # up to this length: measured best for accuracy, at any window
FIRST_MERGE_TO = 10 * SAMPLE_RATE  # at first only this, where a reader waits for the first words
LONGEST = 28 * SAMPLE_RATE  # what is decoded at once: Whisper takes 30 s, and needs a second of silence behind
CEILING = LONGEST - SAMPLE_RATE  # speech without a pause is cut before this, which leaves room for pads
SEAM_OVERLAP = SAMPLE_RATE // 2  # heard on each side of such a cut, 1 s in all
QUIET_STRETCH = SAMPLE_RATE // 10  # the cut goes into the quietest 100 ms
QUIET_HOP = SAMPLE_RATE // 100
SEARCH_FROM = CEILING * 2 // 3  # of the last third


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Audio to decode: `samples` float32 [n] from sample `start` of the file on, below 0 for a silent lead-in.

    `speech_start` and `speech_end` are the samples between which the voice was found, `spans` where in between it
    was, from pause to pause; `cut_before` and `cut_after` mark a seam at that side.
    """

    samples: Samples
    start: int
    speech_start: int
    speech_end: int
    cut_before: bool
    cut_after: bool
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def voiced(self) -> int:
        """Samples of voice, pauses not counted."""
        return sum(end - start for start, end in self.spans)

    def at_pauses(self) -> list[Excerpt]:
        """Cut it at the middle of every pause."""
        cuts = [(left[1] + right[0]) // 2 for left, right in pairwise(self.spans)]
        bounds = pairwise([self.start, *cuts, self.start + self.samples.size])
        last = len(self.spans) - 1
        return [
            Excerpt(
                self.samples[left - self.start : right - self.start],
                left,
                *span,
                cut_before=self.cut_before and place == 0,
                cut_after=self.cut_after and place == last,
                spans=(span,),
            )
            for place, (span, (left, right)) in enumerate(zip(self.spans, bounds, strict=True))
        ]


class Cutter:
    """Turns one channel's samples and voice probabilities into excerpts, as early as their bounds are known.

    With `early` the first one is shorter, for a reader who waits for the first words: at some cost in punctuation.
    Keeps only the audio that an excerpt may still need.
    """

    def __init__(self, cutting: Cutting, *, early: bool = False) -> None:
        self._pad = round(cutting.pad_s * SAMPLE_RATE)
        self._tracker = SpanTracker(cutting)
        self._held = np.zeros(0, np.float32)
        self._held_from = 0
        self._group: VoiceSpan | None = None
        self._spans: list[tuple[int, int]] = []  # of the group
        self._before = 0  # where the neighbour on the left ended
        self._merge_to = FIRST_MERGE_TO if early else MERGE_TO

    @property
    def unsettled_from(self) -> int:
        """Return the sample before which every excerpt has been given out."""
        if self._group is not None:
            return self._group.start
        return self._tracker.heard if self._tracker.open_since is None else self._tracker.open_since

    def feed(self, samples: Samples, probabilities: Iterable[float]) -> list[Excerpt]:
        """Take the next samples, whole windows of them, and the probability of each window."""
        self._held = np.concatenate([self._held, samples])
        excerpts: list[Excerpt] = []
        for probability in probabilities:
            for span in self._tracker.feed([probability]):
                self._add(span, excerpts)
            self._cut_endless(excerpts)
            self._emit_settled(excerpts)
        self._forget()
        return excerpts

    def finish(self, samples: int) -> list[Excerpt]:
        """End with the audio, which has `samples` samples; the last window may have been filled up beyond them."""
        excerpts: list[Excerpt] = []
        self._held = self._held[: samples - self._held_from]
        for span in self._tracker.finish(samples):
            self._add(span, excerpts)
        self._emit(None, excerpts)
        return excerpts

    def _add(self, span: VoiceSpan, excerpts: list[Excerpt]) -> None:
        group = self._group
        joins = (
            group is not None
            and not group.cut_after
            and span.start - group.end < MERGE_GAP
            and span.end - group.start <= self._merge_to
        )
        if group is not None and joins:
            self._group = VoiceSpan(group.start, span.end, cut_before=group.cut_before, cut_after=span.cut_after)
            self._spans.append((span.start, span.end))
            return
        self._emit(span.start, excerpts)
        self._group, self._spans = span, [(span.start, span.end)]

    def _cut_endless(self, excerpts: list[Excerpt]) -> None:
        """Cut a span that outgrows what may be decoded at once, in the quietest place near its end."""
        start = self._tracker.open_since
        if start is None or self._tracker.heard - start < CEILING + SEAM_OVERLAP:
            return
        search = self._slice(start + SEARCH_FROM, start + CEILING)
        span = self._tracker.cut(start + SEARCH_FROM + quietest(search))
        self._add(span, excerpts)
        self._emit(None, excerpts)

    def _emit_settled(self, excerpts: list[Excerpt]) -> None:
        """Emit the group once nothing can join it any more."""
        if self._group is None:
            return
        open_since = self._tracker.open_since
        reached = self._tracker.heard if open_since is None else open_since
        outgrown = self._tracker.heard - self._group.start > self._merge_to + SAMPLE_RATE
        if reached - self._group.end >= MERGE_GAP or (open_since is not None and outgrown):
            self._emit(open_since, excerpts)

    def _emit(self, after: int | None, excerpts: list[Excerpt]) -> None:
        group, self._group = self._group, None
        if group is None:
            return
        left = self._left_pad(group)
        right = self._right_pad(group, after)
        room = LONGEST - (group.end - group.start)
        if left + right > room:  # the pads give way, never the speech
            left = min(left, max(room // 2, room - right))
            right = min(right, room - left)
        start, end = group.start - left, group.end + right
        self._before = group.end
        self._merge_to = MERGE_TO
        excerpts.append(
            Excerpt(
                self._slice(start, end),
                start,
                group.start,
                group.end,
                cut_before=group.cut_before,
                cut_after=group.cut_after,
                spans=tuple(self._spans),
            )
        )

    def _left_pad(self, group: VoiceSpan) -> int:
        if group.cut_before:
            return SEAM_OVERLAP
        return min(self._pad, (group.start - self._before + 1) // 2) if self._before else self._pad

    def _right_pad(self, group: VoiceSpan, after: int | None) -> int:
        pad = SEAM_OVERLAP if group.cut_after else self._pad
        if after is not None and not group.cut_after:
            pad = min(pad, (after - group.end) // 2)
        return min(pad, self._held_from + self._held.size - group.end)

    def _slice(self, left: int, right: int) -> Samples:
        """Return the samples from `left` to `right`; what lies before the file is silence."""
        lead = np.zeros(max(0, -left), np.float32)
        return np.concatenate([lead, self._held[max(0, left) - self._held_from : right - self._held_from]])

    def _forget(self) -> None:
        keep_from = max(self._held_from, self.unsettled_from - max(self._pad, SEAM_OVERLAP))
        self._held = self._held[keep_from - self._held_from :].copy()
        self._held_from = keep_from


def quietest(samples: Samples) -> int:
    """Return the index of the middle of the quietest 100 ms of float32 [n], n at least 1600."""
    power = np.add.reduceat(np.square(samples, dtype=np.float64), np.arange(0, samples.size, QUIET_HOP))
    stretch = QUIET_STRETCH // QUIET_HOP
    sums = np.convolve(power, np.ones(stretch), mode="valid")
    return int(np.argmin(sums)) * QUIET_HOP + QUIET_STRETCH // 2
