"""`tympan prepare`: audio clips to a model's features and token ids, or a model's audio configuration checked."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path  # noqa: TC003  (typer reads the annotations)
from typing import TYPE_CHECKING, Annotated

import typer

from tympan.cancel import Cancellation
from tympan.errors import UnreadableFile, UnwritableFile
from tympan.inputs.acquire import MAX_ENCODED_BYTES, read_file
from tympan.inputs.chat import read_body, read_messages
from tympan.inputs.checkpoint import open_checkpoint
from tympan.inputs.plan import make_plan
from tympan.inputs.polling import Checkpoint, Poll
from tympan.inputs.preparation import Prompt, prepare
from tympan.inputs.report import policy_lines, policy_report, prepared_lines, prepared_report
from tympan.inputs.tokenizer import load_encode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tympan.inputs.checkpoint import Checkpoint as Model
    from tympan.inputs.clips import Clip
    from tympan.inputs.preparation import Prepared

app = typer.Typer(add_completion=False, context_settings={"help_option_names": ["-h", "--help"]})


@app.command("prepare", epilog="Exit codes: 0 it went well, 1 the audio or the model is refused, 2 wrong usage.")
def prepare_clips(
    *,
    model: Annotated[
        Path | None,
        typer.Option("--model", "-m", metavar="DIR", help="A model's folder, with its configuration"),
    ] = None,
    audio: Annotated[
        list[Path] | None, typer.Option("--audio", "-a", metavar="FILE", help="A WAV file; may be repeated")
    ] = None,
    request: Annotated[
        Path | None, typer.Option("--request", metavar="FILE", help="A chat request (JSON) with input_audio parts")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the arrays there (safetensors)")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", metavar="DIR", help="Only check a model's audio configuration")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Report as one JSON object")] = False,
) -> None:
    """Make audio clips into a model's features and token ids.

    Token ids are those of the whole prompt when there is a request and the folder has a tokenizer.json, else those
    of the clips by themselves.
    """
    if check is not None:
        if model or audio or request or output:
            raise typer.BadParameter("takes no other option but --json", param_hint="--check")
        policy = open_checkpoint(check).policy
        _report(policy_report(policy) if as_json else policy_lines(policy))
        return
    if model is None:
        raise typer.BadParameter("name a model's folder", param_hint="--model")
    if bool(audio) == bool(request):
        raise typer.BadParameter("give --audio files, or one --request")
    opened = open_checkpoint(model)
    prepared = _prepare(opened, model, audio or [], request)
    if output is not None:
        _write(prepared, output)
    _report(prepared_report(prepared, opened.policy) if as_json else prepared_lines(prepared, opened.policy))


def _prepare(opened: Model, folder: Path, audio: list[Path], request: Path | None) -> Prepared:
    started = time.perf_counter_ns()
    cancellation = Cancellation()
    prompt: Prompt | None = None
    if request is None:
        clips = _read_files(audio, opened, cancellation)
    else:
        try:
            body = request.read_bytes()
        except OSError as error:
            raise UnreadableFile(str(request), error.strerror or str(error)) from error
        text, clips = read_messages(read_body(body), opened.frontend, cancellation)
        encode = load_encode(folder)
        prompt = None if encode is None else Prompt(text, encode)
    prepared = prepare(make_plan(clips, opened, cancellation), opened, cancellation, prompt)
    return replace(prepared, latency_micros=max(1, (time.perf_counter_ns() - started) // 1000))


def _read_files(paths: list[Path], opened: Model, cancellation: Cancellation) -> list[Clip]:
    clips: list[Clip] = []
    left = min(MAX_ENCODED_BYTES, opened.policy.max_encoded_bytes_per_request)
    for ordinal, path in enumerate(paths, 1):
        budget = min(left, opened.policy.max_encoded_bytes_per_clip)
        clips.append(read_file(path, ordinal, budget, Poll(cancellation, Checkpoint.ACQUISITION, ordinal)))
        left -= len(clips[-1].data)
    return clips


def _write(prepared: Prepared, target: Path) -> None:
    """Write all arrays as safetensors; the file gets its name once it is complete."""
    from safetensors import SafetensorError  # noqa: PLC0415  (only needed here)
    from safetensors.numpy import save_file  # noqa: PLC0415

    partial = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        try:
            save_file({**prepared.tensors, "token_ids": prepared.token_ids}, partial, {"family": prepared.family})
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except (OSError, SafetensorError) as error:
        raise UnwritableFile(str(target), getattr(error, "strerror", None) or str(error)) from error


def _report(what: dict[str, object] | Iterable[str]) -> None:
    typer.echo(json.dumps(what, indent=2) if isinstance(what, dict) else "\n".join(what))
