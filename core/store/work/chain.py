"""Receipts and events: appended, never changed."""

from __future__ import annotations

from sqlalchemy import select

from core.events import Event
from core.receipts import Receipt, ReceiptDraft, seal
from core.store.rows import event_of, receipt_of, receipt_row
from core.store.statements import LAST_RECEIPT, Insert
from core.store.tables import events, receipts
from core.store.transaction import Transaction


class ChainWork(Transaction):
    """Append receipts to their chain, and events to be placed at commit."""

    async def record(self, draft: ReceiptDraft, interaction: str) -> Receipt:
        workspace = await self._lock(interaction)
        if workspace is None:
            raise LookupError(f"there is no interaction {interaction}")
        if interaction not in self._receipted:
            last = await self._first(LAST_RECEIPT, {"interaction": interaction}, sees=())
            self._receipted[interaction] = receipt_of(last) if last else None
        receipt = seal(draft, self._receipted[interaction], interaction, self._signer)
        await self._later(Insert.RECEIPT, receipt_row(receipt, workspace, interaction))
        self._receipted[interaction] = receipt
        self._touched.add(interaction)
        return receipt

    async def receipts(self, interaction: str) -> tuple[Receipt, ...]:
        rows = await self._all(select(receipts).where(receipts.c.interaction == interaction).order_by(receipts.c.seq))
        return tuple(receipt_of(row) for row in rows)

    async def announce(self, event: Event) -> None:
        self._events.append(event)
        subject = event.interaction or event.loop
        if subject is not None:
            self._touched.add(subject)

    async def event(self, id: str) -> Event | None:
        row = await self._one(select(events).where(events.c.id == id))
        return event_of(row) if row else None
