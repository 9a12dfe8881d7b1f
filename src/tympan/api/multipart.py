"""`multipart/form-data` read as it comes: text fields in memory, the file to a spool.

The parts may come in any order, without a Content-Length and without content types of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from tympan.errors import MalformedBody, MissingParameter

if TYPE_CHECKING:
    from collections.abc import Container

    from tympan.api.body import Body
    from tympan.api.spool import Spool

FILE = "file"  # the name of the part that holds the audio
MAX_PARTS = 512  # hundreds of keywords are plausible, thousands of fields are not
MAX_FIELD_BYTES = 64 * 1024  # a prompt of which Whisper reads 224 tokens
MAX_FIELDS_BYTES = 512 * 1024  # all text fields together
MAX_HEADERS = 8  # of one part; clients send at most three
MAX_HEADER_BYTES = 4096  # of one header line: room for a long file name
ABRIDGED_BYTES = 64  # what is kept of a field whose presence is all that matters


class FormReader:
    """Takes the body piece by piece; gives the bytes of the file part and collects the text fields.

    Of the fields named in `abridged` only the beginning is kept. Parts with a file name, other than `file`, are
    passed over, as unknown fields are. Raises `MalformedBody`.
    """

    def __init__(self, boundary: bytes, *, abridged: Container[str] = ()) -> None:
        self.fields: list[tuple[str, str]] = []
        self.has_file = False
        self._abridged = abridged
        self._parts = 0
        self._text_bytes = 0
        self._ended = False
        self._file: list[bytes] = []
        self._begin_part()
        try:
            self._parser = MultipartParser(
                boundary,
                {
                    "on_part_begin": self._begin_part,
                    "on_header_field": self._add_header_name,
                    "on_header_value": self._add_header_value,
                    "on_header_end": self._end_header,
                    "on_headers_finished": self._end_headers,
                    "on_part_data": self._add_data,
                    "on_part_end": self._end_part,
                    "on_end": self._end,
                },
                max_header_count=MAX_HEADERS,
                max_header_size=MAX_HEADER_BYTES,
            )
        except FormParserError as error:
            raise MalformedBody(str(error)) from error

    def feed(self, piece: bytes) -> bytes:
        """Take the next piece of the body; return what it held of the file."""
        if not self._ended:  # what follows the last boundary means nothing
            try:
                self._parser.write(piece)
            except FormParserError as error:
                raise MalformedBody(f"it is no well-formed multipart form ({error})") from error
        found = b"".join(self._file)
        self._file.clear()
        return found

    def finish(self) -> None:
        """Check that the form is complete."""
        if not self._ended:
            raise MalformedBody("it ends before the last boundary of the form")

    def _begin_part(self) -> None:
        self._name = ""
        self._takes_file = False
        self._passed_over = False
        self._text = bytearray()
        self._header_name = b""
        self._header_value = b""
        self._disposition = b""

    def _add_header_name(self, data: bytes, start: int, end: int) -> None:
        self._header_name += data[start:end]

    def _add_header_value(self, data: bytes, start: int, end: int) -> None:
        self._header_value += data[start:end]

    def _end_header(self) -> None:
        if self._header_name.lower() == b"content-disposition":
            self._disposition = self._header_value
        self._header_name = self._header_value = b""

    def _end_headers(self) -> None:
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise MalformedBody(f"it has more than {MAX_PARTS} parts")
        kind, options = parse_options_header(self._disposition.decode("latin-1"))
        if kind != b"form-data" or b"name" not in options:
            raise MalformedBody("a part of the form has no name")
        self._name = options[b"name"].decode("utf-8", "replace")
        self._takes_file = self._name == FILE
        self._passed_over = b"filename" in options
        if self._takes_file:
            if self.has_file:
                raise MalformedBody("it holds two files; send one request for each")
            self.has_file = True

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        if self._takes_file:
            self._file.append(data[start:end])
        elif self._passed_over:
            return
        elif self._name.partition("[")[0] in self._abridged:
            self._text += data[start : min(end, start + ABRIDGED_BYTES - len(self._text))]
        else:
            self._text += data[start:end]
            self._text_bytes += end - start
            if len(self._text) > MAX_FIELD_BYTES:
                raise MalformedBody(f"field '{self._name[:40]}' is longer than {MAX_FIELD_BYTES} bytes")
            if self._text_bytes > MAX_FIELDS_BYTES:
                raise MalformedBody(f"its text fields are longer than {MAX_FIELDS_BYTES} bytes")

    def _end_part(self) -> None:
        if self._takes_file or self._passed_over:
            return
        try:
            self.fields.append((self._name, self._text.decode()))
        except UnicodeDecodeError:
            raise MalformedBody(f"field '{self._name[:40]}' is not UTF-8") from None

    def _end(self) -> None:
        self._ended = True


async def read_form(
    body: Body, content_type: str, spool: Spool, *, abridged: Container[str] = ()
) -> list[tuple[str, str]]:
    """Read a whole form: the file goes to `spool`, the text fields are returned in order.

    Raises `MalformedBody`, `MissingParameter` when there is no file, and what `body` raises.
    """
    _, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if not boundary:
        raise MalformedBody("the content type multipart/form-data names no boundary")
    reader = FormReader(boundary, abridged=abridged)
    async for piece in body:
        found = reader.feed(piece)
        if found:
            await spool.write(found)
    reader.finish()
    if not reader.has_file:
        raise MissingParameter(FILE)
    return reader.fields
