"""What every page says to browsers, and what every form must prove before it is read.

A form is taken only from our own pages: the browser says so (`Sec-Fetch-Site`, `Origin`), and a token made for that
session or browser says so again. Nothing in an address confers anything, so addresses are not signed: a change of
host, path or key breaks no link.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import FormData
from starlette.formparsers import FormParser, MultiPartException, MultiPartParser
from starlette.requests import Request

from bot.web.bodies import DRAINED, LARGEST
from core.errors import Forbidden, Invalid, TooLarge


def policy(*, scripts: bool = False, leaves: bool = False, to: Iterable[str] = (), framed_by: str = "'none'") -> str:
    """What a page may load and send. `scripts`: our own, which talk to this service alone. `leaves`: a form of it is
    answered by sending the browser on to another site, which some browsers take for sending the form there; `to` are
    such sites that are no https. `framed_by` is the one site that may show it in a frame."""
    parts = (
        "default-src 'none'",
        *(("script-src 'self'", "connect-src 'self'") if scripts else ()),
        "style-src 'self'",
        "img-src 'self'",
        " ".join(("form-action 'self'", *(("https:", *to) if leaves else ()))),
        "base-uri 'none'",
        f"frame-ancestors {framed_by}",
    )
    return "; ".join(parts)


def plain(site: str) -> str:
    """The origin of a site that is reached by plain http: a stand-in, or one in the operator's own network."""
    parts = urlsplit(site)
    return f"http://{parts.netloc}" if parts.scheme == "http" else ""


HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": policy(),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: with that, browsers send `Origin: null` with our own forms, and where the service is reached by
    # plain http there is no `Sec-Fetch-Site` to tell them from others'. To other sites this one sends nothing either.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}
MOST_FIELDS: Final = 10_000
"""64 questions with 128 ticks each are 8,192."""
HOME: Final = "/inbox"
_LOCAL: Final = re.compile(r"/[A-Za-z0-9._~=&?%+/-]{0,1000}")

ELSEWHERE = "This form was not sent from a page of this service, so nothing was done."

Posted = Mapping[str, tuple[str, ...]]


class Guard:
    """Knows this service's own origin and signs its forms. `key` is the secret for that and nothing else."""

    def __init__(self, base_url: str, key: bytes) -> None:
        parts = urlsplit(base_url)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._key = key
        self.secure = parts.scheme == "https"
        self.host = parts.netloc
        self.prefix = parts.path.rstrip("/")

    def check_origin(self, request: Request) -> None:
        """Raise `Forbidden` unless the browser says that one of our own pages sent this."""
        site = request.headers.get("sec-fetch-site")
        if site is not None:
            if site in ("same-origin", "none"):
                return
        elif self._is_own(request.headers.get("origin", ""), request.headers.get("host", "")):
            return
        raise Forbidden(ELSEWHERE)

    def _is_own(self, origin: str, host: str) -> bool:
        """An older browser, or one that came by plain http, only says `Origin`."""
        return origin == self._origin or (host != "" and origin.partition("://")[2] == host)

    def sign(self, purpose: str, secret: str) -> str:
        """A token that only this service can make, of a secret that only one browser or session has."""
        return hmac.digest(self._key, f"{purpose}\0{secret}".encode(), "sha256").hex()

    def is_signed(self, token: str, purpose: str, secret: str) -> bool:
        """Whether a token is the one for this secret, found out in constant time."""
        return hmac.compare_digest(token.encode(), self.sign(purpose, secret).encode())


def hashed(secret: str) -> str:
    """What is stored of a random token."""
    return hashlib.sha256(secret.encode()).hexdigest()


def local_path(text: str) -> str:
    """A path of this service to go to next; anything that could lead elsewhere becomes the inbox."""
    return text if _LOCAL.fullmatch(text) and "//" not in text else HOME


async def read_posted(request: Request) -> Posted:
    """The fields of a posted form, in order. Raises `TooLarge`, or `Invalid` for what is no form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("application/x-www-form-urlencoded", "multipart/form-data"):
        raise Unsupported.at("", "send the form as a browser does")
    body = await _read(request)
    try:
        form = await _parse(request, kind, body)
    except (MultiPartException, ValueError, LookupError):
        raise Unreadable.at("", "the form arrived damaged; send it again") from None
    posted: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            posted.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in posted.items()}


class Unreadable(Invalid):
    """No form at all (400)."""


class Unsupported(Invalid):
    """Another content type than forms have (415)."""


async def _read(request: Request) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= LARGEST:
            chunks.append(chunk)
        elif size > DRAINED:
            break
    if size > LARGEST:
        raise TooLarge(f"A form may have at most {LARGEST // 1_000_000} MB, so this one was not read.")
    return b"".join(chunks)


async def _parse(request: Request, kind: str, body: bytes) -> FormData:
    async def whole() -> AsyncGenerator[bytes, None]:
        yield body
        yield b""

    if kind == "multipart/form-data":
        return await MultiPartParser(request.headers, whole(), max_files=0, max_fields=MOST_FIELDS).parse()
    return await FormParser(request.headers, whole(), max_fields=MOST_FIELDS).parse()
