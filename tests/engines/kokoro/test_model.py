"""The engine on a graph of a few kilobytes."""

import logging
import threading
from dataclasses import replace

import numpy as np
import pytest
from tests.engines.kokoro.tiny import TinyGraph, floats, published, write_bundle

from tympan.engines.child import run_batch
from tympan.engines.kokoro.model import KokoroEngine
from tympan.engines.kokoro.recipe import rewrite
from tympan.engines.protocols import SpeechChunk
from tympan.errors import EngineFailed

CHUNK = SpeechChunk((7, 9), (("af_one", 1.0),))


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return write_bundle(tmp_path_factory.mktemp("kokoro") / "kokoro-v1.0", published())


@pytest.fixture(scope="module")
def engine(bundle):
    return KokoroEngine(bundle)


def test_durations_and_samples_belong_together(engine):
    found = engine.run([CHUNK])[0]
    assert found.durations == (1, 7, 9, 1)
    assert found.samples.size == 600 * sum(found.durations)
    assert found.samples.dtype == np.float32


def test_the_same_chunk_gives_the_same_samples_from_any_thread(engine):
    expected = engine.synthesize(CHUNK).samples
    found = []
    threads = [threading.Thread(target=lambda: found.append(engine.synthesize(CHUNK).samples)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [np.array_equal(samples, expected) for samples in found] == [True] * 4


def test_voice_and_speed_reach_the_graph(engine):
    plain = engine.synthesize(CHUNK)
    assert engine.synthesize(replace(CHUNK, speed=0.5)).durations == (1, 14, 18, 1)
    assert not np.array_equal(engine.synthesize(replace(CHUNK, voice=(("am_two", 1.0),))).samples, plain.samples)


def test_a_batch_gives_one_result_for_each(engine):
    assert [item.durations[1] for item in engine.run([CHUNK, replace(CHUNK, tokens=(3,))])] == [7, 3]


@pytest.mark.parametrize("count", [1, 510])
def test_the_shortest_and_the_longest_chunk(engine, count):
    assert len(engine.synthesize(replace(CHUNK, tokens=(1,) * count)).durations) == count + 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tokens": ()}, "1 to 510 tokens, this one 0"),
        ({"tokens": (1,) * 511}, "this one 511"),
        ({"tokens": (1, 0)}, "from 1 to 177"),
        ({"tokens": (178,)}, "from 1 to 177"),
        ({"tokens": (-1,)}, "from 1 to 177"),
        ({"tokens": (2**70,)}, "from 1 to 177"),
        ({"tokens": (1.5,)}, "whole numbers"),
        ({"tokens": (True,)}, "whole numbers"),
        ({"speed": 0.2}, "0.25 to 4"),
        ({"speed": 4.1}, "0.25 to 4"),
        ({"speed": float("nan")}, "0.25 to 4"),
        ({"voice": ()}, "at least one voice"),
        ({"voice": (("af_one", float("nan")),)}, "finite"),
        ({"voice": (("af_none", 1.0),)}, "no voice"),
    ],
)
def test_what_the_graph_cannot_take_is_refused(engine, changes, message):
    with pytest.raises(EngineFailed, match=message):
        engine.synthesize(replace(CHUNK, **changes))


def test_a_bad_chunk_harms_none_beside_it(engine):
    results = run_batch("kokoro", engine, [CHUNK, replace(CHUNK, tokens=()), CHUNK])
    assert isinstance(results[1], EngineFailed)
    assert results[0].durations == results[2].durations == (1, 7, 9, 1)


def test_a_second_start_takes_what_the_first_has_derived(bundle, engine, monkeypatch):
    monkeypatch.setattr("tympan.engines.kokoro.derived.rewrite", lambda *_, **__: pytest.fail("made again"))
    assert np.array_equal(KokoroEngine(bundle).synthesize(CHUNK).samples, engine.synthesize(CHUNK).samples)


def test_a_rewrite_that_sounds_different_is_not_used(tmp_path, monkeypatch, caplog):
    bundle = write_bundle(tmp_path / "kokoro", published())
    other = rewrite(published(frequency=0.3).SerializeToString(), signed=False)
    monkeypatch.setattr("tympan.engines.kokoro.derived.rewrite", lambda *_, **__: other)
    with caplog.at_level(logging.WARNING):
        found = KokoroEngine(bundle).synthesize(CHUNK)
    assert "sounds different" in caplog.text
    assert found.durations == ()
    assert found.samples.size == 600 * 18


def test_a_graph_that_cannot_be_rewritten_runs_as_it_is(tmp_path, caplog):
    graph = TinyGraph()
    graph.add("Reshape", "style", graph.constant([-1], np.int64), name="flat")
    graph.add("Mul", "flat", "speed", name="audio")
    tokens = published().graph.input[0]
    tiny = graph.model([tokens, floats("style", 1, 256), floats("speed", 1)], [floats("audio", 256)])
    # an input that nothing uses is still an input
    found = KokoroEngine(write_bundle(tmp_path / "kokoro", tiny)).synthesize(CHUNK)
    assert "published graph" in caplog.text
    assert found.durations == ()
    np.testing.assert_allclose(found.samples, 1.001)


def test_samples_that_are_no_numbers_are_an_error(tmp_path):
    graph = TinyGraph()
    graph.add("Reshape", "style", graph.constant([-1], np.int64), name="flat")
    graph.add("Log", graph.add("Neg", graph.add("Mul", "flat", "speed")), name="audio")
    tiny = graph.model(
        [published().graph.input[0], floats("style", 1, 256), floats("speed", 1)], [floats("audio", 256)]
    )
    with pytest.raises(EngineFailed, match="no numbers"):
        KokoroEngine(write_bundle(tmp_path / "kokoro", tiny)).synthesize(CHUNK)


def test_a_folder_without_voices_is_refused(tmp_path):
    with pytest.raises(EngineFailed, match="no voices"):
        KokoroEngine(write_bundle(tmp_path / "kokoro", published(), voices=()))
