"""Voices: tables of styles, one row for each number of tokens, and sums of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tympan.errors import EngineFailed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    Table = np.ndarray[Any, np.dtype[np.float32]]

MAX_TOKENS = 510  # rows of a table; also where the graph's positions end
STYLE_SIZE = 256


class VoiceTables:
    """The tables in `folder`, as `name.bin`: float32 little-endian [510, 256]. Each is read when first used."""

    def __init__(self, folder: Path) -> None:
        self._paths = {path.stem: path for path in sorted(folder.glob("*.bin"))}
        self._tables: dict[str, Table] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The voices that are there, sorted."""
        return tuple(self._paths)

    def style(self, parts: Sequence[tuple[str, float]], tokens: int) -> Table:
        """Return the style, float32 [1, 256], for a chunk of so many tokens: row tokens - 1, weights taken as shares.

        Raises `EngineFailed` for a voice that is not there, a file of another shape, and weights that add up to
        nothing.
        """
        total = sum(weight for _, weight in parts)
        if not 0 < total < float("inf") or min(weight for _, weight in parts) < 0:
            raise EngineFailed("kokoro", "the weights of voices must be 0 or more, and not all 0")
        row = tokens - 1
        mixed = sum(np.float32(weight / total) * self._table(name)[row] for name, weight in parts)
        return np.asarray(mixed, np.float32).reshape(1, STYLE_SIZE)

    def _table(self, name: str) -> Table:
        if name not in self._paths:
            raise EngineFailed("kokoro", f"there is no voice '{name[:40]}'")
        if name not in self._tables:
            table = np.fromfile(self._paths[name], "<f4")
            if table.size != MAX_TOKENS * STYLE_SIZE or not np.isfinite(table).all():
                raise EngineFailed("kokoro", f"the table of voice '{name}' is no {MAX_TOKENS} by {STYLE_SIZE} numbers")
            self._tables[name] = table.reshape(MAX_TOKENS, STYLE_SIZE)
        return self._tables[name]
