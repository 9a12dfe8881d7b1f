"""Running the application on uvicorn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import uvicorn

from tympan.api.protocol import BoundedProtocol
from tympan.errors import NotReady

if TYPE_CHECKING:
    import socket

    from fastapi import FastAPI

    from tympan.api.services import Services
    from tympan.settings import Settings

KEEP_ALIVE_S = 75  # longer than the 60 s after which nginx lets go of an idle connection: it should close first
SHUTDOWN_S = 10  # for answers under way; container runtimes kill after 10 to 30 s
ANSWER_S = 2.0  # of these, to answer what has not ended with an error of ours, rather than to cut it off


class Server(uvicorn.Server):
    """Ends what is under way with an answer, a little before its patience ends."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Wait for what is under way, as long as `SHUTDOWN_S` allows."""
        services: Services = self.config.app.state.services  # type: ignore[union-attr]
        timer = asyncio.get_running_loop().call_later(
            SHUTDOWN_S - ANSWER_S, services.end_all, NotReady("it is shutting down")
        )
        try:
            await super().shutdown(sockets)
        finally:
            timer.cancel()


def make_server(app: FastAPI, settings: Settings) -> uvicorn.Server:
    """Return a server that is not running yet: `run()` blocks, `run(sockets=[…])` takes bound sockets.

    From outside its thread, `should_exit = True` stops it.
    """
    config = uvicorn.Config(
        app,
        host=settings.server.host,
        port=settings.server.port,
        loop="auto",  # uvloop where there is one
        http=BoundedProtocol,
        ws="none",
        lifespan="on",
        access_log=False,  # our own says more and tells less
        log_config=None,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    return Server(config)
