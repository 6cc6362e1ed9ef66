"""Receivers of webhooks that would hold whoever sends them: all are cut in time."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from bot.webhooks import Delivered, Failed, Result
from tests.web.receivers import dribbling, receiving, took
from tests.web.test_webhooks import LOOPBACK, send


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
    stopped = threading.Event()
    with receiving(dribbling(prefix, drop, stopped)) as receiver:
        started = time.monotonic()
        assert isinstance(send(receiver.url, LOOPBACK), result)
        assert took(started) < 2
        stopped.set()


def test_a_name_that_is_found_too_late_leads_to_no_connection_that_nobody_cuts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose name it is says how long the lookup takes, and then holds one of the threads for as long as it likes."""
    monkeypatch.setattr("bot.webhooks.DEADLINE_SECONDS", 0.2)
    stopped, over = threading.Event(), threading.Event()
    found = socket.getaddrinfo

    def slow(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host == "agent.example":
            over.wait(0.4)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
        return found(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    with receiving(dribbling(b"HTTP/1.1 20", b"0", stopped)) as receiver:
        giving_up = threading.Timer(5, stopped.set)
        giving_up.start()
        assert send(f"http://agent.example:{receiver.port}/", LOOPBACK) == Failed("no answer: ConnectionError")
        assert not stopped.is_set(), "it was cut, and did not end by itself"
        giving_up.cancel()
        stopped.set()


def test_an_endless_body_is_not_read_to_its_end() -> None:
    stopped = threading.Event()
    endless = dribbling(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", b"x" * 65536, stopped)
    with receiving(endless) as receiver:
        started = time.monotonic()
        assert send(receiver.url, LOOPBACK) == Delivered(200)
        assert took(started) < 2
        stopped.set()
