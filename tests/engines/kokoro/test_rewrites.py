"""Each rewrite on a small graph: the same numbers, fewer or faster nodes."""

import numpy as np
import onnxruntime
import pytest
from onnx import TensorProto
from tests.engines.kokoro.tiny import BINS, HOP, WINDOW, TinyGraph, floats, published

from tympan.engines.kokoro.convs import sign_samples
from tympan.engines.kokoro.graph import GraphEditor
from tympan.engines.kokoro.passes import DURATIONS, expose_durations, fourier_as_convolution, fuse_norms, fuse_snakes
from tympan.engines.kokoro.recipe import RewriteFailed, has_vnni, recipe_digest, rewrite


def run(model, **feed):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feed)


def kinds(model):
    return [node.op_type for node in model.graph.node]


def noise(*shape, seed=1, offset=0.0):
    return (np.random.default_rng(seed).standard_normal(shape) + offset).astype(np.float32)


def around(build, *changes, shape=(1, 4, 50)):
    """Return model and outputs before, and after the changes, of what `build(graph, "x")` computes."""

    def make():
        graph = TinyGraph()
        graph.add("Identity", build(graph, "x"), name="y")
        return graph.model([floats("x", *shape)], [floats("y", *[None] * len(shape))])

    x = noise(*shape, offset=0.5)
    before, after = make(), make()
    editor = GraphEditor(after)
    counts = []
    for change in changes:
        counts.append(change(editor))
        editor.finish()
    return counts, run(before, x=x)[0], run(after, x=x)[0], kinds(after)


def affine(graph):
    return graph.constant(noise(1, 4, 1, seed=2)), graph.constant(noise(1, 4, 1, seed=3))


def test_a_norm_becomes_one_node():
    counts, before, after, nodes = around(lambda graph, x: graph.norm(x, *affine(graph)), fuse_norms)
    assert counts == [1]
    assert "InstanceNormalization" in nodes
    assert "Sqrt" not in nodes
    np.testing.assert_allclose(after, before, atol=1e-5)


def test_norms_that_share_their_statistics_are_each_fused():
    def build(graph, x):
        first = graph.norm(x, *affine(graph))
        division = next(node for node in graph.nodes if node.op_type == "Div").output[0]
        second = graph.add("Add", graph.add("Mul", division, graph.constant(np.full((1, 4, 1), 2))), affine(graph)[1])
        return graph.add("Add", first, second)

    counts, before, after, nodes = around(build, fuse_norms)
    assert counts == [2]
    assert "Sqrt" not in nodes
    np.testing.assert_allclose(after, before, atol=1e-5)


def test_a_deviation_that_is_no_norm_is_left_alone():
    def build(graph, x):
        axes = graph.constant([1], np.int64)  # over channels
        centred = graph.add("Sub", x, graph.add("ReduceMean", x, axes))
        variance = graph.add("ReduceMean", graph.add("Mul", centred, centred), axes)
        deviation = graph.add("Sqrt", graph.add("Add", variance, graph.constant(1e-5)))
        gamma, beta = affine(graph)
        return graph.add("Add", graph.add("Mul", gamma, graph.add("Div", centred, deviation)), beta)

    counts, before, after, _ = around(build, fuse_norms)
    assert counts == [0]
    np.testing.assert_array_equal(after, before)


@pytest.mark.parametrize("alpha", [0.7, -0.4, 12.0])
def test_a_snake_loses_two_passes(alpha):
    def build(graph, x):
        return graph.snake(graph.norm(x, *affine(graph)), np.full((1, 4, 1), alpha))

    counts, before, after, nodes = around(build, fuse_norms, fuse_snakes)
    assert counts == [1, 1]
    assert "Pow" not in nodes
    np.testing.assert_allclose(after, before, atol=1e-5)


def test_a_snake_whose_factors_do_not_belong_together_is_left_alone():
    def build(graph, x):
        y = graph.norm(x, *affine(graph))
        squared = graph.add("Pow", graph.add("Sin", graph.add("Mul", graph.constant(2), y)), graph.constant(2))
        return graph.add("Add", y, graph.add("Mul", graph.constant(0.4), squared))

    counts, before, after, _ = around(build, fuse_norms, fuse_snakes)
    assert counts == [1, 0]
    np.testing.assert_allclose(after, before, atol=1e-5)


