"""Errors of the service: the request may be fine, it could not be served."""

from __future__ import annotations

from tympan.errors.base import TympanError


class ServiceError(TympanError):
    """The request may be fine; the service could not serve it."""

    type = "server_error"


class Busy(ServiceError):
    """A bounded queue is full."""

    status = 429
    type = "requests"
    default_code = "rate_limit_exceeded"
    retry = True

    def __init__(self, what: str, retry_after_s: float) -> None:
        self._retry_after_s = max(1, round(retry_after_s))
        super().__init__(f"The {what} is full. Try again in {self._retry_after_s} s.")

    @property
    def retry_after_s(self) -> int:
        """At least one second."""
        return self._retry_after_s


class NotReady(ServiceError):
    """Models are still missing or loading."""

    status = 503
    default_code = "not_ready"
    retry = True

    def __init__(self, what: str) -> None:
        super().__init__(f"The service is not ready: {what}.")

    @property
    def retry_after_s(self) -> int:
        """A model loads in seconds; a download takes longer, and says so itself."""
        return 5


class EngineCrashed(ServiceError):
    """The native runtime died twice on this very input."""

    default_code = "engine_crashed"

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(f"The {engine} engine could not process this audio: {reason}.")


class EngineFailed(ServiceError):
    """An engine raised an exception on this input."""

    default_code = "engine_failed"

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(f"The {engine} engine failed: {reason}.")


class EngineUnavailable(ServiceError):
    """An engine's process cannot be started."""

    status = 503
    default_code = "engine_unavailable"
    retry = True

    def __init__(self, engine: str, reason: str) -> None:
        super().__init__(f"The {engine} engine could not be started: {reason}.")

    @property
    def retry_after_s(self) -> int:
        """A start is tried again with each request."""
        return 5


class InternalError(ServiceError):
    """A fault of ours."""

    default_code = "internal_error"

    def __init__(self) -> None:
        super().__init__("The server had an error while processing your request.")
