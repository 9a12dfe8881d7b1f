"""What a phonemizer is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tympan.speak.reading import SpokenWord


class Phonemizer(Protocol):
    """Knows how one language sounds; safe from any thread."""

    def phonemize(self, words: Sequence[SpokenWord]) -> list[str]:
        """Return the phonemes of each word, "" for one that cannot be said.

        The words are of one language and follow each other within a sentence; how each sounds can depend on its
        neighbours. Symbols outside the model's vocabulary may be among the phonemes.
        """
        ...
