"""The keys that receipts were ever signed with."""

from __future__ import annotations

from sqlalchemy import select

from core.signing import SigningKey
from core.store.reads.snapshot import Reads
from core.store.signing_rows import signing_key_of
from core.store.tables import signing_keys


class SigningKeysReads(Reads):
    """Look at keys."""

    async def signing_keys(self) -> tuple[SigningKey, ...]:
        rows = await self._all(select(signing_keys).order_by(signing_keys.c.number))
        return tuple(signing_key_of(row) for row in rows)
