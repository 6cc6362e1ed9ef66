"""How often one network address may try something, kept in this process."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable

from core.errors import RateLimited


class Turnstile:
    """Lets an address through `most` times in each window of `seconds`. `now` is in seconds, from any zero."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._now = now
        self._since = now()
        self._passed: dict[str, int] = {}

    def check(self, address: str) -> None:
        """Count one try. Raises `RateLimited` with the seconds until the window is over."""
        now = self._now()
        if now - self._since >= self._seconds:
            self._since = now
            self._passed.clear()  # nothing is remembered longer than a window, however many come
        who = network(address)
        self._passed[who] = self._passed.get(who, 0) + 1
        if self._passed[who] > self._most:
            left = self._since + self._seconds - now
            raise RateLimited("There were too many tries from where you are. Please wait some minutes.", left)


class Lately:
    """Lets whatever has a name through `most` times in any `seconds`, wherever they begin: what a window that all share
    lets through at its end and at the next one's beginning is twice that. `now` is in seconds, from any zero."""

    def __init__(self, most: int, seconds: float, now: Callable[[], float]) -> None:
        self._most = most
        self._seconds = seconds
        self._now = now
        self._swept = now()
        self._passed: dict[str, tuple[float, ...]] = {}

    def passes(self, name: str) -> bool:
        """Count one try, if it may pass."""
        now = self._now()
        if now - self._swept >= self._seconds:
            self._swept = now
            self._passed = {one: self._lately(one, now) for one in self._passed if self._lately(one, now)}
        before = self._lately(name, now)
        if len(before) >= self._most:
            return False
        self._passed[name] = (*before, now)
        return True

    def _lately(self, name: str, now: float) -> tuple[float, ...]:
        return tuple(one for one in self._passed.get(name, ()) if now - one < self._seconds)


def network(address: str) -> str:
    """The address itself, or the network of an IPv6 one: a single customer has 2^64 of those."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return str(parsed)
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed.packed, 64), strict=False))
