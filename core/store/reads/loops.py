"""Loops, their receipts, and the conversations they are talked about in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Boolean, ColumnElement, CompoundSelect, Select, and_, exists, literal_column, or_, select, union
from sqlalchemy.engine import Connection

from core.loops.keeping import Ordered
from core.loops.outcomes import LoopState
from core.loops.places import Alert, Conversation, Saying
from core.loops.values import Loop
from core.people import Agent, Identity, Person
from core.receipts import Receipt
from core.store.columns import spelled
from core.store.conversing import select_conversation_at
from core.store.directory import agent_of
from core.store.loop_rows import (
    alert_of,
    conversation_of,
    is_alert_visible_to,
    is_heard_by,
    is_loop_visible_to,
    loop_of,
    names_holder,
    saying_of,
)
from core.store.reads.snapshot import Reads
from core.store.rows import receipt_of
from core.store.tables import (
    OPEN,
    agent_accounts,
    agents,
    alerts,
    conversations,
    loop_receipts,
    loops,
    sayings,
    sightings,
)
from core.store.urgency import less_urgent, most_urgent_first
from core.urgency import Urgency


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
        which: list[ColumnElement[bool]] = [table.workspace == workspace, *_is_in(states)]
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
        after: Urgency | None = None,
        limit: int = 50,
    ) -> Sequence[Ordered]:
        table = loops.c
        may_be_had = or_(table.claimed.is_(None), _has_a_free_slot(self._engine.dialect.name))
        waits = or_(
            names_holder(person.id),
            table.recipient.in_(_names(person)),
            and_(may_be_had, _is_where_they_are(workspace, person)),
        )
        which = [table.workspace == workspace, table.state.in_(OPEN), waits]
        in_order = (
            select(loops)
            .where(*which, *less_urgent(table.due_at, table.id, "lop", after))
            .order_by(*most_urgent_first(table.due_at, table.id))
            .limit(limit)
        )
        return await self._look(lambda connection: _with_conversations(connection, in_order))

    async def loops_around(
        self,
        workspace: str,
        person: Person,
        *,
        after: str | None = None,
        limit: int = 50,
        states: Sequence[LoopState] = (),
        overdue: bool | None = None,
    ) -> Sequence[Ordered]:
        which = [loops.c.workspace == workspace, *_is_in(states), *_is_overdue(overdue)]
        return await self._ordered([*which, loops.c.id.in_(_around(workspace, person))], None, after, limit)

    async def _ordered(
        self, which: Sequence[ColumnElement[bool]], visible_to: Agent | None, after: str | None, limit: int
    ) -> list[Ordered]:
        statement = select(loops).where(*which, *is_loop_visible_to(visible_to))
        if after is not None:
            statement = statement.where(loops.c.id < after)
        in_order = statement.order_by(loops.c.id.desc()).limit(limit)
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
        statement = select(alerts).where(alerts.c.workspace == workspace, *is_alert_visible_to(visible_to))
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


def _is_in(states: Sequence[LoopState]) -> list[ColumnElement[bool]]:
    return [loops.c.state.in_([spelled(state.value) for state in states])] if states else []


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


def _around(workspace: str, person: Person) -> CompoundSelect[tuple[str]]:
    """The ids of what is somebody's by name or deed, or of a conversation where they are: each of them found by an
    index of its own."""
    table, deeds = loops.c, loop_receipts.c
    # SQLite uses an index for each side of an OR only if each names all of its columns.
    has_them = or_(*(and_(conversations.c.workspace == workspace, one) for one in _has_them(workspace, person)))
    places = select(conversations.c.id).where(has_them)
    return union(
        select(table.id).where(table.workspace == workspace, table.recipient.in_(_names(person))),
        select(deeds.loop).where(deeds.workspace == workspace, deeds.by_id == person.id),
        select(table.id).where(table.conversation.in_(places)),
    )


def _is_where_they_are(workspace: str, person: Person) -> ColumnElement[bool]:
    has_them = or_(*_has_them(workspace, person))
    return exists().where(conversations.c.id == loops.c.conversation, has_them).correlate(loops)


def _has_them(workspace: str, person: Person) -> list[ColumnElement[bool]]:
    """The conditions on `conversations` for those where somebody was seen, and their own chats: one of them holds."""
    table, seen = conversations.c, sightings.c
    places = select(seen.conversation).where(seen.workspace == workspace, seen.person == person.id).scalar_subquery()
    own = [and_(table.provider == one.provider, table.place == one.user) for one in person.identities]
    return [table.address.in_(places), *own]
