"""Work orders and alerts of one Telegram bot: posted once, redrawn, and asked for words."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Final, NoReturn

from telegram import Message

from adapters.several import send_all
from adapters.telegram.client import GENERAL_TOPIC, TelegramClient
from blocks.codec import Codec
from blocks.telegram.keyboard import Keyboard
from blocks.telegram.lists import messages
from blocks.telegram.loop import alert_keyboard, alert_text, loop_keyboard, loop_text, offer_keyboard
from blocks.telegram.loop_prompt import loop_prompt
from core.channels import Another, Posted
from core.errors import Ambiguous, ChannelError, Transient, Unreachable
from core.loops.cards import AlertCard, LoopCard
from core.loops.owed import AskLoopWords, OfferAgain
from core.loops.places import Alert
from core.loops.values import Loop, LoopCopy
from core.publications import Surface

NOT_SEARCHABLE: Final = "a bot cannot search its messages in Telegram"
TOPIC_GONE: Final = "the topic does not exist any more"


class LoopPosting:
    """What a channel does for work orders and alerts."""

    _client: TelegramClient
    _codec: Codec

    async def post_loop(self, card: LoopCard, copy: LoopCopy) -> Posted:
        """Post a loop's card, once."""
        return await self._post(copy, loop_text(card), loop_keyboard(card, self._codec))

    async def find_loop(self, loop: Loop, copy: LoopCopy) -> Posted | None:
        """Telegram cannot be asked: a press on the lost copy is what proves it."""
        return await self._cannot_find(loop.id, copy)

    async def find_alert(self, alert: Alert, copy: LoopCopy) -> Posted | None:
        """The same for an alert."""
        return await self._cannot_find(alert.id, copy)

    async def _cannot_find(self, id: str, copy: LoopCopy) -> NoReturn:
        try:
            await self._client.look_at(copy.channel or copy.place)
        except Ambiguous as lost:
            raise Transient(str(lost)) from None
        raise Ambiguous(f"{id}: {NOT_SEARCHABLE}")

    async def redraw_loop(self, card: LoopCard, copy: LoopCopy) -> None:
        """Make the posted card show the loop as it is; that it does already is no error."""
        await self._edit(copy, loop_text(card), loop_keyboard(card, self._codec))

    async def ask_loop_words(self, prompt: AskLoopWords, loop: Loop) -> Posted:
        """Send a reply prompt beneath the card."""
        made = loop_prompt(prompt, loop)
        sent = await self._client.send(prompt.channel, made.text, made, thread=prompt.thread, reply_to=prompt.reply_to)
        return posted(sent)

    async def offer_again(self, offer: OfferAgain, another: Another | None = None) -> Posted:
        """Tell somebody what became of their order, with the button that dispatches it again."""
        *before, last = [partial(self._client.send, offer.channel, html) for html in messages(offer.text)]
        *_, offered = await send_all([*before, partial(last, offer_keyboard(offer, self._codec))], another)
        return posted(offered)

    async def post_alert(self, card: AlertCard, copy: LoopCopy) -> Posted:
        """Post an alert, once."""
        return await self._post(copy, alert_text(card), alert_keyboard(card, self._codec))

    async def redraw_alert(self, card: AlertCard, copy: LoopCopy) -> None:
        """Make a posted alert show that there is an order for it."""
        await self._edit(copy, alert_text(card), alert_keyboard(card, self._codec))

    async def _post(self, copy: LoopCopy, html: str, keyboard: Keyboard) -> Posted:
        chat = copy.channel or copy.place
        sent = await self._client.send(chat, html, keyboard, thread=copy.thread, reply_to=copy.reply_to)
        await self._check_topic(sent, copy.thread)
        return posted(sent)

    async def _edit(self, copy: LoopCopy, html: str, keyboard: Keyboard) -> None:
        await self._client.edit(copy.channel or copy.place, copy.message or "0", html, keyboard)

    async def _check_topic(self, sent: Message, thread: str | None) -> None:
        """A message for a topic that is gone may land in the open; take it back, and say that there is no topic."""
        if thread in (None, GENERAL_TOPIC) or str(sent.message_thread_id) == thread:
            return
        with suppress(ChannelError):
            await self._client.delete(str(sent.chat.id), str(sent.message_id))
        raise Unreachable("posted outside of the topic", TOPIC_GONE)


def posted(message: Message, surface: Surface | None = None) -> Posted:
    """Where a message is that was sent."""
    return Posted(str(message.chat.id), str(message.message_id), surface)
