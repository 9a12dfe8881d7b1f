"""`tympan`: the verbs, each loaded when it is used, so that help and completion come at once."""

from __future__ import annotations

import importlib
import logging
import os
import sys
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import Annotated, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

from tympan import __version__
from tympan.cli.console import FAILED
from tympan.errors import TympanError

CONFIG_ENV = "TYMPAN_CONFIG"  # what `tympan.settings` reads, too heavy to import for a line of help
INTERRUPTED = 130  # exit code: 128 + SIGINT, as shells count


class Verb(NamedTuple):
    """Where a verb's `app` is, and the first line of its help."""

    module: str
    summary: str


VERBS = {
    "transcribe": Verb("tympan.cli.transcribe", "Write down what is said in audio and video files."),
    "speak": Verb("tympan.cli.speak", "Speak a text, a file or the standard input."),
    "voices": Verb("tympan.cli.voices", "List the voices, or let one speak a sample."),
    "serve": Verb("tympan.cli.serve", "Answer OpenAI's audio API over HTTP."),
    "weights": Verb("tympan.cli.weights", "Model files: list, fetch, verify, sum, rm."),
    "prepare": Verb("tympan.cli.prepare", "Make audio clips into a model's features and token ids."),
    "doctor": Verb("tympan.cli.doctor", "Check what is installed, what is missing, why, and what to do."),
}


class LazyGroup(TyperGroup):
    """Lists its verbs by their summaries; a verb's module is imported only to run it or to complete its options."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands.update({name: TyperCommand(name, help=verb.summary) for name, verb in VERBS.items()})

    def list_commands(self, ctx: Any) -> list[str]:
        """Keep the order of `VERBS`."""
        del ctx
        return list(VERBS)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the real command behind a verb."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None:
            command = typer.main.get_command(importlib.import_module(VERBS[name].module).app)
        return name, command, rest


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Tympan: the audio front door for AI. Speech to text and text to speech, private, on a CPU.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tympan {__version__}")
        raise typer.Exit


@app.callback()
def root(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", exists=True, dir_okay=False, help="Settings file (TOML); or TYMPAN_CONFIG"),
    ] = None,
    verbose: Annotated[
        int,
        typer.Option(
            "-v", "--verbose", count=True, show_default=False, help="Say what is done on stderr; twice: in detail"
        ),
    ] = 0,
    version: Annotated[  # noqa: ARG001  (its callback does it)
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version")
    ] = False,
) -> None:
    """Set up what all verbs share."""
    if config is not None:
        os.environ[CONFIG_ENV] = str(config)  # every verb reads its settings itself
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(verbose, 2)]
    logging.basicConfig(level=level, stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


def main() -> None:
    """Run the command line; ends with 0, 1 (it did not work), 2 (wrong usage) or 130 (interrupted)."""
    try:
        app()
    except TympanError as error:
        typer.echo(f"tympan: {error}", err=True)
        sys.exit(FAILED)
    except OSError as error:  # a full disk behind stdout, above all
        typer.echo(f"tympan: {error.strerror or error}", err=True)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still to be flushed would fail once more
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
