"""The rewritten graph on disk, beside the published one: made once, checked, and never used half-written or stale."""

from __future__ import annotations

import hashlib
import logging
import os
from typing import TYPE_CHECKING

from tympan.engines.kokoro.recipe import recipe_digest, rewrite

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

log = logging.getLogger(__name__)

FOLDER = "derived"
KEY_DIGITS = 16


def derived_graph(published: Path, *, signed: bool, verify: Callable[[bytes, bytes], None]) -> Path | bytes:
    """Return the rewritten graph: its file, or its bytes where the folder cannot be written.

    A file is kept under the hashes of the published graph and of the recipe, with its own hash beside it, only
    after `verify(published, rewritten)` has not raised. Whatever is wrong with what is kept, it is made anew.
    Raises what `rewrite` and `verify` raise, and `OSError` when the published graph cannot be read.
    """
    source = published.read_bytes()
    form = "signed" if signed else "plain"
    key = f"{hashlib.sha256(source).hexdigest()[:KEY_DIGITS]}-{recipe_digest()[:KEY_DIGITS]}"
    path = published.parent / FOLDER / f"{form}-{key}.onnx"
    if _is_whole(path):
        return path
    rewritten = rewrite(source, signed=signed)
    verify(source, rewritten)
    try:
        path.parent.mkdir(exist_ok=True)
        _write(path, rewritten)
        _write(_digest_path(path), hashlib.sha256(rewritten).hexdigest().encode())
    except OSError as error:
        log.info("%s is not kept, and made anew at each start: %s", path, error.strerror or error)
        return rewritten
    for other in path.parent.glob(f"{form}-*"):
        if not other.name.startswith(path.stem):
            other.unlink(missing_ok=True)  # of an older recipe
    return path


def _is_whole(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return _digest_path(path).read_text(encoding="ascii") == digest
    except (OSError, UnicodeDecodeError):
        return False


def _digest_path(path: Path) -> Path:
    return path.with_suffix(".sha256")


def _write(path: Path, data: bytes) -> None:
    """Write under a name of its own, then rename: another process sees all of it or nothing."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with partial.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(path)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
