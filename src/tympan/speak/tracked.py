"""Text that remembers where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class TrackedText:
    """A text and, for each character, the span of the original it stands for (`starts`, `ends`: code points)."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    @classmethod
    def of(cls, text: str) -> TrackedText:
        """Return `text` as its own original."""
        return cls(text, range(len(text)), range(1, len(text) + 1))

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of the characters from `start` to `end`, at least one."""
        return self.starts[start], self.ends[end - 1]

    def substitute(
        self, pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str | tuple[int, int]]
    ) -> TrackedText:
        """Replace every match by a new string, which stands for the whole match, or by a slice (start, end) of it.

        The characters of a slice keep their own spans.
        """
        texts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = 0

        def keep(start: int, end: int) -> None:
            texts.append(self.text[start:end])
            starts.extend(self.starts[start:end])
            ends.extend(self.ends[start:end])

        for match in pattern.finditer(self.text):
            start, end = match.span()
            if start == end:
                continue
            keep(done, start)
            new = replace(match)
            if isinstance(new, str):
                texts.append(new)
                starts.extend([self.starts[start]] * len(new))
                ends.extend([self.ends[end - 1]] * len(new))
            else:
                keep(*new)
            done = end
        if not texts and done == 0:
            return self
        keep(done, len(self.text))
        return TrackedText("".join(texts), starts, ends)
