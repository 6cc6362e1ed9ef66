"""Where loops are talked about: conversations, what was said in them, and what is kept for the agents there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, exists, func, insert, select, update

from core.loops.places import Alert, Conversation, FollowUp, FollowUpState, Handover, Saying
from core.people import Agent, By, Identity, Person, Role
from core.store.conversing import select_conversation_at
from core.store.directory import agent_of, fold_people, select_people
from core.store.loop_rows import (
    alert_of,
    alert_row,
    conversation_of,
    conversation_row,
    follow_up_of,
    follow_up_row,
    handover_of,
    handover_row,
    saying_of,
    saying_row,
)
from core.store.rows import changeable
from core.store.tables import (
    agent_accounts,
    agents,
    alerts,
    conversation_agents,
    conversations,
    follow_ups,
    handovers,
    loop_requests,
    loops,
    people,
    sayings,
)
from core.store.transaction import Transaction


class ConversationsWork(Transaction):
    """Conversations and everything that belongs to them but loops."""

    async def conversation(self, workspace: str, id: str) -> Conversation | None:
        row = await self._one(
            select(conversations).where(conversations.c.workspace == workspace, conversations.c.id == id)
        )
        return conversation_of(row) if row else None

    async def conversation_like(self, conversation: Conversation) -> Conversation | None:
        table = conversations.c
        row = await self._one(
            select(conversations).where(table.workspace == conversation.workspace, table.key == conversation.key)
        )
        return conversation_of(row) if row else None

    async def conversation_at(
        self, provider: str, account: str, channel: str, thread: str | None, reply_to: str | None
    ) -> Conversation | None:
        row = await self._one(select_conversation_at(provider, account, channel, thread, reply_to, prompts=False))
        return conversation_of(row) if row else None

    async def add_conversation(self, conversation: Conversation) -> None:
        await self._run(insert(conversations).values(conversation_row(conversation)))

    async def save_conversation(self, conversation: Conversation) -> None:
        row = changeable(conversation_row(conversation))
        if await self._changed(update(conversations).where(conversations.c.id == conversation.id).values(row)) != 1:
            raise LookupError(f"there is no conversation {conversation.id}")

    async def join(self, conversation: Conversation, agent: str, now: datetime) -> None:
        joined = self._upsert(conversation_agents).values(conversation=conversation.id, agent=agent, joined_at=now)
        await self._run(joined.on_conflict_do_nothing(index_elements=["conversation", "agent"]))

    async def has_ordered_in(self, conversation: str, agent: str) -> bool:
        known = exists().where(loops.c.conversation == conversation, loops.c.sender_id == agent)
        return bool((await self._run(select(known))).scalar_one())

    async def takes_part(self, conversation: str, agent: str) -> bool:
        table = conversation_agents.c
        known = exists().where(table.conversation == conversation, table.agent == agent)
        return bool((await self._run(select(known))).scalar_one())

    async def add_saying(self, saying: Saying) -> None:
        where = await self.conversation(saying.workspace, saying.conversation)
        if where is None:
            raise LookupError(f"there is no conversation {saying.conversation}")
        kept = self._upsert(sayings).values(saying_row(saying, where))
        await self._run(kept.on_conflict_do_nothing(index_elements=["provider", "account", "channel", "message"]))

    async def said_since(self, conversation: str, since: datetime) -> tuple[Saying, ...]:
        table = sayings.c
        which = (table.conversation == conversation, table.at > since, ~table.ours)
        rows = await self._all(select(sayings).where(*which).order_by(table.id.desc()).limit(100))
        return tuple(saying_of(row) for row in rows)

    async def add_handover(self, handover: Handover) -> None:
        await self._run(insert(handovers).values(handover_row(handover)))

    async def take_handovers(
        self, conversation: str, event: str, *, since: datetime | None = None, until: datetime | None = None
    ) -> tuple[Handover, ...]:
        table = handovers.c
        within = [*([table.at >= since] if since else []), *([table.at <= until] if until else [])]
        rows = await self._all(
            update(handovers)
            .where(table.conversation == conversation, table.event.is_(None), *within)
            .values(event=event)
            .returning(handovers)
        )
        return tuple(sorted((handover_of(row) for row in rows), key=lambda one: one.id))

    async def add_follow_up(self, follow_up: FollowUp) -> None:
        await self._run(insert(follow_ups).values(follow_up_row(follow_up)))

    async def follow_up(self, workspace: str, id: str) -> FollowUp | None:
        table = follow_ups.c
        row = await self._one(select(follow_ups).where(table.workspace == workspace, table.id == id).with_for_update())
        return follow_up_of(row) if row else None

    async def save_follow_up(self, follow_up: FollowUp) -> None:
        row = changeable(follow_up_row(follow_up))
        if await self._changed(update(follow_ups).where(follow_ups.c.id == follow_up.id).values(row)) != 1:
            raise LookupError(f"there is no follow-up {follow_up.id}")

    async def count_follow_ups(self, conversation: Conversation, by: By, since: datetime) -> tuple[int, int]:
        await self._lock_name(f"follow-ups {conversation.workspace}")
        table = follow_ups.c
        waits = (table.conversation == conversation.id, table.state == FollowUpState.WAITING.value)
        waiting = (await self._run(select(func.count()).where(*waits))).scalar_one()
        lately = select(table.by).where(table.workspace == conversation.workspace, table.created_at > since)
        made = [By.model_validate(row.by) for row in await self._all(lately)]
        return waiting, sum(one.is_same(by) for one in made)

    async def add_alert(self, alert: Alert) -> None:
        await self._run(insert(alerts).values(alert_row(alert)))

    async def alert(self, workspace: str, id: str) -> Alert | None:
        row = await self._one(
            select(alerts).where(alerts.c.workspace == workspace, alerts.c.id == id).with_for_update()
        )
        return alert_of(row) if row else None

    async def save_alert(self, alert: Alert) -> None:
        row = changeable(alert_row(alert))
        if await self._changed(update(alerts).where(alerts.c.id == alert.id).values(row)) != 1:
            raise LookupError(f"there is no alert {alert.id}")

    async def newest_alert(self, conversation: str) -> Alert | None:
        newest = select(alerts).where(alerts.c.conversation == conversation).order_by(alerts.c.id.desc()).limit(1)
        row = await self._first(newest)
        return alert_of(row) if row else None

    async def link_account(self, workspace: str, agent: str, identity: Identity, now: datetime) -> None:
        row = {"workspace": workspace, "agent": agent, "created_at": now, **identity.model_dump()}
        await self._run(insert(agent_accounts).values(row))

    async def unlink_account(self, workspace: str, identity: Identity) -> bool:
        return await self._changed(delete(agent_accounts).where(*_is_account(workspace, identity))) == 1

    async def agent_of_account(self, workspace: str, identity: Identity) -> Agent | None:
        row = await self._one(
            select(agents)
            .join(agent_accounts, agent_accounts.c.agent == agents.c.id)
            .where(*_is_account(workspace, identity), agents.c.revoked_at.is_(None))
        )
        return agent_of(row) if row else None

    async def operators(self, workspace: str) -> tuple[Person, ...]:
        which = (people.c.workspace == workspace, people.c.role == Role.OPERATOR.value)
        return fold_people(await self._all(select_people(*which)))

    async def remember_order(self, agent: str, key: str, digest: str, response: dict[str, Any], now: datetime) -> None:
        await self._run(
            insert(loop_requests).values(agent=agent, key=key, digest=digest, response=response, created_at=now)
        )


def _is_account(workspace: str, identity: Identity) -> Sequence[Any]:
    table = agent_accounts.c
    return (
        table.workspace == workspace,
        table.provider == identity.provider,
        table.account == identity.account,
        table.user == identity.user,
    )
