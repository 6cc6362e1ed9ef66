"""API keys and webhook secrets: made here, shown once. A key has 256 random bits, so a plain hash keeps it safe."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass

from core.errors import Unauthorized
from core.people import Agent

PREFIX = "sk_"
_BYTES = 32
_BEARER = re.compile(r"bearer +([!-~]{1,255})", re.IGNORECASE)

NO_KEY = "Send your API key as `Authorization: Bearer sk_…`."
WRONG_KEY = "This API key is not known here, or was revoked: `sayso agent add`, where it runs, makes one."


@dataclass(frozen=True)
class OperatorKey:
    """The key from the settings: whose it is, and its hash. It is good while this process runs, and stored nowhere, so
    that taking the setting away takes the key away."""

    agent: Agent
    key_hash: str


def make_key() -> str:
    """A new API key."""
    return PREFIX + secrets.token_urlsafe(_BYTES)


def make_webhook_secret() -> str:
    """A new webhook secret, in the spelling of Standard Webhooks."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(_BYTES)).decode("ascii")


def hash_key(key: str) -> str:
    """What is stored of a key, and looked up: the lookup's timing tells of hashes, which lead back to no key."""
    return "sha256:" + hashlib.sha256(key.encode()).hexdigest()


def bearer_key(header: str | None) -> str:
    """The key in an `Authorization` header. Raises `Unauthorized`."""
    found = _BEARER.fullmatch((header or "").strip())
    if found is None:
        raise Unauthorized(NO_KEY)
    return found[1]
