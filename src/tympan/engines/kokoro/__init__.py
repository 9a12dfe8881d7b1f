"""Kokoro-82M on onnxruntime, in a graph that is rewritten once and then kept."""
