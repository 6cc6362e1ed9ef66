"""The keys that receipts are signed with."""

from __future__ import annotations

from dataclasses import asdict

from sqlalchemy import insert, select, update

from core.proving import Keyring
from core.signing import SigningKey, published
from core.store.signing_rows import signing_key_of
from core.store.tables import signing_keys
from core.store.transaction import Transaction


class KeyringWork(Transaction):
    """Know whose signatures hold."""

    async def _keyring(self) -> Keyring | None:
        """The keys that this deployment made until now; None where nothing is signed."""
        if self._signer is None:
            return None
        rows = await self._all(select(signing_keys).order_by(signing_keys.c.number))
        keys = [signing_key_of(row) for row in rows]
        if keys:
            self._signer.follow(keys[-1])
        return Keyring({key["id"]: key for key in published(self._signer.vouched(keys))}, self._signer.check)


class SigningKeysWork(Transaction):
    """Keep keys."""

    async def signing_key(self) -> SigningKey | None:
        row = await self._first(select(signing_keys).order_by(signing_keys.c.number.desc()).limit(1))
        return signing_key_of(row) if row else None

    async def signing_key_ids(self) -> tuple[str, ...]:
        rows = await self._all(select(signing_keys.c.id).order_by(signing_keys.c.number))
        return tuple(row.id for row in rows)

    async def add_signing_key(self, key: SigningKey) -> None:
        await self._run(insert(signing_keys).values(asdict(key)))
        await self._run(update(signing_keys).where(signing_keys.c.number < key.number).values(sealed=None))

    async def reseal_signing_key(self, key: SigningKey) -> None:
        still_kept = (signing_keys.c.id == key.id, signing_keys.c.sealed.is_not(None))
        await self._run(update(signing_keys).where(*still_kept).values(sealed=key.sealed))
