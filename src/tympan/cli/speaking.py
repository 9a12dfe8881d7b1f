"""A speech to a file, to stdout, to the ear, and its subtitles: all as it is made, none of it held."""

from __future__ import annotations

import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import typer

from tympan.cancel import Cancellation
from tympan.cli.console import error_console
from tympan.cli.cues import Cues, SpokenText, subtitle_parts
from tympan.cli.house import ready_house
from tympan.cli.inputs import STDIN
from tympan.cli.meter import Meter
from tympan.cli.outputs import whole_file
from tympan.cli.player import find_player, playing
from tympan.sound.encode import open_encoder
from tympan.sound.waveform import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tympan.cli.cues import Subtitles
    from tympan.listen.results import Segment
    from tympan.settings import Settings
    from tympan.sound.waveform import Samples
    from tympan.speak.request import SpeakRequest
    from tympan.speak.results import Speaker

    Push = Callable[[Samples], None]


class AudioFormat(StrEnum):
    """The formats, by the names that OpenAI's API gives them."""

    MP3 = "mp3"
    OPUS = "opus"
    AAC = "aac"
    FLAC = "flac"
    WAV = "wav"
    PCM = "pcm"


SUFFIXES = {f".{name.value}": name for name in AudioFormat} | {".ogg": AudioFormat.OPUS, ".oga": AudioFormat.OPUS}


@dataclass(frozen=True, slots=True)
class Targets:
    """Where a speech goes: a file or, with `path` None, stdout, unless `format` is None; and a player.

    `subtitles` are written beside the file.
    """

    path: Path | None
    format: AudioFormat | None
    play: bool = False
    subtitles: Subtitles | None = None
    cues: Cues = Cues.PHRASE

    @property
    def subtitle_path(self) -> Path | None:
        """Where the subtitles go."""
        return None if self.path is None or self.subtitles is None else self.path.with_suffix(f".{self.subtitles}")


def choose_targets(
    output: Path | None,
    format_: AudioFormat | None,
    *,
    play: bool,
    subtitles: Subtitles | None = None,
    cues: Cues = Cues.PHRASE,
) -> Targets:
    """Find out where a speech goes and in which format. Raises `typer.BadParameter`."""
    path = None if output is None or str(output) == STDIN else output
    if subtitles is not None and path is None:
        raise typer.BadParameter("subtitles are written beside the audio; name it with -o", param_hint="--timestamps")
    if path is not None:
        chosen = format_ or SUFFIXES.get(path.suffix.lower())
        if chosen is None:
            known = ", ".join(SUFFIXES)
            raise typer.BadParameter(
                f"'{path}' does not end with the name of a format ({known}); give --format", param_hint="-o"
            )
        return Targets(path, chosen, play, subtitles, cues)
    if output is None and play:
        return Targets(None, None, play)
    if sys.stdout.isatty():
        raise typer.BadParameter("sound cannot be shown on a terminal; give -o FILE, --play, or a pipe")
    return Targets(None, format_ or AudioFormat.WAV, play)


def speak_to(settings: Settings, request: SpeakRequest, targets: Targets) -> None:
    """Open the house, and speak. Raises what the job raises, `UnwritableFile`, `NoPlayer` and `PlayerFailed`."""
    player = find_player() if targets.play else None  # before models are loaded for nothing
    with ExitStack() as stack:
        house = stack.enter_context(ready_house(settings, "speak"))
        pushes: list[Push] = []
        if player is not None:  # the first in: a file is complete before the last of it has been heard
            pushes.append(stack.enter_context(playing(player)))
        if targets.path is not None and targets.format is not None:
            pushes.append(stack.enter_context(_encoded_file(targets.path, targets.format)))
        elif targets.format is not None:
            pushes.append(stack.enter_context(_encoded_stdout(targets.format)))
        segments = _spoken(house.speaker, request, targets, pushes)
        if targets.subtitles is not None and targets.subtitle_path is not None:
            file = stack.enter_context(whole_file(targets.subtitle_path))
            for part in subtitle_parts(segments, targets.subtitles):
                file.write(part.encode())
        else:
            for _ in segments:
                pass
    if targets.path is not None:
        names = [str(path) for path in (targets.path, targets.subtitle_path) if path is not None]
        typer.echo(f"Wrote {' and '.join(names)}.", err=True)


def _spoken(speaker: Speaker, request: SpeakRequest, targets: Targets, pushes: list[Push]) -> Iterator[Segment]:
    """Push each piece as it is made; yield its segments."""
    console = error_console()
    text, spoken = request.text, SpokenText(request.text, targets.cues)
    samples = at = 0
    speech = speaker.speak(request, Cancellation())
    try:
        with Meter(console if console.is_terminal else None, "") as meter:
            for piece in speech:
                for push in pushes:
                    push(piece.samples)
                samples += piece.samples.size
                meter.spoken(text[at : piece.text_end], piece.text_end, len(text), samples / SPEECH_RATE)
                at = piece.text_end
                yield from spoken.push(piece.words)
    finally:
        speech.close()


@contextmanager
def _encoded_file(path: Path, audio_format: AudioFormat) -> Iterator[Push]:
    encoder = open_encoder(audio_format.value)
    with whole_file(path) as file:

        def push(samples: Samples) -> None:
            file.write(encoder.push(samples))

        yield push
        file.write(encoder.finish())
        file.seek(0)
        file.write(encoder.head())


@contextmanager
def _encoded_stdout(audio_format: AudioFormat) -> Iterator[Push]:
    encoder = open_encoder(audio_format.value)
    stdout = sys.stdout.buffer

    def push(samples: Samples) -> None:
        stdout.write(encoder.push(samples))
        stdout.flush()  # who listens hears the first sentence while the second is made

    yield push
    stdout.write(encoder.finish())
    stdout.flush()
