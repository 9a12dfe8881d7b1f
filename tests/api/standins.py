"""A listener whose answers are scripted, a server around it and a speaker, and clients that speak bytes."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.standin_speaker import ScriptedSpeaker

from tympan.api.app import create_app
from tympan.api.server import make_server
from tympan.cancel import Cancellation
from tympan.compose import Readiness
from tympan.engines.protocols import TokenLogprob, Word
from tympan.engines.stats import EngineReport
from tympan.errors import UnknownModel
from tympan.listen.request import ListenRequest
from tympan.listen.results import Segment, Summary
from tympan.model_card import ModelCard
from tympan.settings import Settings

AUDIO = b"RIFF" + bytes(range(256)) * 8  # no listener of these tests looks inside

HELLO = Segment(
    id=0,
    start=0.5,
    end=2.0,
    text=" Hello there.",
    tokens=(50364, 2425, 456, 13),
    avg_logprob=-0.25,
    compression_ratio=1.125,
    no_speech_prob=0.01,
    words=(Word(" Hello", 0.5, 1.0, 0.9), Word(" there.", 1.1, 2.0, 0.8)),
    logprobs=(TokenLogprob(" Hello", -0.1, tuple(b" Hello")), TokenLogprob(" there.", -0.2, tuple(b" there."))),
)
HOW = Segment(
    id=1,
    start=3.0,
    end=4.25,
    text=" How are you?",
    channel=1,
    tokens=(1012, 366, 291, 30),
    words=(Word(" How", 3.0, 3.5), Word(" are", 3.5, 3.75), Word(" you?", 3.75, 4.25)),
    logprobs=(TokenLogprob(" How", -0.3, tuple(b" How")),),
)
SUMMARY = Summary(duration=4.6, speech=2.75, language="en", language_probability=0.98, channels=2, fallbacks=1)
SILENCE = Summary(duration=10.0, speech=0.0, language="", language_probability=0.0, channels=1)

Script = Callable[[ListenRequest, Cancellation], Iterator[Segment]]


def greeting(_request: ListenRequest, _cancellation: Cancellation) -> Iterator[Segment]:
    yield HELLO
    yield HOW


def nothing(_request: ListenRequest, _cancellation: Cancellation) -> Iterator[Segment]:
    yield from ()


def until_cancelled(_request: ListenRequest, cancellation: Cancellation) -> Iterator[Segment]:
    """Wait like a job in a queue: for the engine or for the end of its caller, whichever comes first."""
    cancellation.wait(30)
    cancellation.check()
    yield HELLO


def failing(error: BaseException, *before: Segment) -> Script:
    def script(_request: ListenRequest, _cancellation: Cancellation) -> Iterator[Segment]:
        yield from before
        raise error

    return script


def slowly(pauses: Sequence[float]) -> Script:
    def script(_request: ListenRequest, cancellation: Cancellation) -> Iterator[Segment]:
        for pause, segment in zip(pauses, (HELLO, HOW), strict=True):
            cancellation.wait(pause)
            cancellation.check()
            yield segment

    return script


class ScriptedTranscription:
    def __init__(self, listener: "ScriptedListener", request: ListenRequest, cancellation: Cancellation) -> None:
        self._listener = listener
        self._request = request
        self._cancellation = cancellation

    def __iter__(self) -> Iterator[Segment]:
        return self._listener.script(self._request, self._cancellation)

    @property
    def stated_seconds(self) -> float | None:
        return None

    @property
    def summary(self) -> Summary:
        return self._listener.summary

    def close(self) -> None:
        self._listener.note_end(cancelled=self._cancellation.cancelled)


class ScriptedListener:
    """Implements `Listener`; reads the upload while it is there and keeps what it was asked."""

    def __init__(self) -> None:
        self.script: Script = greeting
        self.summary = SUMMARY
        self.refusal: Exception | None = None
        self.requests: list[ListenRequest] = []
        self.audio: list[bytes] = []
        self.cancelled = 0
        self.active = 0
        self._lock = threading.Lock()

    def models(self) -> Sequence[ModelCard]:
        return [ModelCard("whisper", 1663718400, "openai", "Whisper", ("whisper-1", "gpt-4o-transcribe")), TURBO]

    def resolve(self, model: str) -> str:
        for card in self.models():
            if model in {card.id, *card.aliases}:
                return card.id
        raise UnknownModel(model)

    def transcribe(self, request: ListenRequest, cancellation: Cancellation) -> ScriptedTranscription:
        if self.refusal is not None:
            raise self.refusal
        media = request.media
        with self._lock:
            self.requests.append(request)
            self.audio.append(media.read_bytes() if isinstance(media, Path) else media)
            self.active += 1
        return ScriptedTranscription(self, request, cancellation)

    def note_end(self, *, cancelled: bool) -> None:
        with self._lock:
            self.active -= 1
            self.cancelled += cancelled

    def engines(self) -> Sequence[EngineReport]:
        return [EngineReport("whisper", "ready", queue_depth=3, items=7, batches=2, memory_bytes=1000)]


TURBO = ModelCard("org/turbo", 1727740800, "org", "With a slash in its id")


@dataclass
class Service:
    """A server on a loopback port."""

    port: int
    listener: ScriptedListener
    speaker: ScriptedSpeaker
    settings: Settings
    stop: Callable[[], None]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self, timeout_s: float = 20.0) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout_s)

    def spooled(self) -> list[str]:
        directory = self.settings.server.spool_dir
        assert directory is not None
        return [path.name for path in directory.iterdir()]

    def exchange(self, request: bytes) -> "Reply":
        """Send bytes on a new connection and read one answer."""
        with self.connect() as connection:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(request)
            return read_reply(connection)


@contextlib.contextmanager
def running(
    settings: Settings,
    listener: ScriptedListener,
    readiness: Callable[[], Readiness] = lambda: Readiness(ready=True),
    speaker: ScriptedSpeaker | None = None,
) -> Iterator[Service]:
    speaker = speaker or ScriptedSpeaker()
    server = make_server(create_app(settings, listener, readiness=readiness, speaker=speaker), settings)
    bound = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    wait_for(lambda: server.started)

    def stop() -> None:
        server.should_exit = True
        thread.join(20)
        assert not thread.is_alive()

    try:
        yield Service(bound.getsockname()[1], listener, speaker, settings, stop)
    finally:
        stop()


def wait_for(condition: Callable[[], object], timeout_s: float = 10.0) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true"
        time.sleep(0.005)


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = self.json["error"]
        assert set(error) == {"message", "type", "param", "code"}
        return error


def read_reply(connection: socket.socket) -> Reply:
    """Read one HTTP answer, however its length is given."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        assert piece, f"the connection ended within the head: {received!r}"
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    status = int(lines[0].split()[1])
    if headers.get("transfer-encoding") == "chunked":
        chunked = bytearray(body)
        while not chunked.endswith(b"0\r\n\r\n") and (piece := connection.recv(65536)):
            chunked += piece
        return Reply(status, headers, dechunk(chunked))
    while len(body) < int(headers.get("content-length", "0")):
        piece = connection.recv(65536)
        if not piece:
            break
        body += piece
    return Reply(status, headers, body)


