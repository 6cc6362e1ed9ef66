"""Which addresses may be links: `https` ones that name a host and hide nothing."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from markdown_it.common.normalize_url import normalizeLink

LONGEST: Final = 2_000  # below Slack's 3,000 for any url, and what browsers agree on

_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_PRINTABLE: Final = re.compile(r"https://[A-Za-z0-9\[][!#-;=?-\[\]_a-z~]*")
_NAMES_HOST: Final = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://(?P<with_scheme>[^/?#\s]*)|(?P<bare>(?:[a-z0-9-]+\.)+(?:com|edu|gov|mil|net|org)|www\.[^/?#\s]+)(?=[/?#:]|$))",
    re.IGNORECASE,
)


def has_scheme(address: str) -> bool:
    """Whether an address says how it is reached; `docs/a.md` and `#top` do not."""
    return _SCHEME.match(address) is not None


def link_address(address: str) -> str | None:
    """Return the address, percent-encoded, if it may be a link, else None.

    It may when it is `https`, names a host, and carries no user name: `https://bank.example@evil.example` reads as
    one place and opens another.
    """
    if address[:8].lower() != "https://":
        return None
    with suppress(ValueError):  # a host in broken brackets, or a port that is no number
        encoded = "https" + normalizeLink(address)[5:]
        parts = urlsplit(encoded)
        named = parts.hostname and "@" not in parts.netloc and parts.port != 0
        if named and len(encoded) <= LONGEST and _PRINTABLE.fullmatch(encoded):
            return encoded
    return None


def misleads(label: str, href: str) -> bool:
    """Whether a label reads as the address of another host than the one it opens."""
    found = _NAMES_HOST.match(label.strip())
    if found is None:
        return False
    named = (found["with_scheme"] or found["bare"] or "").lower().removeprefix("www.")
    return named != urlsplit(href).netloc.lower().removeprefix("www.")
