"""What the arguments of `tympan transcribe` name: files, folders, patterns and the standard input."""

from __future__ import annotations

import glob
import os
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tympan.errors import TympanError, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tympan.sound.media import Media

STDIN = "-"
STDIN_NAME = "stdin"
STDIN_IN_MEMORY = 8 * 2**20  # bytes: four minutes of 16-bit 16 kHz; more goes to a temporary file
CHUNK = 2**18  # bytes read at once

_SUFFIXES = """
.3g2 .3gp .aac .ac3 .aif .aiff .amr .ape .asf .au .avi .caf .eac3 .flac .flv .m4a .m4b .m4v .mka .mkv .mov .mp2 .mp3
.mp4 .mpeg .mpg .mpga .oga .ogg .ogv .opus .spx .tta .w64 .wav .wave .weba .webm .wma .wmv .wv
"""  # not .ts and .mts, which are more often programs: those are known by content
MEDIA_SUFFIXES = frozenset(_SUFFIXES.split())
_TS_PACKET = 188  # bytes; each begins with the same one
_HEAD_BYTES = _TS_PACKET + 1
_SIGNATURES = (b"fLaC", b"OggS", b"ID3", b"\x1a\x45\xdf\xa3", b"caff", b".snd", b"wvPK", b"#!AMR", b"FLV\x01", b"MAC ")


@dataclass(frozen=True, slots=True)
class Input:
    """An audio to transcribe: `label` is what a person called it, `name` its result's path, without a suffix.

    `path` is None for the standard input.
    """

    label: str
    name: Path
    path: Path | None


@dataclass(slots=True)
class Found:
    """Inputs in the order they were named, each once; what folders hold besides; what is not there."""

    inputs: list[Input] = field(default_factory=list)
    skipped: list[Path] = field(default_factory=list)
    failures: list[TympanError] = field(default_factory=list)


def find_inputs(arguments: Sequence[str]) -> Found:
    """Find what the arguments name.

    A file is taken whatever its name. A folder gives its media files, at any depth, by content or by suffix, but
    for hidden ones; their results keep their place below it. An argument that names nothing is tried as a pattern
    (`*`, `?`, `[...]`, `**`), for shells that leave that to the program.
    """
    found = Found()
    for argument in arguments:
        if argument == STDIN:
            found.inputs.append(Input(STDIN_NAME, Path(STDIN_NAME), None))
        elif os.path.lexists(argument):
            _take(Path(argument), found)
        elif glob.has_magic(argument) and (matches := _matches(argument)):
            for match in matches:
                _take(Path(match), found)
        else:
            found.failures.append(UnreadableFile(argument, "no such file"))
    first: dict[str, Input] = {}
    for one in found.inputs:
        first.setdefault(_identity(one), one)
    found.inputs = list(first.values())
    return found


def is_media(path: Path) -> bool:
    """Whether a file looks like audio or video: by its suffix, or else by its first bytes."""
    if path.suffix.lower() in MEDIA_SUFFIXES:
        return True
    try:
        with path.open("rb") as file:
            return is_media_head(file.read(_HEAD_BYTES))
    except OSError:
        return False


def is_media_head(head: bytes) -> bool:
    """Whether the first bytes, at best 189, are those of a media container."""
    if head.startswith(_SIGNATURES) or head[4:8] == b"ftyp":
        return True
    if head[:4] in (b"RIFF", b"RF64", b"FORM"):
        return head[8:12] in (b"WAVE", b"AVI ", b"AIFF", b"AIFC")
    if head[:1] == b"G" and head[_TS_PACKET:] == b"G":
        return True
    # an MPEG audio frame of layer III, or an ADTS frame: eleven or twelve set bits, then the layer
    return len(head) > 1 and head[0] == 0xFF and (head[1] & 0xE6 == 0xE2 or head[1] & 0xF6 == 0xF0)  # noqa: PLR2004


@contextmanager
def opened(one: Input) -> Iterator[Media]:
    """Give an input's media; a long standard input lies in a temporary file meanwhile. Raises `UnreadableFile`."""
    if one.path is None:
        with _spooled(sys.stdin.buffer) as media:
            yield media
        return
    try:
        with one.path.open("rb"):
            pass
    except OSError as error:
        raise UnreadableFile(one.label, error.strerror or str(error)) from error
    yield one.path


@contextmanager
def _spooled(stream: BinaryIO) -> Iterator[Media]:
    head = stream.read(STDIN_IN_MEMORY)
    if len(head) < STDIN_IN_MEMORY:
        yield head
        return
    with tempfile.NamedTemporaryFile(prefix="tympan-stdin-") as file:
        file.write(head)
        while chunk := stream.read(CHUNK):
            file.write(chunk)
        file.flush()
        yield Path(file.name)


def _matches(pattern: str) -> list[str]:
    return sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207  (Path.glob takes no absolute pattern)


def _take(path: Path, found: Found) -> None:
    if not path.is_dir():
        found.inputs.append(Input(str(path), Path(path.stem), path))
        return
    before = len(found.inputs)
    for file in _files_below(path):
        if is_media(file):
            found.inputs.append(Input(str(file), file.relative_to(path).with_suffix(""), file))
        else:
            found.skipped.append(file)
    if len(found.inputs) == before:
        found.failures.append(UnreadableFile(str(path), "no audio or video file in this folder"))


def _files_below(folder: Path) -> Iterator[Path]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(parent, name) for name in sorted(files) if not name.startswith("."))


def _identity(one: Input) -> str:
    return STDIN if one.path is None else os.path.realpath(one.path)
