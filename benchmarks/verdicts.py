"""What a benchmark says at its end: each target, what was measured, and whether it is met."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Verdict(NamedTuple):
    """A target as a sentence with its measurement."""

    sentence: str
    met: bool


def conclude(verdicts: Sequence[Verdict], figures: object, path: Path | None) -> NoReturn:
    """Print the verdicts, write the figures as JSON when a file is named, and exit: 1 when a target is missed."""
    print()
    for verdict in verdicts:
        print(f"{'met   ' if verdict.met else 'MISSED'}  {verdict.sentence}")
    if path:
        path.write_text(json.dumps(figures, ensure_ascii=False, indent=1), encoding="utf-8")
    sys.exit(0 if all(verdict.met for verdict in verdicts) else 1)
