"""An OpenID Connect provider that signs people in without asking: the stand-in for an operator's own, and the part of
Slack's that is the same.

It keeps to the protocol where a client could go wrong: codes work once, for their client, redirect address and
verifier, and tokens are signed with a key that it publishes.
"""

from __future__ import annotations

import base64
import contextlib
import functools
import hashlib
import hmac
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qsl, unquote, urlencode

from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bot.sandbox.clock import Clock
from bot.sandbox.serving import serving

Claims = dict[str, Any]
TOKEN_SECONDS = 300


@dataclass(frozen=True)
class Code:
    """What a code was given out for."""

    subject: str
    redirect: str
    nonce: str
    challenge: str


def _new_key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": secrets.token_hex(4), "use": "sig", "alg": "RS256"})


@functools.cache
def _first_key(client_id: str) -> RSAKey:  # noqa: ARG001  # one for each: providers share no key
    """Making one takes longer than everything else of signing in."""
    return _new_key()


@dataclass
class Signer:
    """Signs id tokens for one client. Of the next one, `spoil` changes the claims, `header` replaces parts of the
    header, `key` signs it, and `forge` makes another token of it, where a test wants it wrong."""

    issuer: str
    client_id: str
    clock: Clock
    spoil: Callable[[Claims], None] | None = None
    header: Mapping[str, str] = field(default_factory=dict)
    key: RSAKey | None = None
    forge: Callable[[str], str] | None = None

    @functools.cached_property
    def keys(self) -> list[RSAKey]:
        """What it signs with; the first is made when somebody signs in, and stays this client's in this process."""
        return [_first_key(self.client_id)]

    def rotate(self) -> None:
        """Sign with another key from now on; the one before is gone."""
        self.keys = [_new_key()]

    def document(self) -> Mapping[str, Any]:
        """The public keys."""
        return {"keys": [key.as_dict(private=False) for key in self.keys]}

    def sign(self, subject: str, nonce: str, more: Mapping[str, Any]) -> str:
        """An id token."""
        now = int(self.clock.wall())
        claims: Claims = {
            "iss": self.issuer,
            "sub": subject,
            "aud": self.client_id,
            "iat": now,
            "exp": now + TOKEN_SECONDS,
            **({"nonce": nonce} if nonce else {}),
            **more,
        }
        if self.spoil is not None:
            self.spoil(claims)
        header = {"alg": "RS256", "kid": str(self.keys[0].kid), **self.header}
        token = jwt.encode(header, claims, self.key or self.keys[0])
        forge, self.spoil, self.header, self.key, self.forge = self.forge, None, {}, None, None
        return forge(token) if forge is not None else token


class Codes:
    """Codes that work once."""

    def __init__(self) -> None:
        self._codes: dict[str, Code] = {}

    def give(self, code: Code) -> str:
        """A new code."""
        name = secrets.token_urlsafe(16)
        self._codes[name] = code
        return name

    def take(self, name: str, redirect: str, verifier: str) -> Code | None:
        """What it was given out for; None: it is not good."""
        code = self._codes.pop(name, None)
        if code is None or code.redirect != redirect:
            return None
        if code.challenge:
            digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
            if not hmac.compare_digest(digest, code.challenge):
                return None
        return code


def sent_back(redirect: str, **answer: str) -> Response:
    """The redirect that follows somebody's click."""
    return RedirectResponse(f"{redirect}?{urlencode(answer)}", 302)


class OpenIdProvider:
    """One provider with one client. `person` is the subject of whoever is signed in to it; empty: they refuse."""

    def __init__(self, *, client_id: str = "sayso", client_secret: str = "") -> None:
        self.client_id = client_id
        self.client_secret = client_secret or secrets.token_hex(16)
        self.person = "248289761001"
        self.redirects: set[str] = set()
        self.answers = True
        self.key_fetches = 0
        self.clock = Clock()
        self._codes = Codes()
        self.signer = Signer("", client_id, self.clock)
        self.app = Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._discover),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/keys", self._keys),
            ]
        )

    @property
    def issuer(self) -> str:
        """Where it is served."""
        return self.signer.issuer

    @contextlib.asynccontextmanager
    async def serve(self, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Self]:
        """Serve until the block ends."""
        async with serving(self.app, host, port) as listening:
            self.signer.issuer = listening.url
            yield self

    async def _discover(self, _: Request) -> Response:
        if not self.answers:
            return PlainTextResponse("down", 503)
        at = self.issuer
        return JSONResponse(
            {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "jwks_uri": f"{at}/keys",
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            }
        )

    async def _authorize(self, request: Request) -> Response:
        asked = request.query_params
        redirect, state = asked.get("redirect_uri", ""), asked.get("state", "")
        if asked.get("client_id") != self.client_id or (self.redirects and redirect not in self.redirects):
            return PlainTextResponse("unknown client or redirect address", 400)
        if asked.get("response_type") != "code" or "openid" not in asked.get("scope", "").split():
            return sent_back(redirect, error="invalid_request", state=state)
        if not self.person:
            return sent_back(redirect, error="access_denied", state=state)
        if not asked.get("code_challenge") or asked.get("code_challenge_method") != "S256":
            return sent_back(redirect, error="invalid_request", state=state)
        code = Code(self.person, redirect, asked.get("nonce", ""), asked["code_challenge"])
        return sent_back(redirect, code=self._codes.give(code), state=state)

    async def _token(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode()))
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        name, _, secret = base64.b64decode(given).decode().partition(":") if scheme == "Basic" else ("", "", "")
        if (unquote(name), unquote(secret)) != (self.client_id, self.client_secret):
            return JSONResponse({"error": "invalid_client"}, 401)
        code = self._codes.take(form.get("code", ""), form.get("redirect_uri", ""), form.get("code_verifier", ""))
        if code is None or form.get("grant_type") != "authorization_code":
            return JSONResponse({"error": "invalid_grant"}, 400)
        token = self.signer.sign(code.subject, code.nonce, {"email": "somebody.else@example.com"})
        return JSONResponse({"access_token": "unused", "token_type": "Bearer", "id_token": token})

    async def _keys(self, _: Request) -> Response:
        self.key_fetches += 1
        return JSONResponse(self.signer.document())
