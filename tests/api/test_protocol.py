"""Bounds on what comes before a request is one."""

import socket
from typing import Any

import pytest
from tests.api.standins import Service


def send_headers_forever(connection: socket.socket) -> None:
    for number in range(200_000):
        connection.sendall(f"X-{number}: {'a' * 100}\r\n".encode())


def test_an_endless_head_is_cut_off(service: Service):
    with service.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(OSError, match=r"(?i)reset|broken"):
            send_headers_forever(connection)


def test_endless_trailers_are_cut_off(service: Service):
    head = "POST /v1/audio/transcriptions HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
    with service.connect() as connection:
        connection.sendall(head.encode())
        with pytest.raises(OSError, match=r"(?i)reset|broken"):
            send_headers_forever(connection)


def test_a_head_that_never_ends_is_given_up(start: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tympan.api.protocol.HEAD_TIMEOUT_S", 0.2)
    service = start()
    for beginning in (b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost:"):
        with service.connect(5) as connection:
            connection.sendall(beginning)
            assert connection.recv(100) == b""
