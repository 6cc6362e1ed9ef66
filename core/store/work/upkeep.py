"""The service's own housekeeping: workspaces, remembered requests, attempts, leases, and forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Table, case, delete, exists, insert, or_, select, tuple_, update

from core.installations import ENDED_KEPT
from core.loops.outcomes import ENDED
from core.retention import Step
from core.store.statements import REQUEST, Insert
from core.store.tables import (
    CLAIMED,
    PENDING,
    WAITING,
    agent_keys,
    agent_secrets,
    attempts,
    drafts,
    idempotency,
    inbox,
    install_states,
    interactions,
    invitations,
    leases,
    links,
    loop_prompts,
    loop_receipts,
    loop_requests,
    loops,
    outbox,
    prompts,
    receipts,
    sessions,
    sightings,
    signins,
    workspaces,
)
from core.store.transaction import Transaction
from core.upkeep import INBOX_KEPT, OUTBOX_KEPT, REMEMBERED, SEEN_KEPT, Attempt

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class UpkeepWork(Transaction):
    """What is about the service rather than about one interaction."""

    async def add_workspace(self, id: str, name: str, now: datetime) -> None:
        made = self._upsert(workspaces).values(id=id, name=name, created_at=now, position=0)
        await self._run(made.on_conflict_do_nothing(index_elements=["id"]))

    async def remembered(self, agent: str, key: str) -> tuple[str, dict[str, Any]] | None:
        row = await self._first(REQUEST, {"agent": agent, "key": key})
        return (row.digest, row.response) if row else None

    async def remember(
        self, agent: str, key: str, digest: str, response: dict[str, Any], interaction: str, now: datetime
    ) -> None:
        row = {"agent": agent, "key": key, "digest": digest, "response": response}
        await self._later(Insert.REQUEST, {**row, "interaction": interaction, "created_at": now})

    async def note_attempt(self, attempt: Attempt) -> None:
        await self._run(
            insert(attempts).values(
                event=attempt.event,
                number=attempt.number,
                at=attempt.at,
                status=attempt.status,
                error=attempt.error,
            )
        )

    async def take_lease(self, name: str, owner: str, now: datetime, until: datetime) -> int | None:
        table = leases.c
        taken = self._upsert(leases).values(name=name, owner=owner, until=until, generation=1)
        row = await self._one(
            taken.on_conflict_do_update(
                index_elements=["name"],
                set_={
                    "owner": owner,
                    "until": until,
                    "generation": table.generation + case((table.owner == owner, 0), else_=1),
                },
                where=or_(table.owner == owner, table.until <= now),
            ).returning(table.generation)
        )
        return row.generation if row else None

    async def lease_holders(self, names: Sequence[str], now: datetime) -> dict[str, str]:
        held = select(leases.c.name, leases.c.owner).where(leases.c.name.in_(names), leases.c.until > now)
        return {row.name: row.owner for row in await self._all(held)}

    async def drop_lease(self, name: str, owner: str) -> None:
        # The row stays: its generation must never be given out again.
        which = (leases.c.name == name, leases.c.owner == owner)
        await self._run(update(leases).where(*which).values(owner="", until=LONG_AGO))

    async def take_over(self, place: str, now: datetime) -> int:
        theirs = f"{place}/"
        held = update(outbox).where(outbox.c.state == CLAIMED, outbox.c.owner.startswith(theirs, autoescape=True))
        leased = update(leases).where(leases.c.owner.startswith(theirs, autoescape=True))
        freed = await self._changed(held.values(lease_until=now)) + await self._changed(leased.values(until=LONG_AGO))
        await self._run(update(inbox).where(inbox.c.state == WAITING).values(lease_until=now))
        return freed

    async def extend_claims(self, owner: str, until: datetime) -> int:
        own = (outbox.c.state == CLAIMED, outbox.c.owner == owner)
        return await self._changed(update(outbox).where(*own).values(lease_until=until))

    async def forget(self, now: datetime, after: str, limit: int) -> Step:
        over = _over(now)
        at = int(after or 0)
        table, *which = over[at]
        own = tuple(table.primary_key.columns)
        some = select(*own).where(*which).limit(limit).correlate(None)
        key = own[0] if len(own) == 1 else tuple_(*own)
        gone = await self._changed(delete(table).where(key.in_(some)))
        at += gone < limit
        return Step(gone, str(at) if at < len(over) else None)


def _over(now: datetime) -> tuple[tuple[Any, ...], ...]:
    """The tables of what does not stay, each with what a row has when its time is past."""
    return (
        (drafts, drafts.c.updated_at < now - REMEMBERED, _is_settled(drafts)),
        # A late reply to a prompt is told what stands, for as long as other things are remembered.
        (prompts, _is_settled(prompts), ~_has_receipt_since(now - REMEMBERED)),
        (loop_prompts, _has_ended(), ~_has_loop_receipt_since(now - REMEMBERED)),
        (sightings, sightings.c.seen_at < now - SEEN_KEPT),
        (inbox, inbox.c.done_at < now - INBOX_KEPT),
        (idempotency, idempotency.c.created_at < now - REMEMBERED),
        (loop_requests, loop_requests.c.created_at < now - REMEMBERED),
        (outbox, outbox.c.ended_at < now - OUTBOX_KEPT),
        # A sign-in counts against the hourly limit for a while after it is over.
        (signins, signins.c.expires_at < now - REMEMBERED),
        (sessions, sessions.c.expires_at < now),
        (links, links.c.expires_at < now - REMEMBERED),
        # Those that were replaced, and those of agents that were revoked: nothing is good by them any more.
        (agent_keys, agent_keys.c.ends_at <= now),
        (agent_secrets, agent_secrets.c.ends_at <= now),
        (install_states, install_states.c.expires_at < now),
        (invitations, invitations.c.expires_at < now - ENDED_KEPT),
    )


def _is_settled(of: Table) -> ColumnElement[bool]:
    """Whether the interaction that a row is about has ended."""
    return exists().where(interactions.c.id == of.c.interaction, interactions.c.status != PENDING)


def _has_receipt_since(moment: datetime) -> ColumnElement[bool]:
    return exists().where(receipts.c.interaction == prompts.c.interaction, receipts.c.at >= moment)


def _has_ended() -> ColumnElement[bool]:
    """Whether the work order that a prompt is about has ended."""
    ended = loops.c.state.in_([state.value for state in ENDED])
    return exists().where(loops.c.id == loop_prompts.c.loop, ended)


def _has_loop_receipt_since(moment: datetime) -> ColumnElement[bool]:
    return exists().where(loop_receipts.c.loop == loop_prompts.c.loop, loop_receipts.c.at >= moment)
