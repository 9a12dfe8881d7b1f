"""`tympan transcribe`: audio files to text, results on stdout or in a folder, everything else on stderr."""

from __future__ import annotations

import sys
from dataclasses import replace
from enum import StrEnum
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import TYPE_CHECKING, Annotated

import typer

from tympan.cancel import Cancellation
from tympan.cli.console import FAILED, error_console
from tympan.cli.formats import SUBTITLES, Format, Style, line, render
from tympan.cli.house import ready_house
from tympan.cli.inputs import STDIN, Found, Input, find_inputs, opened
from tympan.cli.meter import Meter
from tympan.cli.outputs import is_done, make_folder, name_results, write_whole
from tympan.errors import InvalidLanguage, TympanError, UnknownModel
from tympan.listen.language import parse_language
from tympan.listen.request import ListenRequest
from tympan.listen.results import Transcript
from tympan.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from tympan.listen.results import Listener, Segment
    from tympan.sound.media import Media

SHOWN_NAMES = 5  # of files that a folder holds besides; more would hide the results
SHORTEST_LINE = 10  # characters; less is no subtitle

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


class Channels(StrEnum):
    """How the channels of a file are heard."""

    MIX = "mix"
    SPLIT = "split"


@app.command(epilog="Exit codes: 0 all went well, 1 some file failed (the others are done), 2 wrong usage.")
def transcribe(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files, folders (at any depth), patterns; - is stdin")
    ],
    *,
    format_: Annotated[Format, typer.Option("--format", "-f", help="What is written")] = Format.TXT,
    output_dir: Annotated[
        Path | None,
        typer.Option("--output-dir", "-o", metavar="DIR", file_okay=False, help="Write <name>.<format> files there"),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Also redo results that are newer than their file")] = False,
    language: Annotated[
        str | None, typer.Option("--language", "-l", help="What is spoken (en, pt-BR, german); else it is detected")
    ] = None,
    translate: Annotated[bool, typer.Option("--translate", help="Write English, whatever is spoken")] = False,
    words: Annotated[bool, typer.Option("--words", help="With verbose_json: the times of every word")] = False,
    channels: Annotated[
        Channels, typer.Option("--channels", help="split: hear each channel on its own and name it")
    ] = Channels.MIX,
    max_line: Annotated[
        int | None,
        typer.Option("--max-line", min=SHORTEST_LINE, metavar="N", help="With srt, vtt: two lines of N characters"),
    ] = None,
    prompt: Annotated[str, typer.Option("--prompt", help="Text that goes before, for its style and names")] = "",
    keyword: Annotated[
        list[str] | None, typer.Option("--keyword", metavar="TEXT", help="A word to expect; may be repeated")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", "-m", help="The model; else the one of the settings")] = None,
) -> None:
    """Write down what is said in audio and video files."""
    if words and format_ is not Format.VERBOSE_JSON:
        raise typer.BadParameter("only --format verbose_json holds words", param_hint="--words")
    if max_line is not None and format_ not in SUBTITLES:
        raise typer.BadParameter("only --format srt and vtt have lines to break", param_hint="--max-line")
    if STDIN in files and sys.stdin.isatty():
        raise typer.BadParameter("- reads audio from a pipe, and stdin is a terminal", param_hint="FILE")
    style = Style(
        format=format_,
        task="translate" if translate else "transcribe",
        words=words,
        split=channels is Channels.SPLIT,
        max_line=max_line,
    )
    settings = load_settings()
    template = ListenRequest(
        media=b"",
        model=model or settings.listen.model,
        task=style.task,
        language=_language(language),
        prompt=prompt,
        keywords=tuple(keyword or ()),
        words=words or max_line is not None,
        readable=format_.timed,
        split_channels=style.split,
    )
    found = find_inputs(files)
    _tell_skipped(found)
    batch = _Batch(template, style, error_console(), failed=len(found.failures))
    work = _work(found.inputs, output_dir, style, force=force)
    for error in found.failures:
        typer.echo(f"tympan: {error}", err=True)
    if work:
        with ready_house(settings, "listen") as house:
            _check_model(house.listener, template.model)
            batch.run(house.listener, work)
    if batch.failed:
        raise typer.Exit(FAILED)


class _Batch:
    """The files of one call, one after the other; `failed` counts those that gave no result."""

    def __init__(self, template: ListenRequest, style: Style, console: Console, *, failed: int) -> None:
        self._template = template
        self._style = style
        self._console = console
        self.failed = failed

    def run(self, listener: Listener, work: Sequence[tuple[Input, Path | None]]) -> None:
        """Transcribe each input to its target, or to stdout."""
        for one, target in work:
            if target is None and len(work) > 1:
                typer.echo(f"== {one.label}", err=True)
            try:
                with opened(one) as media:
                    self._transcribe(listener, one, media, target)
            except TympanError as error:
                self.failed += 1
                sentence = str(error) if str(error).startswith(one.label) else f"{one.label}: {error}"
                typer.echo(f"tympan: {sentence}", err=True)

    def _transcribe(self, listener: Listener, one: Input, media: Media, target: Path | None) -> None:
        streams = target is None and self._style.format is Format.TXT
        shows_bar = self._console.is_terminal and not (streams and sys.stdout.isatty())
        segments: list[Segment] = []
        transcription = listener.transcribe(replace(self._template, media=media), Cancellation())
        try:
            with Meter(self._console if shows_bar else None, one.label) as meter:
                for segment in transcription:
                    meter.at(segment.end, transcription.stated_seconds)
                    if streams:
                        _put(line(segment, self._style))
                    else:
                        segments.append(segment)
        finally:
            transcription.close()
        if target is not None:
            write_whole(target, render(Transcript(tuple(segments), transcription.summary), self._style))
            typer.echo(f"{one.label} -> {target}", err=True)
        elif not streams:
            _put(render(Transcript(tuple(segments), transcription.summary), self._style))
        for warning in transcription.summary.warnings:
            typer.echo(f"{one.label}: {warning}", err=True)


def _work(
    inputs: Sequence[Input], output_dir: Path | None, style: Style, *, force: bool
) -> list[tuple[Input, Path | None]]:
    """Pair inputs with their targets, without what is done."""
    if output_dir is None:
        return [(one, None) for one in inputs]
    named = name_results(inputs, output_dir, style.format.suffix)
    make_folder(output_dir)
    work: list[tuple[Input, Path | None]] = [
        (one, target) for target, one in named.items() if force or not is_done(target, one)
    ]
    if len(work) < len(named):
        typer.echo(f"{len(named) - len(work)} of {len(named)} are done already; --force redoes them.", err=True)
    return work


def _language(text: str | None) -> str | None:
    try:
        return None if text is None else parse_language(text)
    except InvalidLanguage as error:
        raise typer.BadParameter(
            f"'{text}' is no language that can be heard. Give a code (en, pt-BR) or an English name (german).",
            param_hint="--language",
        ) from error


def _check_model(listener: Listener, model: str) -> None:
    try:
        listener.resolve(model)
    except UnknownModel as error:
        known = ", ".join(card.id for card in listener.models())
        raise typer.BadParameter(f"no model '{model}'. Known: {known}", param_hint="--model") from error


def _tell_skipped(found: Found) -> None:
    if found.skipped:
        names = ", ".join(str(path) for path in found.skipped[:SHOWN_NAMES])
        more = len(found.skipped) - SHOWN_NAMES
        typer.echo(
            f"Skipped {len(found.skipped)} that are no audio or video: {names}"
            + (f" and {more} more" if more > 0 else ""),
            err=True,
        )


def _put(text: str) -> None:
    """Write to stdout as UTF-8, whatever the locale says."""
    typer.echo(text.encode(), nl=False)
