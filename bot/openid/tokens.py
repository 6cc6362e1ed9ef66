"""An id token, verified: who signed it, for whom, for which visit, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from joserfc import jws, jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

ALGORITHMS: Final = ("RS256", "PS256", "ES256", "Ed25519", "EdDSA")
"""Signatures with a key of the provider's alone: never `none`, never a shared secret, whatever a token says."""
LEEWAY: Final = 60
"""Seconds that the provider's clock may be off."""
LONGEST: Final = 16_384


class Unverified(Exception):
    """A token that is not to be believed. The message is for the log and holds nothing of the token."""


def kid_of(token: str) -> str | None:
    """The id of the key that a token says it was signed with. Nothing of it is verified yet. Raises `Unverified`."""
    try:
        header = jws.extract_compact(token.encode("ascii")).headers()
    except (JoseError, ValueError):
        raise Unverified("it is no signed token") from None
    kid = header.get("kid")
    return kid if isinstance(kid, str) else None


def verify(token: str, keys: KeySet, *, issuer: str, client: str, nonce: str, now: datetime) -> Mapping[str, Any]:
    """The claims of a token that this issuer signed for this client and this visit. Raises `Unverified`."""
    if len(token) > LONGEST:
        raise Unverified("it is too long")
    rules = jwt.JWTClaimsRegistry(
        now=int(now.timestamp()),
        leeway=LEEWAY,
        iss={"essential": True, "value": issuer},
        aud={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
        sub={"essential": True},
        nonce={"essential": True, "value": nonce},
    )
    try:
        claims = jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        rules.validate(claims)
    except (JoseError, ValueError) as error:
        raise Unverified(f"{type(error).__name__}: {error}") from None
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if client not in audience or (len(audience) > 1 and claims.get("azp") != client):
        raise Unverified("it is for another client")
    return claims
