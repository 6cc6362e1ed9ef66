"""Loops, their receipts, and the conversations they are talked about in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Boolean, ColumnElement, Select, and_, exists, literal_column, or_, select
from sqlalchemy.engine import Connection

from core.loops.keeping import Ordered
from core.loops.outcomes import OPEN_STATES, LoopState
from core.loops.places import Alert, Conversation, Saying
from core.loops.values import Loop
from core.people import Agent, Identity, Person
from core.receipts import Receipt
from core.store.conversing import select_conversation_at
from core.store.directory import agent_of
from core.store.loop_rows import (
    alert_of,
    conversation_of,
    is_heard_by,
    is_loop_visible_to,
    loop_of,
    names_holder,
    saying_of,
)
from core.store.reads.snapshot import Reads
from core.store.rows import receipt_of
from core.store.tables import (
    agent_accounts,
    agents,
    alerts,
    conversations,
    loop_receipts,
    loops,
    sayings,
    sightings,
)


class LoopsReads(Reads):
    """Look at loops and conversations."""

    async def loop(self, workspace: str, name: str, visible_to: Agent | None) -> Ordered | None:
        found = await self._ordered([loops.c.workspace == workspace, loops.c.name == name], visible_to, None, 1)
        return found[0] if found else None

    async def loops(
        self,
        workspace: str,
        visible_to: Agent | None,
        *,
        after: str | None = None,
        limit: int = 50,
        states: Sequence[LoopState] = (),
        recipient: str | None = None,
        conversation: str | None = None,
        overdue: bool | None = None,
    ) -> Sequence[Ordered]:
        table = loops.c
        which: list[ColumnElement[bool]] = [table.workspace == workspace]
        if states:
            which.append(table.state.in_([state.value for state in states]))
        if recipient is not None:
            which.append(table.recipient == recipient)
        if conversation is not None:
            which.append(table.conversation == conversation)
        which += _is_overdue(overdue)
        return await self._ordered(which, visible_to, after, limit)

    async def loops_for(
        self,
        workspace: str,
        person: Person,
        *,
        after: str | None = None,
        limit: int = 50,
        overdue: bool | None = None,
        urgent: bool = False,
    ) -> Sequence[Ordered]:
        table = loops.c
        may_be_had = or_(table.claimed.is_(None), _has_a_free_slot(self._engine.dialect.name))
        waits = or_(
            names_holder(person.id),
            table.recipient.in_(_names(person)),
            and_(may_be_had, _is_where_they_are(workspace, person)),
        )
        is_open = table.state.in_([state.value for state in OPEN_STATES])
        which = [table.workspace == workspace, is_open, waits, *_is_overdue(overdue)]
        first = (table.overdue_at.is_(None), table.due_at.is_(None), table.due_at) if urgent else ()
        return await self._ordered(which, None, after, limit, first)

    async def _ordered(
        self,
        which: Sequence[ColumnElement[bool]],
        visible_to: Agent | None,
        after: str | None,
        limit: int,
        first: Sequence[ColumnElement[Any]] = (),
    ) -> list[Ordered]:
        statement = select(loops).where(*which, *is_loop_visible_to(visible_to))
        if after is not None:
            statement = statement.where(loops.c.id < after)
        in_order = statement.order_by(*first, loops.c.id.desc()).limit(limit)
        return await self._look(lambda connection: _with_conversations(connection, in_order))

    async def loop_receipts(self, workspace: str, name: str) -> tuple[Receipt, ...]:
        rows = await self._all(
            select(loop_receipts)
            .join(loops, loops.c.id == loop_receipts.c.loop)
            .where(loops.c.workspace == workspace, loops.c.name == name)
            .order_by(loop_receipts.c.seq)
        )
        return tuple(receipt_of(row) for row in rows)

    async def conversation(self, workspace: str, id: str, visible_to: Agent | None) -> Conversation | None:
        table = conversations.c
        row = await self._one(
            select(conversations).where(
                table.workspace == workspace, table.id == id, *is_heard_by(visible_to, table.id)
            )
        )
        return conversation_of(row) if row else None

    async def conversations(
        self, workspace: str, visible_to: Agent | None, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Conversation]:
        table = conversations.c
        statement = select(conversations).where(table.workspace == workspace, *is_heard_by(visible_to, table.id))
        if after is not None:
            statement = statement.where(table.id < after)
        return [conversation_of(row) for row in await self._all(statement.order_by(table.id.desc()).limit(limit))]

    async def linked(
        self, provider: str, account: str, channel: str, thread: str | None, reply_to: str | None
    ) -> Conversation | None:
        row = await self._one(select_conversation_at(provider, account, channel, thread, reply_to, prompts=True))
        return conversation_of(row) if row else None

    async def sayings(
        self, workspace: str, conversation: str, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Saying]:
        table = sayings.c
        statement = select(sayings).where(table.workspace == workspace, table.conversation == conversation)
        if after is not None:
            statement = statement.where(table.id < after)
        return [saying_of(row) for row in await self._all(statement.order_by(table.id.desc()).limit(limit))]

    async def alert(self, workspace: str, id: str) -> Alert | None:
        row = await self._one(select(alerts).where(alerts.c.workspace == workspace, alerts.c.id == id))
        return alert_of(row) if row else None

    async def alerts(
        self, workspace: str, visible_to: Agent | None, *, after: str | None = None, limit: int = 50
    ) -> Sequence[Alert]:
        statement = select(alerts).where(
            alerts.c.workspace == workspace, *is_heard_by(visible_to, alerts.c.conversation)
        )
        if after is not None:
            statement = statement.where(alerts.c.id < after)
        return [alert_of(row) for row in await self._all(statement.order_by(alerts.c.id.desc()).limit(limit))]

    async def accounts(self, workspace: str) -> Sequence[tuple[str, Identity]]:
        table = agent_accounts.c
        rows = await self._all(
            select(agents.c.name, table.provider, table.account, table.user)
            .join(agents, agents.c.id == table.agent)
            .where(table.workspace == workspace)
            .order_by(agents.c.name, table.provider, table.user)
        )
        return [(row.name, Identity(provider=row.provider, account=row.account, user=row.user)) for row in rows]

    async def agent_of_account(self, workspace: str, identity: Identity) -> Agent | None:
        table = agent_accounts.c
        row = await self._one(
            select(agents)
            .join(agent_accounts, table.agent == agents.c.id)
            .where(
                table.workspace == workspace,
                table.provider == identity.provider,
                table.account == identity.account,
                table.user == identity.user,
                agents.c.revoked_at.is_(None),
            )
        )
        return agent_of(row) if row else None


def _with_conversations(connection: Connection, statement: Select[Any]) -> list[Ordered]:
    found: list[Loop] = [loop_of(row) for row in connection.execute(statement)]
    ids = {loop.conversation for loop in found}
    if not ids:
        return []
    places = connection.execute(select(conversations).where(conversations.c.id.in_(ids)))
    known = {row.id: conversation_of(row) for row in places}
    return [Ordered(loop, known.get(loop.conversation)) for loop in found]


def _is_overdue(overdue: bool | None) -> list[ColumnElement[bool]]:
    if overdue is None:
        return []
    return [loops.c.overdue_at.is_not(None) if overdue else loops.c.overdue_at.is_(None)]


def _names(person: Person) -> list[str]:
    """Every spelling of a recipient that is this person alone."""
    names = [f"person:{person.handle}"]
    for identity in person.identities:
        names.append(f"{identity.provider}:{identity.user}")
        if identity.account:
            names.append(str(identity))
    return names


def _has_a_free_slot(dialect: str) -> ColumnElement[bool]:
    """The condition on `loops` for those of which nobody has a share yet."""
    if dialect == "postgresql":
        free = "jsonb_path_exists(CAST(loops.slots AS jsonb), '$[*] ? (@.claimed == null && @.done == null)')"
    else:
        free = (
            "EXISTS (SELECT 1 FROM json_each(loops.slots) AS slot WHERE json_extract(slot.value, '$.claimed') IS NULL "
            "AND json_extract(slot.value, '$.done') IS NULL)"
        )
    return literal_column(free, Boolean())


def _is_where_they_are(workspace: str, person: Person) -> ColumnElement[bool]:
    seen = (
        select(sightings.c.conversation)
        .where(sightings.c.workspace == workspace, sightings.c.person == person.id)
        .scalar_subquery()
    )
    own = [
        and_(conversations.c.provider == one.provider, conversations.c.place == one.user) for one in person.identities
    ]
    return (
        exists()
        .where(conversations.c.id == loops.c.conversation, or_(conversations.c.address.in_(seen), *own))
        .correlate(loops)
    )
