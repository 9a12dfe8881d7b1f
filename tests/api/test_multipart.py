"""The form reader does not depend on how the body is cut."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.api.standins import BOUNDARY, form

from tympan.api.multipart import FormReader

TRICKY = f"\r\n--{BOUNDARY[:-1]}\r\n--\r\r\n--".encode()


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=60), st.lists(st.integers(0, 400), max_size=8), st.text(max_size=20), st.binary(max_size=5))
def test_any_cut_gives_the_same(data: bytes, cuts: list[int], text: str, epilogue: bytes):
    file = data + TRICKY + data
    body = form(("prompt", text), ("file", "a.wav", file), ("model", "m")) + epilogue
    places = [0, *sorted(min(cut, len(body)) for cut in cuts), len(body)]
    reader = FormReader(BOUNDARY.encode())
    found = b"".join(reader.feed(body[begin:end]) for begin, end in pairwise(places))
    reader.finish()
    assert found == file
    assert reader.fields == [("prompt", text), ("model", "m")]
    assert reader.has_file
