"""After a clock went back: what was done while it was ahead counts as of now, and what comes next follows from that."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from core.dues import Due, DueKind
from core.loops.places import Alert
from core.loops.timing import reminded_as_of
from core.loops.values import Loop
from core.nudging import begun_as_of, next_nudge
from core.ports import Context, Work
from core.publications import PublicationState
from core.receipts import Receipt, ReceiptType
from core.records import Interaction
from core.reminding import Snooze
from core.use_cases.batches import BATCH, each
from core.use_cases.digests import next_digest
from core.use_cases.loop_copies import keep_copy
from core.use_cases.loop_recording import coming
from core.use_cases.recording import redraw_all
from core.use_cases.schedule import snooze_key
from core.use_cases.transact import transact

_LOST = frozenset({PublicationState.SENDING, PublicationState.UNKNOWN})
C = TypeVar("C", Loop, Alert)


async def count_anew(context: Context) -> None:
    """Let nothing wait for a clock to come again to where it was. In small transactions; cut off, it can be done
    again."""
    await transact(context, lambda work: work.draw_near(context.clock.now()))
    await transact(context, lambda work: work.admit_as_of(context.clock.now()))
    await each(
        context,
        lambda work, after: work.dues_after(DueKind.DIGEST, after, BATCH),
        lambda work, one: _morning(work, context, one),
    )
    await each(
        context, lambda work, after: work.pending_after(after, BATCH), lambda work, one: _card(work, context, one)
    )
    await each(
        context, lambda work, after: work.open_orders_after(after, BATCH), lambda work, one: _order(work, context, one)
    )
    await each(
        context, lambda work, after: work.alerts_after(after, BATCH), lambda work, one: _alert(work, context, one)
    )


async def count_anew_if_ahead(context: Context) -> bool:
    """The same, if something was done at a moment that is still to come; whether it was."""
    was_ahead = await transact(context, lambda work: work.was_ahead(context.clock.now()))
    if was_ahead:
        await count_anew(context)
    return was_ahead


async def _morning(work: Work, context: Context, due: Due) -> None:
    person = await work.person(due.workspace, due.subject)
    if person is None:
        return
    wanted = await next_digest(work, person, context.clock.now())
    after = await next_digest(work, person, wanted) if wanted is not None else None
    # The next but one is waited for by whoever has had the next one, as it was a moment or a day ahead.
    if wanted is not None and (after is None or after < due.due_at):
        await work.set_due(due.kind, due.subject, due.workspace, wanted)


async def _card(work: Work, context: Context, card: Interaction) -> None:
    now = context.clock.now()
    if card.is_due(now):
        return
    after = await _put_off(work, begun_as_of(card, now), now)
    if after is not card:
        await work.save_interaction(card, after, now)
    if after.version != card.version:
        await redraw_all(work, context, after, await work.publications(card.id), now)
    if card.policy.nudges is None:
        return
    wanted, known = next_nudge(after), await work.due(DueKind.NUDGE, card.id)
    # One that was put off until people wake is put off again.
    if wanted is not None and (known is None or wanted < known.due_at):
        await work.set_due(DueKind.NUDGE, card.id, card.workspace, wanted)


async def _put_off(work: Work, card: Interaction, now: datetime) -> Interaction:
    """The card with whoever put it off while a clock was ahead left alone as long as they said, from now on."""
    before = card.reminding.snoozes
    receipts = await work.receipts(card.id) if any(one.until > now for one in before) else ()
    snoozes = tuple(_counted_snooze(one, receipts, now) for one in before)
    if snoozes == before:
        return card
    for one in snoozes:
        if one not in before:
            await work.set_due(DueKind.SNOOZE, snooze_key(card.id, one.by.id or ""), card.workspace, one.until)
    return card.model_copy(update={"reminding": card.reminding.model_copy(update={"snoozes": snoozes})})


def _counted_snooze(snooze: Snooze, receipts: Sequence[Receipt], now: datetime) -> Snooze:
    said = [one for one in receipts if one.type is ReceiptType.SNOOZED and one.by.is_same(snooze.by)]
    until = str(said[-1].data.get("until", "")) if said and said[-1].at > now else ""
    if not until:
        return snooze
    return snooze.model_copy(update={"until": min(snooze.until, now + (datetime.fromisoformat(until) - said[-1].at))})


async def _order(work: Work, context: Context, order: Loop) -> None:
    sought = await _sought(work, context, order)
    after = reminded_as_of(sought, context.clock.now())
    if after is not sought:
        await work.save_loop(sought, after)
    step, known = await coming(work, after), await work.due(DueKind.LOOP, order.id)
    if step is not None and (known is None or step.at < known.due_at):
        await work.set_due(DueKind.LOOP, order.id, order.workspace, step.at)


async def _alert(work: Work, context: Context, alert: Alert) -> None:
    await _sought(work, context, alert)


async def _sought(work: Work, context: Context, carrier: C) -> C:
    """What has a card, which has the usual time from now on to be found, if nobody knows whether it was posted."""
    now, card = context.clock.now(), carrier.card
    if card is None or card.state not in _LOST or card.attempt_at is None or card.attempt_at <= now:
        return carrier
    copy = card.model_copy(update={"attempt_at": now})
    await keep_copy(work, carrier, copy)
    return carrier.model_copy(update={"card": copy})
