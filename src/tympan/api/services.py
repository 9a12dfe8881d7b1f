"""What the endpoints share."""

from __future__ import annotations

import asyncio
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tympan.api.jobs import Jobs
from tympan.api.metrics import Metrics
from tympan.errors import NotReady

if TYPE_CHECKING:
    from collections.abc import Callable

    from tympan.compose import Readiness
    from tympan.listen.results import Listener
    from tympan.settings import ServerSettings, Settings

SIDE_THREADS = 4  # uploads are written and long answers built beside the event loop
WEIGHTS = "weights"  # what readiness calls the model files


@dataclass(frozen=True, slots=True)
class Services:
    """One of each for the whole application. `side` runs short pieces of blocking work."""

    server: ServerSettings
    listener: Listener
    jobs: Jobs
    metrics: Metrics
    side: Executor
    readiness: Callable[[], Readiness]

    @classmethod
    def build(cls, settings: Settings, listener: Listener, readiness: Callable[[], Readiness]) -> Services:
        """Make what the endpoints need."""
        return cls(
            server=settings.server,
            listener=listener,
            jobs=Jobs(listener, settings.server.max_requests),
            metrics=Metrics(listener),
            side=ThreadPoolExecutor(SIDE_THREADS, thread_name_prefix="tympan-side"),
            readiness=readiness,
        )

    def require_room(self) -> None:
        """Raise what would refuse a transcription anyway, before its upload is read for nothing.

        An engine that is loading or starting again does not: work waits for it. Without model files there is
        nothing to wait for: `NotReady`. With all places taken: `Busy`.
        """
        state = self.readiness()
        if not state.ready and WEIGHTS in state.waiting:
            raise NotReady(state.reason)
        self.jobs.check_room()

    async def close(self) -> None:
        """Stop all work and give the threads back; what serves a request meanwhile comes to its end."""
        await asyncio.get_running_loop().run_in_executor(self.side, self.jobs.close)
        self.side.shutdown(wait=False)
