"""Putting a pseudonym in the place of a person, table by table, in short transactions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Row, Table, Text, and_, cast, delete, false, insert, or_, select, update

from core.people import Person
from core.pseudonyms import GONE, Chat, Pseudonym, accounts_of, names_of
from core.publications import PublicationState
from core.store.loop_rows import loop_of
from core.store.tables import (
    agents,
    alerts,
    answerers,
    audit,
    conversations,
    events,
    follow_ups,
    handovers,
    idempotency,
    inbox,
    interactions,
    links,
    loop_prompts,
    loop_receipts,
    loop_reminders,
    loop_requests,
    loops,
    outbox,
    paces,
    profiles,
    prompts,
    publications,
    receipts,
    reminders,
    sayings,
    tasks,
    tool_calls,
    tool_policies,
)
from core.store.windows import edge
from core.store.work.resealing import SUBJECTS, ResealingWork

STEPS: tuple[tuple[Table, tuple[str, ...]], ...] = (
    # Which columns of which table may name somebody. Chains come after what their lines stand for, and places last, as
    # they say which channels are theirs.
    (
        interactions,
        (
            "audience", "policy", "addresses", "creator", "votes", "ticks", "verdicts", "connecting", "reminding",
            "delegations", "outcome",
        ),
    ),
    (events, ("data",)),
    (tasks, ("by", "assignee")),
    (tool_calls, ("by", "identity")),
    (reminders, ("recipient", "channel")),
    (loop_reminders, ("recipient",)),
    (outbox, ("task", "key")),
    (
        loops,
        (
            "recipient", "sender", "sender_label", "slots", "acknowledged", "claimed", "started", "outcome", "card",
            "card_channel",
        ),
    ),
    (sayings, ("by", "channel")),
    (handovers, ("by",)),
    (follow_ups, ("by",)),
    (alerts, ("by", "card")),
    (audit, ("actor", "about", "before", "after")),
    (receipts, ("line",)),
    (loop_receipts, ("line",)),
    (publications, ()),
    (conversations, ()),
)  # fmt: skip
PLACES = (publications, conversations)
_CALLED = {tasks: "assignee", loops: "sender_label"}
"""Where people are called by a handle alone."""


class RedactingWork(ResealingWork):
    """Redact in batches, each a transaction of its own."""

    async def redact_person(self, who: Pseudonym, now: datetime, after: str, limit: int) -> str | None:
        step, _, last = after.partition("/")
        at = int(step or 0)
        table, columns = STEPS[at]
        here = (table.c.workspace == who.person.workspace, table.c.id > last)
        reached = await self._first(edge(table, limit, *here))
        looked_at = (*here, table.c.id <= reached.id) if reached else here
        which = _is_there(table, accounts_of(who.person)) if table in PLACES else _names(table, columns, who)
        found = select(table).where(*looked_at, which).order_by(table.c.id).limit(limit).with_for_update()
        rows = await self._all(found)
        if table in SUBJECTS:
            without = [(row, who.without(row.line)) for row in rows]
            await self._reseal(table, [(row, line) for row, line in without if line != row.line], now, {})
        else:
            for row in rows:
                await self._redact(table, columns, row, who, now)
        if len(rows) == limit:
            return f"{at}/{rows[-1].id}"
        if reached is not None:
            return f"{at}/{reached.id}"
        if at + 1 < len(STEPS):
            return f"{at + 1}/"
        await self._redact_others(who)
        return None

    async def chats_of(self, person: Person) -> tuple[Chat, ...]:
        found = list(accounts_of(person))
        for table in PLACES:
            theirs = (table.c.workspace == person.workspace, table.c.channel.is_not(None))
            rows = select(table.c.provider, table.c.account, table.c.channel).where(
                *theirs, _is_there(table, accounts_of(person))
            )
            found += [Chat(row.provider, row.account, row.channel) for row in await self._all(rows.distinct())]
        return tuple(dict.fromkeys(found))

    async def _redact(self, table: Table, columns: Sequence[str], row: Row[Any], who: Pseudonym, now: datetime) -> None:
        if table is outbox:
            if _is_owed_to(row.task, who):
                # What is under way to them arrives or does not: whoever has it finds nothing to end.
                await self._run(delete(outbox).where(outbox.c.id == row.id))
            return
        values = _PLACED[table](row, who.alias) if table in PLACES else _changed(table, row, columns, who)
        if values:
            await self._run(update(table).where(table.c.id == row.id).values(values))
        if table is interactions:
            await self._rename_answerers(row.id, who)
        if table is loops and values:
            await self._redact_order(row.id, who, now)

    async def _redact_order(self, loop: str, who: Pseudonym, now: datetime) -> None:
        """What was ordered is in the digest of its first receipt, with who ordered it of whom."""
        left = await self._one(select(loops).where(loops.c.id == loop))
        first = (loop_receipts.c.loop == loop, loop_receipts.c.seq == 1)
        line = await self._first(select(loop_receipts).where(*first).with_for_update())
        if left is not None and line is not None:
            ordered = loop_of(left).digest()
            await self._reseal(loop_receipts, [(line, who.without(line.line))], now, {line.id: ordered})

    async def _redact_others(self, who: Pseudonym) -> None:
        """What has no id of its own to go by: what is answered to a request that comes again, what was told in a chat,
        who looks at calls, how fast they are written to, and what waits for words of theirs."""
        person = who.person
        own = select(agents.c.id).where(agents.c.workspace == person.workspace)
        for table in (idempotency, loop_requests):
            for row in await self._all(select(table).where(table.c.agent.in_(own), _names(table, ("response",), who))):
                which = (table.c.agent == row.agent, table.c.key == row.key)
                await self._run(update(table).where(*which).values(response=who.without(row.response)))
        set_here = select(tool_policies).where(tool_policies.c.workspace == person.workspace)
        for row in await self._all(set_here.where(_names(tool_policies, ("reviewers",), who))):
            which = (tool_policies.c.workspace == row.workspace, tool_policies.c.op == row.op)
            await self._run(update(tool_policies).where(*which).values(reviewers=who.without(row.reviewers)))
        told = [inbox.c.reply.contains(name, autoescape=True) for name in (person.name, person.handle) if name]
        await self._run(update(inbox).where(inbox.c.done_at.is_not(None), or_(false(), *told)).values(reply=None))
        paced = [paces.c.bucket.contains(f".{one.place}", autoescape=True) for one in who.chats]
        await self._run(delete(paces).where(or_(false(), *paced)))
        for table in (prompts, loop_prompts):
            theirs = or_(table.c.person == person.id, _is_there(table, who.chats, "channel"))
            await self._run(delete(table).where(table.c.workspace == person.workspace, theirs))
        for table, column in ((links, "claimed"), (profiles, "user")):
            named = _names(table, ("claimed",), who) if table is links else _is_there(table, who.chats, column)
            await self._run(delete(table).where(table.c.workspace == person.workspace, named))

    async def _rename_answerers(self, interaction: str, who: Pseudonym) -> None:
        table = answerers.c
        theirs = (table.interaction == interaction, table.answerer.in_(names_of(who.person)))
        row = await self._first(select(answerers).where(*theirs))
        if row is not None:
            await self._run(delete(answerers).where(*theirs))
            renamed = {"interaction": interaction, "workspace": row.workspace, "answerer": f"person:{who.alias}"}
            await self._run(insert(answerers).values(renamed))


def _names(table: Table, columns: Sequence[str], who: Pseudonym) -> ColumnElement[bool]:
    """The condition for rows that may name a person; the pseudonym says whether they do."""
    called = [table.c[_CALLED[table]].in_((who.person.handle, who.person.name))] if table in _CALLED else []
    spelled = [cast(table.c[column], Text) for column in columns]
    return or_(*called, *(one.contains(needle, autoescape=True) for one in spelled for needle in who.needles))


def _is_there(table: Table, chats: Sequence[Chat], column: str = "place") -> ColumnElement[bool]:
    """The condition for what is in chats of one person alone."""
    there = [
        and_(table.c.provider == one.provider, table.c[column] == one.place, *_within(table, one)) for one in chats
    ]
    return or_(false(), *there)


def _within(table: Table, chat: Chat) -> tuple[ColumnElement[bool], ...]:
    """An organisation's teams share their users; Telegram's users are the same for every bot."""
    counted = or_(table.c.account.in_((chat.account, "")), table.c.account.startswith("E"))
    return (counted,) if chat.account else ()


def _changed(table: Table, row: Row[Any], columns: Sequence[str], who: Pseudonym) -> dict[str, Any]:
    found = {column: (getattr(row, column), who.without(getattr(row, column))) for column in columns}
    values = {column: after for column, (before, after) in found.items() if after != before}
    called = _CALLED.get(table)
    if called and getattr(row, called) in (who.person.handle, who.person.name):
        values[called] = who.alias
    if table is loops and row.card and who.is_theirs(row.card_provider, row.card_account, row.card["place"]):
        values |= {"card_channel": None, "card_message": None}
    if table is sayings and who.is_theirs(row.provider, row.account, row.channel):
        values |= {"channel": None, "message": None}
    if table is audit and row.about["id"] == who.person.id:
        # Whom they were before they were one.
        for name in ("before", "after"):
            told = values.get(name, getattr(row, name))
            values |= {name: {**told, "person": who.alias}} if told and "person" in told else {}
    if table is reminders and any(one.place == row.channel for one in who.chats):
        values |= {"channel": None, "message": None}
    return values


def _is_owed_to(task: dict[str, Any], who: Pseudonym) -> bool:
    """Whether something goes to them, or is about what they are to say. What takes messages of ours out of their chat
    is still owed."""
    if task["task"] == "take_back":
        return False
    there = who.is_theirs(task.get("provider"), task.get("account"), task.get("channel"))
    return there or task.get("person") == who.person.id or who.without(task.get("where")) != task.get("where")


def _private(row: Row[Any], alias: str) -> dict[str, Any]:
    where = f"{row.provider}:{row.account}.{alias}"
    ended = {"state": PublicationState.FAILED.value, "reason": GONE}
    return {"place": alias, "channel": None, "message": None, "conversation": where, **ended}


def _left(row: Row[Any], alias: str) -> dict[str, Any]:
    address = f"{row.provider}:{row.account}.{alias}"
    return {"key": row.id, "address": address, "place": alias, "channel": None, "thread": None, "root": None}


_PLACED = {publications: _private, conversations: _left}
