"""Work orders and alerts on their way out: cards, reminders and sentences in their conversations, prompts, offers."""

from __future__ import annotations

from bot.errands.noting import Notes
from bot.errands.posting import post_once, redraw_again
from core.addresses import Provider
from core.channels import LoopChannel, Posted
from core.errors import ChannelError, Unreachable
from core.loops.cards import LoopCard
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
from core.use_cases import loop_delivery, loop_words
from core.use_cases.loop_copies import ReadyCopy


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

    async def post(self, claimed: Claimed, task: PostLoop | PostAlert) -> None:
        """Post the card of a work order or an alert, or find the one whose answer was lost."""

        async def make(ready: ReadyCopy) -> Posted:
            channel = await self._channel(claimed, ready.copy.provider, ready.copy.account)
            if isinstance(ready.card, LoopCard):
                return await channel.post_loop(ready.card, ready.copy)
            return await channel.post_alert(ready.card, ready.copy)

        async def find(ready: ReadyCopy) -> Posted | None:
            channel = await self._channel(claimed, ready.copy.provider, ready.copy.account)
            if isinstance(ready.card, LoopCard):
                return await channel.find_loop(ready.card.loop, ready.copy)
            return await channel.find_alert(ready.card.alert, ready.copy)

        ready = await loop_delivery.begin_post(self._notes.context, claimed, task, link_ok=self._link_ok)
        if ready is not None:
            await post_once(self._notes, claimed, ready, loop_delivery, make, find)

    async def redraw(self, claimed: Claimed, task: RedrawLoop | RedrawAlert) -> None:
        """Make a card show the work order or the alert as it is."""
        ready = await loop_delivery.begin_redraw(self._notes.context, claimed, task, link_ok=self._link_ok)
        if ready is None:
            return
        shown = ready

        async def draw() -> None:
            channel = await self._channel(claimed, shown.copy.provider, shown.copy.account)
            if isinstance(shown.card, LoopCard):
                await channel.redraw_loop(shown.card, shown.copy)
            else:
                await channel.redraw_alert(shown.card, shown.copy)

        async def noted(_: None) -> None:
            await loop_delivery.redrawn(self._notes.context, claimed, shown)

        await redraw_again(self._notes, claimed, shown.copy, draw, noted)

    async def say(self, claimed: Claimed, task: SayNudge | SayThere) -> None:
        """Say words in a conversation, wherever it is by now; a reminder only while it is one."""
        words = await loop_words.begin_words(self._notes.context, claimed, task)
        if words is None:
            return
        try:
            channel = await self._notes.channel(claimed, Provider(words.provider), words.account)
            where = await channel.say(words, self._notes.another_turn(claimed))
        except ChannelError as error:
            await self._notes.not_said(claimed, words, error)
            return
        await loop_words.said(self._notes.context, claimed, task, words, where)
        self._notes.telemetry.delivered(claimed)

    async def ask(self, claimed: Claimed, task: AskLoopWords) -> None:
        """Send a prompt, and remember that a reply to it is the words asked for."""
        loop = await loop_words.begin_prompt(self._notes.context, claimed, task)
        if loop is None:
            return
        try:
            channel = await self._channel(claimed, Provider(task.provider), task.account)
            where = await channel.ask_loop_words(task, loop)
        except ChannelError as error:
            await self._notes.not_said(claimed, task, error)
            return
        await loop_words.prompted(self._notes.context, claimed, task, where)
        self._notes.telemetry.delivered(claimed)

    async def offer(self, claimed: Claimed, task: OfferAgain) -> None:
        """Tell somebody what became of their order, with the button that dispatches it again."""
        if not await loop_words.begin_offer(self._notes.context, claimed, task):
            return
        try:
            channel = await self._channel(claimed, Provider(task.provider), task.account)
            await channel.offer_again(task, self._notes.another_turn(claimed))
        except ChannelError as error:
            await self._notes.not_said(claimed, task, error)
            return
        await self._notes.done(claimed)
