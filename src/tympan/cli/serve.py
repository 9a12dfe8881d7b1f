"""`tympan serve`: the HTTP service, from binding its address to a graceful end."""

from __future__ import annotations

import contextlib
import ipaddress
import logging
import signal
import socket
import threading
import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tympan.cli.house import open_house
from tympan.errors import CannotListen, NotReady, WeightsError
from tympan.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    import uvicorn

    from tympan.compose import House
    from tympan.settings import ServerSettings

READY_POLL_S = 1.0  # how often a change in what is loading is looked for
BACKLOG = 2048  # connections that the kernel holds while the loop is busy: uvicorn's own figure
EVERY_ADDRESS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  (named to be recognised)

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command()
def serve(
    *,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on")] = None,
    port: Annotated[int | None, typer.Option("--port", "-p", help="Port to listen on; 0 takes a free one")] = None,
    no_auth: Annotated[bool, typer.Option("--no-auth", help="Serve other machines without asking for a key")] = False,
    assignments: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Any setting, as listen.threads=2; may be repeated"),
    ] = None,
) -> None:
    """Answer OpenAI's audio API over HTTP."""
    flags = _flags(assignments or [])
    named = {"host": host, "port": port}
    flags["server"] = {**flags.get("server", {}), **{key: value for key, value in named.items() if value is not None}}
    settings = load_settings(flags)
    server_settings = settings.server
    if not (server_settings.api_keys or no_auth or is_loopback(server_settings.host)):
        raise typer.BadParameter(
            f"{server_settings.host or 'every address'} can be reached from other machines, and no key is set. "
            "Set TYMPAN_SERVER__API_KEYS, or give --no-auth.",
            param_hint="--host",
        )
    logging.getLogger("tympan").setLevel(min(logging.INFO, logging.getLogger().level))

    from tympan.api.app import create_app  # noqa: PLC0415  (the web framework, only when it is to serve)
    from tympan.api.server import make_server  # noqa: PLC0415

    with _ended_by_sigterm(), bound_socket(server_settings) as bound, open_house(settings) as house:
        application = create_app(
            settings,
            house.listener if "listen" in settings.jobs else None,
            readiness=house.readiness,
            speaker=house.speaker if "speak" in settings.jobs else None,
        )
        server = make_server(application, settings)
        watch = _Watch(house, server, url_of(server_settings.host, bound))
        watch.start()
        with contextlib.suppress(KeyboardInterrupt):  # how uvicorn ends after SIGINT and SIGTERM
            server.run(sockets=[bound])
        server.should_exit = True
    if watch.failure is not None:
        raise watch.failure


class _Watch(threading.Thread):
    """Says on stderr what is loading, and when the service is ready; ends it when it never will be."""

    def __init__(self, house: House, server: uvicorn.Server, url: str) -> None:
        super().__init__(name="ready-watch", daemon=True)
        self._house = house
        self._server = server
        self._url = url
        self.failure: WeightsError | None = None

    def run(self) -> None:
        typer.echo(f"Listening on {self._url}", err=True)
        told = ""
        while not self._server.should_exit:
            try:
                self._house.require_ready(READY_POLL_S)
            except WeightsError as error:  # is not tried again
                self.failure = error
                self._server.should_exit = True
            except NotReady as error:
                if str(error) != told:
                    told = str(error)
                    typer.echo(told, err=True)
                time.sleep(READY_POLL_S)  # an engine that failed answers at once, and starts again later
            else:
                typer.echo(f"Ready: {self._url}/v1", err=True)
                return


def is_loopback(host: str) -> bool:
    """Whether an address to listen on can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextlib.contextmanager
def bound_socket(server: ServerSettings) -> Iterator[socket.socket]:
    """Give a socket that listens on the settings' address. Raises `CannotListen`."""
    try:
        family, *_, address = socket.getaddrinfo(
            server.host or None, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise CannotListen(server.host, server.port, error.strerror or str(error)) from error
    with bound:
        yield bound


def url_of(host: str, bound: socket.socket) -> str:
    """Return the URL under which this machine reaches a bound socket."""
    shown = "localhost" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{bound.getsockname()[1]}"


def _flags(assignments: list[str]) -> dict[str, Any]:
    flags: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals or not key:
            raise typer.BadParameter(f"'{assignment}' is not KEY=VALUE", param_hint="--set")
        place = flags
        *groups, last = key.strip().split(".")
        for group in groups:
            place = place.setdefault(group, {})
            if not isinstance(place, dict):
                raise typer.BadParameter(f"'{group}' is given a value and has settings of its own", param_hint="--set")
        place[last] = value
    return flags


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """End by SIGTERM as by Ctrl-C, so that every child is ended, too."""

    def interrupt(signum: int, frame: FrameType | None) -> None:
        del signum, frame
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
