"""Running the application on uvicorn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

from tympan.api.protocol import BoundedProtocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from tympan.settings import Settings

KEEP_ALIVE_S = 75  # longer than the 60 s after which nginx lets go of an idle connection: it should close first
SHUTDOWN_S = 10  # for answers under way; container runtimes kill after 10 to 30 s


def make_server(app: ASGIApp, settings: Settings) -> uvicorn.Server:
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
    return uvicorn.Server(config)
