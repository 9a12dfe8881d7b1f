"""The root of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping


class TympanError(Exception):
    """The root. `str(error)` is one sentence for a person."""

    status: ClassVar[int] = 500
    type: ClassVar[str] = "invalid_request_error"
    default_code: ClassVar[str | None] = None
    default_param: ClassVar[str | None] = None
    retry: ClassVar[bool] = False  # can the same request succeed later?

    def __init__(self, message: str, *, code: str | None = None, param: str | None = None) -> None:
        super().__init__(message)
        self.code = code if code is not None else self.default_code
        self.param = param if param is not None else self.default_param

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as what it says and knows: a subclass's own arguments are gone once its sentence is written."""
        return _restore, (type(self), self.message), self.__dict__

    @property
    def message(self) -> str:
        """The sentence."""
        return str(self)

    @property
    def retry_after_s(self) -> int | None:
        """Seconds after which a retry may work, where that is known."""
        return None

    @property
    def extra(self) -> Mapping[str, object]:
        """Further top-level keys of the JSON body."""
        return {}


def _restore(kind: type[TympanError], message: str) -> TympanError:
    error = kind.__new__(kind, message)
    error.args = (message,)
    return error


class Cancelled(TympanError):
    """Nobody waits for the result any more."""

    status = 499  # never sent: the connection is gone
    default_code = "cancelled"

    def __init__(self) -> None:
        super().__init__("The request was cancelled.")
