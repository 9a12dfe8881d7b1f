"""The synthesizers that are compared: the same int8 weights, the same voice and phonemes, one thread each."""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tympan.engines.protocols import SpeechChunk
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.sound.waveform import Samples

MODEL = "model.int8.onnx"
STYLE = (510, 1, 256)  # number of phonemes, 1, style
PAUSE_S = 0.1  # between our chunks, so that a recognizer hears two sentences
CHUNK_TOKENS = 200  # to which sentences after the first are joined


class Synthesizer(Protocol):
    """An engine under measurement."""

    name: str

    def speak(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak phonemes, given sentence by sentence, as the engine would a whole text: float32 [n] at 24 kHz."""
        ...

    def begin(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak as much as the engine gives first."""
        ...


def styles(weights: Path) -> dict[str, Any]:
    """Return every voice's table, float32 [510, 1, 256]."""
    paths = sorted((weights / "voices").glob("*.bin"))
    return {path.stem: np.fromfile(path, "<f4").reshape(STYLE) for path in paths}


class Tympan:
    """Our engine, in this process: the first sentence alone, then as many as make a chunk, as the speaking job does."""

    name = "tympan"

    def __init__(self, weights: Path) -> None:
        from kokoro_onnx.config import DEFAULT_VOCAB

        from tympan.engines.kokoro.model import KokoroEngine

        self._vocabulary: dict[str, int] = DEFAULT_VOCAB
        self._engine = KokoroEngine(weights)

    def speak(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak chunks; pauses between them."""
        pause = np.zeros(round(PAUSE_S * SPEECH_RATE), np.float32)
        return np.concatenate(
            [part for chunk in chunks(sentences) for part in (self.begin([chunk], voice), pause)][:-1]
        )

    def begin(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak the first sentence."""
        tokens = tuple(self._vocabulary[symbol] for symbol in sentences[0] if symbol in self._vocabulary)
        return self._engine.synthesize(SpeechChunk(tokens, ((voice, 1.0),))).samples


def chunks(sentences: Sequence[str]) -> list[str]:
    """Return the first sentence alone, so that sound begins early, and the rest joined to chunks."""
    joined = list(sentences[:1])
    for sentence in sentences[1:]:
        if len(joined) > 1 and len(joined[-1]) + len(sentence) < CHUNK_TOKENS:
            joined[-1] += " " + sentence
        else:
            joined.append(sentence)
    return joined


class KokoroOnnx:
    """kokoro-onnx: as many sentences in one call as the model takes. Its trimming is off: nobody else's is on."""

    name = "kokoro-onnx"

    def __init__(self, weights: Path) -> None:
        import onnxruntime
        from kokoro_onnx import Kokoro

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(weights / MODEL), options)
        with TemporaryDirectory() as folder:
            voices = Path(folder) / "voices.npz"
            buffer = io.BytesIO()
            np.savez(buffer, **styles(weights))
            voices.write_bytes(buffer.getvalue())
            self._engine: Any = Kokoro.from_session(session, str(voices))

    def phonemes(self, text: str) -> str:
        """Return an English text's phonemes, by espeak-ng."""
        return str(self._engine.tokenizer.phonemize(text, "en-us"))

    def speak(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak the text as one."""
        samples, _ = self._engine.create(" ".join(sentences), voice=voice, is_phonemes=True, trim=False)
        return np.asarray(samples, np.float32)

    def begin(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak the text as one: there is nothing before it is whole."""
        return self.speak(sentences, voice)


class SherpaOnnx:
    """sherpa-onnx, which wants its own facts in the graph and the voices in one file; made here, once."""

    name = "sherpa-onnx"

    def __init__(self, weights: Path, folder: Path) -> None:
        import onnx
        import sherpa_onnx
        from kokoro_onnx.config import DEFAULT_VOCAB

        tables = styles(weights)
        model = onnx.load(weights / MODEL)
        facts = {
            "model_type": "kokoro",
            "language": "English",
            "has_espeak": "1",
            "sample_rate": str(SPEECH_RATE),
            "version": "2",
            "voice": "en-us",
            "style_dim": ",".join(map(str, STYLE)),
            "n_speakers": str(len(tables)),
            "speaker_names": ",".join(tables),
        }
        onnx.helper.set_model_props(model, facts)
        onnx.save(model, folder / "model.onnx")
        (folder / "voices.bin").write_bytes(b"".join(table.tobytes() for table in tables.values()))
        lines = [f"{symbol} {token}\n" for symbol, token in DEFAULT_VOCAB.items()]
        (folder / "tokens.txt").write_text("".join(lines), encoding="utf-8")
        (folder / "lexicon.txt").write_text("hello h\n", encoding="utf-8")  # it must have one; phonemes are given
        files = {name: str(folder / f"{name}.txt") for name in ("tokens", "lexicon")}
        kokoro = sherpa_onnx.OfflineTtsKokoroModelConfig(
            model=str(folder / "model.onnx"), voices=str(folder / "voices.bin"), **files
        )
        config = sherpa_onnx.OfflineTtsModelConfig(kokoro=kokoro, num_threads=1, provider="cpu")
        self._engine: Any = sherpa_onnx.OfflineTts(sherpa_onnx.OfflineTtsConfig(model=config))
        self._config: Any = sherpa_onnx.GenerationConfig()
        self._voices = list(tables)
        self._vocabulary: dict[str, int] = DEFAULT_VOCAB

    def speak(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak each sentence, as its own front end cuts a text."""
        self._config.sid = self._voices.index(voice)
        self._config.phoneme_codepoints = [
            [ord(symbol) for symbol in sentence if symbol in self._vocabulary] for sentence in sentences
        ]
        return np.asarray(self._engine.generate("hello", self._config).samples, np.float32)

    def begin(self, sentences: Sequence[str], voice: str) -> Samples:
        """Speak the first sentence: a callback gives it."""
        return self.speak(sentences[:1], voice)
