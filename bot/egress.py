"""Requests to addresses that programs name: only where they may go, never longer than a deadline.

The address that was checked is the address that is connected to, so a name cannot be rebound in between. Plain http
and private networks are for the networks an operator allowed; everything else must be public and https.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
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

_MAPPED = ipaddress.IPv6Network("::ffff:0:0/96")
"""How the package writes every IPv4 address; those have rows of their own."""
ALSO_DENIED = tuple(
    str(one)
    for one in (
        *ipaddress.IPv6Network("::/3").address_exclude(_MAPPED),
        ipaddress.IPv6Network("4000::/2"),
        ipaddress.IPv6Network("8000::/1"),
    )
)
"""Everything but 2000::/3, of which alone addresses are given out to anybody (RFC 4291, 2.4): what lies outside is
IPv4 in another spelling, or leads somewhere only inside a network. The package's own list names some of it."""


class _Running(threading.local):
    """The connections of the request that this thread makes, so that another thread can cut them, and whether its time
    is over."""

    held: list[socket.socket] | None = None
    over: threading.Event | None = None


_running = _Running()


def _hold(connected: socket.socket) -> socket.socket:
    # A copy of the descriptor, because TLS takes the original over.
    if _running.held is not None:
        _running.held.append(connected.dup())
    if _running.over is not None and _running.over.is_set():
        # A name that took too long to be looked up: whoever cuts has been here already.
        connected.close()
        raise TimeoutError("the time is over")
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
    """Cut every connection that this thread opens inside the block once the time is over; none is opened after that."""
    held: list[socket.socket] = []
    over = threading.Event()

    def cut() -> None:
        over.set()
        for connection in held:
            with suppress(OSError):  # it ended by itself
                connection.shutdown(socket.SHUT_RDWR)

    watchdog = threading.Timer(seconds, cut)
    watchdog.daemon = True
    _running.held, _running.over = held, over
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()
        _running.held = _running.over = None
        for connection in held:
            connection.close()


@lru_cache
def _policy(allowed: tuple[Network, ...], *, plain: bool) -> AntiSSRFPolicy:
    """Where requests may go. Once a session was made of it, it never changes."""
    policy = AntiSSRFPolicy(PolicyConfigOptions.INTERNAL_ONLY if plain else PolicyConfigOptions.EXTERNAL_ONLY_LATEST)
    policy.add_xff_header = False
    policy.allow_plain_text_http = plain
    if not plain:
        policy.add_denied_addresses(list(ALSO_DENIED))
    if allowed:
        policy.add_allowed_addresses([str(network) for network in allowed])
    return policy


def session_for(url: str, allowed: Sequence[Network]) -> requests.Session:
    """A session for requests to `url`. It reads nothing from the environment: no proxy, no stored passwords."""
    policy = _policy(tuple(allowed), plain=parse_url(url).scheme == "http")
    session: requests.Session = policy.get_antissrf_session()
    session.trust_env = False
    for adapter in session.adapters.values():
        if isinstance(adapter, HTTPAdapter):
            adapter.poolmanager.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return session
