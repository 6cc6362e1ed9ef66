"""How the secrets that programs are given are kept: whoever gets at the database alone has none of them."""

from __future__ import annotations

from typing import Protocol


class Vault(Protocol):
    """Seals with the key in use, and opens what was sealed with it or with the one before it."""

    @property
    def prefix(self) -> str:
        """What everything begins with that is sealed with the key in use."""

    def seal(self, owner: str, secret: str) -> str:
        """Seal a secret; it opens for this owner only."""

    def open(self, owner: str, kept: str) -> str:
        """The secret again. Raises `Misconfigured` when no key of ours opens it."""


class Unsealed:
    """Keeps secrets as they are, where no key was given: a database that no service runs on."""

    prefix = ""

    def seal(self, _owner: str, secret: str) -> str:
        """The secret."""
        return secret

    def open(self, _owner: str, kept: str) -> str:
        """The secret."""
        return kept
