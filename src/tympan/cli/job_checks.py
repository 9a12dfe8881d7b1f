"""What `tympan doctor` looks at of the jobs: model files, their sources, the decoder and the engines."""

from __future__ import annotations

import io
import shutil
import wave
from importlib.util import find_spec
from typing import TYPE_CHECKING

from rich.filesize import decimal

from tympan.cancel import Cancellation
from tympan.cli.checks import Check, State
from tympan.cli.house import open_house
from tympan.compose import BUNDLES
from tympan.errors import NotReady, SourceUnavailable, TympanError, WeightsError
from tympan.sound.pool import DecoderPool
from tympan.sound.waveform import SAMPLE_RATE
from tympan.weights.catalog import load_catalog
from tympan.weights.sources import open_sources
from tympan.weights.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.engines.stats import EngineReport
    from tympan.settings import Job, Settings, SourceName, SourceSettings
    from tympan.weights.catalog import Bundle, CatalogFile
    from tympan.weights.sources.base import WeightSource

LOAD_PATIENCE_S = 120.0  # the starter models load in about a second
VERBS: dict[Job, str] = {"listen": "transcribe", "speak": "speak"}
SILENCE_S = 1  # of audio, to try the decoder with


def check_weights(settings: Settings) -> Iterator[Check]:
    """Hash the files of every bundle that is there."""
    store = Store(settings.weights)
    needed = {bundle for job in settings.jobs for bundle in BUNDLES[job]}
    for bundle in load_catalog().bundles.values():
        yield _check_bundle(bundle, store, needed=bundle.name in needed)


def check_sources(settings: Settings, *, network: bool) -> Iterator[Check]:
    """See whether every source of model files is set up; with `network`, whether it gives the first bytes of one."""
    for name in settings.sources.order:
        problem = _local_problem(name, settings.sources)
        if problem:
            yield problem
        elif not network:
            yield Check(f"source {name}", "ok", "set up; --network tries it")
    if network:
        yield from _try_sources(settings)


def check_decoder(settings: Settings) -> Check:
    """Decode a second of silence in a decoder's process."""
    pool = DecoderPool(settings.sound)
    try:
        with pool.open(_silent_wav(), cancellation=Cancellation()) as decoding:
            samples = sum(block.channels.shape[1] for block in decoding)
    except TympanError as error:
        return Check("decoder", "failed", str(error), "Run 'tympan -vv doctor' and look at what it prints.")
    finally:
        pool.close()
    return Check("decoder", "ok", f"its process starts and gave {samples} samples for {SILENCE_S} s of audio")


def check_engines(settings: Settings) -> Iterator[Check]:
    """Load the engines of every job and let them answer their probe; nothing is fetched."""
    for job in settings.jobs:
        with open_house(settings, fetch=False, jobs=(job,)) as house:
            try:
                house.require_ready(LOAD_PATIENCE_S)
            except WeightsError as error:
                yield Check(f"engines to {job}", "failed", str(error), f"The first 'tympan {VERBS[job]}' fetches them.")
            except NotReady:
                yield from map(_check_engine, house.engines())
            else:
                yield from map(_check_engine, house.engines())


def _check_bundle(bundle: Bundle, store: Store, *, needed: bool) -> Check:
    name = f"weights {bundle.name}"
    missing = store.missing(bundle.files)
    if missing:
        size = decimal(sum(file.size for file in missing))
        found = f"{len(missing)} of {len(bundle.files)} files missing, {size}"
        if not needed:
            return Check(name, "off", f"{found}; nothing uses them")
        return Check(
            name, "warning", found, f"'tympan weights fetch {bundle.name}' brings them; so does the first use."
        )
    wrong: State = "failed" if needed else "warning"
    for file in bundle.files:
        try:
            fault = store.verify(file, Cancellation())
        except TympanError as error:
            return Check(name, wrong, str(error), "Make the file readable.")
        if fault is not None:
            return Check(
                name,
                wrong,
                f"{file.path}: expected {fault.expected}, found {fault.found}",
                f"Run 'tympan weights rm {bundle.name}' and then 'tympan weights fetch {bundle.name}'.",
            )
    count = len(bundle.files)
    return Check(name, "ok", f"{count} of {count} files, {decimal(bundle.size)}, every sha256 is right")


def _local_problem(name: SourceName, sources: SourceSettings) -> Check | None:
    """Return what keeps a source from working, as far as that is known without asking the network."""
    check = f"source {name}"
    if name == "directory":
        if sources.directory is None:
            return Check(check, "off", "no folder is named (TYMPAN_SOURCES__DIRECTORY)")
        if not sources.directory.is_dir():
            return Check(check, "warning", f"{sources.directory} is no folder", "Correct TYMPAN_SOURCES__DIRECTORY.")
    if name == "https" and sources.https is None:
        return Check(check, "off", "no base URL is named (TYMPAN_SOURCES__HTTPS)")
    if name == "pypi" and find_spec("pip") is None:
        return Check(check, "warning", "pip is not installed", "Install pip into this environment.")
    if name == "npm" and shutil.which("npm") is None:
        return Check(check, "off", "npm is not installed", "Install npm where no other source has the files.")
    return None


def _try_sources(settings: Settings) -> Iterator[Check]:
    files = sorted(load_catalog().files(load_catalog().bundles), key=lambda file: file.size)
    with open_sources(settings.sources, Cancellation()) as sources:
        for source in sources:
            smallest = next((file for file in files if source.offers(file)), None)
            if smallest is not None:
                yield _try_source(source, smallest)


def _try_source(source: WeightSource, file: CatalogFile) -> Check:
    name = f"source {source.name}"
    try:
        with source.open(file, 0) as stream:
            next(iter(stream.chunks), b"")
    except SourceUnavailable as error:
        return Check(name, "warning", f"{file.path}: {error.reason}", "Another source may have the files.")
    return Check(name, "ok", f"gives {file.path}")


def _check_engine(report: EngineReport) -> Check:
    name = f"engine {report.name}"
    if report.state != "ready":
        found = f"{report.state}: {report.detail}" if report.detail else report.state
        return Check(name, "failed", found, "Run 'tympan -vv doctor' and look at what it prints.")
    found = f"loaded in {report.load_seconds:.1f} s and answered, {decimal(report.memory_bytes)} in memory"
    return Check(name, "ok", found)


def _silent_wav() -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(bytes(2 * SAMPLE_RATE * SILENCE_S))
    return file.getvalue()
