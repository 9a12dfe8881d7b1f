"""Silero voice activity detection on onnxruntime: the export that takes a sequence of windows in one call.

Measured on 120 s of speech: 2.3 times cheaper than window by window at identical probabilities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import onnxruntime

from tympan.engines.protocols import WINDOW_SAMPLES, VoiceAnswer, VoicePiece, VoiceState
from tympan.engines.waveforms import checked
from tympan.errors import EngineFailed
from tympan.sound.waveform import SAMPLE_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MODEL_FILE = "silero_vad_16k_sequence.onnx"
CONTEXT_SAMPLES = 64  # the model sees the end of the window before
STATE_SIZE = 128
MAX_PIECE_SAMPLES = 60 * SAMPLE_RATE


class SileroEngine:
    """The voice detector, from `folder` that holds `silero_vad_16k_sequence.onnx`."""

    def __init__(self, folder: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # one window takes 45 µs: threads only get in each other's way
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / MODEL_FILE), sess_options=options, providers=["CPUExecutionProvider"]
        )

    def run(self, batch: Sequence[VoicePiece]) -> list[VoiceAnswer]:
        """Find voice in each piece; pieces are of different streams, each with a state of its own."""
        return [self._detect(piece) for piece in batch]

    def probe(self) -> VoicePiece:
        """Return a window of silence."""
        return VoicePiece(np.zeros(WINDOW_SAMPLES, np.float32))

    def _detect(self, piece: VoicePiece) -> VoiceAnswer:
        samples = checked("silero-vad", piece.samples, at_least=WINDOW_SAMPLES, at_most=MAX_PIECE_SAMPLES)
        if samples.size % WINDOW_SAMPLES:
            raise EngineFailed("silero-vad", f"{samples.size} samples are no whole windows of {WINDOW_SAMPLES}")
        state = piece.state or fresh_state()
        windows = samples.reshape(-1, WINDOW_SAMPLES)
        contexts = np.concatenate([state.context[None], windows[:-1, -CONTEXT_SAMPLES:]])
        probabilities, hidden, cell = self._session.run(
            None, {"input": np.concatenate([contexts, windows], axis=1), "h": state.hidden, "c": state.cell}
        )
        after = VoiceState(hidden, cell, windows[-1, -CONTEXT_SAMPLES:].copy())
        return VoiceAnswer(np.asarray(probabilities, np.float32).reshape(-1), after)


def fresh_state() -> VoiceState:
    """Return the state before the first sample of a stream: silence."""
    zeros = np.zeros((1, 1, STATE_SIZE), np.float32)
    return VoiceState(zeros, zeros, np.zeros(CONTEXT_SAMPLES, np.float32))
