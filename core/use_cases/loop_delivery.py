"""The bookkeeping around provider calls for loops: what to do before one, and what its outcome means. The relay calls
these; each looks at the state again, so that nothing is said of what has ended meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from core.channels import Posted
from core.loops.cards import LoopCard
from core.loops.owed import PostLoop, RedrawLoop
from core.loops.values import Loop, LoopCopy
from core.loops.wording import order_words
from core.outbox import Claimed
from core.ports import Context, Work
from core.publications import PublicationState
from core.use_cases.deliver import only_account
from core.use_cases.loop_places import placed, rooted
from core.use_cases.loop_recording import loop_url, redraw_loop
from core.use_cases.loop_telling import tell_sender
from core.use_cases.transact import transact

_LOST = frozenset({PublicationState.SENDING, PublicationState.UNKNOWN})
_OPEN = _LOST | {PublicationState.QUEUED}


@dataclass(frozen=True)
class ReadyLoop:
    """A loop's card to post or redraw. `reconcile`: an earlier post's outcome is unknown, so look before posting."""

    card: LoopCard
    copy: LoopCopy
    reconcile: bool = False

    @property
    def loop(self) -> Loop:
        """The loop it shows."""
        return self.card.loop


def card_of(context: Context, loop: Loop, *, link_ok: bool) -> LoopCard:
    """What a loop's card shows now. While it is open, agents read the order and how to reply."""
    return LoopCard(loop, loop_url(context, loop.name), link_ok, order_words(loop) if loop.is_open else "")


async def begin_post(context: Context, claimed: Claimed, task: PostLoop, *, link_ok: bool) -> ReadyLoop | None:
    """Note that a call is about to be made. None: nothing is to be posted any more, and the delivery is finished."""

    async def inner(work: Work) -> ReadyLoop | None:
        loop = await work.loop(claimed.delivery.workspace, task.loop)
        if loop is None or loop.card is None:
            await work.abandon(claimed, "the work order is gone")
            return None
        reconcile = loop.card.state in _LOST
        if loop.card.state not in _OPEN:
            await work.finish(claimed)
            return None
        account = loop.card.account or await only_account(work, loop.workspace, loop.card.provider)
        card = loop.card.model_copy(update={"account": account})
        if not reconcile:
            card = placed(card, await work.conversation(loop.workspace, loop.conversation))
            sending = {"state": PublicationState.SENDING, "attempt_at": context.clock.now(), "posts": card.posts + 1}
            card = card.model_copy(update=sending)
        await _save_card(work, loop, card)
        # It is shown even when it ended before: whoever reads the conversation sees that there was one.
        return ReadyLoop(card_of(context, loop.model_copy(update={"card": card}), link_ok=link_ok), card, reconcile)

    return await transact(context, inner)


async def begin_replacement(context: Context, claimed: Claimed, ready: ReadyLoop) -> ReadyLoop | None:
    """Note that a lost post is posted anew. None: it turned up meanwhile."""

    async def inner(work: Work) -> ReadyLoop | None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if loop is None or loop.card is None or loop.card.state not in _LOST:
            await work.finish(claimed)
            return None
        again = {
            "state": PublicationState.SENDING,
            "attempt_at": context.clock.now(),
            "posts": loop.card.posts + 1,
        }
        card = loop.card.model_copy(update=again)
        await _save_card(work, loop, card)
        shown = loop.model_copy(update={"card": card})
        return ReadyLoop(card_of(context, shown, link_ok=ready.card.link_ok), card)

    return await transact(context, inner)


