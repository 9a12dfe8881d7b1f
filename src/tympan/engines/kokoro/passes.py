"""Rewrites of slow patterns in the published graph by fewer nodes that compute the same.

Each returns how many places it has changed. A pass over a tensor of 128 channels and 5 s of audio takes 0.5 ms.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from onnx import TensorProto, helper

from tympan.engines.kokoro.graph import attribute

if TYPE_CHECKING:
    from onnx import NodeProto

    from tympan.engines.kokoro.graph import GraphEditor

DURATIONS = "durations"  # the new output: frames of 600 samples for each token, float32 [n + 2]
LEAST_IMAGINARY = 1e-9  # of the real part: enough to have a sign, too little to turn a phase
FRAMES = "/encoder/Clip_output_0"  # where the published graph has them


def expose_durations(graph: GraphEditor) -> int:
    """Make the predicted frames per token an output."""
    if graph.maker(FRAMES, "Clip") is None:
        return 0
    node = helper.make_node("Reshape", [FRAMES, graph.add_constant(np.array([-1], np.int64))], [DURATIONS])
    graph.append(node)
    graph.graph.output.append(helper.make_tensor_value_info(DURATIONS, TensorProto.FLOAT, ["token_count"]))
    return 1


def fuse_norms(graph: GraphEditor) -> int:
    """Make one node of the nine, six passes over memory, in which instance normalisation is written out.

    Pattern: d = x - mean(x); d / sqrt(mean(d * d) + eps) * gamma + beta, means over time.
    """
    changed = 0
    for root in graph.nodes("Sqrt"):
        add = graph.maker(root.input[0], "Add")
        square_mean = add and graph.maker(add.input[0], "ReduceMean")
        square = square_mean and graph.maker(square_mean.input[0], "Mul")
        centred = square and square.input[0] == square.input[1] and graph.maker(square.input[0], "Sub")
        mean = centred and graph.maker(centred.input[1], "ReduceMean")
        if not (add and centred and mean) or mean.input[0] != centred.input[0]:
            continue
        epsilon, axes = graph.constant(add.input[1]), graph.constant(mean.input[1])
        if epsilon is None or axes is None or axes.tolist() != [2]:
            continue
        for division in graph.users(root.output[0], "Div"):
            if division.input[0] != centred.output[0]:
                continue
            for scaled in graph.users(division.output[0], "Mul"):
                changed += _fuse_norm(graph, centred.input[0], division.output[0], scaled, float(epsilon))
    return changed


def _fuse_norm(graph: GraphEditor, source: str, normal: str, scaled: NodeProto, epsilon: float) -> int:
    shifted = graph.only_user(scaled.output[0], "Add")
    if shifted is None:
        return 0
    vector = graph.add_constant(np.array([-1], np.int64))
    gamma = graph.add("Reshape", [_other(scaled, normal), vector])
    beta = graph.add("Reshape", [_other(shifted, scaled.output[0]), vector])
    graph.replace(shifted.output[0], graph.add("InstanceNormalization", [source, gamma, beta], epsilon=epsilon))
    return 1


def fuse_snakes(graph: GraphEditor) -> int:
    """Take two of its five passes from the snake activation y + sin²(a·y) / a after a normalisation.

    The factor a goes into the normalisation: z = a·y, then (z + sin²(z)) / a.
    """
    changed = 0
    for sine in graph.nodes("Sin"):
        scaled = graph.maker(sine.input[0], "Mul")
        power = graph.only_user(sine.output[0], "Pow")
        weighted = power and graph.only_user(power.output[0], "Mul")
        total = weighted and graph.only_user(weighted.output[0], "Add")
        if not (scaled and power and weighted and total):
            continue
        source = _other(total, weighted.output[0])
        norm = graph.maker(source, "InstanceNormalization")
        exponent = graph.constant(power.input[1])
        if norm is None or source not in scaled.input or exponent is None or exponent.item() != 2:  # noqa: PLR2004
            continue
        alpha, inverse = (graph.constant(_other(scaled, source)), graph.constant(_other(weighted, power.output[0])))
        if alpha is None or inverse is None or not np.allclose(alpha * inverse, 1.0, rtol=1e-5):
            continue
        factor = graph.add_constant(alpha.reshape(-1))
        z = graph.add(
            "InstanceNormalization",
            [norm.input[0], graph.add("Mul", [norm.input[1], factor]), graph.add("Mul", [norm.input[2], factor])],
            epsilon=attribute(norm, "epsilon"),
        )
        wave = graph.add("Sin", [z])
        bent = graph.add("Add", [graph.add("Mul", [wave, wave]), z])
        graph.replace(total.output[0], graph.add("Mul", [bent, graph.add_constant(inverse)]))
        changed += 1
    return changed


def _other(node: NodeProto, name: str) -> str:
    first, second = node.input
    return str(second if first == name else first)


def fourier_as_convolution(graph: GraphEditor) -> int:
    """Make the short-time Fourier transform a convolution with its basis: 2 ms instead of 70 for 6.7 s of audio.

    Pattern: STFT [1, frames, bins, 2], transposed to [1, bins, frames, 2], real and imaginary parts gathered.
    """
    changed = 0
    for node in graph.nodes("STFT"):
        hop, window, length = (graph.constant(node.input[index]) for index in (1, 2, 3))
        turned = graph.only_user(node.output[0], "Transpose")
        if hop is None or window is None or length is None or turned is None:
            continue
        bins, samples = np.arange(length.item() // 2 + 1), np.arange(length.item())
        phases = 2 * np.pi * np.outer(bins, samples) / length.item()
        real, imaginary = np.cos(phases), -np.sin(phases)
        # The first and last bins are real, and it is a matter of rounding whether a negative one has the phase π
        # or -π. The model was trained with π.
        imaginary[[0, -1]] = -LEAST_IMAGINARY * real[[0, -1]]
        signal = graph.add("Reshape", [node.input[0], graph.add_constant(np.array([1, 1, -1], np.int64))])
        for part in graph.users(turned.output[0], "Gather"):
            index = graph.constant(part.input[1])
            if index is None:
                continue
            basis = (real if index.item() == 0 else imaginary) * window
            kernel = graph.add_constant(basis[:, None].astype(np.float32))
            graph.replace(part.output[0], graph.add("Conv", [signal, kernel], strides=[int(hop.item())]))
            changed += 1
    return changed
