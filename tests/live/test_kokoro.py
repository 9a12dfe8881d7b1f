"""The rewritten graph against the published one, on the real weights."""

import numpy as np
import pytest

from tympan.cancel import Cancellation
from tympan.engines.kokoro.likeness import spectral_distance_db
from tympan.engines.kokoro.model import MAX_DISTANCE_DB, MODEL_FILE, KokoroEngine, open_session
from tympan.engines.protocols import SpeechChunk
from tympan.weights.fetch import ensure
from tympan.weights.progress import LineProgress

BUNDLE = "kokoro-v1.0"
QUESTION = (65, 54, 123, 16, 43, 123, 16, 55, 51, 16, 53, 156, 51, 68, 6)  # where are my keys?


@pytest.fixture(scope="module")
def folder(live_settings):
    ensure((BUNDLE,), live_settings, LineProgress(lambda _: None), Cancellation())
    return live_settings.weights / BUNDLE


@pytest.fixture(scope="module")
def engine(folder):
    return KokoroEngine(folder)


def chunk(voice="af_heart", tokens=QUESTION, speed=1.0):
    return SpeechChunk(tokens, ((voice, 1.0),), speed)


def test_the_rewritten_graph_runs_and_knows_durations(engine):
    found = engine.synthesize(chunk())
    assert len(found.durations) == len(QUESTION) + 2
    assert found.samples.size == 600 * sum(found.durations)
    assert 0.05 < np.abs(found.samples).max() <= 1.0


@pytest.mark.parametrize("voice", ["af_heart", "bm_george", "jf_alpha"])
def test_it_sounds_like_the_published_graph(folder, engine, voice):
    feed = {
        "tokens": np.array([[0, *QUESTION, 0]]),
        "style": np.fromfile(folder / "voices" / f"{voice}.bin", "<f4").reshape(510, 256)[[len(QUESTION) - 1]],
        "speed": np.ones(1, np.float32),
    }
    published = open_session(folder / MODEL_FILE).run(None, feed)[0]
    assert spectral_distance_db(published, engine.synthesize(chunk(voice)).samples) < MAX_DISTANCE_DB


def test_it_is_the_same_each_time(engine):
    assert np.array_equal(engine.synthesize(chunk()).samples, engine.synthesize(chunk()).samples)


@pytest.mark.parametrize(("tokens", "speed"), [((43,), 1.0), ((16, 16), 4.0), (QUESTION * 34, 4.0), (QUESTION, 0.25)])
def test_extremes_neither_crash_nor_give_noise_without_end(engine, tokens, speed):
    found = engine.synthesize(chunk(tokens=tokens, speed=speed))
    assert 0 < found.samples.size < 24_000 * 120
    assert np.isfinite(found.samples).all()
