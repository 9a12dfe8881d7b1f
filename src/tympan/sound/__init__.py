"""Bytes to waveform, in child processes under limits, long audio as blocks; and speech to bytes as it is made."""
