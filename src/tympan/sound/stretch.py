"""Speech faster or slower at the same pitch, as it comes, with FFmpeg's `atempo` (waveform similarity overlap-add).

Twice as fast, Whisper hears 6 % of the words wrong; when Kokoro itself speaks twice as fast, 24 %.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from av import AudioFrame
from av.filter import Graph

from tympan.sound.waveform import SPEECH_RATE, Samples

STAGE_FACTOR = 2.0  # one filter slows to a half at most, and past double speed it leaves samples out
# 20 ms. The filter gives a frame only when it has made all that the frame before makes, so a frame of a sentence
# would wait for the next sentence; and always the same frames give the same result, however the pieces come.
FRAME_SAMPLES = 480
FLUSH_SAMPLES = 25 * FRAME_SAMPLES  # 0.5 s of silence bring the end out: two filters lag by up to 0.26 s of input


class Stretcher:
    """Makes one stream of float32 at 24 kHz `speed` times as fast; `speed` is 0.25 to 4.

    Of n samples it makes n / `speed`, rounded; at speed 1 they pass as they are. Nothing is cut at either end. The
    result does not depend on how the stream is cut into pieces.
    """

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._graph = None if speed == 1 else _graph(speed)
        self._waiting = np.empty(0, np.float32)  # less than a frame
        self._ahead = np.empty(0, np.float32)  # made, but past the place where the samples taken so far end
        self._taken = 0
        self._given = 0

    def push(self, samples: Samples) -> Samples:
        """Take float32 [n], any n; give float32 [m]. Of what was taken 0.04 to 0.28 s waits for the next call."""
        if self._graph is None:
            return samples
        self._taken += samples.size
        waiting = np.concatenate([self._waiting, samples])
        whole = waiting.size - waiting.size % FRAME_SAMPLES
        self._waiting = waiting[whole:]
        return self._give(_filtered(self._graph, waiting[:whole]), math.floor(self._taken / self._speed))

    def finish(self) -> Samples:
        """Give the rest. Nothing may be pushed any more."""
        if self._graph is None or not self._taken:
            return np.empty(0, np.float32)
        last = np.pad(self._waiting, (0, FLUSH_SAMPLES - self._waiting.size))
        return self._give(_filtered(self._graph, last), round(self._taken / self._speed))

    def _give(self, made: Samples, total: int) -> Samples:
        """Give what there is, up to `total` samples since the beginning."""
        given, self._ahead = np.split(np.concatenate([self._ahead, made]), [total - self._given])
        self._given += given.size
        return given


def _graph(speed: float) -> Graph:
    stages = math.ceil(abs(math.log(speed)) / math.log(STAGE_FACTOR))
    graph = Graph()
    source = graph.add_abuffer(sample_rate=SPEECH_RATE, format="flt", layout="mono", time_base=Fraction(1, SPEECH_RATE))
    filters = [graph.add("atempo", f"{speed ** (1 / stages):.9f}") for _ in range(stages)]
    graph.link_nodes(source, *filters, graph.add("abuffersink")).configure()
    return graph


def _filtered(graph: Graph, samples: Samples) -> Samples:
    """Push float32 [k * FRAME_SAMPLES]; return what comes out by then."""
    made = [np.empty(0, np.float32)]
    for start in range(0, samples.size, FRAME_SAMPLES):
        frame = AudioFrame.from_ndarray(samples[None, start : start + FRAME_SAMPLES], format="flt", layout="mono")
        frame.sample_rate = SPEECH_RATE
        frame.pts = None
        graph.push(frame)
        while True:
            try:
                made.append(graph.pull().to_ndarray()[0])
            except BlockingIOError:
                break
    return np.concatenate(made)
