"""Addresses in Telegram messages and buttons: which of them the server takes, in its wording."""

from __future__ import annotations

import ipaddress
import re
from typing import Final
from urllib.parse import parse_qs, urlsplit

_SCHEME: Final = re.compile(r"[A-Za-z0-9+.-]+(?=://)")
_HOST: Final = re.compile(r"[A-Za-z0-9._!$,~*'();&+=%\x80-\U0010ffff-]+")
_TG_HOST: Final = re.compile(r"[A-Za-z0-9_-]+")


def check_link(url: str, *, http_only: bool = False, https_only: bool = False) -> str | None:
    """Return what is wrong with `url`, or None.

    `https_only` is the rule of Mini App and login buttons. A missing scheme means http, as for the server.
    """
    scheme, rest = _split(url)
    if https_only and scheme != "https":
        return "Only HTTPS links are allowed"
    if scheme == "tg":
        if http_only:
            return "Only HTTP links are allowed"
        host = re.split(r"[/?#]", rest, maxsplit=1)[0]
        if not host:
            return "URL host is empty"
        return None if _TG_HOST.fullmatch(host) else "Unallowed characters in URL host"
    if scheme not in ("http", "https"):
        return "Unsupported URL protocol"
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    host, port = _host_and_port(authority)
    if port is not None and not (port.isdecimal() and 0 < int(port) <= 65_535):
        return "Wrong port number specified in the URL"
    if not host:
        return "URL host is empty"
    if host.startswith("["):
        return None if _ipv6(host) else "Wrong IPv6 address specified in the URL"
    if not _HOST.fullmatch(host):
        return "Disallowed character in URL host"
    return None if "." in host else "Wrong HTTP URL"


def is_local(url: str) -> bool:
    """Say whether `url` leads to the reader's own machine: localhost, loopback or the zero address."""
    scheme, rest = _split(url)
    if scheme == "tg":
        return False
    host = _host_and_port(re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2])[0].lower().rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    found = mapped or address
    return found.is_loopback or found.is_unspecified


def linked_user(url: str) -> int | None:
    """Return the user id of a `tg://user?id=` link, which the server turns into a mention."""
    if not url.lower().startswith("tg://user?"):
        return None
    identifier = parse_qs(urlsplit(url).query).get("id", [""])[0]
    return int(identifier) if identifier.isdecimal() and int(identifier) > 0 else None


def _split(url: str) -> tuple[str, str]:
    found = _SCHEME.match(url)
    if found:
        return found[0].lower(), url[found.end() + 3 :]
    if url.lower().startswith("tg:"):
        return "tg", url[3:]
    return "http", url


def _host_and_port(authority: str) -> tuple[str, str | None]:
    if authority.startswith("["):
        host, bracket, tail = authority.partition("]")
        return host + bracket, tail[1:] if tail.startswith(":") else None
    host, colon, port = authority.partition(":")
    return host, port if colon else None


def _ipv6(host: str) -> bool:
    try:
        ipaddress.IPv6Address(host.strip("[]"))
    except ValueError:
        return False
    return True
