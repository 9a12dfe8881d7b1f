"""What the argument of `tympan speak` names: a file, the standard input, or the text itself."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import typer

from tympan.cli.inputs import STDIN
from tympan.errors import UnreadableFile


def read_text(argument: str) -> str:
    """Return the text, and say on stderr where it comes from when that could be mistaken.

    A file that exists is read, as UTF-8; `-` is the standard input; anything else is the text. Raises
    `UnreadableFile`.
    """
    if argument == STDIN:
        return _decoded(sys.stdin.buffer.read(), "the standard input")
    if os.path.isfile(argument):  # noqa: PTH113  (Path raises for texts that are too long for a name)
        try:
            text = _decoded(Path(argument).read_bytes(), argument)
        except OSError as error:
            raise UnreadableFile(argument, error.strerror or str(error)) from error
        typer.echo(f"Reading the file {argument}, {len(text)} characters.", err=True)
        return text
    if looks_like_a_path(argument):
        typer.echo(f"There is no file {argument}: these words are spoken.", err=True)
    return argument


def looks_like_a_path(text: str) -> bool:
    """Whether a text could be meant as the name of a file: one word, with a suffix or a folder."""
    return len(text.split()) == 1 and (os.sep in text or bool(Path(text).suffix.removeprefix(".").isalnum()))


def _decoded(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(where, f"it is no UTF-8 text (byte {error.start})") from error
