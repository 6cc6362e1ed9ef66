"""Ask: create an interaction, its copies and everything owed, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.acts import Stamp, Supersede
from core.addresses import Address, ChatAddress, ReviewAddress
from core.asked_again import MOST, check_not_rejected
from core.asking import AnyAsk, AskConnection, check_ask, content_of
from core.audience import Audience
from core.errors import Fault, IdempotencyConflict, Invalid, NotFound, Settled
from core.interactions import created, decide, too_late
from core.kinds import Kind
from core.kinds.base import pointer
from core.people import Agent, AgentRole, Via, by_agent
from core.policy import Policy
from core.ports import Context, Work
from core.records import Interaction
from core.use_cases.answer import expire_in
from core.use_cases.destinations import new_publication, resolve
from core.use_cases.held import seen
from core.use_cases.recording import post, record, stamp_for
from core.use_cases.transact import transact

REJECTABLE = frozenset({Kind.CONFIRMATION, Kind.SUGGESTED_TASKS})
"""Kinds that people reject for good. A connection is declined for now, and asked for once at a time anyway."""


@dataclass(frozen=True)
class Asked:
    """The answer to a request. `replayed`: nothing new was made, as this key and body were seen before and this is
    the first answer again, or, with `pending`, as the same connection is asked for already and this is how it stands.
    """

    snapshot: dict[str, Any]
    replayed: bool
    pending: bool = False


async def ask(
    context: Context,
    request: AnyAsk,
    agent: Agent,
    idempotency: tuple[str, str] | None = None,
    via: Via = Via.API,
) -> Asked:
    """Ask people. `idempotency` is the caller's key and the digest of the body.

    Raises `Invalid`, `IdempotencyConflict`, and for `supersedes` `NotFound` or a `Settled`.
    """
    result = await transact(context, lambda work: ask_in(work, context, request, agent, idempotency, via))
    if isinstance(result, Settled):
        raise result
    return result


async def ask_in(
    work: Work,
    context: Context,
    request: AnyAsk,
    agent: Agent,
    idempotency: tuple[str, str] | None = None,
    via: Via = Via.API,
) -> Asked | Settled:
    """The same inside a transaction of the caller, who commits it whether something was asked or it came too late."""
    places, fallback = check_ask(request)
    if _has_chat(places):
        await work.foresee_posts(agent.workspace)
    if idempotency is not None:
        known = await work.remembered(agent.id, idempotency[0])
        if known is not None:
            if known[0] != idempotency[1]:
                raise IdempotencyConflict("This Idempotency-Key was used with another body.")
            return Asked(known[1], replayed=True)
    stamp = stamp_for(context, by_agent(agent), via)
    same = await _same(work, context, request, agent, stamp.now)
    if same is not None:
        return Asked(same, replayed=True, pending=True)
    interaction = _new(context, request, agent, stamp.now, has_chat=_has_chat(places))
    _check_somebody_is_left(interaction.audience, agent)
    await _check_people(work, agent.workspace, interaction.audience, request.policy)
    if request.supersedes is None and interaction.content.kind in REJECTABLE:
        check_not_rejected(await work.rejected_like(interaction, MOST), request.policy, stamp.now)
    too_late_for_it = await _supersede_others(work, context, interaction, agent, request.supersedes, stamp)
    if too_late_for_it is not None:
        return too_late_for_it
    targets = await resolve(work, agent.workspace, places, _pointers(request))
    await resolve(work, agent.workspace, fallback, [pointer("policy", "fallback", i) for i in range(4)])
    shown = await publish(work, context, interaction, targets, stamp)
    if idempotency is not None:
        await work.remember(agent.id, idempotency[0], idempotency[1], shown, interaction.id, stamp.now)
    return Asked(shown, replayed=False)


async def publish(
    work: Work, context: Context, interaction: Interaction, targets: Sequence[ChatAddress], stamp: Stamp
) -> dict[str, Any]:
    """Write a new interaction and its copies, owe their posts, and return the snapshot."""
    await work.add_interaction(interaction)
    publications = [
        new_publication(context, interaction, number, target) for number, target in enumerate(targets, start=1)
    ]
    for publication in publications:
        await work.add_publication(publication)
    shown = await record(work, context, None, created(interaction, stamp), publications, stamp.now)
    for publication in publications:
        await post(work, context, publication, stamp.now)
    return shown


def _sole_key(request: AskConnection) -> str:
    """One agent asks for one service once at a time."""
    return f"connection {request.payload.service}"


async def _same(work: Work, context: Context, request: AnyAsk, agent: Agent, now: datetime) -> dict[str, Any] | None:
    """The card that asks for this connection already."""
    if not isinstance(request, AskConnection):
        return None
    found = await work.pending_by_sole_key(agent.workspace, agent.id, _sole_key(request))
    if found is None:
        return None
    publications = await work.publications(found.id)
    if found.is_due(now):
        await expire_in(work, context, found, publications)
        return None
    return await seen(work, context, found, publications, now)


def _has_chat(places: Sequence[Address]) -> bool:
    return any(not isinstance(place, ReviewAddress) for place in places)


def _pointers(request: AnyAsk) -> list[str]:
    return ["/to"] if isinstance(request.to, str) else [pointer("to", index) for index in range(len(request.to))]


def _new(context: Context, request: AnyAsk, agent: Agent, now: datetime, *, has_chat: bool) -> Interaction:
    ends = request.policy.expiry(now)
    waits = has_chat and request.policy.starts == "delivered"
    return Interaction(
        id=context.ids.new("int"),
        workspace=agent.workspace,
        content=content_of(request),
        audience=request.audience or Audience(),
        policy=request.policy,
        continuation=request.continuation,
        to=(request.to,) if isinstance(request.to, str) else request.to,
        creator=by_agent(agent),
        created_at=now,
        expires_at=None if waits else ends,
        undelivered_until=ends if waits else None,
        started_at=None if waits else now,
        supersedes=request.supersedes,
        supersede_key=request.supersede_key,
        sole_key=_sole_key(request) if isinstance(request, AskConnection) else None,
    )


def _check_somebody_is_left(audience: Audience, agent: Agent) -> None:
    """An audience that names its creator alone, and excludes the creator, admits nobody."""
    if "creator" in audience.exclude and set(audience.answerers) == {f"agent:{agent.name}"}:
        words = "nobody is left who may answer: the audience names nobody but the creator"
        raise Invalid.at("/audience/exclude", words)


async def _check_people(work: Work, workspace: str, audience: Audience, policy: Policy) -> None:
    """An audience may only name people and agents that exist: an unresolvable name admits nobody."""
    faults: list[Fault] = []
    named = [(pointer("audience", "answerers", index), text) for index, text in enumerate(audience.answerers)]
    if policy.nudges:
        escalate = policy.nudges.escalate_to
        named += [(pointer("policy", "nudges", "escalate_to", i), text) for i, text in enumerate(escalate)]
    for where, text in named:
        name = text.removeprefix("agent:")
        if name != text:
            known = await work.agent_by_name(workspace, name)
            if known is None or known.revoked:
                faults.append(Fault(where, f"there is no agent called {name}"))
        handle = text.removeprefix("person:")
        if handle != text and await work.person_by_handle(workspace, handle) is None:
            faults.append(Fault(where, f"there is nobody with the handle {handle}"))
    if faults:
        raise Invalid(faults)


async def _supersede_others(
    work: Work, context: Context, new: Interaction, agent: Agent, named: str | None, stamp: Stamp
) -> Settled | None:
    """End what the new interaction replaces, in the same transaction. What is due by then expires instead; was it
    named, that is returned and nothing new is to be asked."""
    old: list[Interaction] = []
    if named is not None:
        found = await work.interaction(new.workspace, named)
        if found is None or (found.creator.id != agent.id and agent.role is not AgentRole.OPERATOR):
            raise NotFound("There is no such interaction to supersede.")
        if not found.is_pending:
            raise too_late(found)
        if found.is_due(stamp.now):
            return too_late(await expire_in(work, context, found, await work.publications(found.id)))
        old.append(found)
    if new.supersede_key is not None:
        same_key = await work.pending_by_key(new.workspace, agent.id, new.supersede_key)
        if same_key is not None and same_key.id not in {one.id for one in old}:
            old.append(same_key)
    for before in old:
        publications = await work.publications(before.id)
        own = stamp_for(context, stamp.by, stamp.via)
        if before.is_due(own.now):
            await expire_in(work, context, before, publications)
            continue
        decision = decide(before, Supersede(new.id), own)
        await record(work, context, before, decision, publications, own.now)
    return None
