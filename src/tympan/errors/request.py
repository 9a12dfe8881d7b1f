"""Errors of a request's fields and of its way here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.errors.base import TympanError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class RequestError(TympanError):
    """Something about the request itself."""

    status = 400


class MissingParameter(RequestError):
    """A required field is not there."""

    default_code = "missing_required_parameter"

    def __init__(self, param: str, *, hint: str = "") -> None:
        super().__init__(f"Missing required parameter: '{param}'.{hint and ' '}{hint}", param=param)


class InvalidValue(RequestError):
    """A field's value is not one of those it can have, or not of its kind."""

    default_code = "invalid_value"

    def __init__(self, param: str, value: object, *, expected: str) -> None:
        shown = repr(value)
        if len(shown) > 80:  # noqa: PLR2004  (a sentence, not a dump)
            shown = shown[:77] + "..."
        super().__init__(f"Invalid value for '{param}': {shown}. Expected {expected}.", param=param)


class UnsupportedValue(RequestError):
    """The value is known, but not here."""

    default_code = "unsupported_value"

    def __init__(self, param: str, value: object, *, why: str) -> None:
        super().__init__(f"Unsupported value for '{param}': {value!r}. {why}", param=param)


class ContradictoryFields(RequestError):
    """Two fields that cannot both be meant."""

    default_code = "invalid_value"

    def __init__(self, param: str, other: str, *, why: str) -> None:
        super().__init__(f"'{param}' contradicts '{other}': {why}", param=param)


class IncompatibleFormat(RequestError):
    """A response format that this model or request cannot give."""

    default_code = "unsupported_value"
    default_param = "response_format"

    def __init__(self, response_format: str, what: str, *, use: Sequence[str]) -> None:
        names = " or ".join(f"'{name}'" for name in use)
        super().__init__(f"response_format '{response_format}' is not compatible with {what}. Use {names} instead.")


class InvalidLanguage(RequestError):
    """A language that no recognizer here knows."""

    default_code = "invalid_language_format"
    default_param = "language"

    def __init__(self, language: str, *, param: str = "language") -> None:
        super().__init__(
            f"Invalid language '{language[:40]}'. Language parameter must be specified in ISO-639-1 format.",
            param=param,
        )


class MalformedBody(RequestError):
    """The body is not what its content type says."""

    default_code = "invalid_body"

    def __init__(self, reason: str) -> None:
        super().__init__(f"The request body could not be read: {reason}.")


class BodyTooLarge(TympanError):
    """The body is over the limit, by its header or by counted bytes."""

    status = 413
    type = "server_error"  # as OpenAI's service answers it

    def __init__(self, limit_bytes: int, read_bytes: int) -> None:
        super().__init__(f"413: Maximum content size limit ({limit_bytes}) exceeded ({read_bytes} bytes read)")

    @property
    def extra(self) -> Mapping[str, object]:
        """Nothing was transcribed, nothing is billed."""
        return {"usage": {"type": "duration", "seconds": 0}}


class InvalidApiKey(TympanError):
    """No key, or a wrong one."""

    status = 401
    default_code = "invalid_api_key"

    def __init__(self, key: str | None) -> None:
        if not key:
            super().__init__("You didn't provide an API key. Send it as 'Authorization: Bearer <key>'.")
        else:
            super().__init__(f"Incorrect API key provided: {mask_key(key)}.")

    @property
    def extra(self) -> Mapping[str, object]:
        """OpenAI's service repeats the status in the body of this one error."""
        return {"status": self.status}


class UnknownModel(TympanError):
    """No model and no alias has this id."""

    status = 404
    default_code = "model_not_found"  # with param null, as OpenAI's service answers it

    def __init__(self, model: str) -> None:
        super().__init__(f"The model `{model[:100]}` does not exist or you do not have access to it.")


class UnknownRoute(TympanError):
    """No route has this path."""

    status = 404

    def __init__(self, method: str, path: str) -> None:
        super().__init__(f"Invalid URL ({method} {path[:200]})")


class MethodNotAllowed(TympanError):
    """The route exists, with another method."""

    status = 405
    default_code = "method_not_allowed"

    def __init__(self, method: str, path: str) -> None:
        super().__init__(f"Not allowed to {method} on {path[:200]}")


def mask_key(key: str) -> str:
    """Return a key that can be shown: its first three and last four characters, if it is long enough."""
    shown = 4
    if len(key) < 4 * shown:
        return "*" * len(key[:12])
    return f"{key[:3]}{'*' * 8}{key[-shown:]}"
