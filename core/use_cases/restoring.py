"""After a database went back: the chats are made equal to what it says, in small transactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from core.addresses import Provider
from core.canonical import rfc3339
from core.events import EventType, LoopEventType
from core.loops.decisions import line
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy
from core.people import TIMER, Via
from core.ports import Context, Work
from core.publications import Publication, PublicationState
from core.receipts import ReceiptType
from core.records import Interaction
from core.reminding import ReminderState
from core.restoring import LEASE, LEASE_KEPT, UNSETTLED, Mark, Timeline, went_on
from core.traces import draft
from core.use_cases.batches import BATCH, each
from core.use_cases.held import seen
from core.use_cases.loop_copies import keep_copy, redraw
from core.use_cases.loop_recording import announce_loop, redraw_loop, shown
from core.use_cases.recording import announce, owe_end, redraw_all, stamp_for
from core.use_cases.transact import transact

_NOT_SEEN = frozenset({PublicationState.QUEUED, PublicationState.SENDING, PublicationState.UNKNOWN})
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


async def find_timeline(context: Context, home: str, mark: Mark | None, *, marked: bool) -> Timeline | None:
    """The timeline that the database goes on with; None when it went back, or is elsewhere than it was. One that is
    new begins with nothing. `marked`: it is a file, beside which a mark should be."""

    async def inner(work: Work) -> Timeline | None:
        known, (_, positions) = await work.timelines(), await work.newest()
        if known:
            goes_on = went_on(known[-1], home, sum(positions.values()), mark, marked=marked)
            return known[-1] if goes_on else None
        if mark is not None:
            return None
        first = Timeline(context.ids.new("tln"), home, context.clock.now())
        await work.add_timeline(first)
        return first

    return await transact(context, inner)


async def doubt_timeline(context: Context) -> None:
    """Let whoever starts next find that the database went back."""

    async def inner(work: Work) -> None:
        known = await work.timelines()
        if known:
            await work.settle_timeline(known[-1].id, UNSETTLED)
        else:
            await work.add_timeline(Timeline(context.ids.new("tln"), UNSETTLED, context.clock.now()))

    await transact(context, inner)


async def restore(context: Context, home: str, owner: str) -> Timeline | None:
    """Begin a timeline with what the database knows, and owe the chats what makes them show it. Nothing may be posted
    meanwhile. Cut off, it is found unsettled and done again. `owner` has the lease; None: it was lost on the way, and
    whoever has it now does all of it."""

    async def begin(work: Work) -> Timeline:
        await _keep(work, context, owner)
        newest, positions = await work.newest()
        now = context.clock.now()
        begun = Timeline(context.ids.new("tln"), UNSETTLED, now, newest or _BEGINNING, positions)
        await work.add_timeline(begun)
        await work.doubt(now)
        return begun

    async def keep(work: Work) -> None:
        await _keep(work, context, owner)

    async def settle(work: Work) -> None:
        await keep(work)
        await work.settle_timeline(begun.id, home)

    async def cards(work: Work, after: str) -> Sequence[Interaction]:
        return await work.pending_after(after, BATCH)

    async def orders(work: Work, after: str) -> Sequence[Loop]:
        return await work.open_orders_after(after, BATCH)

    async def alerts(work: Work, after: str) -> Sequence[Alert]:
        return await work.alerts_after(after, BATCH)

    try:
        begun = await transact(context, begin)
        data = {"known_until": rfc3339(begun.known_until)} if begun.known_until else {}
        await each(context, cards, lambda work, one: _card(work, context, one, data), keep)
        await each(context, orders, lambda work, one: _order(work, context, one, data), keep)
        await each(context, alerts, lambda work, one: _alert(work, context, one), keep)
        await transact(context, settle)
    except _LeaseLostError:
        return None
    return replace(begun, home=home)


class _LeaseLostError(Exception):
    """Another process took over."""


async def _keep(work: Work, context: Context, owner: str) -> None:
    """Go on having the lease, for as long as the next transaction may take."""
    now = context.clock.now()
    if await work.take_lease(LEASE, owner, now, now + LEASE_KEPT) is None:
        raise _LeaseLostError


async def _card(work: Work, context: Context, asked: Interaction, data: dict[str, Any]) -> None:
    now = context.clock.now()
    for copy in await work.publications(asked.id):
        if copy.state in _NOT_SEEN:
            await work.save_publication(copy.model_copy(update=_to_be_sought(copy, asked.created_at, now)))
    copies = await work.publications(asked.id)
    stamp = stamp_for(context, TIMER, Via.TIMER)
    await work.record(draft(asked, ReceiptType.RESTORED, stamp, data), asked.id)
    whole = await seen(work, context, asked, copies, now)
    await announce(work, context, asked, EventType.RESTORED, {"interaction": whole}, now)
    await redraw_all(work, context, asked, copies, now)
    for reminder in await work.reminders(asked.id):
        under = next((one for one in copies if one.id == reminder.publication), None)
        if reminder.state is ReminderState.SENT and under is not None:
            # It may say by now how the card ended.
            await owe_end(work, context, under, reminder, now)


async def _order(work: Work, context: Context, loop: Loop, data: dict[str, Any]) -> None:
    now = context.clock.now()
    if loop.card is not None:
        card = loop.card.model_copy(update=_doubted(loop.card, loop.created_at, now))
        await keep_copy(work, loop, card)
        loop = loop.model_copy(update={"card": card})
    await work.record_loop(line(loop, ReceiptType.RESTORED, stamp_for(context, TIMER, Via.TIMER), data), loop.id)
    conversation = await work.conversation(loop.workspace, loop.conversation)
    seen = {"loop": shown(context, loop, conversation)}
    await announce_loop(work, context, loop, LoopEventType.RESTORED, seen, now)
    await redraw_loop(work, context, loop, now)


async def _alert(work: Work, context: Context, alert: Alert) -> None:
    now = context.clock.now()
    if alert.card is None:
        return
    card = alert.card.model_copy(update=_doubted(alert.card, alert.created_at, now))
    await redraw(work, context, await keep_copy(work, alert, card))


def _doubted(copy: LoopCopy, since: datetime, now: datetime) -> dict[str, Any]:
    """What is to be looked for, or drawn again."""
    return _to_be_sought(copy, since, now) if copy.state in _NOT_SEEN else {"shown_version": None}


def _to_be_sought(copy: Publication | LoopCopy, since: datetime, now: datetime) -> dict[str, Any]:
    """A post that is owed may have been made. Where history can be read it is looked for from when it was asked for;
    where it cannot, a press has from now on the usual time to prove it."""
    began = now if copy.provider is Provider.TELEGRAM else copy.attempt_at or since
    return {"state": PublicationState.UNKNOWN, "attempt_at": began, "posts": max(copy.posts, 1)}
