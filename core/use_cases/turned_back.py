"""After a clock went back: what was done while it was ahead counts as of now, and what comes next follows from that."""

from __future__ import annotations

from core.dues import Due, DueKind
from core.loops.timing import counted_from as counted_order
from core.loops.values import Loop
from core.nudging import counted_from, next_nudge
from core.ports import Context, Work
from core.records import Interaction
from core.restoring import SKEW
from core.use_cases.batches import BATCH, each
from core.use_cases.digests import next_digest
from core.use_cases.loop_recording import coming
from core.use_cases.transact import transact


async def count_anew(context: Context) -> None:
    """Let nothing wait for a clock to come again to where it was. In small transactions; cut off, it can be done
    again."""
    await transact(context, lambda work: work.draw_near(context.clock.now()))
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


async def count_anew_if_ahead(context: Context) -> bool:
    """The same, if something was done at a moment that is still to come; whether it was."""
    newest, _ = await transact(context, lambda work: work.newest())
    was_ahead = newest is not None and newest > context.clock.now() + SKEW
    if was_ahead:
        await count_anew(context)
    return was_ahead


async def _morning(work: Work, context: Context, due: Due) -> None:
    person = await work.person(due.workspace, due.subject)
    wanted = await next_digest(work, person, context.clock.now()) if person is not None else None
    if wanted is not None and wanted < due.due_at:
        await work.set_due(due.kind, due.subject, due.workspace, wanted)


async def _card(work: Work, context: Context, card: Interaction) -> None:
    now = context.clock.now()
    if card.policy.nudges is None or card.is_due(now):
        return
    after = counted_from(card, now)
    if after is not card:
        await work.save_interaction(card, after, now)
    wanted, known = next_nudge(after), await work.due(DueKind.NUDGE, card.id)
    # One that was put off until people wake is put off again.
    if wanted is not None and (known is None or wanted < known.due_at):
        await work.set_due(DueKind.NUDGE, card.id, card.workspace, wanted)


async def _order(work: Work, context: Context, order: Loop) -> None:
    after = counted_order(order, context.clock.now())
    if after is not order:
        await work.save_loop(order, after)
    step, known = await coming(work, after), await work.due(DueKind.LOOP, order.id)
    if step is not None and (known is None or step.at < known.due_at):
        await work.set_due(DueKind.LOOP, order.id, order.workspace, step.at)
