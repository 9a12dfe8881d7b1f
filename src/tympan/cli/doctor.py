"""`tympan doctor`: what works on this machine, what does not, why, and what to do."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tympan import __version__
from tympan.cli.checks import (
    Check,
    check_memory,
    check_packages,
    check_port,
    check_processor,
    check_python,
    setting_values,
)
from tympan.cli.console import FAILED
from tympan.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.settings import Settings

NAME_WIDTH = 22  # of the longest name of a check

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command(epilog="Exit codes: 0 listening works, 1 it does not, 2 wrong usage.")
def doctor(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document, with every setting")] = False,
    network: Annotated[
        bool, typer.Option("--network", help="Also ask each source for a model file; may download a whole package")
    ] = False,
) -> None:
    """Check what is installed, what is missing, why, and what to do."""
    settings = load_settings()
    checks: list[Check] = []
    for check in run_checks(settings, network=network):
        checks.append(check)
        if not as_json:
            typer.echo(describe(check))  # as it comes, since some take a second
    works = all(check.state != "failed" for check in checks)
    values = list(setting_values(settings))
    if as_json:
        document = {
            "version": __version__,
            "works": works,
            "checks": [asdict(check) for check in checks],
            "settings": [asdict(value) for value in values],
        }
        typer.echo(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        for value in values:
            if value.origin != "default":
                typer.echo(f"setting  {value.name} = {value.value}, from {value.origin}")
        typer.echo("Everything works." if works else "Something does not work: see what failed above.")
    if not works:
        raise typer.Exit(FAILED)


def run_checks(settings: Settings, *, network: bool) -> Iterator[Check]:
    """Run every check, the cheap ones first; those of models only where the packages are there."""
    yield check_python()
    packages = check_packages()
    yield packages
    yield check_processor()
    yield check_memory()
    yield check_port(settings)
    if packages.state == "failed":
        return
    from tympan.cli import job_checks  # noqa: PLC0415  (imports what may be missing)

    yield from job_checks.check_weights(settings)
    yield from job_checks.check_sources(settings, network=network)
    yield job_checks.check_decoder(settings)
    yield from job_checks.check_engines(settings)


def describe(check: Check) -> str:
    """Return a check as a line, and its advice as a second one."""
    line = f"{check.state:<8} {check.name:<{NAME_WIDTH}} {check.found}"
    return f"{line}\n{'':<9}{'':<{NAME_WIDTH}} {check.advice}" if check.advice else line
