"""Text to speech: reading a text, voices, chunks."""