async def posted(context: Context, claimed: Claimed, ready: ReadyLoop, where: Posted) -> None:
    """The provider has it: note where, and that the conversation begins with it; owe a redraw if it changed since."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if loop is None or loop.card is None:
            await work.abandon(claimed, "the work order is gone")
            return
        found = {
            "state": PublicationState.POSTED,
            "channel": where.channel,
            "message": where.message,
            "reason": None,
            "shown_version": ready.loop.version,
        }
        after = await _save_card(work, loop, loop.card.model_copy(update=found))
        await _root(work, loop.workspace, loop.conversation, where)
        await work.finish(claimed)
        if after.version != ready.loop.version:
            await redraw_loop(work, context, after, context.clock.now())

    await transact(context, inner)


async def _root(work: Work, workspace: str, id: str, where: Posted) -> None:
    conversation = await work.conversation(workspace, id)
    if conversation is None:
        return
    after = rooted(conversation, where.channel, where.message)
    if after is not conversation:
        await work.save_conversation(after)


async def post_lost(
    context: Context, claimed: Claimed, ready: ReadyLoop, error: str, due_at: datetime, *, answered: bool
) -> None:
    """The outcome is not known: look for it at `due_at`. `answered`: the provider failed, so it does not count."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if loop is None or loop.card is None or loop.card.state not in _LOST:
            await work.finish(claimed)
            return
        posts = loop.card.posts - 1 if answered else loop.card.posts
        unknown = {"state": PublicationState.UNKNOWN, "posts": posts}
        await _save_card(work, loop, loop.card.model_copy(update=unknown))
        await work.postpone(claimed, due_at, error)

    await transact(context, inner)


async def stays_unknown(context: Context, claimed: Claimed, ready: ReadyLoop) -> None:
    """No further copy is posted; a press on a lost one still counts and shows that it is there."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if loop is not None and loop.card is not None and loop.card.state is PublicationState.SENDING:
            await _save_card(work, loop, loop.card.model_copy(update={"state": PublicationState.UNKNOWN}))
        await work.abandon(claimed, "its post and the replacement both had an unknown outcome")

    await transact(context, inner)


async def wait_for_proof(context: Context, claimed: Claimed, until: datetime) -> None:
    """Let later words overtake while a press may still prove that this card arrived."""
    await transact(
        context, lambda work: work.postpone(claimed, until, "waits to see whether it arrived", blocking=False)
    )


async def not_sent(context: Context, claimed: Claimed, ready: ReadyLoop, due_at: datetime, error: str) -> None:
    """It was certainly not done: owe it again."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if not await work.postpone(claimed, due_at, error) or loop is None or loop.card is None or ready.reconcile:
            return
        if loop.card.state is PublicationState.SENDING:
            queued = {"state": PublicationState.QUEUED, "posts": max(loop.card.posts - 1, 0)}
            await _save_card(work, loop, loop.card.model_copy(update=queued))

    await transact(context, inner)


async def unreachable(context: Context, claimed: Claimed, ready: ReadyLoop, reason: str) -> None:
    """The place will never have the card. The order stands: its sender is told, and it is on the page of loops."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if not await work.abandon(claimed, reason) or loop is None or loop.card is None:
            return
        failed = {"state": PublicationState.FAILED, "reason": reason}
        after = await _save_card(work, loop, loop.card.model_copy(update=failed))
        text = f"“{loop.title}” ({loop.name}) could not be delivered to {loop.recipient}: {reason}"
        await tell_sender(work, context, after, text, context.clock.now())

    await transact(context, inner)


async def _save_card(work: Work, loop: Loop, card: LoopCopy) -> Loop:
    after = loop.model_copy(update={"card": card})
    await work.save_loop(loop, after)
    return after


async def begin_redraw(context: Context, claimed: Claimed, task: RedrawLoop, *, link_ok: bool) -> ReadyLoop | None:
    """Load what a card must show now. None: it shows it already or is not there, and the delivery is finished."""

    async def inner(work: Work) -> ReadyLoop | None:
        loop = await work.loop(claimed.delivery.workspace, task.loop)
        card = loop.card if loop else None
        if loop is None or card is None or card.message is None or card.shown_version == loop.version:
            await work.finish(claimed)
            return None
        return ReadyLoop(card_of(context, loop, link_ok=link_ok), card)

    return await transact(context, inner)


async def redrawn(context: Context, claimed: Claimed, ready: ReadyLoop) -> None:
    """The card shows the loop of `ready` now, or is gone: then nothing more is owed to it."""

    async def inner(work: Work) -> None:
        loop = await work.loop(ready.loop.workspace, ready.loop.id)
        if loop is not None and loop.card is not None:
            state = loop.card.state if ready.loop.is_open else PublicationState.SETTLED
            shown = {"state": state, "shown_version": ready.loop.version}
            await _save_card(work, loop, loop.card.model_copy(update=shown))
        await work.finish(claimed)

    await transact(context, inner)
