"""Looking up keys in a checkpoint's JSON files: the first name that is there counts, whatever its value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tympan.errors import CheckpointRefused, PolicyRefused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

MODEL_FILE = "config.json"
PROCESSOR_FILES = ("processor_config.json", "preprocessor_config.json")
MAX_CONFIG_BYTES = 16 * 2**20  # of one file; real ones have a few kB

Json = dict[str, Any]


class Found(NamedTuple):
    """A key's value and where it stands."""

    file: str
    key: str
    value: object

    @property
    def shown(self) -> str:
        """The value as JSON, shortened."""
        text = json.dumps(self.value)
        return text if len(text) <= 60 else text[:57] + "..."  # noqa: PLR2004  (a sentence, not a dump)


@dataclass(frozen=True, slots=True)
class Root:
    """One file's top level."""

    file: str
    values: Mapping[str, Any]


class Keys:
    """The files of a checkpoint in the order in which they are searched; remembers what was found."""

    def __init__(self, roots: Sequence[Root]) -> None:
        self._roots = tuple(roots)
        self._found: dict[str, None] = {}

    @property
    def found(self) -> tuple[str, ...]:
        """The keys that were looked for and there, as "file: key"."""
        return tuple(self._found)

    def processor_only(self) -> Keys:
        """Return the files of the processor alone, for names that mean something else in the model's."""
        return Keys([root for root in self._roots if root.file in PROCESSOR_FILES])

    def find(self, names: Sequence[str]) -> Found | None:
        """Return the first of these dotted names that is there: file by file, in each name by name."""
        for root in self._roots:
            for name in names:
                place: Any = root.values
                for part in name.split("."):
                    if not isinstance(place, dict) or part not in place:
                        break
                    place = place[part]
                else:
                    self._found[f"{root.file}: {name}"] = None
                    return Found(root.file, name, place)
        return None

    def find_in(self, file: str, name: str) -> object:
        """Return the value of a top-level name in one file, or None; it does not count as found."""
        return next((root.values.get(name) for root in self._roots if root.file == file), None)

    def integer(self, names: Sequence[str], *, at_least: int = 1, at_most: int) -> int | None:
        """Return a whole number within bounds, or None when no name is there. Raises `PolicyRefused`."""
        found = self.find(names)
        if found is None:
            return None
        value = found.value
        if not isinstance(value, int) or isinstance(value, bool) or not at_least <= value <= at_most:
            raise PolicyRefused(found.file, found.key, found.shown, f"a whole number from {at_least} to {at_most}")
        return value


def read_keys(folder: Path) -> Keys:
    """Read the processor's files, those that are there, then the model's. Raises `CheckpointRefused`."""
    roots = [Root(name, _read(folder / name)) for name in PROCESSOR_FILES if (folder / name).exists()]
    return Keys([*roots, Root(MODEL_FILE, _read(folder / MODEL_FILE))])


def _read(path: Path) -> Json:
    try:
        with path.open("rb") as file:
            text = file.read(MAX_CONFIG_BYTES + 1)
        if len(text) > MAX_CONFIG_BYTES:
            raise CheckpointRefused(str(path), f"larger than the {MAX_CONFIG_BYTES} bytes of any configuration")
        values = json.loads(text)
    except OSError as error:
        raise CheckpointRefused(str(path), error.strerror or "cannot be read") from error
    except (ValueError, RecursionError) as error:
        raise CheckpointRefused(str(path), f"no JSON: {error}") from error
    if not isinstance(values, dict):
        raise CheckpointRefused(str(path), "its top level is no object")
    return values