def dechunk(body: bytes | bytearray) -> bytes:
    whole = bytearray()
    place = 0
    while place < len(body):
        head_end = body.index(b"\r\n", place)
        start, length = head_end + 2, int(body[place:head_end], 16)
        whole += body[start : start + length]
        place = start + length + 2
    return bytes(whole)


BOUNDARY = "vocal-fold-7c1a"
FORM_TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def form(*parts: tuple[str, str] | tuple[str, str, bytes], close: bool = True) -> bytes:
    """Write parts as (name, value) or (name, file name, bytes)."""
    written = b""
    for part in parts:
        if len(part) == 2:
            name, text = part
            head, value = f'form-data; name="{name}"', text.encode()
        else:
            name, filename, value = part
            head = f'form-data; name="{name}"; filename="{filename}"'
        written += f"--{BOUNDARY}\r\nContent-Disposition: {head}\r\n\r\n".encode() + value + b"\r\n"
    return written + (f"--{BOUNDARY}--\r\n".encode() if close else b"")


FILE = ("file", "speech.wav", AUDIO)
MODEL = ("model", "whisper-1")


def post(
    body: bytes,
    *headers: str,
    path: str = "/v1/audio/transcriptions",
    content_type: str = FORM_TYPE,
    length: int | None = None,
) -> bytes:
    """Write a whole request; `length` is what the head says of the body."""
    lines = [
        f"POST {path} HTTP/1.1",
        "Host: localhost",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(body) if length is None else length}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def get(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers]).encode() + b"\r\n\r\n"


def events_of(body: bytes) -> list[dict[str, Any]]:
    """Return the events of a stream, without its comments."""
    return [json.loads(block[6:]) for block in body.decode().split("\n\n") if block.startswith("data: ")]
