"""The house as verbs open it. Its import loads numerical libraries, so it waits until something is to be done."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tympan.cli.console import error_console
from tympan.weights.progress import progress_on

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from tympan.compose import House
    from tympan.settings import Job, Settings

PATIENCE_S = 24 * 3600.0  # a fetch over a slow line; a fetch or load that fails ends the wait at once


def open_house(
    settings: Settings, *, fetch: bool = True, jobs: tuple[Job, ...] | None = None
) -> AbstractContextManager[House]:
    """Open the house for the jobs named (default: those of the settings), which begins to fetch and to load.

    The progress of a fetch goes to stderr.
    """
    from tympan import compose  # noqa: PLC0415  (see above)

    return compose.open_house(settings, fetch=fetch, progress=progress_on(error_console()), jobs=jobs)


@contextmanager
def ready_house(settings: Settings, *jobs: Job) -> Iterator[House]:
    """Open the house and wait until it can do the jobs named. Raises a `WeightsError` or `NotReady`."""
    with open_house(settings, jobs=jobs) as house:
        house.require_ready(PATIENCE_S)
        yield house
