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
    from collections.abc import Callable, Sequence

    from tympan.compose import Readiness
    from tympan.engines.stats import EngineReport
    from tympan.errors import TympanError
    from tympan.listen.results import Listener
    from tympan.settings import ServerSettings, Settings
    from tympan.speak.results import Speaker

SIDE_THREADS = 4  # uploads are written and long answers built beside the event loop
WEIGHTS = "weights"  # what readiness calls the model files


@dataclass(frozen=True, slots=True)
class Services:
    """One of each for the whole application. `side` runs short pieces of blocking work."""

    server: ServerSettings
    transcriptions: Jobs
    speeches: Jobs
    metrics: Metrics
    side: Executor
    readiness: Callable[[], Readiness]

    @classmethod
    def build(
        cls,
        settings: Settings,
        listener: Listener | None,
        speaker: Speaker | None,
        readiness: Callable[[], Readiness],
    ) -> Services:
        """Make what the endpoints need."""

        def engines() -> Sequence[EngineReport]:
            return [report for job in (listener, speaker) if job is not None for report in job.engines()]

        return cls(
            server=settings.server,
            transcriptions=Jobs(settings.server.max_requests),
            speeches=Jobs(settings.server.max_requests),
            metrics=Metrics(engines),
            side=ThreadPoolExecutor(SIDE_THREADS, thread_name_prefix="tympan-side"),
            readiness=readiness,
        )

    def require_room(self, jobs: Jobs) -> None:
        """Raise what would refuse one more of `jobs` anyway, before its body is read for nothing.

        An engine that is loading or starting again does not: work waits for it. Without model files there is
        nothing to wait for: `NotReady`. With all places taken: `Busy`.
        """
        state = self.readiness()
        if not state.ready and WEIGHTS in state.waiting:
            raise NotReady(state.reason)
        jobs.check_room()

    def end_all(self, error: TympanError) -> None:
        """Stop all work; its requests are answered with `error`."""
        for jobs in (self.transcriptions, self.speeches):
            jobs.end_all(error)

    async def close(self) -> None:
        """Stop all work and give the threads back; what serves a request meanwhile comes to its end."""
        loop = asyncio.get_running_loop()
        for jobs in (self.transcriptions, self.speeches):
            await loop.run_in_executor(self.side, jobs.close)
        self.side.shutdown(wait=False)
