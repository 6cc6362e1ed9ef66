"""Slack as a `core.channels.Channel`: posting, finding a lost post, redrawing, and asking who somebody is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from adapters.several import send_all
from adapters.slack.errors import FAILURES, channel_error
from adapters.slack.links import message_url
from adapters.slack.loops import LoopPosting
from adapters.slack.posting import MARK
from blocks.slack import Rendered, render, render_review, render_words
from blocks.slack.digest import digest as listed
from blocks.slack.fit import fits
from blocks.slack.notice import notice, parts
from blocks.slack.reminder import reminder
from blocks.slack.text import escape
from blocks.words import isolate
from core.addresses import Provider
from core.cards import Card
from core.channels import Another, Posted
from core.errors import ChannelError, MessageGone, Misrendered
from core.notices import DigestNotice, ReminderNotice
from core.outbox import AskWords, Say, SendDigest
from core.people import Identity, Membership, Standing
from core.publications import Publication, Surface


class SlackChannel(LoopPosting):
    """One installation of the app."""

    provider = Provider.SLACK
    deleted_at_once = 1

    async def post(self, card: Card, publication: Publication) -> Posted:
        """Post a card once. What Slack refuses to draw is posted again as a review card, which is small."""
        channel = await self._conversation(publication.channel or publication.place)
        rendered = render(card, self._codec)
        try:
            return await self._post_card(rendered, publication, channel)
        except Misrendered:
            if rendered.surface is Surface.REVIEW:
                raise
            return await self._post_card(render_review(card, self._codec), publication, channel)

    async def _post_card(self, rendered: Rendered, publication: Publication, channel: str) -> Posted:
        payload = {"delivery": publication.id, "surface": rendered.surface.value}
        answer = await self._say_once(
            channel,
            rendered.text,
            rendered.blocks,
            publication.thread,
            {"event_type": MARK, "event_payload": payload},
        )
        return Posted(str(answer["channel"]), str(answer["ts"]), rendered.surface)

    def message_url(self, channel: str, message: str, thread: str | None) -> str | None:
        """Where a message is found."""
        return message_url(self._installation, channel, message, thread)

    async def find(self, publication: Publication) -> Posted | None:
        """Look through what was posted since the attempt. `Ambiguous` where the app may not read."""
        place = publication.channel or publication.place
        found = await self._delivered(publication.id, place, publication.thread, publication.attempt_at)
        if found is None:
            return None
        channel, message, surface = found
        return Posted(channel, message, Surface.REVIEW if surface == Surface.REVIEW else Surface.NATIVE)

    async def redraw(self, card: Card, publication: Publication) -> Surface:
        """Edit the copy. What Slack refuses to draw becomes plain words, so that no control of it stays."""
        if publication.channel is None or publication.message is None:
            raise MessageGone("it was never posted")
        rendered = render(card, self._codec)
        try:
            await self._edit(publication.channel, publication.message, rendered.text, rendered.blocks)
        except Misrendered:
            await self._edit(publication.channel, publication.message, render_words(card), [])
            return Surface.REVIEW
        return rendered.surface

    async def say(self, words: Say, another: Another | None = None) -> Posted:
        """Post plain words, shown as written."""
        channel = await self._conversation(words.channel)
        return await self._say_words(channel, words.text, words.thread or words.reply_to, another)

    async def ask_words(self, prompt: AskWords, card: Card) -> Posted:
        """Ask for words in the thread of the card. Slack has modals for this, so no control here leads to it."""
        title = isolate(card.interaction.content.title)
        text = f"{prompt.name}, please reply in this thread with your words for “{title}”."
        return await self._say_words(prompt.channel, text, prompt.thread or prompt.reply_to)

    async def take_back(self, channel: str, messages: Sequence[str]) -> None:
        """Delete a message of ours."""
        (message,) = messages
        try:
            await self._write.chat_delete(channel=channel, ts=message)
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error

    async def _say_words(self, channel: str, text: str, thread: str | None, another: Another | None = None) -> Posted:
        sends = [partial(self._say_part, channel, part, thread) for part in parts(text)]
        first, *_ = await send_all(sends, another)
        return Posted(str(first["channel"]), str(first["ts"]))

    async def _say_part(self, channel: str, text: str, thread: str | None) -> Mapping[str, Any]:
        blocks = notice(text)
        return await self._say_once(channel, escape(text).strip() or "…", blocks if fits(blocks) else [], thread, None)

    async def remind(self, notice: ReminderNotice, publication: Publication) -> Posted:
        """Send a reminder into the thread of the card. Where the card began that thread, the conversation shows the
        reminder too: nobody follows a thread in which nobody wrote."""
        channel = await self._conversation(publication.channel or publication.place)
        blocks, text = reminder(notice, alone=publication.is_private)
        thread, shown = publication.thread or publication.message, publication.thread is None
        answer = await self._say_once(channel, text, blocks, thread, None, shown=shown)
        return Posted(str(answer["channel"]), str(answer["ts"]))

    async def end_reminder(self, notice: ReminderNotice, publication: Publication, where: Posted) -> None:
        """Make a reminder say how its card ended."""
        blocks, text = reminder(notice, alone=publication.is_private)
        await self._edit(where.channel, where.message, text, blocks)

    async def digest(self, digest: DigestNotice, where: SendDigest) -> Posted:
        """Send the list of what waits."""
        channel = await self._conversation(where.channel)
        blocks, text = listed(digest)
        answer = await self._say_once(channel, text, blocks, where.thread, None)
        return Posted(str(answer["channel"]), str(answer["ts"]))

    async def standing(self, identity: Identity) -> Standing:
        """What Slack says of somebody now; `known=False` when it does not say."""
        try:
            return await self._profiles.standing(identity.user, identity.account)
        except ChannelError:
            return Standing(known=False)

    async def place_name(self, place: str) -> str:
        """What a channel is called, or the person whose direct message it is."""
        if place.startswith(("U", "W")):
            return (await self._profiles.standing(place, self.account)).name
        return await self._profiles.channel_name(place)

    async def membership(self, identity: Identity, channel: str) -> Membership:
        """Whether somebody is in a conversation now; undetermined when Slack does not say."""
        try:
            return await self._profiles.membership(identity.user, channel)
        except ChannelError:
            return Membership.UNDETERMINED
