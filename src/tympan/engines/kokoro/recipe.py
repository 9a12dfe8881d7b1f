"""What is done to the published graph, in which order, and how the result is told from that of another recipe."""

from __future__ import annotations

import hashlib
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING

import onnx

from tympan.engines.kokoro.convs import sign_samples
from tympan.engines.kokoro.graph import GraphEditor
from tympan.engines.kokoro.passes import expose_durations, fourier_as_convolution, fuse_norms, fuse_snakes

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCES = ("graph.py", "passes.py", "convs.py", "recipe.py")  # what the result depends on, beside the weights
PACKAGES = ("onnx", "onnxruntime")
VNNI_FLAGS = frozenset({"avx512_vnni", "avx_vnni"})
CPU_FLAGS = Path("/proc/cpuinfo")

PASSES: tuple[Callable[[GraphEditor], int], ...] = (expose_durations, fuse_norms, fuse_snakes, fourier_as_convolution)


class RewriteFailed(Exception):
    """The graph is not the one that the recipe was written for."""


def rewrite(published: bytes, *, signed: bool) -> bytes:
    """Return the rewritten graph; raises `RewriteFailed` when a pass finds nothing that it knows.

    With `signed`, convolutions take int8 samples: for processors with `has_vnni` only, since onnxruntime's kernel
    for others saturates.
    """
    model = onnx.load_model_from_string(published)
    graph = GraphEditor(model)
    for change in (*PASSES, sign_samples) if signed else PASSES:
        if not change(graph):
            raise RewriteFailed(f"{change.__name__} has found nothing to do")
        graph.finish()
    rewritten: bytes = model.SerializeToString()
    return rewritten


def recipe_digest() -> str:
    """Return a sha256 that changes with the recipe's code and with the runtime that the result was verified in."""
    folder = resources.files("tympan.engines.kokoro")
    digest = hashlib.sha256("".join(f"{name} {metadata.version(name)} " for name in PACKAGES).encode())
    for name in SOURCES:
        digest.update((folder / name).read_bytes())
    return digest.hexdigest()


def has_vnni(listing: Path = CPU_FLAGS) -> bool:
    """Whether this processor multiplies uint8 by int8 without saturating, as far as Linux tells."""
    try:
        text = listing.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(
        not VNNI_FLAGS.isdisjoint(line.partition(":")[2].split()) for line in text.splitlines() if line[:5] == "flags"
    )
