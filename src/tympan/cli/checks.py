"""What `tympan doctor` looks at on the machine: pure of any model, nothing is changed."""

from __future__ import annotations

import os
import platform
import re
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.filesize import decimal

from tympan.cli.serve import bound_socket
from tympan.errors import CannotListen, mask_key
from tympan.settings import setting_origins, usable_processors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tympan.settings import Settings

State = Literal["ok", "off", "warning", "failed"]

CPUINFO = Path("/proc/cpuinfo")
MEMINFO = Path("/proc/meminfo")
CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")  # "max" where a container has no limit
ENOUGH_MEMORY = 10**9  # bytes: the starter models and two decoders take about 0.7 GB
X86_MACHINES = frozenset({"x86_64", "AMD64"})
INSTRUCTION_SETS = ("avx2", "avx_vnni", "avx512f", "avx512_vnni")  # that int8 matrix products run on


@dataclass(frozen=True, slots=True)
class Check:
    """What one look found, and a sentence of advice where something can be done.

    "off" is what nobody set up or needs; only "failed" means that listening cannot work.
    """

    name: str
    state: State
    found: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class SettingValue:
    """A setting as it is used and what gives its value; keys are masked."""

    name: str
    value: str
    origin: str


def check_python() -> Check:
    """Name the interpreter and the platform."""
    return Check("python", "ok", f"{platform.python_version()} at {sys.executable}, {platform.platform()}")


def check_packages() -> Check:
    """See whether every package that this installation requires is there."""
    versions: dict[str, str | None] = {}
    for requirement in metadata.requires("tympan") or []:
        name, _, marker = requirement.partition(";")
        if "extra ==" in marker or ("sys_platform" in marker and sys.platform == "win32"):
            continue
        bare = re.split(r"[^\w.-]", name.strip())[0]
        versions[bare] = _version(bare)
    missing = sorted(name for name, version in versions.items() if version is None)
    if missing:
        return Check(
            "packages", "failed", f"missing: {', '.join(missing)}", "Install Tympan again: pip install --upgrade tympan"
        )
    return Check("packages", "ok", ", ".join(f"{name} {version}" for name, version in sorted(versions.items())))


def check_processor() -> Check:
    """See how many processors there are and whether they have the instructions that int8 runs fast on."""
    counts = f"{usable_processors()} of {os.cpu_count()} usable, {platform.machine()}"
    flags = _processor_flags()
    if platform.machine() not in X86_MACHINES or not flags:
        return Check("processor", "ok", counts)
    have = [name for name in INSTRUCTION_SETS if name in flags]
    found = f"{counts}, {', '.join(have) or 'none of ' + ', '.join(INSTRUCTION_SETS)}"
    if "avx2" not in flags:
        return Check("processor", "warning", found, "Without AVX2 speech is decoded several times slower.")
    return Check("processor", "ok", found)


def check_memory() -> Check:
    """See how much memory may be used."""
    available = _available_memory()
    if available is None:
        return Check("memory", "ok", "this platform does not tell what is available")
    found = f"{decimal(available)} available"
    if available < ENOUGH_MEMORY:
        return Check("memory", "warning", found, f"The starter models want about {decimal(ENOUGH_MEMORY)}.")
    return Check("memory", "ok", found)


def check_port(settings: Settings) -> Check:
    """See whether `tympan serve` could listen."""
    where = f"{settings.server.host}:{settings.server.port}"
    try:
        with bound_socket(settings.server):
            return Check("port", "ok", f"{where} is free")
    except CannotListen as error:
        return Check("port", "warning", str(error), "Give 'tympan serve' another --port, or end what listens there.")


def setting_values(settings: Settings) -> Iterator[SettingValue]:
    """Yield every setting with its value and its origin."""
    for name, origin in setting_origins().items():
        value: object = settings
        for part in name.split("."):
            value = getattr(value, part)
        if name == "server.api_keys":
            value = tuple(mask_key(key) for key in settings.server.api_keys)
        shown = ", ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)
        yield SettingValue(name, shown, origin)


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor_flags() -> frozenset[str]:
    try:
        text = CPUINFO.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return frozenset()
    found = re.search(r"^flags\s*:(.*)$", text, re.MULTILINE)
    return frozenset(found[1].split()) if found else frozenset()


def _available_memory() -> int | None:
    """Return bytes: what is available, or the container's limit where that is less."""
    try:
        found = re.search(r"^MemAvailable:\s*(\d+) kB", MEMINFO.read_text(encoding="utf-8"), re.MULTILINE)
    except OSError:
        return None
    if found is None:
        return None
    available = int(found[1]) * 1024
    try:
        return min(available, int(CGROUP_LIMIT.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return available
