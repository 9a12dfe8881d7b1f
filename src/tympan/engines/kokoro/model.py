"""The synthesizer: phoneme tokens and a voice in, samples and durations out."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime

from tympan.engines.kokoro.derived import derived_graph
from tympan.engines.kokoro.likeness import spectral_distance_db
from tympan.engines.kokoro.passes import DURATIONS
from tympan.engines.kokoro.recipe import RewriteFailed, has_vnni
from tympan.engines.kokoro.styles import MAX_TOKENS, VoiceTables
from tympan.engines.protocols import MAX_SPEED, MIN_SPEED, SAMPLES_PER_FRAME, SpeechChunk, Synthesis
from tympan.errors import EngineFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

log = logging.getLogger(__name__)

NAME = "kokoro"
MODEL_FILE = "model.int8.onnx"
VOICES_FOLDER = "voices"
AUDIO = "audio"
BOUNDARY = 0  # the token at both ends
LAST_TOKEN = 177  # the model's embedding has 178 rows
PROBE_TOKENS = (50, 83, 54, 156, 57, 135, 3, 16, 65, 156, 87, 158, 54, 46, 4)  # hello, world
MAX_DISTANCE_DB = 7.0  # rewritten against published, on the probe: 4 to 5 when right, 9 to 12 for another voice
SHRINK_ARENA = ("memory.enable_memory_arena_shrinkage", "cpu:0")


class KokoroEngine:
    """Kokoro v1.0 from `folder`, which holds `model.int8.onnx` and `voices/*.bin`.

    `run` may be called by several threads at once; each call computes on its own. The result depends on nothing but
    the chunk: the graph has no random source.
    """

    def __init__(self, folder: Path) -> None:
        self._voices = VoiceTables(folder / VOICES_FOLDER)
        if not self._voices.names:
            raise EngineFailed(NAME, f"no voices in {folder / VOICES_FOLDER}")
        self._options = onnxruntime.RunOptions()
        self._options.add_run_config_entry(*SHRINK_ARENA)  # else the longest chunk's memory stays for ever
        self._session = self._open(folder / MODEL_FILE)

    # -- the engine's protocol ----------------------------------------------------------------------------------

    def run(self, batch: Sequence[SpeechChunk]) -> list[Synthesis]:
        """Speak each chunk; the graph takes one at a time."""
        return [self.synthesize(chunk) for chunk in batch]

    def probe(self) -> SpeechChunk:
        """Return a greeting."""
        return SpeechChunk(PROBE_TOKENS, ((self._voices.names[0], 1.0),))

    def synthesize(self, chunk: SpeechChunk) -> Synthesis:
        """Speak one chunk. Raises `EngineFailed` for what the graph cannot take, before any native call."""
        return self._speak(self._session, chunk)

    # -- one step each ------------------------------------------------------------------------------------------

    def _open(self, published: Path) -> Any:
        """Open the rewritten graph, or the published one when anything is wrong with that."""

        def verify(source: bytes, rewritten: bytes) -> None:
            expected = self._speak(open_session(source), self.probe())
            found = self._speak(open_session(rewritten), self.probe())
            distance = spectral_distance_db(expected.samples, found.samples)
            if distance > MAX_DISTANCE_DB or sum(found.durations) * SAMPLES_PER_FRAME != found.samples.size:
                raise RewriteFailed(f"the probe sounds different by {distance:.1f} dB")

        try:
            return open_session(derived_graph(published, signed=has_vnni(), verify=verify))
        except Exception as error:  # noqa: BLE001  (whatever it is, the published graph speaks, too)
            log.warning("Kokoro runs its published graph, slower and without word times: %s", error)
            return open_session(published)

    def _speak(self, session: Any, chunk: SpeechChunk) -> Synthesis:
        check_chunk(chunk)
        tokens = np.array([[BOUNDARY, *chunk.tokens, BOUNDARY]], np.int64)
        style = self._voices.style(chunk.voice, len(chunk.tokens))
        outputs = [output.name for output in session.get_outputs()]
        feed = {"tokens": tokens, "style": style, "speed": np.array([chunk.speed], np.float32)}
        found = dict(zip(outputs, session.run(outputs, feed, self._options), strict=True))
        samples = np.asarray(found[AUDIO], np.float32).reshape(-1)
        if not np.isfinite(samples).all():
            raise EngineFailed(NAME, "the graph gave samples that are no numbers")
        return Synthesis(samples, tuple(int(frames) for frames in found.get(DURATIONS, ())))


def check_chunk(chunk: SpeechChunk) -> None:
    """Raise `EngineFailed` for a chunk that would end the process or make noise."""
    if not 1 <= len(chunk.tokens) <= MAX_TOKENS:
        raise EngineFailed(NAME, f"a chunk has 1 to {MAX_TOKENS} tokens, this one {len(chunk.tokens)}")
    if not all(type(token) is int and BOUNDARY < token <= LAST_TOKEN for token in chunk.tokens):
        raise EngineFailed(NAME, f"tokens are whole numbers from 1 to {LAST_TOKEN}")
    if not chunk.voice:
        raise EngineFailed(NAME, "a chunk names at least one voice")
    if not all(math.isfinite(weight) for _, weight in chunk.voice):
        raise EngineFailed(NAME, "the weights of voices must be finite")
    if not MIN_SPEED <= chunk.speed <= MAX_SPEED:  # also for NaN
        raise EngineFailed(NAME, f"speed is {MIN_SPEED:g} to {MAX_SPEED:g}, not {chunk.speed:g}")


def open_session(graph: Path | bytes) -> Any:
    """Open a graph for calls that compute on the calling thread alone.

    Chunks side by side gave twice the throughput of two threads to a chunk, which wait for each other as soon as
    the processors have anything else to do.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    source = graph if isinstance(graph, bytes) else str(graph)
    return onnxruntime.InferenceSession(source, sess_options=options, providers=["CPUExecutionProvider"])
