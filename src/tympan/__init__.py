"""Tympan: the audio front door for AI."""

__version__ = "0.1.0"
