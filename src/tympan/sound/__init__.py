"""Bytes to waveform: containers in, decoded in child processes under limits; long audio as blocks."""