def test_the_fourier_transform_becomes_a_convolution():
    counts, before, after, nodes = around(lambda graph, x: graph.spectrum(x), fourier_as_convolution, shape=(405,))
    assert counts == [2]
    assert "STFT" not in nodes
    assert before.shape == (1, 2 * BINS, (405 - WINDOW) // HOP + 1)
    np.testing.assert_allclose(after, before, atol=1e-4)


@pytest.mark.parametrize(
    ("taps", "attributes"),
    [
        (1, {"pads": [0, 0]}),
        (3, {"pads": [1, 1]}),
        (3, {"pads": [5, 5], "dilations": [5]}),
        (11, {"pads": [5, 5]}),
        (3, {"pads": [1, 1], "strides": [2]}),
        (12, {"pads": [3, 3], "strides": [6]}),
        (5, {"pads": [0, 0]}),
    ],
)
@pytest.mark.parametrize("bias", [None, [3.0, -2.0, 0.5]])
def test_a_convolution_of_int8_is_that_of_uint8(taps, attributes, bias):
    def build(graph, x):
        return graph.convolution(x, graph.weights(3, 4, taps), bias and np.array(bias), **attributes)

    if not has_vnni() and taps * 4 > 2:
        pytest.skip("this processor's kernel saturates")
    counts, before, after, nodes = around(build, sign_samples)
    assert counts == [1]
    assert "DynamicQuantizeLinear" not in nodes
    np.testing.assert_allclose(after, before, atol=2e-3)  # the published bias is rounded down to a step


def test_silence_is_quantised_without_a_division_by_zero():
    graph = TinyGraph()
    graph.add("Identity", graph.convolution("x", graph.weights(3, 4, 3), np.ones(3), pads=[1, 1]), name="y")
    model = graph.model([floats("x", 1, 4, 9)], [floats("y", 1, 3, 9)])
    editor = GraphEditor(model)
    sign_samples(editor)
    editor.finish()
    np.testing.assert_array_equal(run(model, x=np.zeros((1, 4, 9), np.float32))[0], np.ones((1, 3, 9)))


def test_a_bias_before_a_norm_is_dropped():
    def build(graph, x):
        return graph.norm(graph.convolution(x, graph.weights(4, 4, 3), np.ones(4), pads=[1, 1]), *affine(graph))

    counts, before, after, nodes = around(build, fuse_norms, sign_samples)
    assert counts == [1, 1]
    assert "Add" not in nodes
    np.testing.assert_allclose(after, before, atol=1e-3)


def test_convolutions_of_one_source_share_its_quantisation():
    def build(graph, x):
        samples = graph.convolution(x, graph.weights(3, 4, 3), pads=[1, 1])
        first = next(node for node in graph.nodes if node.op_type == "DynamicQuantizeLinear")
        second = graph.add(
            "ConvInteger",
            first.output[0],
            graph.constant(graph.weights(3, 4, 1), np.uint8),
            first.output[2],
            graph.constant(120, np.uint8),
        )
        both = graph.add("Mul", first.output[1], graph.constant(0.01))
        return graph.add("Add", samples, graph.add("Mul", graph.add("Cast", second, to=TensorProto.FLOAT), both))

    counts, _, _, nodes = around(build, sign_samples)
    assert counts == [2]
    assert nodes.count("QuantizeLinear") == 1


def test_durations_become_an_output():
    model = published()
    editor = GraphEditor(model)
    assert expose_durations(editor) == 1
    editor.finish()
    feed = {"tokens": np.array([[0, 7, 9, 0]]), "style": np.ones((1, 256), np.float32)}
    audio, durations = run(model, **feed, speed=np.array([2.0], np.float32))
    assert [output.name for output in model.graph.output] == ["audio", DURATIONS]
    assert durations.tolist() == [1, 4, 4, 1]  # 3.5 and 4.5 round to even
    assert audio.size == 600 * 10


@pytest.mark.parametrize("signed", [False, True])
def test_a_whole_graph_computes_the_same(signed):
    if signed and not has_vnni():
        pytest.skip("this processor's kernel saturates")
    model = published()
    changed = onnxruntime.InferenceSession(
        rewrite(model.SerializeToString(), signed=signed), providers=["CPUExecutionProvider"]
    )
    feed = {
        "tokens": np.array([[0, 7, 9, 0]]),
        "style": noise(1, 256, offset=1),
        "speed": np.ones(1, np.float32),
    }
    np.testing.assert_allclose(changed.run(["audio"], feed)[0], run(model, **feed)[0], atol=5e-3)


def test_a_graph_of_another_kind_is_refused():
    graph = TinyGraph()
    graph.add("Sin", "x", name="audio")
    with pytest.raises(RewriteFailed, match="expose_durations"):
        rewrite(graph.model([floats("x", 3)], [floats("audio", 3)]).SerializeToString(), signed=False)


def test_what_no_output_needs_is_gone_and_the_rest_is_sorted():
    graph = TinyGraph()
    graph.add("Sin", "x", name="used")
    graph.add("Cos", "x", name="unused")
    graph.add("Add", "used", graph.constant(1), name="y")
    model = graph.model([floats("x", 3)], [floats("y", 3)])
    editor = GraphEditor(model)
    editor.replace("used", editor.add("Abs", ["x"]))  # added behind its user
    editor.finish()
    assert kinds(model) == ["Abs", "Add"]


@pytest.mark.parametrize(
    ("listing", "found"),
    [
        ("processor : 0\nflags\t\t: fpu avx512f avx512_vnni amx_tile\n", True),
        ("flags : avx2 avx_vnni\n", True),
        ("flags : avx2 fma\n", False),
        ("Features : asimd asimddp i8mm\n", False),
        ("model name : avx512_vnni\n", False),
    ],
)
def test_vnni_is_read_from_the_flags(tmp_path, listing, found):
    path = tmp_path / "cpuinfo"
    path.write_text(listing)
    assert has_vnni(path) is found


def test_without_a_listing_there_is_no_vnni(tmp_path):
    assert has_vnni(tmp_path / "none") is False


def test_the_recipe_has_one_digest():
    assert recipe_digest() == recipe_digest()
    assert len(recipe_digest()) == 64
