"""Signing: what receipts and exports are signed with, given by the shell, and the public side of the keys.

The signatures are Ed25519 (RFC 8032). Making and checking them is the shell's; here is what they are made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Protocol

from core.canonical import rfc3339

ALGORITHM: Final = "Ed25519"
Check = Callable[[str, bytes, str], bool]
"""Whether a signature (third, base64) of a message is by the private side of a public key (first, base64)."""


@dataclass(frozen=True)
class Signed:
    """A signature in base64, and the id of the key that made it."""

    key: str
    signature: str


class Signer(Protocol):
    """Signs with the deployment's key of the moment."""

    def salt(self) -> str:
        """128 bits that nobody can guess, in hex."""

    def sign(self, message: bytes) -> Signed:
        """Sign a message."""

    def check(self, public: str, message: bytes, signature: str) -> bool:
        """A `Check`."""

    def follow(self, key: SigningKey) -> None:
        """Sign with this one from now on, which may have taken the place of the one in use here. Raises `Misconfigured`
        when it cannot be opened."""

    def vouched(self, keys: Sequence[SigningKey]) -> tuple[SigningKey, ...]:
        """Of the keys that are kept, those that this deployment made."""


@dataclass(frozen=True)
class SigningKey:
    """One key. `number` counts from 1, and the highest is the one in use; `public` is 32 bytes in base64.

    `sealed` is the private side, sealed with the service's key; None once another key took its place.
    """

    id: str
    number: int
    public: str
    made_at: datetime
    sealed: str | None = field(default=None, repr=False)

    def wire(self, successor: SigningKey | None) -> dict[str, Any]:
        """As it is published. It signs nothing new once its successor is there."""
        until = rfc3339(successor.made_at) if successor else None
        return {
            "id": self.id,
            "algorithm": ALGORITHM,
            "public": self.public,
            "since": rfc3339(self.made_at),
            "until": until,
        }


def key_id(public: bytes) -> str:
    """What a public key is called: it cannot be another's name."""
    return "ed25519:" + hashlib.sha256(public).hexdigest()[:16]


def published(keys: Sequence[SigningKey]) -> list[dict[str, Any]]:
    """All keys, oldest first, as they are published."""
    return [key.wire(after) for key, after in zip(keys, [*keys[1:], None], strict=True)]


class SigningWork(Protocol):
    """The part of `core.ports.Work` that keeps keys."""

    async def signing_key(self) -> SigningKey | None:
        """The key in use."""

    async def signing_key_ids(self) -> tuple[str, ...]:
        """The ids of all keys, oldest first."""

    async def add_signing_key(self, key: SigningKey) -> None:
        """Insert a key, and forget the private sides of those before. `Raced` when its number was taken meanwhile."""

    async def reseal_signing_key(self, key: SigningKey) -> None:
        """Keep the same key sealed anew."""


class SigningReads(Protocol):
    """The part of `core.reading.Records` that knows keys."""

    async def signing_keys(self) -> tuple[SigningKey, ...]:
        """All keys that ever signed, oldest first."""
