"""An engine that does what its items say: answers, waits, fails, or ends its process. Runs in a real child."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


class Faulty:
    """Items are (what, value). `log` is a file to which each batch is written, so that a test sees what ran."""

    def __init__(self, log: str = "", fail_to_load: str = "", probe: Any = ("echo", "probe")) -> None:
        if fail_to_load == "exit":
            os._exit(7)
        if fail_to_load:
            raise ValueError(fail_to_load)
        self._log = log
        self._probe = probe

    def run(self, batch: Sequence[Any]) -> list[Any]:
        if self._log:
            with Path(self._log).open("a", encoding="utf-8") as log:
                log.write(" ".join(str(value) for _, value in batch) + "\n")
        return [self._one(what, value) for what, value in batch]

    def probe(self) -> Any:
        return self._probe

    def _one(self, what: str, value: Any) -> Any:
        if what == "exit":
            os._exit(3)
        if what == "exit-once":
            marker = Path(value)
            if not marker.exists():
                marker.touch()
                os._exit(3)
        if what == "raise":
            raise RuntimeError(value)
        if what == "sleep":
            time.sleep(value)
        if what == "lambda":
            return lambda: value  # cannot be pickled
        if what == "unreadable":
            return Unreadable()
        return (os.getpid(), value)


class Unreadable:
    """Pickles, but cannot be read again."""

    def __reduce__(self) -> tuple[Any, tuple[()]]:
        return _refuse, ()


def _refuse() -> None:
    raise ImportError("not here")


class WrongCount:
    """Gives one result too few."""

    def run(self, batch: Sequence[Any]) -> list[Any]:
        return list(batch)[1:] if len(batch) > 1 or batch[0] != "probe" else list(batch)

    def probe(self) -> Any:
        return "probe"
