"""Where results go: their names, whether one is already there, and writing one so that it is never half there."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import typer

from tympan.errors import UnwritableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tympan.cli.inputs import Input


def name_results(inputs: Sequence[Input], folder: Path, suffix: str) -> dict[Path, Input]:
    """Return the result path of each input. Raises `typer.BadParameter` when two are one, or one is an input."""
    named: dict[Path, Input] = {}
    sources = {one.path.resolve() for one in inputs if one.path}
    for one in inputs:
        target = folder / one.name.with_name(one.name.name + suffix)
        if target in named:
            raise typer.BadParameter(
                f"{named[target].label} and {one.label} would both be written to {target}. "
                f"Rename one, or give them folders of their own."
            )
        if target.resolve() in sources:
            raise typer.BadParameter(f"{target} is one of the inputs; it would be overwritten.")
        named[target] = one
    return named


def is_done(target: Path, one: Input) -> bool:
    """Whether the result is there and newer than its source."""
    if one.path is None:
        return False
    try:
        return target.stat().st_mtime_ns > one.path.stat().st_mtime_ns
    except OSError:
        return False


def make_folder(folder: Path) -> None:
    """Make a folder for results. Raises `UnwritableFile`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableFile(str(folder), error.strerror or str(error)) from error


def write_whole(target: Path, text: str) -> None:
    """Write a result as UTF-8; it gets its name once it is complete. Raises `UnwritableFile`."""
    with whole_file(target) as file:
        file.write(text.encode())


@contextmanager
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Give a file to write, which gets its name once the block has ended well. Raises `UnwritableFile`."""
    make_folder(target.parent)
    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            with partial.open("wb") as file:
                yield file
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise UnwritableFile(str(target), error.strerror or str(error)) from error
