"""Cards on their way out: posted once, looked for when an answer was lost, redrawn as often as it takes."""

from __future__ import annotations

from datetime import datetime

import structlog

from bot.chats import DEAD_WAIT
from bot.errands.noting import Notes, delivered, not_yet
from core.channels import Channel, Posted
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    InstallationEnded,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.outbox import Claimed, PostCard, RedrawCard
from core.use_cases import deliver, showing

log = structlog.get_logger("sayso.errands")


class CardErrands:
    """Posts and redraws. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, *, link_ok: bool) -> None:
        self._notes = notes
        self._link_ok = link_ok

    async def post(self, claimed: Claimed, task: PostCard) -> None:
        """Post a card, or find the one whose answer was lost."""
        ready = await deliver.begin_post(self._notes.context, claimed, task, self._link_ok)
        if ready is None:
            return
        own = ready.publication
        try:
            channel = await self._notes.channel(claimed, own.provider, own.account)
            if ready.reconcile:
                found = await self._find(claimed, ready, channel)
                if found is None:
                    return
                if isinstance(found, Posted):
                    await deliver.posted(self._notes.context, claimed, ready, found)
                    delivered(claimed)
                    return
                replacement = await deliver.begin_replacement(self._notes.context, claimed, ready)
                if replacement is None:
                    return
                ready = replacement
            where = await channel.post(ready.card, ready.publication)
            self._notes.chats.note_dead(own.provider, own.account, None)
            await deliver.posted(self._notes.context, claimed, ready, where)
            delivered(claimed)
        except ChannelError as error:
            await self._post_failed(claimed, ready, error)

    async def _find(self, claimed: Claimed, ready: showing.Ready, channel: Channel) -> Posted | bool | None:
        """Where the lost post is; True: post it anew; None: wait, and that is noted."""
        now, own = self._notes.context.clock.now(), ready.publication
        started = own.attempt_at or now
        try:
            found = await channel.find(own)
            grace = deliver.SEARCH_GRACE
            searched = True
        except Ambiguous:
            found, grace, searched = None, deliver.PROOF_WAIT, False
        if found is not None:
            return found
        if own.posts == 0:
            # Every post so far was answered with a failure, and the wait for that is over.
            return True
        if now >= started + grace:
            if searched or own.posts < deliver.MOST_POSTS:
                return True
            await deliver.stays_unknown(self._notes.context, claimed, ready)
            return None
        await deliver.wait_for_proof(self._notes.context, claimed, ready, started + grace)
        return None

    async def _post_failed(self, claimed: Claimed, ready: showing.Ready, error: ChannelError) -> None:
        now, context = self._notes.context.clock.now(), self._notes.context
        own = ready.publication
        match error:
            case Ambiguous():
                log.warning("post outcome unknown", publication=own.id, error=str(error))
                due = self._look_at(claimed, now, answered=error.answered)
                await deliver.post_lost(context, claimed, ready, str(error), due, answered=error.answered)
            case Unreachable():
                log.warning("unreachable", publication=own.id, code=error.code)
                await deliver.unreachable(context, claimed, ready, error.reason)
            case Misrendered():
                log.warning("card refused by the provider", publication=own.id, error=str(error))
                reason = f"{own.provider.value.capitalize()} did not accept the form of this card"
                await deliver.unreachable(context, claimed, ready, reason)
            case PlaceMoved():
                await self._notes.moved(own.provider, own.account, own.channel or own.place, error.place, own.id)
                await deliver.not_sent(context, claimed, ready, now, str(error))
            case InstallationEnded():
                await deliver.unreachable(context, claimed, ready, str(error))
            case InstallationDead():
                self._notes.chats.note_dead(own.provider, own.account, str(error))
                await deliver.not_sent(context, claimed, ready, now + DEAD_WAIT, str(error))
            case _:
                after = error.retry_after if isinstance(error, Transient) else None
                due = self._notes.due_again(claimed, after) or now + DEAD_WAIT
                not_yet(claimed, error, due)
                await deliver.not_sent(context, claimed, ready, due, str(error))

    def _look_at(self, claimed: Claimed, now: datetime, *, answered: bool) -> datetime:
        if not answered:
            return now + deliver.LOOK_AFTER
        return max(now + deliver.FAILED_WAIT, self._notes.due_again(claimed, None) or now)

    async def redraw(self, claimed: Claimed, task: RedrawCard) -> None:
        """Make a copy show the card as it is."""
        ready = await showing.begin_redraw(self._notes.context, claimed, task, self._link_ok)
        if ready is None:
            return
        own = ready.publication
        try:
            surface = await (await self._notes.channel(claimed, own.provider, own.account)).redraw(ready.card, own)
            self._notes.chats.note_dead(own.provider, own.account, None)
            await showing.redrawn(self._notes.context, claimed, ready, surface)
            delivered(claimed)
        except (MessageGone, Unreachable) as gone:
            log.info("copy is gone", publication=own.id, error=str(gone))
            await showing.redrawn(self._notes.context, claimed, ready, None)
        except Misrendered as ours:
            log.warning("redraw refused by the provider", publication=own.id, error=str(ours))
            await self._notes.end(claimed, str(ours))
        except ChannelError as error:
            # An edit from current state may be repeated whatever happened to the last one.
            await self._notes.again(claimed, error, own)
