"""One delivery at a time: make the provider call or send the webhook, and note what its outcome means."""

from __future__ import annotations

from typing import assert_never

from bot.errands.cards import CardErrands
from bot.errands.hearing import HearingErrands
from bot.errands.loops import LoopErrands
from bot.errands.noting import Notes
from bot.errands.reminding import ReminderErrands
from bot.errands.words import WordErrands
from bot.listing import Listing
from bot.webhooks import Webhooks
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
from core.outbox import (
    AskWords,
    Claimed,
    EndReminder,
    Hear,
    PostCard,
    RedrawCard,
    Remind,
    Say,
    SendDigest,
    TakeBack,
)
from core.reading import Records


class Errands:
    """Does deliveries. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(
        self,
        notes: Notes,
        records: Records,
        webhooks: Webhooks,
        listing: Listing,
        *,
        link_ok: bool,
    ) -> None:
        self._cards = CardErrands(notes, link_ok=link_ok)
        self._words = WordErrands(notes, link_ok=link_ok)
        self._reminders = ReminderErrands(notes, listing, link_ok=link_ok)
        self._events = HearingErrands(notes, records, webhooks)
        self._loops = LoopErrands(notes, link_ok=link_ok)

    async def do(self, claimed: Claimed) -> None:  # noqa: C901, PLR0912  # one flat case per task
        """Do one claimed delivery, note its outcome and log how it went."""
        task = claimed.delivery.task
        match task:
            case PostCard():
                await self._cards.post(claimed, task)
            case RedrawCard():
                await self._cards.redraw(claimed, task)
            case AskWords():
                await self._words.ask(claimed, task)
            case TakeBack():
                await self._words.take_back(claimed, task)
            case Say():
                await self._words.say(claimed, task)
            case Remind():
                await self._reminders.remind(claimed, task)
            case EndReminder():
                await self._reminders.end(claimed, task)
            case SendDigest():
                await self._reminders.send_digest(claimed, task)
            case Hear():
                await self._events.hear(claimed, task)
            case PostLoop() | PostAlert():
                await self._loops.post(claimed, task)
            case RedrawLoop() | RedrawAlert():
                await self._loops.redraw(claimed, task)
            case SayNudge() | SayThere():
                await self._loops.say(claimed, task)
            case AskLoopWords():
                await self._loops.ask(claimed, task)
            case OfferAgain():
                await self._loops.offer(claimed, task)
            case _:
                assert_never(task)
