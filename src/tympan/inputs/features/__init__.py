"""Waveform to log-mel features, exactly as each family's published extractor computes them."""
