"""One delivery at a time: make the provider call or send the webhook, and note what its outcome means."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
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
from core.ports import Context
from core.reading import Records
from core.use_cases import deliver, loop_delivery, loop_words, reminders
from core.use_cases.looking import is_wanted
from core.use_cases.prompting import begin_ask


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
        self._context = notes.context
        self._notes = notes
        self._link_ok = link_ok
        self._cards = CardErrands(notes, link_ok=link_ok)
        self._words = WordErrands(notes, link_ok=link_ok)
        self._reminders = ReminderErrands(notes, listing, link_ok=link_ok)
        self._events = HearingErrands(notes, records, webhooks)
        self._loops = LoopErrands(notes, link_ok=link_ok)

    async def is_wanted(self, claimed: Claimed) -> bool:
        """Whether a call to a chat is still to be made. If not, that is noted: it is over, or it waits."""
        task, link_ok = claimed.delivery.task, self._link_ok
        begin: Callable[[Context], Awaitable[object]]
        match task:
            case PostCard():
                begin = partial(deliver.begin_post, claimed=claimed, task=task, link_ok=link_ok)
            case AskWords():
                begin = partial(begin_ask, claimed=claimed, task=task)
            case Remind():
                begin = partial(reminders.begin_remind, claimed=claimed, task=task, link_ok=link_ok)
            case PostLoop() | PostAlert():
                begin = partial(loop_delivery.begin_post, claimed=claimed, task=task, link_ok=link_ok)
            case RedrawLoop() | RedrawAlert():
                begin = partial(loop_delivery.begin_redraw, claimed=claimed, task=task, link_ok=link_ok)
            case SayNudge() | SayThere():
                begin = partial(loop_words.begin_words, claimed=claimed, task=task)
            case AskLoopWords():
                begin = partial(loop_words.begin_prompt, claimed=claimed, task=task)
            case OfferAgain():
                begin = partial(loop_words.begin_offer, claimed=claimed, task=task)
            case RedrawCard() | EndReminder() | TakeBack() | Say() | SendDigest() | Hear():
                # Hardly ever for nothing: what waits of the same card is drawn at once, and words stay to be said.
                return True
            case _:
                assert_never(task)
        return await is_wanted(self._context, begin)

    async def do(self, claimed: Claimed) -> None:
        """Do one claimed delivery, note its outcome and log how it went."""
        with self._notes.in_turn(claimed):
            await self._do(claimed)

    async def _do(self, claimed: Claimed) -> None:  # noqa: C901, PLR0912  # one flat case per task
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
