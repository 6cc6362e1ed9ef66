"""Answer: judge who it is, decide, record. The one way to an outcome, whatever surface it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from core.acts import Accept, Comment, Expire, Judge, Quoted, Reject, Respond, Stamp, Tick
from core.audience import Candidate, judge_agent, judge_person
from core.errors import Expired, Fault, NotFound, Refused, Settled
from core.interactions import decide
from core.people import TIMER, Agent, By, Via, by_agent, by_person
from core.ports import Context, Work
from core.publications import Publication
from core.reading import Records
from core.receipts import ReceiptType
from core.records import Interaction
from core.signed_in import check_signed_in
from core.traces import late_answer
from core.use_cases.held import seen
from core.use_cases.recording import record, stamp_for
from core.use_cases.transact import transact

Late = Callable[[str, float], None]
MOST_TASKS = 50
"""As many as one card can suggest."""
Answering = Respond | Accept | Reject | Tick | Judge | Comment


@dataclass(frozen=True)
class Done:
    """What stands after an act. `repeated`: it had been done before by the same one, so nothing is new. `late` says of
    parts of it that they came too late, with pointers into the act."""

    interaction: Interaction
    snapshot: dict[str, Any]
    repeated: bool
    late: tuple[Fault, ...] = ()


async def answer(
    context: Context,
    workspace: str,
    id: str,
    act: Answering,
    who: Candidate | Agent,
    via: Via,
    provider_event: str | None = None,
) -> Done:
    """Answer as a person or as a named agent. Raises any `Refused`; then nothing changed, except that an
    expiry that was due is settled and a late answer is noted."""

    async def inner(work: Work) -> Done | Refused:
        before = await work.interaction(workspace, id)
        if before is None:
            raise NotFound("There is no such interaction.")
        publications = await work.publications(id)
        return await answer_in(work, context, before, publications, act, who, via, provider_event)

    result = await transact(context, inner)
    if isinstance(result, Refused):
        raise result
    return result


async def answer_in(
    work: Work,
    context: Context,
    before: Interaction,
    publications: Sequence[Publication],
    act: Answering,
    who: Candidate | Agent,
    via: Via,
    provider_event: str | None,
    quoted: Quoted | None = None,
) -> Done | Refused:
    """The same inside a transaction of the caller, who commits it whether this is done or refused."""
    try:
        by = admit(before, publications, who)
    except Refused as refused:
        return refused
    tasks = len(act.selected or ()) if isinstance(act, Accept) else 0
    stamp = stamp_for(context, by, via, provider_event, more_receipts=1, tasks=min(tasks, MOST_TASKS), quoted=quoted)
    if before.is_due(stamp.now):
        settled = await expire_in(work, context, before, publications)
        return Expired("The time to answer this is over.", settled.outcome)
    try:
        if before.is_pending and isinstance(who, Candidate) and not isinstance(act, Comment):
            check_signed_in(before.policy, who.signed_in_at, stamp.now)
        decision = decide(before, act, stamp)
    except Settled as late:
        if not before.is_pending and not isinstance(act, Comment):
            await _note_late(work, before, act, stamp)
        return late
    except Refused as refused:
        return refused
    if decision.repeated:
        return Done(before, await seen(work, context, before, publications, stamp.now), repeated=True)
    shown = await record(work, context, before, decision, publications, stamp.now)
    return Done(decision.after, shown, repeated=False, late=decision.late)


async def _note_late(work: Work, settled: Interaction, act: Answering, stamp: Stamp) -> None:
    """Keep a line for someone who came too late: one each, however often they press."""
    earlier = await work.receipts(settled.id)
    if not any(one.type is ReceiptType.LATE_ANSWER and one.by.is_same(stamp.by) for one in earlier):
        await work.record(late_answer(settled, act, stamp), settled.id)


def admit(interaction: Interaction, publications: Sequence[Publication], who: Candidate | Agent) -> By:
    """Judge whether someone may answer now, and return who they are to the receipts. Raises a `Refused`."""
    if isinstance(who, Agent):
        judge_agent(interaction.audience, interaction.creator, who)
        return by_agent(who)
    # Membership of a conversation counts only where this very card was published.
    own = {publication.conversation for publication in publications}
    own |= {f"{one.provider.value}:{one.account}.{one.place}" for one in publications}
    memberships = {place: known for place, known in who.memberships.items() if place in own}
    here = replace(who, memberships=memberships)
    judge_person(interaction.audience, interaction.creator, here, handed_to(interaction))
    return by_person(who.person, who.identity)


def handed_to(interaction: Interaction) -> frozenset[str]:
    """The answerers that are there only because somebody handed it on to them; the policy may have brought in some."""
    nudges = interaction.policy.nudges
    brought_in = nudges.escalate_to if nudges is not None and interaction.reminding.escalated_at is not None else ()
    return frozenset(one.to for one in interaction.delegations) - frozenset(brought_in)


async def expire_in(
    work: Work, context: Context, before: Interaction, publications: Sequence[Publication]
) -> Interaction:
    """Settle an interaction whose time is over, inside the caller's transaction."""
    stamp = stamp_for(context, TIMER, Via.TIMER)
    decision = decide(before, Expire(), stamp)
    await record(work, context, before, decision, publications, stamp.now, timed=False)
    return decision.after


async def expire_due(context: Context, records: Records, limit: int = 50, late: Late | None = None) -> int:
    """Settle what is due, oldest first, each in its own transaction; return how many were settled. `late` is told of
    each how many seconds after its time that was.

    Looking for what is due waits for no writer, so it may be done often.
    """
    settled = 0
    while found := await records.due_interactions(context.clock.now(), limit):
        for workspace, id in found:
            was_due = await _expire(context, workspace, id)
            settled += was_due is not None
            if was_due is not None and late is not None:
                late("expiry", (context.clock.now() - was_due).total_seconds())
        if len(found) < limit:
            break
    return settled


async def _expire(context: Context, workspace: str, id: str) -> datetime | None:
    """Settle it if it is due, and return when it was."""

    async def inner(work: Work) -> datetime | None:
        before = await work.interaction(workspace, id)
        if before is None or not before.is_due(context.clock.now()):
            # Someone answered in the same moment: the stored answer beats the clock.
            return None
        await expire_in(work, context, before, await work.publications(id))
        return before.due_at

    return await transact(context, inner)
