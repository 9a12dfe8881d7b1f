"""Playing a speech through whatever program the machine has for that."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from tympan.errors import NoPlayer, PlayerFailed
from tympan.sound.encode import open_encoder
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tympan.sound.encode import SpeechFormat
    from tympan.sound.waveform import Samples


class Player(NamedTuple):
    """A program and the arguments with which it plays `format` from its standard input, or else from a file."""

    program: str
    arguments: tuple[str, ...]
    format: SpeechFormat = "wav"
    streams: bool = True


PLAYERS = (
    Player("ffplay", ("-nodisp", "-autoexit", "-loglevel", "error", "-i", "-")),
    Player("aplay", ("-q", "-t", "raw", "-f", "S16_LE", "-r", str(SPEECH_RATE), "-c", "1", "-"), "pcm"),
    Player("afplay", (), streams=False),
    Player("paplay", ("--raw", "--format=s16le", f"--rate={SPEECH_RATE}", "--channels=1"), "pcm"),
)


def find_player() -> Player:
    """Return the first player that is installed. Raises `NoPlayer`."""
    for player in PLAYERS:
        if shutil.which(player.program):
            return player
    raise NoPlayer([player.program for player in PLAYERS])


@contextmanager
def playing(player: Player) -> Iterator[Callable[[Samples], None]]:
    """Give what plays samples as they come; ends when all of it has been heard. Raises `PlayerFailed`."""
    if player.streams:
        with _streaming(player) as push:
            yield push
        return
    with tempfile.NamedTemporaryFile(prefix="tympan-", suffix=f".{player.format}") as file:
        encoder = open_encoder(player.format)

        def push_to_file(samples: Samples) -> None:
            file.write(encoder.push(samples))

        yield push_to_file
        file.write(encoder.finish())
        file.seek(0)
        file.write(encoder.head())
        file.flush()
        done = subprocess.run([player.program, *player.arguments, file.name], check=False)  # noqa: S603  (of PLAYERS)
        if done.returncode:
            raise PlayerFailed(player.program, done.returncode)


@contextmanager
def _streaming(player: Player) -> Iterator[Callable[[Samples], None]]:
    encoder = open_encoder(player.format)
    process = subprocess.Popen([player.program, *player.arguments], stdin=subprocess.PIPE)  # noqa: S603  (of PLAYERS)
    stdin = process.stdin
    assert stdin is not None  # noqa: S101  (it is a pipe, for the type checker)

    def write(data: bytes) -> None:
        try:
            stdin.write(data)
            stdin.flush()
        except BrokenPipeError:
            raise PlayerFailed(player.program, process.wait()) from None

    try:
        yield lambda samples: write(encoder.push(samples))
        write(encoder.finish())
        stdin.close()
        if process.wait():
            raise PlayerFailed(player.program, process.returncode)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
