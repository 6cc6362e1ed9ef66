"""The bookkeeping around provider calls for work orders and alerts: what to do before one, and what its outcome means.
The relay calls these; each looks at the state again, so that nothing is said of what has ended meanwhile."""

from __future__ import annotations

from datetime import datetime

from core.channels import Posted
from core.loops.owed import PostAlert, PostLoop, RedrawAlert, RedrawLoop
from core.loops.values import LoopCopy
from core.outbox import Claimed
from core.ports import Context, Work
from core.publications import PublicationState
from core.use_cases.deliver import only_account
from core.use_cases.loop_copies import (
    Carrier,
    ReadyCopy,
    again,
    card_of,
    carrier_of,
    is_over,
    keep_copy,
    redraw,
    tell_undelivered,
    tell_unknown,
    version_of,
)
from core.use_cases.loop_places import placed, rooted
from core.use_cases.recording import take_out
from core.use_cases.transact import transact

_LOST = frozenset({PublicationState.SENDING, PublicationState.UNKNOWN})
_OPEN = _LOST | {PublicationState.QUEUED}
GONE = "what it shows is gone"


async def begin_post(
    context: Context, claimed: Claimed, task: PostLoop | PostAlert, *, link_ok: bool
) -> ReadyCopy | None:
    """Note that a call is about to be made. None: nothing is to be posted any more, and the delivery is finished."""

    async def inner(work: Work) -> ReadyCopy | None:
        carrier = await carrier_of(work, claimed.delivery.workspace, task)
        if carrier is None or carrier.card is None:
            await work.abandon(claimed, GONE)
            return None
        if carrier.card.state not in _OPEN:
            await work.finish(claimed)
            return None
        account = carrier.card.account or await only_account(work, carrier.workspace, carrier.card.provider)
        copy = carrier.card.model_copy(update={"account": account})
        reconcile = copy.state in _LOST
        if not reconcile:
            conversation = await work.conversation(carrier.workspace, carrier.conversation)
            copy = _on_the_wire(context, placed(copy, conversation))
        # It is shown even when it ended before: whoever reads the conversation sees that there was one.
        kept = await keep_copy(work, carrier, copy)
        return ReadyCopy(card_of(context, kept, link_ok=link_ok), copy, reconcile)

    return await transact(context, inner)


def _on_the_wire(context: Context, copy: LoopCopy) -> LoopCopy:
    now = context.clock.now()
    return copy.model_copy(update={"state": PublicationState.SENDING, "attempt_at": now, "posts": copy.posts + 1})


async def begin_replacement(context: Context, claimed: Claimed, ready: ReadyCopy) -> ReadyCopy | None:
    """Note that a lost post is posted anew. None: it turned up meanwhile."""

    async def inner(work: Work) -> ReadyCopy | None:
        carrier = await again(work, ready.carrier)
        if carrier is None or carrier.card is None or carrier.card.state not in _LOST:
            await work.finish(claimed)
            return None
        kept = await keep_copy(work, carrier, copy := _on_the_wire(context, carrier.card))
        return ReadyCopy(card_of(context, kept, link_ok=ready.card.link_ok), copy)

    return await transact(context, inner)


async def posted(context: Context, claimed: Claimed, ready: ReadyCopy, where: Posted) -> None:
    """The provider has it: note where, and that the conversation begins with it; owe a redraw if it changed since, or
    if it was found, as it shows what was so when it was posted."""

    async def inner(work: Work) -> None:
        carrier = await again(work, ready.carrier)
        if carrier is None or carrier.card is None:
            await work.abandon(claimed, GONE)
            return
        there = (carrier.card.channel, carrier.card.message)
        is_second = carrier.card.message is not None and there != (where.channel, where.message)
        if is_second or carrier.card.place != ready.copy.place:
            # A press showed meanwhile that the lost post is there; or whoever it was sent to was forgotten.
            posted_at = (carrier.card.provider.value, carrier.card.account, (where.channel, where.message))
            await take_out(work, context, carrier.workspace, *posted_at, context.clock.now())
            await work.finish(claimed)
            return
        found = {
            "state": PublicationState.POSTED,
            "channel": where.channel,
            "message": where.message,
            "reason": None,
            "shown_version": None if ready.reconcile else version_of(ready.carrier),
        }
        after = await keep_copy(work, carrier, carrier.card.model_copy(update=found))
        await _root(work, after, where)
        await work.finish(claimed)
        if ready.reconcile or version_of(after) != version_of(ready.carrier):
            await redraw(work, context, after)

    await transact(context, inner)


async def _root(work: Work, carrier: Carrier, where: Posted) -> None:
    conversation = await work.conversation(carrier.workspace, carrier.conversation)
    if conversation is None:
        return
    after = rooted(conversation, where.channel, where.message)
    if after is not conversation:
        await work.save_conversation(after)


