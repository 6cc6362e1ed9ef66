"""The inbox: every arrival once, whatever the provider repeats and whichever process dies."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from core.store.statements import DONE_ARRIVAL, enter_arrival
from core.store.tables import WAITING, inbox
from core.store.transaction import Transaction
from core.upkeep import ARRIVAL_LEASE, WaitingArrival


class ArrivalsWork(Transaction):
    """Enter arrivals, mark them done, take up those left behind."""

    async def first_seen(self, key: str, provider: str, raw: str, now: datetime) -> bool:
        row = {
            "key": key,
            "provider": provider,
            "raw": raw,
            "state": "waiting",
            "received_at": now,
            "lease_until": now + ARRIVAL_LEASE,
            "takes": 1,
        }
        entered = await self._one(enter_arrival(on_postgres=self._on_postgres), row, sees=(inbox,))
        return entered is None or entered.state != "done"

    async def arrival_reply(self, key: str) -> str | None:
        row = await self._one(select(inbox.c.reply).where(inbox.c.key == key))
        return row.reply if row else None

    async def arrival_done(self, key: str, reply: str | None, now: datetime) -> None:
        # What it said has had its effect; only that it came, and what its sender was told, is kept for a while.
        done = {"own_key": key, "state": "done", "raw": "", "reply": reply, "done_at": now}
        await self._later(DONE_ARRIVAL, done)

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
