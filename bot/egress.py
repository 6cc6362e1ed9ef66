"""Requests to addresses that programs name: only where they may go, never longer than a deadline.

The address that was checked is the address that is connected to, so a name cannot be rebound in between. Plain http
and private networks are for the networks an operator allowed; everything else must be public and https.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import requests
from AntiSSRF import AntiSSRFError, AntiSSRFPolicy, PolicyConfigOptions
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.util import parse_url

from bot.shapes import Network

NotAllowed = AntiSSRFError
"""Raised by a request to where it may not go."""

ALSO_DENIED = ("::/96",)
"""IPv4 written as IPv6 in the way that was given up (RFC 4291, 2.5.5.1): the package's own list lacks it."""


class _Running(threading.local):
    """The connections of the request that this thread makes, so that another thread can cut them."""

    held: list[socket.socket] | None = None


_running = _Running()


def _hold(connected: socket.socket) -> socket.socket:
    # A copy of the descriptor, because TLS takes the original over.
    if _running.held is not None:
        _running.held.append(connected.dup())
    return connected


def _say_port(headers: Mapping[str, str] | None, port: int | None, usual: int) -> dict[str, str]:
    """The headers with the port and the brackets in `Host`; the package writes the bare name."""
    said = dict(headers or {})
    name = said.get("Host", "")
    host = f"[{name}]" if ":" in name else name
    return said | {"Host": host if port in (None, usual) else f"{host}:{port}"}


class _Http(HTTPConnection):
    """Can be cut, and says in `Host` where it goes."""

    def _new_conn(self) -> socket.socket:
        return _hold(super()._new_conn())

    def request(
        self,
        method: str,
        url: str,
        body: Any = None,
        headers: Any = None,
        **options: Any,
    ) -> None:
        super().request(method, url, body, _say_port(headers, self.port, 80), **options)


class _Https(HTTPSConnection):
    """The same over TLS."""

    def _new_conn(self) -> socket.socket:
        return _hold(super()._new_conn())

    def request(
        self,
        method: str,
        url: str,
        body: Any = None,
        headers: Any = None,
        **options: Any,
    ) -> None:
        super().request(method, url, body, _say_port(headers, self.port, 443), **options)


class _HttpPool(HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(HTTPSConnectionPool):
    ConnectionCls = _Https


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Cut every connection that this thread opens inside the block once the time is over."""
    held: list[socket.socket] = []

    def cut() -> None:
        for connection in held:
            with suppress(OSError):  # it ended by itself
                connection.shutdown(socket.SHUT_RDWR)

    watchdog = threading.Timer(seconds, cut)
    watchdog.daemon = True
    _running.held = held
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()
        _running.held = None
        for connection in held:
            connection.close()


def session_for(url: str, allowed: Sequence[Network]) -> requests.Session:
    """A session for requests to `url`. It reads nothing from the environment: no proxy, no stored passwords."""
    plain = parse_url(url).scheme == "http"
    policy = AntiSSRFPolicy(PolicyConfigOptions.INTERNAL_ONLY if plain else PolicyConfigOptions.EXTERNAL_ONLY_LATEST)
    policy.add_xff_header = False
    policy.allow_plain_text_http = plain
    if not plain:
        policy.add_denied_addresses(list(ALSO_DENIED))
    if allowed:
        policy.add_allowed_addresses([str(network) for network in allowed])
    session: requests.Session = policy.get_antissrf_session()
    session.trust_env = False
    for adapter in session.adapters.values():
        if isinstance(adapter, HTTPAdapter):
            adapter.poolmanager.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return session
