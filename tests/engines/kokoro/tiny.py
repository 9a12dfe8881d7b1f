"""A graph of a few kilobytes with every pattern of the published one, and the inputs and outputs of it."""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

CHANNELS = 4
BINS = 11
WINDOW, HOP = 20, 5
ALPHA = 0.7


class TinyGraph:
    """Nodes and constants, as they are added."""

    def __init__(self, seed=0):
        self.nodes, self.constants = [], []
        self.random = np.random.default_rng(seed)

    def constant(self, value, dtype=np.float32):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(value, dtype), name))
        return name

    def add(self, kind, *inputs, name=None, outputs=1, **attributes):
        made = [name or f"{kind}{len(self.nodes)}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), made, **attributes))
        return made[0] if outputs == 1 else made

    def norm(self, x, gamma, beta, epsilon=1e-5):
        axes = self.constant([2], np.int64)
        centred = self.add("Sub", x, self.add("ReduceMean", x, axes))
        variance = self.add("ReduceMean", self.add("Mul", centred, centred), axes)
        deviation = self.add("Sqrt", self.add("Add", variance, self.constant(epsilon)))
        return self.add("Add", self.add("Mul", gamma, self.add("Div", centred, deviation)), beta)

    def snake(self, y, alpha):
        squared = self.add("Pow", self.add("Sin", self.add("Mul", self.constant(alpha), y)), self.constant(2))
        return self.add("Add", y, self.add("Mul", self.constant(1 / alpha), squared))

    def convolution(self, x, weights, bias=None, zero_point=120, **attributes):
        """What dynamic quantisation makes of a convolution; `weights` are uint8 [out, in, taps]."""
        scale = self.constant(0.01)
        samples, step, zero = self.add("DynamicQuantizeLinear", x, outputs=3)
        integers = self.add(
            "ConvInteger",
            samples,
            self.constant(weights, np.uint8),
            zero,
            self.constant(zero_point, np.uint8),
            kernel_shape=[np.shape(weights)[2]],
            **attributes,
        )
        both = self.add("Mul", step, scale)
        if bias is not None:
            steps = self.add(
                "Cast", self.add("Floor", self.add("Div", self.constant(bias), both)), to=TensorProto.INT32
            )
            column = self.add("Reshape", steps, self.constant([1, -1, 1], np.int64))
            integers = self.add("Add", integers, column)
        return self.add("Mul", self.add("Cast", integers, to=TensorProto.FLOAT), both)

    def weights(self, out, channels, taps):
        return self.random.integers(0, 256, (out, channels, taps), dtype=np.uint8)

    def spectrum(self, signal):
        """Return [1, 2 * BINS, frames] of [samples]."""
        row = self.add("Reshape", signal, self.constant([1, -1], np.int64))
        window = self.constant(np.hanning(WINDOW))
        hop, length = self.constant(HOP, np.int64), self.constant(WINDOW, np.int64)
        turned = self.add("Transpose", self.add("STFT", row, hop, window, length, onesided=1), perm=[0, 2, 1, 3])
        parts = [self.add("Gather", turned, self.constant(part, np.int64), axis=3) for part in (0, 1)]
        return self.add("Concat", *parts, axis=1)

    def model(self, inputs, outputs):
        graph = helper.make_graph(self.nodes, "tiny", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
        checker.check_model(model)
        return model


def floats(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def published(frequency=0.05):
    """Return bytes of a model that "speaks" a tone for as many frames as a token's id, over the speed."""
    graph = TinyGraph()
    lengths = graph.add("Round", graph.add("Div", graph.add("Cast", "tokens", to=TensorProto.FLOAT), "speed"))
    frames = graph.add("Clip", lengths, graph.constant(1), name="/encoder/Clip_output_0")
    total = graph.add("Mul", graph.add("ReduceSum", frames, keepdims=0), graph.constant(600))
    clock = graph.add("Range", graph.constant(0), total, graph.constant(1))
    tone = graph.add("Sin", graph.add("Mul", clock, graph.constant(frequency)))
    gamma = graph.add("ReduceMean", "style", graph.constant([0, 1], np.int64))
    wide = graph.add("Expand", gamma, graph.constant([1, CHANNELS, 1], np.int64))
    hidden = graph.convolution(
        graph.spectrum(tone), graph.weights(CHANNELS, 2 * BINS, 3), np.ones(CHANNELS), pads=[1, 1], strides=[1]
    )
    hidden = graph.norm(hidden, wide, graph.constant(np.full((1, CHANNELS, 1), 0.3)))
    hidden = graph.snake(hidden, np.full((1, CHANNELS, 1), ALPHA))
    hidden = graph.convolution(hidden, graph.weights(1, CHANNELS, 3), pads=[2, 2], dilations=[2], strides=[1])
    loudness = graph.add("Sigmoid", graph.add("ReduceMean", hidden, keepdims=0))
    graph.add("Mul", tone, loudness, name="audio")
    tokens = helper.make_tensor_value_info("tokens", TensorProto.INT64, [1, "n"])
    return graph.model([tokens, floats("style", 1, 256), floats("speed", 1)], [floats("audio", "samples")])


def write_bundle(folder, model, voices=("af_one", "am_two")):
    """Write a folder like that of the weights."""
    (folder / "voices").mkdir(parents=True)
    (folder / "model.int8.onnx").write_bytes(model.SerializeToString())
    for index, name in enumerate(voices, 1):
        table = np.full((510, 256), index, "<f4") + np.arange(510, dtype="<f4")[:, None] / 1000
        table.tofile(folder / "voices" / f"{name}.bin")
    return folder
