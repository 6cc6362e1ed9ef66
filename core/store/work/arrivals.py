"""The inbox: every arrival once, whatever the provider repeats and whichever process dies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from core.store.tables import WAITING, inbox
from core.store.transaction import Transaction
from core.upkeep import ARRIVAL_LEASE, WaitingArrival


class ArrivalsWork(Transaction):
    """Enter arrivals, mark them done, take up those left behind."""

    async def first_seen(self, key: str, provider: str, raw: str, now: datetime) -> bool:
        entered = self._upsert(inbox).values(
            key=key,
            provider=provider,
            raw=raw,
            state="waiting",
            received_at=now,
            lease_until=now + ARRIVAL_LEASE,
            takes=1,
        )
        # One that is there already is locked, and stays as it was.
        kept = entered.on_conflict_do_update(index_elements=["key"], set_={"key": key}).returning(inbox.c.state)
        return bool((await self._run(kept)).scalar_one() != "done")

    async def arrival_reply(self, key: str) -> str | None:
        row = await self._one(select(inbox.c.reply).where(inbox.c.key == key))
        return row.reply if row else None

    async def arrival_done(self, key: str, reply: str | None, now: datetime) -> None:
        await self._later(update(inbox).where(inbox.c.key == key).values(state="done", reply=reply, done_at=now))

    async def waiting_arrivals(self, now: datetime, lease_until: datetime, limit: int) -> Sequence[WaitingArrival]:
        table = inbox.c
        pick = (
            select(table.key)
            .where(table.state == WAITING, table.lease_until <= now)
            .order_by(table.received_at, table.key)
            .limit(limit)
            .with_for_update(skip_locked=True)
            .cte("pick")
        )
        rows = await self._all(
            update(inbox)
            .where(table.key.in_(select(pick.c.key)))
            .values(lease_until=lease_until, takes=table.takes + 1)
            .returning(table.key, table.provider, table.raw, table.received_at, table.takes)
        )
        taken = [WaitingArrival(row.key, row.provider, row.raw, row.received_at, row.takes) for row in rows]
        return sorted(taken, key=lambda one: (one.received_at, one.key))
