"""The webhook secrets of agents at rest, sealed with a key of the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.sealing import VERSION, Sealer
from core.errors import Misconfigured

_MEMBER: Final = "webhook"


class SealedVault:
    """A `core.vault.Vault`. What was kept before there was one stands there as it is, and is sealed when it is met."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._sealer = Sealer(keys)

    @property
    def prefix(self) -> str:
        """What everything begins with that is sealed with the key in use."""
        return self._sealer.prefix

    def seal(self, owner: str, secret: str) -> str:
        """Seal a secret."""
        return self._sealer.seal(owner, {_MEMBER: secret})

    def open(self, owner: str, kept: str) -> str:
        """The secret again. Raises `Misconfigured`."""
        if not kept.startswith(f"{VERSION}."):
            return kept
        try:
            return self._sealer.open(owner, kept)[_MEMBER]
        except Misconfigured:
            raise Misconfigured(
                f"The webhook secret of {owner} was sealed with another SAYSO_SECRET_KEY: set that one as "
                "SAYSO_SECRET_KEY_PREVIOUS, or give the agent another with `sayso agent rotate`."
            ) from None
