"""`tympan speak`: text to sound, in a file, on stdout or to the ear, everything else on stderr."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import TYPE_CHECKING, Annotated

import typer

from tympan.cli.cues import Cues, Subtitles
from tympan.cli.speaking import AudioFormat, choose_targets, speak_to
from tympan.cli.texts import read_text
from tympan.engines.protocols import MAX_SPEED, MIN_SPEED
from tympan.errors import InvalidVoiceMix, NothingToSay, UnknownVoice
from tympan.settings import load_settings
from tympan.speak.request import SpeakRequest
from tympan.speak.scripts import check_readable
from tympan.speak.voices import parse_voice

if TYPE_CHECKING:
    from tympan.speak.voices import VoiceMix

DEFAULT_VOICE = "af_heart"  # the one that Kokoro's makers grade best

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command(epilog="Exit codes: 0 it was spoken, 1 it did not work, 2 wrong usage.")
def speak(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The text; a file of UTF-8 text; - reads it from stdin")],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="Write there; else to a pipe on stdout"),
    ] = None,
    voice: Annotated[
        str, typer.Option("--voice", metavar="VOICE", help="A voice, or a mix as af_heart(2)+af_bella")
    ] = DEFAULT_VOICE,
    speed: Annotated[
        float, typer.Option("--speed", "-s", min=MIN_SPEED, max=MAX_SPEED, help="1 is the voice's own")
    ] = 1.0,
    format_: Annotated[
        AudioFormat | None, typer.Option("--format", "-f", help="The format; else by the file's name, wav on stdout")
    ] = None,
    timestamps: Annotated[
        Subtitles | None, typer.Option("--timestamps", "-t", help="Write subtitles beside the file, too")
    ] = None,
    cues: Annotated[
        Cues | None, typer.Option("--cues", help="With --timestamps: what is shown at once; else phrases")
    ] = None,
    play: Annotated[bool, typer.Option("--play", "-p", help="Play it while it is made")] = False,
) -> None:
    """Speak a text, a file or the standard input."""
    mix = _voice(voice)
    if cues is not None and timestamps is None:
        raise typer.BadParameter("only subtitles have cues; give --timestamps, too", param_hint="--cues")
    targets = choose_targets(output, format_, play=play, subtitles=timestamps, cues=cues or Cues.PHRASE)
    settings = load_settings()
    request = SpeakRequest(read_text(text), mix, speed=speed)
    if not request.text.strip():
        raise NothingToSay
    check_readable(request.text, mix.language, mix.name)  # before models are fetched and loaded for nothing
    speak_to(settings, request, targets)


def _voice(name: str) -> VoiceMix:
    try:
        return parse_voice(name)
    except (UnknownVoice, InvalidVoiceMix) as error:
        raise typer.BadParameter(str(error), param_hint="--voice") from error
