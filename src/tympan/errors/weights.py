"""Errors of model files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors.base import TympanError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class WeightsError(TympanError):
    """Something about model files."""

    status = 503
    type = "server_error"
    default_code = "weights"


class SourceUnavailable(WeightsError):
    """A source cannot give this file; the next one is asked."""

    def __init__(self, source: str, reason: str) -> None:
        self.source = source
        self.reason = reason
        super().__init__(f"{source}: {reason}")


class WrongBytes(WeightsError):
    """A file's bytes are not those that the catalog names."""

    def __init__(self, file: str, source: str, *, expected: str, found: str) -> None:
        self.reason = f"expected {expected}, found {found}"
        super().__init__(f"{file} from {source} is not the right file: {self.reason}.")


class CatalogError(WeightsError):
    """The catalog of model files contradicts itself; nothing of it is used."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"The catalog of model files is malformed at {where}: {reason}.")


class StoreUnwritable(WeightsError):
    """The weights folder takes no bytes: a full disk, a quota, a folder of somebody else."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}.")


class FetchFailed(WeightsError):
    """No source could give a file."""

    def __init__(self, file: str, reasons: Sequence[tuple[str, str]], store: Path) -> None:
        tried = "; ".join(f"{source}: {reason}" for source, reason in reasons) or "no source is configured for it"
        super().__init__(
            f"{file} could not be fetched ({tried}). Put the file at {store / file}, or name a folder, "
            f"a registry or a hub that has it (see 'tympan weights --help')."
        )


class WeightsMissing(WeightsError):
    """Files are not in the store and fetching was not asked for."""

    def __init__(self, files: Sequence[str], store: Path) -> None:
        shown = ", ".join(files[:5]) + (f" and {len(files) - 5} more" if len(files) > 5 else "")  # noqa: PLR2004
        super().__init__(f"Missing in {store}: {shown}. Run 'tympan weights fetch'.")


class UnknownBundle(WeightsError):
    """No bundle or file of the catalog has this name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"No bundle '{name}' in the catalog. Known: {', '.join(known)}.")
