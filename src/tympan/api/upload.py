"""From a request's body to its fields and its audio, whatever shape the client sends them in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tympan.api.body import MIB, Body
from tympan.api.facts import facts_of
from tympan.api.form import Fields
from tympan.api.json_body import read_json
from tympan.api.multipart import FILE, read_form
from tympan.api.spool import Spool
from tympan.errors import EmptyAudio, MalformedBody, MissingParameter

if TYPE_CHECKING:
    from collections.abc import Container

    from starlette.requests import Request

    from tympan.api.services import Services

ABRIDGED = frozenset({"known_speaker_references"})  # audio in a text field, of which the presence is all we need


def open_spool(services: Services) -> Spool:
    """Return an empty spool with the operator's bounds."""
    return Spool(int(services.server.spool_mib * MIB), services.server.spool_dir, services.side)


async def read_upload(request: Request, services: Services, spool: Spool, known: Container[str]) -> Fields:
    """Read the whole body: its audio goes to `spool`, its `known` fields are returned.

    Takes multipart/form-data with a `file`, and JSON with an `input_audio`. Raises a `RequestError`, `EmptyAudio`,
    `BodyTooLarge` and `Cancelled`.
    """
    body = Body(request.headers, request.receive, limit=services.server.max_body_mib * MIB)
    content_type = request.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    try:
        if kind == "multipart/form-data":
            fields = Fields(await read_form(body, content_type, spool, abridged=ABRIDGED), known)
        elif kind == "application/json":
            members, audio = await read_json(body, services.side)
            fields = Fields.from_json(members, known)
            await spool.write(audio)
        elif kind == "application/x-www-form-urlencoded":
            raise MissingParameter(FILE, hint="An urlencoded form cannot carry one; send multipart/form-data.")
        else:
            raise MalformedBody(f"its content type is '{kind[:60]}'; send multipart/form-data with a '{FILE}'")
    finally:
        facts_of(request.scope).bytes_in = body.size
    if spool.size == 0:
        raise EmptyAudio
    return fields
