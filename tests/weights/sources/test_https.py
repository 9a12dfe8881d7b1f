import threading
import time
from contextlib import closing

import pytest

from tympan.errors import Cancelled, SourceUnavailable
from tympan.weights.sources.https import HttpsSource
from tympan.weights.sources.ranged import RangedClient

DATA = bytes(range(256)) * 100
PATH = "/base/bundle/a%20b.bin"


@pytest.fixture
def file(make_file):
    return make_file("bundle/a b.bin", DATA)


@pytest.fixture
def client(cancellation):
    with closing(RangedClient("https", 20.0, cancellation)) as client:
        yield client


def read(source, file, offset=0):
    got = b""
    with source.open(file, offset) as stream:
        for chunk in stream.chunks:
            got += chunk
    return stream.start, got


def test_the_whole_file(server, client, file):
    server.files[PATH] = DATA
    assert read(HttpsSource(f"{server.url}/base/", client), file) == (0, DATA)
    assert server.requests == [(PATH, None)]
    assert server.headers[0]["Accept-Encoding"] == "identity"


def test_the_rest_of_a_file(server, client, file):
    server.files[PATH] = DATA
    assert read(HttpsSource(f"{server.url}/base", client), file, 1234) == (1234, DATA[1234:])
    assert server.requests == [(PATH, "bytes=1234-")]


def test_a_server_that_ignores_range_sends_everything(server, client, file):
    server.files[PATH] = DATA
    server.knows_range = False
    assert read(HttpsSource(f"{server.url}/base", client), file, 1234) == (0, DATA)


def test_a_range_that_begins_elsewhere_is_refused(server, client, file):
    server.files[PATH] = DATA
    server.shift_range = 1
    with pytest.raises(SourceUnavailable, match="another range"):
        read(HttpsSource(f"{server.url}/base", client), file, 1234)


def test_redirects_are_followed_with_the_range(server, client, file):
    server.redirect[PATH] = "/elsewhere"
    server.files["/elsewhere"] = DATA
    assert read(HttpsSource(f"{server.url}/base", client), file, 5) == (5, DATA[5:])


def test_a_status_is_a_reason(server, client, file):
    with pytest.raises(SourceUnavailable, match=r"https: 127\.0\.0\.1 answered HTTP 404 Not Found"):
        read(HttpsSource(server.url, client), file)
    server.files[PATH] = DATA
    with pytest.raises(SourceUnavailable, match="HTTP 416"):
        read(HttpsSource(f"{server.url}/base", client), file, len(DATA) + 1)


def test_a_body_that_is_cut_is_a_reason(server, client, file):
    server.files[PATH] = DATA
    server.cut_after = 5000
    with pytest.raises(SourceUnavailable, match=r"127\.0\.0\.1: peer closed connection"):
        read(HttpsSource(f"{server.url}/base", client), file)


def test_a_server_that_falls_silent_is_given_up(server, file, cancellation):
    server.files[PATH] = DATA
    server.stall_after = 5000
    with closing(RangedClient("https", 0.3, cancellation)) as client:
        begun = time.monotonic()
        with pytest.raises(SourceUnavailable, match="timed out"):
            read(HttpsSource(f"{server.url}/base", client), file)
        assert time.monotonic() - begun < 5


def test_cancelling_wakes_a_read_that_waits(server, client, file, cancellation):
    server.files[PATH] = DATA
    server.stall_after = 5000
    threading.Timer(0.2, cancellation.cancel).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        read(HttpsSource(f"{server.url}/base", client), file)
    assert time.monotonic() - begun < 10


def test_a_host_that_cannot_be_reached_is_asked_once(unreachable, client, file):
    source = HttpsSource(unreachable, client)
    with pytest.raises(SourceUnavailable, match=r"127\.0\.0\.1: .*refused") as first:
        read(source, file)
    with pytest.raises(SourceUnavailable) as second:
        read(source, file)
    assert second.value.reason == first.value.reason
    assert second.value.__cause__ is None  # no second try to connect


@pytest.mark.parametrize("base", ["models.example.org", "ftp://models.example.org", "http://[oops"])
def test_a_base_that_is_no_url_is_a_reason(client, file, base):
    with pytest.raises(SourceUnavailable, match="https: "):
        read(HttpsSource(base, client), file)
