"""How every verb speaks to a person: results on stdout, everything else on stderr, errors as one sentence.

Errors of the tree rise to `tympan.cli.main`, which prints the sentence and ends with `FAILED`.
"""

from __future__ import annotations

from rich.console import Console

FAILED = 1  # exit code: it was understood and did not work; wrong usage is 2, typer's own


def error_console() -> Console:
    """Return a console on stderr, for progress."""
    return Console(stderr=True)
