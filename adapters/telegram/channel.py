"""Core's port to a chat, for one Telegram bot."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from telegram.constants import ChatMemberStatus

from adapters.several import send_all
from adapters.telegram.client import TelegramClient
from adapters.telegram.links import message_url
from adapters.telegram.loops import NOT_SEARCHABLE, LoopPosting, posted
from blocks.codec import Codec
from blocks.telegram import digest as listing
from blocks.telegram import render
from blocks.telegram.limits import DELETE_MESSAGES
from blocks.telegram.lists import messages
from blocks.telegram.prompt import prompt
from blocks.telegram.reminder import reminder
from core.addresses import Provider
from core.cards import Card
from core.channels import Another, Posted
from core.errors import Ambiguous, ChannelError, Transient
from core.notices import DigestNotice, ReminderNotice
from core.outbox import AskWords, Say, SendDigest
from core.people import Identity, Membership, Standing
from core.publications import Publication, Surface

_IN_IT: Final = frozenset({ChatMemberStatus.OWNER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.MEMBER})


class TelegramChannel(LoopPosting):
    """Posts, redraws and says. `account` is the bot's username, known once the adapter has started."""

    provider = Provider.TELEGRAM
    deleted_at_once = DELETE_MESSAGES.number

    def __init__(self, client: TelegramClient, codec: Codec) -> None:
        self._client = client
        self._codec = codec
        self.account = ""

    async def post(self, card: Card, publication: Publication) -> Posted:
        """Post a card, once."""
        drawn = render(card, self._codec)
        chat = publication.channel or publication.place
        sent = await self._client.send(chat, drawn.text, drawn.keyboard, thread=publication.thread)
        await self._check_topic(sent, publication.thread)
        return posted(sent, drawn.surface)

    def message_url(self, channel: str, message: str, thread: str | None) -> str | None:
        """Where a message is found."""
        return message_url(channel, message, thread)

    async def find(self, publication: Publication) -> Posted | None:
        """Telegram cannot be asked: a press on the lost copy is what proves it. Only while it answers at all is that
        worth saying, as what follows from it is a replacement."""
        try:
            await self._client.look_at(publication.channel or publication.place)
        except Ambiguous as lost:
            raise Transient(str(lost)) from None
        raise Ambiguous(f"{publication.id}: {NOT_SEARCHABLE}")

    async def redraw(self, card: Card, publication: Publication) -> Surface:
        """Make the posted copy show the card as it is; that it does already is no error."""
        drawn = render(card, self._codec)
        chat = publication.channel or publication.place
        await self._client.edit(chat, publication.message or "0", drawn.text, drawn.keyboard)
        return drawn.surface

    async def say(self, words: Say, another: Another | None = None) -> Posted:
        """Send plain words, in several messages when they are longer than one; the first is where they are."""
        parts = [partial(self._client.send, words.channel, html, thread=words.thread) for html in messages(words.text)]
        if not parts:
            raise Ambiguous("there was nothing to say")
        first, *others = parts
        return posted((await send_all([partial(first, reply_to=words.reply_to), *others], another))[0])

    async def ask_words(self, prompt_for: AskWords, card: Card) -> Posted:
        """Send a reply prompt beneath the card."""
        made = prompt(prompt_for, card)
        sent = await self._client.send(
            prompt_for.channel, made.text, made, thread=prompt_for.thread, reply_to=prompt_for.reply_to
        )
        return posted(sent)

    async def take_back(self, channel: str, messages: Sequence[str]) -> None:
        """Delete messages of the bot's; Telegram lets it do so for two days. Of several at once those that are gone are
        passed over, but one that is too old keeps all the others."""
        await self._client.delete(channel, *messages)

    async def remind(self, notice: ReminderNotice, publication: Publication) -> Posted:
        """Send a reminder in reply to the card, so that a tap leads there. It arrives even where the card is gone."""
        chat = publication.channel or publication.place
        html = reminder(notice, alone=publication.is_private)
        sent = await self._client.send(chat, html, thread=publication.thread, reply_to=publication.message)
        await self._check_topic(sent, publication.thread)
        return posted(sent)

    async def end_reminder(self, notice: ReminderNotice, publication: Publication, where: Posted) -> None:
        """Make a reminder say how its card ended; that it does already is no error."""
        html = reminder(notice, alone=publication.is_private)
        await self._client.edit(where.channel, where.message, html, ())

    async def digest(self, digest: DigestNotice, where: SendDigest) -> Posted:
        """Send the list of what waits."""
        html, keyboard = listing.digest(digest), listing.keyboard(digest)
        return posted(await self._client.send(where.channel, html, keyboard, thread=where.thread))

    async def standing(self, identity: Identity) -> Standing:
        """What Telegram says of somebody: a name, when they have met the bot. It knows no guests."""
        try:
            return Standing(name=await self._client.display_name(identity.user))
        except ChannelError:
            return Standing(known=False)

    async def membership(self, identity: Identity, channel: str) -> Membership:
        """Whether somebody is in a chat now. Nobody but its person is in a private one."""
        if not channel.startswith("-"):
            return Membership.YES if channel == identity.user else Membership.NO
        try:
            status, is_member = await self._client.member_status(channel, identity.user)
        except ChannelError:
            return Membership.UNDETERMINED
        if not status:
            return Membership.UNDETERMINED
        if status == ChatMemberStatus.RESTRICTED:
            return Membership.YES if is_member else Membership.NO
        return Membership.YES if status in _IN_IT else Membership.NO

    async def place_name(self, place: str) -> str:
        """What a chat is called, or the person whose chat it is."""
        return await self._client.display_name(place)
