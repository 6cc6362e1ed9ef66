"""Work orders on their way out: cards, reminders and sentences in their conversations, prompts, alerts."""

from __future__ import annotations

from datetime import datetime

import structlog

from bot.chats import DEAD_WAIT
from bot.errands.noting import Notes, delivered, not_yet
from core.addresses import Provider
from core.channels import LoopChannel, Posted
from core.errors import (
    Ambiguous,
    ChannelError,
    InstallationDead,
    MessageGone,
    Misrendered,
    PlaceMoved,
    Transient,
    Unreachable,
)
from core.loops.owed import (
    AskLoopWords,
    OfferAgain,
    PostAlert,
    PostLoop,
    RedrawAlert,
    RedrawLoop,
    SayNudge,
    SayThere,
)
from core.outbox import Claimed
from core.use_cases import alert_delivery, deliver, loop_delivery, loop_words

log = structlog.get_logger("sayso.errands")


class LoopErrands:
    """Posts, redraws and says what loops owe. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, notes: Notes, *, link_ok: bool) -> None:
        self._notes = notes
        self._link_ok = link_ok

    async def _channel(self, claimed: Claimed, provider: Provider, account: str) -> LoopChannel:
        channel = await self._notes.channel(claimed, provider, account)
        if not isinstance(channel, LoopChannel):
            raise Unreachable("no_work_orders", f"{provider.value} shows no work orders here")
        return channel

    async def post(self, claimed: Claimed, task: PostLoop) -> None:
        """Post a loop's card, or find the one whose answer was lost."""
        context, chats = self._notes.context, self._notes.chats
        ready = await loop_delivery.begin_post(context, claimed, task, link_ok=self._link_ok)
        if ready is None:
            return
        try:
            channel = await self._channel(claimed, ready.copy.provider, ready.copy.account)
            if ready.reconcile:
                found = await self._find(claimed, ready, channel)
                if isinstance(found, Posted):
                    await loop_delivery.posted(context, claimed, ready, found)
                    delivered(claimed)
                    return
                replacement = await loop_delivery.begin_replacement(context, claimed, ready) if found else None
                if replacement is None:
                    return
                ready = replacement
            where = await channel.post_loop(ready.card, ready.copy)
            chats.note_dead(ready.copy.provider, ready.copy.account, None)
            await loop_delivery.posted(context, claimed, ready, where)
            delivered(claimed)
        except ChannelError as error:
            await self._post_failed(claimed, ready, error)

    async def _find(self, claimed: Claimed, ready: loop_delivery.ReadyLoop, channel: LoopChannel) -> Posted | bool:
        """Where the lost post is; True: post it anew; False: wait or give up, and that is noted."""
        now, copy = self._notes.context.clock.now(), ready.copy
        started = copy.attempt_at or now
        try:
            found = await channel.find_loop(ready.loop, copy)
            grace, searched = deliver.SEARCH_GRACE, True
        except Ambiguous:
            found, grace, searched = None, deliver.PROOF_WAIT, False
        if found is not None:
            return found
        if copy.posts == 0:
            return True
        if now < started + grace:
            await loop_delivery.wait_for_proof(self._notes.context, claimed, started + grace)
            return False
        if searched or copy.posts < deliver.MOST_POSTS:
            return True
        await loop_delivery.stays_unknown(self._notes.context, claimed, ready)
        return False

    async def _post_failed(self, claimed: Claimed, ready: loop_delivery.ReadyLoop, error: ChannelError) -> None:
        now, context, copy = self._notes.context.clock.now(), self._notes.context, ready.copy
        match error:
            case Ambiguous():
                log.warning("post outcome unknown", loop=ready.loop.id, error=str(error))
                due = self._look_at(claimed, now, answered=error.answered)
                await loop_delivery.post_lost(context, claimed, ready, str(error), due, answered=error.answered)
            case Unreachable():
                log.warning("unreachable", loop=ready.loop.id, code=error.code)
                await loop_delivery.unreachable(context, claimed, ready, error.reason)
            case Misrendered():
                log.warning("card refused by the provider", loop=ready.loop.id, error=str(error))
                reason = f"{copy.provider.value.capitalize()} did not accept the form of this card"
                await loop_delivery.unreachable(context, claimed, ready, reason)
            case InstallationDead():
                self._notes.chats.note_dead(copy.provider, copy.account, str(error))
                await loop_delivery.not_sent(context, claimed, ready, now + DEAD_WAIT, str(error))
            case _:
                if isinstance(error, PlaceMoved):
                    await self._notes.moved(copy.provider, copy.account, copy.channel or copy.place, error.place)
                after = error.retry_after if isinstance(error, Transient) else None
                due = self._notes.due_again(claimed, after) or now + DEAD_WAIT
                not_yet(claimed, error, due)
                await loop_delivery.not_sent(context, claimed, ready, due, str(error))

    def _look_at(self, claimed: Claimed, now: datetime, *, answered: bool) -> datetime:
        if not answered:
            return now + deliver.LOOK_AFTER
        return max(now + deliver.FAILED_WAIT, self._notes.due_again(claimed, None) or now)

    async def redraw(self, claimed: Claimed, task: RedrawLoop) -> None:
        """Make a card show the loop as it is."""
        context = self._notes.context
        ready = await loop_delivery.begin_redraw(context, claimed, task, link_ok=self._link_ok)
        if ready is None:
            return
        try:
            channel = await self._channel(claimed, ready.copy.provider, ready.copy.account)
            await channel.redraw_loop(ready.card, ready.copy)
            await loop_delivery.redrawn(context, claimed, ready)
            delivered(claimed)
        except (MessageGone, Unreachable) as gone:
            log.info("card is gone", loop=ready.loop.id, error=str(gone))
            await loop_delivery.redrawn(context, claimed, ready)
        except Misrendered as ours:
            log.warning("redraw refused by the provider", loop=ready.loop.id, error=str(ours))
            await self._notes.end(claimed, str(ours))
        except ChannelError as error:
            await self._notes.again(claimed, error, None)

    async def say(self, claimed: Claimed, task: SayNudge | SayThere) -> None:
        """Say words in a conversation, wherever it is by now; a reminder only while it is one."""
        words = await loop_words.begin_words(self._notes.context, claimed, task)
        if words is None:
            return
        try:
            where = await (await self._notes.channel(claimed, Provider(words.provider), words.account)).say(words)
        except ChannelError as error:
            await self._not_said(claimed, Provider(words.provider), words.account, words.channel, error)
            return
        await loop_words.said(self._notes.context, claimed, task, words, where)
        delivered(claimed)

    async def ask(self, claimed: Claimed, task: AskLoopWords) -> None:
        """Send a prompt, and remember that a reply to it is the words asked for."""
        loop = await loop_words.begin_prompt(self._notes.context, claimed, task)
        if loop is None:
            return
        try:
            where = await (await self._channel(claimed, Provider(task.provider), task.account)).ask_loop_words(
                task, loop
            )
        except ChannelError as error:
            await self._not_said(claimed, Provider(task.provider), task.account, task.channel, error)
            return
        await loop_words.prompted(self._notes.context, claimed, task, where)
        delivered(claimed)

    async def offer(self, claimed: Claimed, task: OfferAgain) -> None:
        """Tell somebody what became of their order, with the button that dispatches it again."""
        if not await loop_words.begin_offer(self._notes.context, claimed, task):
            return
        try:
            await (await self._channel(claimed, Provider(task.provider), task.account)).offer_again(task)
        except ChannelError as error:
            await self._not_said(claimed, Provider(task.provider), task.account, task.channel, error)
            return
        await self._notes.done(claimed)

    async def _not_said(
        self, claimed: Claimed, provider: Provider, account: str, channel: str, error: ChannelError
    ) -> None:
        if isinstance(error, PlaceMoved):
            await self._notes.moved(provider, account, channel, error.place)
        if isinstance(error, Transient | InstallationDead | PlaceMoved):
            await self._notes.again(claimed, error, None)
            return
        # Words whose sending may have worked are never sent twice.
        await self._notes.end(claimed, f"{type(error).__name__}: {error}")

    async def alert(self, claimed: Claimed, task: PostAlert | RedrawAlert) -> None:
        """Post an alert once, or make it show that there is an order for it."""
        context = self._notes.context
        ready = await alert_delivery.begin_alert(context, claimed, task, link_ok=self._link_ok)
        if ready is None:
            return
        try:
            channel = await self._channel(claimed, ready.copy.provider, ready.copy.account)
            if isinstance(task, PostAlert):
                where = await channel.post_alert(ready.card, ready.copy)
                await alert_delivery.alert_posted(context, claimed, ready, where)
                delivered(claimed)
            else:
                await channel.redraw_alert(ready.card, ready.copy)
                await self._notes.done(claimed)
        except (Transient, InstallationDead, PlaceMoved) as error:
            if isinstance(task, PostAlert):
                await alert_delivery.alert_not_sent(context, ready)
            await self._not_said(claimed, ready.copy.provider, ready.copy.account, ready.copy.place, error)
        except ChannelError as error:
            await self._notes.end(claimed, f"{type(error).__name__}: {error}")
