"""One visit to a provider: the address that somebody is sent to, and who they are once they are back."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import structlog

from bot.openid.fetching import Fetcher, Unanswered
from bot.openid.keys import KeyRing
from bot.openid.parties import Endpoints, Party
from bot.openid.tokens import Unverified, kid_of, verify
from core.errors import SaysoError
from core.people import Identity
from core.ports import Clock

log = structlog.get_logger("sayso.openid")

WELL_KNOWN: Final = "/.well-known/openid-configuration"
KEPT: Final = timedelta(hours=1)


class NotProved(SaysoError):
    """It was not proved who somebody is. The message is for them."""


@dataclass(frozen=True)
class Trip:
    """What is one visit's alone: `state` comes back in the address, `nonce` in the token, and `verifier` goes with the
    code. `redirect` is where the provider sends people back to."""

    state: str
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)
    redirect: str


class RelyingParty:
    """Believes one provider, as far as its tokens can be verified."""

    def __init__(self, party: Party, fetcher: Fetcher, clock: Clock) -> None:
        self.party = party
        self._fetcher = fetcher
        self._clock = clock
        self._found: tuple[Endpoints, datetime] | None = None
        self._keys = KeyRing(self._fetch_keys, clock)

    async def leave(self, trip: Trip) -> str:
        """Where a browser is sent. Raises `NotProved`."""
        endpoints = await self._endpoints()
        asked = {
            "response_type": "code",
            "client_id": self.party.client_id,
            "scope": self.party.scopes,
            "redirect_uri": trip.redirect,
            "state": trip.state,
            "nonce": trip.nonce,
        }
        if endpoints.pkce:
            challenge = base64.urlsafe_b64encode(hashlib.sha256(trip.verifier.encode()).digest()).rstrip(b"=")
            asked |= {"code_challenge": challenge.decode(), "code_challenge_method": "S256"}
        joint = "&" if urlsplit(endpoints.authorize).query else "?"
        return f"{endpoints.authorize}{joint}{urlencode(asked)}"

    async def come_back(self, code: str, trip: Trip) -> Identity:
        """Whose account it is that brought a code. Raises `NotProved`."""
        endpoints, party = await self._endpoints(), self.party
        token = await self._exchange(endpoints, code, trip)
        try:
            keys = await self._keys.holding(kid_of(token))
            claims = verify(
                token, keys, issuer=party.issuer, client=party.client_id, nonce=trip.nonce, now=self._clock.now()
            )
        except Unanswered as error:
            raise self._silent(error) from None
        except Unverified as error:
            log.warning("id token refused", provider=party.name, error=str(error))
            raise NotProved(f"What {party.label} sent could not be verified, so nobody was signed in.") from None
        identity = party.identify(claims)
        if identity is None:
            log.warning("id token names nobody", provider=party.name)
            raise NotProved(f"{party.label} did not say which account this is, so nobody was signed in.")
        return identity

    async def _exchange(self, endpoints: Endpoints, code: str, trip: Trip) -> str:
        party = self.party
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": trip.redirect}
        if endpoints.pkce:
            form["code_verifier"] = trip.verifier
        client = None
        if endpoints.basic:
            client = (quote(party.client_id, safe=""), quote(party.client_secret, safe=""))
        else:
            form |= {"client_id": party.client_id, "client_secret": party.client_secret}
        try:
            answer = await self._fetcher.post(endpoints.token, form, client)
        except Unanswered as error:
            raise self._silent(error) from None
        token = answer.get("id_token")
        if not isinstance(token, str):
            # Slack answers 200 with `ok: false` and the name of an error.
            log.warning("code refused", provider=party.name, error=str(answer.get("error", "no id_token"))[:100])
            raise NotProved(f"{party.label} does not take this way back any more, so nobody was signed in.")
        return token

    async def _endpoints(self) -> Endpoints:
        if self.party.endpoints is not None:
            return self.party.endpoints
        now = self._clock.now()
        if self._found is None or abs(now - self._found[1]) > KEPT:
            try:
                document = await self._fetcher.get(f"{self.party.issuer.rstrip('/')}{WELL_KNOWN}")
                self._found = (_discovered(document, self.party.issuer), now)
            except Unanswered as error:
                raise self._silent(error) from None
        return self._found[0]

    async def _fetch_keys(self) -> Mapping[str, Any]:
        return await self._fetcher.get((await self._endpoints()).keys)

    def _silent(self, error: Unanswered) -> NotProved:
        log.warning("provider does not answer", provider=self.party.name, error=str(error))
        return NotProved(f"{self.party.label} could not be asked just now. Please try again in a moment.")


def _discovered(document: Mapping[str, Any], issuer: str) -> Endpoints:
    """What a discovery document says. It must be this very issuer's, or another's keys would be believed."""
    if document.get("issuer") != issuer:
        raise Unanswered("the discovery document is another issuer's")
    found = [document.get(name) for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")]
    authorize, token, keys = (one if isinstance(one, str) else "" for one in found)
    if not (authorize and token and keys):
        raise Unanswered("the discovery document names no endpoints")
    if urlsplit(authorize).scheme not in ("https", urlsplit(issuer).scheme):
        raise Unanswered("the discovery document sends people to an unsafe address")
    methods = document.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    pkce = "S256" in (document.get("code_challenge_methods_supported") or [])
    return Endpoints(authorize, token, keys, pkce=pkce, basic="client_secret_basic" in methods)