async def post_lost(
    context: Context, claimed: Claimed, ready: ReadyCopy, error: str, due_at: datetime, *, answered: bool
) -> None:
    """The outcome is not known: look for it at `due_at`. `answered`: the provider failed, so it does not count."""

    async def inner(work: Work) -> None:
        carrier = await again(work, ready.carrier)
        if carrier is None or carrier.card is None or carrier.card.state not in _LOST:
            await work.finish(claimed)
            return
        posts = carrier.card.posts - 1 if answered else carrier.card.posts
        unknown = {"state": PublicationState.UNKNOWN, "posts": posts}
        await keep_copy(work, carrier, carrier.card.model_copy(update=unknown))
        await work.postpone(claimed, due_at, error)

    await transact(context, inner)


async def stays_unknown(context: Context, claimed: Claimed, ready: ReadyCopy) -> None:
    """No further copy is posted; a press on a lost one still counts and shows that it is there. Those who should know
    are told, as it may be nowhere."""

    async def inner(work: Work) -> None:
        await _note_unknown(work, ready)
        is_ours = await work.abandon(claimed, "its post and the replacement both had an unknown outcome")
        carrier = await again(work, ready.carrier)
        if is_ours and carrier is not None and carrier.card is not None and carrier.card.state in _LOST:
            await tell_unknown(work, context, carrier)

    await transact(context, inner)


async def wait_for_proof(context: Context, claimed: Claimed, ready: ReadyCopy, until: datetime) -> None:
    """Let later words overtake while a press may still prove that this card arrived."""

    async def inner(work: Work) -> None:
        await _note_unknown(work, ready)
        await work.postpone(claimed, until, "waits to see whether it arrived", blocking=False)

    await transact(context, inner)


async def _note_unknown(work: Work, ready: ReadyCopy) -> None:
    """A process that died in a call left its copy as `sending`; nothing is being sent any more."""
    carrier = await again(work, ready.carrier)
    if carrier is not None and carrier.card is not None and carrier.card.state is PublicationState.SENDING:
        await keep_copy(work, carrier, carrier.card.model_copy(update={"state": PublicationState.UNKNOWN}))


async def not_sent(context: Context, claimed: Claimed, ready: ReadyCopy, due_at: datetime, error: str) -> None:
    """It was certainly not done: owe it again."""

    async def inner(work: Work) -> None:
        carrier = await again(work, ready.carrier)
        lost_claim = not await work.postpone(claimed, due_at, error)
        if lost_claim or carrier is None or carrier.card is None or ready.reconcile:
            return
        if carrier.card.state is PublicationState.SENDING:
            queued = {"state": PublicationState.QUEUED, "posts": max(carrier.card.posts - 1, 0)}
            await keep_copy(work, carrier, carrier.card.model_copy(update=queued))

    await transact(context, inner)


async def unreachable(context: Context, claimed: Claimed, ready: ReadyCopy, reason: str) -> None:
    """The place will never have the card. What it shows stands, and those who should know are told."""

    async def inner(work: Work) -> None:
        carrier = await again(work, ready.carrier)
        if not await work.abandon(claimed, reason) or carrier is None or carrier.card is None:
            return
        failed = {"state": PublicationState.FAILED, "reason": reason}
        after = await keep_copy(work, carrier, carrier.card.model_copy(update=failed))
        await tell_undelivered(work, context, after, reason)

    await transact(context, inner)


async def begin_redraw(
    context: Context, claimed: Claimed, task: RedrawLoop | RedrawAlert, *, link_ok: bool
) -> ReadyCopy | None:
    """Load what a card must show now. None: it shows it already or is not there, and the delivery is finished."""

    async def inner(work: Work) -> ReadyCopy | None:
        carrier = await carrier_of(work, claimed.delivery.workspace, task)
        copy = carrier.card if carrier else None
        if carrier is None or copy is None or copy.message is None or copy.shown_version == version_of(carrier):
            await work.finish(claimed)
            return None
        return ReadyCopy(card_of(context, carrier, link_ok=link_ok), copy)

    return await transact(context, inner)


async def redrawn(context: Context, claimed: Claimed, ready: ReadyCopy) -> None:
    """The card shows what `ready` has now, or is gone: then nothing more is owed to it."""

    async def inner(work: Work) -> None:
        carrier = await again(work, ready.carrier)
        if carrier is not None and carrier.card is not None:
            state = PublicationState.SETTLED if is_over(ready.carrier) else carrier.card.state
            shown = {"state": state, "shown_version": version_of(ready.carrier)}
            await keep_copy(work, carrier, carrier.card.model_copy(update=shown))
        await work.finish(claimed)

    await transact(context, inner)
