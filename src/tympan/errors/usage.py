"""Errors of settings and of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors.base import TympanError

if TYPE_CHECKING:
    from collections.abc import Sequence


class SettingsError(TympanError):
    """A setting that is unknown or has a wrong value."""

    default_code = "settings"

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}" + ("" if reason.endswith("?") else "."))


class UnreadableFile(TympanError):
    """A file named on the command line cannot be read."""

    status = 400

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}.")


class UnwritableFile(TympanError):
    """A result cannot be written: a full disk, a folder of somebody else."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}.")


class CannotListen(TympanError):
    """The address to serve on cannot be had."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"Cannot listen on {host} port {port}: {reason}.")


class NoPlayer(TympanError):
    """Nothing on this machine plays sound."""

    def __init__(self, programs: Sequence[str]) -> None:
        super().__init__(f"No program to play sound with was found: looked for {', '.join(programs)}.")


class PlayerFailed(TympanError):
    """The program that plays sound ended before the speech did."""

    def __init__(self, program: str, code: int) -> None:
        super().__init__(f"{program} stopped playing (exit code {code}).")
