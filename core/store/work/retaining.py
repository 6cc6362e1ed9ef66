"""Taking content away for good: what is settled goes, and its proof stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, delete, insert, select, tuple_, update

from core.outbox import Lane
from core.receipts import Receipt
from core.retention import Purged, Step, proof_of, signed
from core.store.loop_rows import loop_of
from core.store.retiring import is_over, loop_is_over, others
from core.store.rows import interaction_of, receipt_of
from core.store.tables import (
    WAITING,
    agents,
    answerers,
    attempts,
    drafts,
    dues,
    events,
    idempotency,
    inbox,
    interactions,
    loop_prompts,
    loop_receipts,
    loop_reminders,
    loop_requests,
    loops,
    outbox,
    past_events,
    prompts,
    proofs,
    publications,
    purged,
    receipts,
    reminders,
    tasks,
    tool_calls,
)
from core.store.transaction import Transaction
from core.store.windows import edge

OF_INTERACTIONS = (drafts, prompts, tasks, tool_calls, reminders, idempotency, publications, answerers, receipts)
LANES = tuple(lane.value for lane in Lane)
"""All there are: what is owed is found by its lane and key."""
OF_LOOPS = (loop_prompts, loop_reminders, loop_receipts)


class RetainingWork(Transaction):
    """Purge in batches, each a transaction of its own."""

    async def purge_interactions(self, workspace: str, before: datetime, now: datetime, after: str, limit: int) -> Step:
        rows, mark = await self._over(interactions, workspace, is_over(workspace, before), after, limit)
        chains = await self._chains(receipts, "interaction", rows)
        left = []
        for row in rows:
            asked = interaction_of(row)
            gone = Purged(
                id=asked.id,
                workspace=workspace,
                what="interaction",
                kind=asked.content.kind.value,
                status=asked.status.value,
                revision=asked.revision,
                digest=asked.content.digest(),
                created_at=asked.created_at,
                settled_at=asked.outcome.at if asked.outcome else asked.created_at,
                purged_at=now,
                **_end_of(chains[row.id]),
            )
            left.append(signed(gone, self._signer))
        if not rows:
            return Step(0, mark)
        await self._leave(left, chains)
        ids = [row.id for row in rows]
        shown = select(publications.c.id).where(publications.c.interaction.in_(ids))
        copies = [row.id for row in await self._all(shown)]
        await self._forget_events(events.c.interaction.in_(ids))
        await self._forget_owed([*ids, *copies])
        for table in OF_INTERACTIONS:
            await self._run(delete(table).where(table.c.interaction.in_(ids)))
        await self._run(delete(interactions).where(interactions.c.id.in_(ids)))
        return Step(len(rows), mark)

    async def purge_loops(self, workspace: str, before: datetime, now: datetime, after: str, limit: int) -> Step:
        rows, mark = await self._over(loops, workspace, loop_is_over(workspace, before), after, limit)
        chains = await self._chains(loop_receipts, "loop", rows)
        left = []
        for row in rows:
            loop = loop_of(row)
            gone = Purged(
                id=loop.id,
                workspace=workspace,
                what="loop",
                kind="order",
                status=loop.state.value,
                revision=1,
                digest=loop.digest(),
                created_at=loop.created_at,
                settled_at=loop.outcome.at if loop.outcome else loop.created_at,
                purged_at=now,
                **_end_of(chains[row.id]),
            )
            left.append(signed(gone, self._signer))
        if not rows:
            return Step(0, mark)
        await self._leave(left, chains)
        ids = [row.id for row in rows]
        await self._forget_events(events.c.loop.in_(ids))
        await self._forget_owed(ids)
        for table in OF_LOOPS:
            await self._run(delete(table).where(table.c.loop.in_(ids)))
        await self._run(delete(loops).where(loops.c.id.in_(ids)))
        return Step(len(rows), mark)

    async def purge_said(self, workspace: str, before: datetime, limit: int) -> int:
        gone = 0
        for table, which in others(workspace, before):
            rows = await self._all(select(table.c.id).where(which).order_by(table.c.id).limit(limit))
            ids = [row.id for row in rows]
            if ids and table.name == "alerts":
                await self._forget_events(events.c.alert.in_(ids))
            if ids:
                await self._run(delete(table).where(table.c.id.in_(ids)))
            gone += len(ids)
        return gone

    async def purge_answers(self, workspace: str, before: datetime, limit: int) -> int:
        own = loop_requests.c.agent.in_(select(agents.c.id).where(agents.c.workspace == workspace))
        old = select(loop_requests.c.agent, loop_requests.c.key).where(own, loop_requests.c.created_at < before)
        gone = await self._changed(
            delete(loop_requests).where(tuple_(loop_requests.c.agent, loop_requests.c.key).in_(old.limit(limit)))
        )
        told = select(inbox.c.key).where(inbox.c.done_at < before, inbox.c.reply.is_not(None)).limit(limit)
        return gone + await self._changed(update(inbox).where(inbox.c.key.in_(told)).values(reply=None))

    async def _over(
        self, table: Table, workspace: str, which: ColumnElement[bool], after: str, limit: int
    ) -> tuple[Sequence[Row[Any]], str | None]:
        """Up to `limit` of them after a mark, and the next mark."""
        here = (table.c.workspace == workspace, table.c.id > after)
        reached = await self._first(edge(table, limit, *here))
        looked_at = (*here, table.c.id <= reached.id) if reached else here
        # What somebody is just changing is left to the next time.
        found = select(table).where(*looked_at, which).order_by(table.c.id).limit(limit)
        rows = await self._all(found.with_for_update(skip_locked=True))
        if len(rows) == limit:
            return rows, rows[-1].id
        return rows, reached.id if reached else None

    async def _chains(self, table: Table, subject: str, rows: Sequence[Row[Any]]) -> dict[str, list[Receipt]]:
        chains: dict[str, list[Receipt]] = {row.id: [] for row in rows}
        belongs = table.c[subject]
        for row in await self._all(select(table).where(belongs.in_(chains)).order_by(belongs, table.c.seq)):
            chains[getattr(row, subject)].append(receipt_of(row))
        return chains

    async def _leave(self, left: Sequence[Purged], chains: Mapping[str, Sequence[Receipt]]) -> None:
        """Write down what is left of all of them at once: a statement for each would take most of the time."""
        await self._run(insert(purged), [asdict(one) for one in left])
        rows = [asdict(proof_of(subject, receipt)) for subject, chain in chains.items() for receipt in chain]
        if rows:
            await self._run(insert(proofs), rows)

    async def _forget_events(self, which: ColumnElement[bool]) -> None:
        places = select(events.c.id, events.c.workspace, events.c.position).where(which)
        await self._run(insert(past_events).from_select(["id", "workspace", "position"], places))
        await self._run(delete(attempts).where(attempts.c.event.in_(select(events.c.id).where(which))))
        await self._run(delete(events).where(which))

    async def _forget_owed(self, keys: Sequence[str]) -> None:
        await self._run(
            delete(outbox).where(outbox.c.state == WAITING, outbox.c.lane.in_(LANES), outbox.c.key.in_(keys))
        )
        await self._run(delete(dues).where(dues.c.subject.in_(keys)))


def _end_of(chain: Sequence[Receipt]) -> dict[str, Any]:
    return {"receipts": len(chain), "head": chain[-1].hash if chain else ""}
