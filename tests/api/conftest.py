from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.api.standins import ScriptedListener, Service, running, wait_for
from tests.standin_speaker import ScriptedSpeaker

from tympan.settings import Settings, load_settings

Start = Callable[..., Service]


def settings_for(spool_dir: Path, speak: dict[str, Any] | None = None, **server: Any) -> Settings:
    """Return settings under which all but the smallest uploads go to disk."""
    spool_dir.mkdir(exist_ok=True)
    flags = {"server": {"spool_dir": spool_dir, "spool_mib": 0.001, **server}, "speak": speak or {}}
    return load_settings(flags, environ={})


def check_left_nothing(service: Service) -> None:
    wait_for(lambda: service.spooled() == [] and service.listener.active == 0 and service.speaker.active == 0)


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(settings_for(tmp_path_factory.mktemp("spool")), ScriptedListener()) as service:
        yield service


@pytest.fixture
def listener(shared: Service) -> ScriptedListener:
    """Return the listener behind every server of a test."""
    shared.listener.__init__()  # type: ignore[misc]  # as new, in place: the shared server holds it
    return shared.listener


@pytest.fixture
def speaker(shared: Service) -> ScriptedSpeaker:
    """Return the speaker behind every server of a test."""
    shared.speaker.__init__()  # type: ignore[misc]  # as new, in place
    return shared.speaker


@pytest.fixture
def service(shared: Service, listener: ScriptedListener, speaker: ScriptedSpeaker) -> Iterator[Service]:
    """Return the shared server, and check afterwards that no upload and no work is left behind."""
    assert listener is shared.listener
    assert speaker is shared.speaker
    yield shared
    check_left_nothing(shared)


@pytest.fixture
def start(listener: ScriptedListener, speaker: ScriptedSpeaker, tmp_path: Path) -> Iterator[Start]:
    """Start servers with settings of their own; check afterwards as `service` does."""
    with ExitStack() as stack:
        services = []

        def begin(readiness: Any = None, **server: Any) -> Service:
            arguments = {"speaker": speaker} | ({} if readiness is None else {"readiness": readiness})
            service = stack.enter_context(running(settings_for(tmp_path / "spool", **server), listener, **arguments))
            services.append(service)
            return service

        yield begin
        for service in services:
            check_left_nothing(service)
