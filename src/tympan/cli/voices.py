"""`tympan voices`: which voices there are, and what one sounds like."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tympan.cli.speaking import choose_targets, speak_to
from tympan.errors import InvalidVoiceMix, UnknownVoice
from tympan.settings import load_settings
from tympan.speak.request import SpeakRequest
from tympan.speak.voices import ALIASES, VOICES, parse_voice

if TYPE_CHECKING:
    from tympan.speak.reading import Language
    from tympan.speak.voices import Voice

SAMPLES: Final[dict[Language, str]] = {
    "en-us": "The rain has stopped, and the first birds are singing over the river.",
    "en-gb": "The rain has stopped, and the first birds are singing over the river.",
    "es": "La lluvia ha parado y los primeros pájaros cantan sobre el río.",
    "fr": "La pluie s'est arrêtée et les premiers oiseaux chantent au-dessus de la rivière.",
    "hi": "बारिश रुक गई है और नदी के ऊपर पहले पक्षी गा रहे हैं।",
    "it": "La pioggia è cessata e i primi uccelli cantano sopra il fiume.",
    "ja": "雨がやんで、川の上で最初の鳥が歌っています。",
    "pt-br": "A chuva parou e os primeiros pássaros cantam sobre o rio.",
    "zh": "雨停了，第一批鸟儿在河上歌唱。",  # noqa: RUF001  (Chinese has a comma of its own)
}

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command(epilog="Exit codes: 0 all went well, 1 it did not work, 2 wrong usage.")
def voices(
    *,
    language: Annotated[
        str | None, typer.Option("--language", "-l", help="Only those of a language: en, en-gb, es, fr, hi, it, ja, …")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document")] = False,
    sample: Annotated[
        str | None, typer.Option("--sample", metavar="VOICE", help="Let a voice, or a mix, speak a sentence")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", dir_okay=False, help="With --sample: write there"),
    ] = None,
    play: Annotated[bool, typer.Option("--play", "-p", help="With --sample: play it")] = False,
) -> None:
    """List the voices, or let one speak a sample."""
    if sample is not None:
        _speak_sample(sample, output, play=play)
        return
    if output is not None or play:
        raise typer.BadParameter("it is for the sound of a sample; give --sample VOICE, too", param_hint="-o, --play")
    listed = _of_language(language)
    if as_json:
        typer.echo(json.dumps({"voices": [_document(voice) for voice in listed]}, ensure_ascii=False))
        return
    for voice in listed:
        aliases = ", ".join(_aliases(voice))
        typer.echo(f"{voice.id:<14}{voice.language:<7}{voice.gender:<8}{voice.name:<12}{aliases}".rstrip())


def _speak_sample(name: str, output: Path | None, *, play: bool) -> None:
    try:
        mix = parse_voice(name)
    except (UnknownVoice, InvalidVoiceMix) as error:
        raise typer.BadParameter(str(error), param_hint="--sample") from error
    targets = choose_targets(output, None, play=play)
    speak_to(load_settings(), SpeakRequest(SAMPLES[mix.language], mix), targets)


def _of_language(tag: str | None) -> list[Voice]:
    """Return the voices of a language, with or without its country; all of them for None."""
    if tag is None:
        return list(VOICES.values())
    wanted = tag.strip().lower().replace("_", "-")
    found = [voice for voice in VOICES.values() if wanted in {voice.language, voice.language.partition("-")[0]}]
    if not found:
        known = ", ".join(SAMPLES)
        raise typer.BadParameter(f"no voice speaks '{tag}'. Languages: {known}", param_hint="--language")
    return found


def _aliases(voice: Voice) -> list[str]:
    return [alias for alias, target in ALIASES.items() if target == voice.id]


def _document(voice: Voice) -> dict[str, object]:
    return {
        "id": voice.id,
        "name": voice.name,
        "language": voice.language,
        "gender": voice.gender,
        "aliases": _aliases(voice),
    }
