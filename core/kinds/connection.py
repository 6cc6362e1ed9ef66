"""Connection: an agent asks to be connected to a service; declined in chat, granted by an operator on the page."""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import Field, StringConstraints

from core.canonical import digest
from core.kinds.base import HttpsAddress, Id, Payload
from core.people import By, Value

STATE_LIVES = timedelta(hours=1)
"""How long an operator may take on the other side."""


class ConnectionRequest(Payload):
    """The payload of kind `connection`. `connect_url` is where granting goes on, with a `state` added."""

    service: Id
    purpose: Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
    scopes: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=1, max_length=300)], ...], Field(max_length=50)
    ] = ()
    account: Annotated[str, StringConstraints(min_length=1, max_length=300)] | None = None
    connect_url: HttpsAddress


class Connecting(Value):
    """An operator has set out to grant it. Only the digest of the state is kept: the state itself is in their browser,
    and the connecting side sends it back."""

    by: By
    at: datetime
    state: str


def digest_of(state: str) -> str:
    """What is kept of a state."""
    return digest({"state": state})


def proves(connecting: Connecting | None, state: str, now: datetime) -> bool:
    """Whether `state` is the one that the operator who set out last was given, not too long ago."""
    if connecting is None or now - connecting.at > STATE_LIVES:
        return False
    return hmac.compare_digest(connecting.state, digest_of(state))


EXAMPLE: dict[str, Any] = {
    "kind": "connection",
    "title": "Connect the release bot to GitHub",
    "body": "It cannot read the changelog without this.",
    "payload": {
        "service": "github",
        "purpose": "Read pull requests and write release notes.",
        "scopes": ["repo:read", "releases:write"],
        "account": "example-org",
        "connect_url": "https://agent.example/connect/github",
    },
}
