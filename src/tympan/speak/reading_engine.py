"""The reading front end as an engine in a child process.

Reading is pure work of the processor, partly in native code with one global state (espeak-ng), with dictionaries of
some 150 MB: nothing of which belongs into the process that answers HTTP.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors import NothingToSay
from tympan.speak.chunks import chunks
from tympan.speak.reader import read
from tympan.speak.reading import ReadItem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import Chunk


class ReadingEngine:
    """Text to chunks: `ReadItem` to a tuple of `Chunk`, empty where there is nothing to say."""

    def run(self, batch: Sequence[ReadItem]) -> list[tuple[Chunk, ...]]:
        """Read each text."""
        return [self._read(item) for item in batch]

    def probe(self) -> ReadItem:
        """Return a greeting."""
        return ReadItem("Hello, world.", "en-us", "af_heart")

    def _read(self, item: ReadItem) -> tuple[Chunk, ...]:
        try:
            return tuple(chunks(read(item.text, item.language, item.voice)))
        except NothingToSay:
            return ()
