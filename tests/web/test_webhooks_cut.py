"""Receivers of webhooks that would hold whoever sends them: all are cut in time."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.webhooks import Delivered, Failed, Result
from tests.web.receivers import dribbling, receiving
from tests.web.test_webhooks import LOOPBACK, send


@contextmanager
def never_ending() -> Iterator[threading.Event]:
    """What ends a receiver's answer: nothing does within a minute, so whoever was answered before has cut it."""
    stopped = threading.Event()
    giving_up = threading.Timer(60, stopped.set)
    giving_up.start()
    try:
        yield stopped
        assert not stopped.is_set(), "it was cut, and did not end by itself"
    finally:
        giving_up.cancel()
        stopped.set()


@pytest.mark.parametrize(
    ("prefix", "drop", "result"),
    [
        (b"HTTP/1.1 500 No\r\n", b"X-Slow: 1\r\n", Failed),  # headers that never end
        (b"HTTP/1.1 20", b"0", Failed),  # a status line that never ends
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n", b".", Delivered),  # the status is the answer
    ],
)
def test_a_receiver_that_never_finishes_is_cut_at_the_deadline(
    monkeypatch: pytest.MonkeyPatch, prefix: bytes, drop: bytes, result: type[Result]
) -> None:
    monkeypatch.setattr("bot.webhooks.DEADLINE_SECONDS", 0.3)
    with never_ending() as stopped, receiving(dribbling(prefix, drop, stopped)) as receiver:
        assert isinstance(send(receiver.url, LOOPBACK), result)


def test_a_name_that_is_found_too_late_leads_to_no_connection_that_nobody_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose name it is says how long the lookup takes, and then holds one of the threads for as long as it likes."""
    monkeypatch.setattr("bot.webhooks.DEADLINE_SECONDS", 0.2)
    over = threading.Event()
    found = socket.getaddrinfo

    def slow(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host == "agent.example":
            over.wait(0.4)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
        return found(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    with never_ending() as stopped, receiving(dribbling(b"HTTP/1.1 20", b"0", stopped)) as receiver:
        assert send(f"http://agent.example:{receiver.port}/", LOOPBACK) == Failed("no answer: ConnectionError")


def test_an_endless_body_is_not_read_to_its_end() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    with never_ending() as stopped, receiving(dribbling(head, b"x" * 65536, stopped)) as receiver:
        assert send(receiver.url, LOOPBACK) == Delivered(200)
