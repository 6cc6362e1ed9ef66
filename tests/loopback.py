"""The guard that keeps tests on this machine: to look up a name or reach an address elsewhere fails the test.

It hooks the interpreter's own audit events, so no library can slip past it by holding the original functions.
It sees this process only: a program that a test starts answers for itself.
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from typing import Any

# Names that never exist (RFC 2606, RFC 6761): looking one up is how a test asks for "no such host".
NEVER_EXIST = ("example", "invalid", "test", "example.com", "example.net", "example.org")

offences: list[str] = []
"""What tried to leave this machine since the last look; the code that tried was refused."""


def install() -> None:
    """Start guarding this process. Audit hooks stay until it ends."""
    sys.addaudithook(_audit)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.sendto"}:
        _check_address(event, arguments[1])
    elif event == "socket.getaddrinfo":
        _check_name(arguments[0])


def _check_address(event: str, address: Any) -> None:
    if not isinstance(address, tuple):
        return  # a Unix socket
    host = str(address[0])
    if not _is_local(host):
        offences.append(f"{event} {host}:{address[1]}")
        raise ConnectionRefusedError(f"tests may not reach {host}")


def _check_name(host: str | bytes | None) -> None:
    name = host.decode() if isinstance(host, bytes) else host or ""
    if _is_local(name) or _is_address(name):
        return  # an address is judged when it is connected to
    if not _is_or_is_under(name, NEVER_EXIST):
        offences.append(f"lookup of {name}")
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def _is_local(host: str) -> bool:
    if host == "" or _is_or_is_under(host, ("localhost",)):
        return True
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _is_or_is_under(host: str, names: tuple[str, ...]) -> bool:
    host = host.lower().rstrip(".")
    return any(host == name or host.endswith("." + name) for name in names)
