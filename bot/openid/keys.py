"""The keys that a provider signs with, fetched when they are needed and kept for a while."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from bot.openid.fetching import Unanswered
from core.ports import Clock

KEPT: Final = timedelta(hours=1)
"""A key that its owner took back is trusted no longer than that."""
PAUSE: Final = timedelta(minutes=1)
"""An unknown key makes us look again, but nobody can make us look more often than this."""


class KeyRing:
    """Knows keys by their id. `fetch` gets the document of them."""

    def __init__(self, fetch: Callable[[], Awaitable[Mapping[str, Any]]], clock: Clock) -> None:
        self._fetch = fetch
        self._clock = clock
        self._keys: KeySet | None = None
        self._since: datetime | None = None
        self._looked: datetime | None = None

    async def holding(self, kid: str | None) -> KeySet:
        """All keys, looked up again where none has this id. It may still be that none has. Raises `Unanswered`."""
        now = self._clock.now()
        # What was looked up while the clock was ahead may be of any time.
        fresh = self._since is not None and abs(now - self._since) <= KEPT
        if self._keys is not None and fresh and self._has(self._keys, kid):
            return self._keys
        if self._looked is None or abs(now - self._looked) >= PAUSE:
            self._looked = now
            self._keys, self._since = _read(await self._fetch()), now
        if self._keys is None or self._since is None or abs(now - self._since) > KEPT:
            raise Unanswered("the keys could not be fetched just now")
        return self._keys

    def _has(self, keys: KeySet, kid: str | None) -> bool:
        return kid is None or any(key.kid == kid for key in keys.keys)


def _read(document: Mapping[str, Any]) -> KeySet:
    """The keys for signatures in a document."""
    keys = document.get("keys")
    signing = [one for one in keys if isinstance(one, dict) and one.get("use", "sig") == "sig"] if keys else []
    try:
        return KeySet.import_key_set({"keys": signing})
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise Unanswered(f"the keys cannot be read: {type(error).__name__}") from None
