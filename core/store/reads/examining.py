"""What `doctor` asks: how webhooks fare, whether presses arrive, what time the database's server says it is."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import func, select

from core.addresses import Provider
from core.examining import Deliveries, GivenUp
from core.outbox import Lane
from core.people import Via
from core.store.reads.snapshot import Reads
from core.store.tables import (
    ABANDONED,
    agent_accounts,
    agents,
    attempts,
    events,
    interactions,
    loops,
    outbox,
    receipts,
)

LOOKED_AT = 200
"""How many of the newest lines of a chat's people are looked at: some of them answer on the review page only."""


class ExaminingReads(Reads):
    """Examine."""

    async def given_up(self, workspace: str, limit: int) -> tuple[GivenUp, ...]:
        ended = (
            select(outbox.c.id, outbox.c.lane, outbox.c.task, outbox.c.last_error, outbox.c.ended_at)
            .where(outbox.c.workspace == workspace, outbox.c.state == ABANDONED, outbox.c.ended_at.is_not(None))
            .order_by(outbox.c.ended_at.desc(), outbox.c.seq.desc())
            .limit(limit)
        )
        return tuple(
            GivenUp(row.id, Lane(row.lane), _where(row.task), row.last_error or "", row.ended_at, row.task.get("event"))
            for row in await self._all(ended)
        )

    async def deliveries(self, workspace: str, since: datetime) -> tuple[Deliveries, ...]:
        newest = (
            select(attempts.c.event, func.max(attempts.c.seq).label("seq"))
            .where(attempts.c.at >= since)
            .group_by(attempts.c.event)
            .subquery()
        )
        creator = func.coalesce(interactions.c.creator_id, loops.c.sender_id)
        told = (
            select(agents.c.name, attempts.c.status, attempts.c.error)
            .join(newest, newest.c.seq == attempts.c.seq)
            .join(events, events.c.id == attempts.c.event)
            .outerjoin(interactions, interactions.c.id == events.c.interaction)
            .outerjoin(loops, loops.c.id == events.c.loop)
            .join(agents, agents.c.id == creator)
            .where(events.c.workspace == workspace)
            .order_by(agents.c.name, attempts.c.seq)
        )
        found: dict[str, Deliveries] = {}
        for row in await self._all(told):
            name, status, error = row.name, row.status, row.error
            before = found.get(name, Deliveries(name, 0, 0))
            taken = status is not None and 200 <= status < 300
            last = before.last if taken else (f"HTTP {status}" if status is not None else str(error or "no answer"))
            found[name] = Deliveries(name, before.events + 1, before.failing + (not taken), last)
        return tuple(found.values())

    async def last_press(self, workspace: str, provider: Provider) -> datetime | None:
        line = receipts.c
        # Not a range: a server may sort punctuation as its language does.
        of_chat = line.by_identity.startswith(f"{provider.value}:", autoescape=True)
        newest = select(line.at, line.line).where(line.workspace == workspace, of_chat).order_by(line.at.desc())
        via = Via(provider.value).value
        for row in await self._all(newest.limit(LOOKED_AT)):
            if row.line.get("via") == via:
                moment: datetime = row.at
                return moment
        return None

    async def bots_linked(self, workspace: str, provider: Provider) -> int:
        table = agent_accounts.c
        row = await self._one(
            select(func.count()).where(table.workspace == workspace, table.provider == provider.value)
        )
        return int(row[0]) if row else 0

    async def clock(self) -> datetime | None:
        if self._engine.dialect.name == "sqlite":
            return None
        row = await self._one(select(func.clock_timestamp()))
        moment: datetime | None = row[0].astimezone(UTC) if row else None
        return moment


def _where(task: Mapping[str, Any]) -> str:
    """Where a delivery was to go. Of a webhook's address only the host: the rest may be somebody's secret."""
    if "url" in task:
        return urlsplit(str(task["url"])).hostname or ""
    if "where" in task:
        return str(task["where"])
    return f"{task.get('provider')}:{task.get('account')}.{task.get('channel')}"
