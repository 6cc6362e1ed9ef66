"""After a database went back: the chats are made equal to what it says, in small transactions."""

from __future__ import annotations

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
from core.restoring import UNSETTLED, Mark, Timeline, went_on
from core.traces import draft
from core.use_cases.batches import BATCH, each
from core.use_cases.held import seen
from core.use_cases.loop_copies import keep_copy, redraw
from core.use_cases.loop_recording import announce_loop, redraw_loop, shown
from core.use_cases.recording import announce, redraw_all, stamp_for
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


async def restore(context: Context, home: str) -> Timeline:
    """Begin a timeline with what the database knows, and owe the chats what makes them show it. Nothing may be posted
    meanwhile. Cut off, it is found unsettled and done again."""

    async def begin(work: Work) -> Timeline:
        newest, positions = await work.newest()
        now = context.clock.now()
        begun = Timeline(context.ids.new("tln"), UNSETTLED, now, newest or _BEGINNING, positions)
        await work.add_timeline(begun)
        await work.doubt(now)
        return begun

    begun = await transact(context, begin)
    data = {"known_until": rfc3339(begun.known_until)} if begun.known_until else {}
    await each(
        context, lambda work, after: work.pending_after(after, BATCH), lambda work, one: _card(work, context, one, data)
    )
    await each(
        context,
        lambda work, after: work.open_orders_after(after, BATCH),
        lambda work, one: _order(work, context, one, data),
    )
    await each(
        context, lambda work, after: work.alerts_after(after, BATCH), lambda work, one: _alert(work, context, one)
    )
    await transact(context, lambda work: work.settle_timeline(begun.id, home))
    return replace(begun, home=home)


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
