"""Slack as a `core.channels.Channel`: posting, finding a lost post, redrawing, and asking who somebody is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.client import Clients
from adapters.slack.errors import FAILURES, channel_error, code_of
from adapters.slack.profiles import Profiles
from adapters.slack.settings import Installation
from blocks.codec import Codec
from blocks.slack import Rendered, render, render_review, render_words
from blocks.slack.digest import digest as listed
from blocks.slack.fit import fits
from blocks.slack.notice import notice
from blocks.slack.parts import Block
from blocks.slack.reminder import reminder
from blocks.slack.text import escape
from blocks.words import isolate
from core.addresses import Provider
from core.cards import Card
from core.channels import Posted
from core.errors import Ambiguous, ChannelError, MessageGone, Misrendered, Unreachable
from core.notices import DigestNotice, ReminderNotice
from core.outbox import AskWords, Say, SendDigest
from core.people import Identity, Membership, Standing
from core.publications import Publication, Surface

MARK: Final = "sayso_card"
"""The event type of a card's metadata. Every app of the workspace can read it, so it holds no secret."""
PLAIN: Final[Mapping[str, Any]] = {"unfurl_links": False, "unfurl_media": False, "mrkdwn": False}
"""Nothing in our text makes previews or markup. `parse` and `link_names` stay off, as they are by default."""
BEFORE: Final = timedelta(minutes=2)
"""How much earlier than our clock Slack may have stamped a post."""
PAGE: Final = 100
MOST_PAGES: Final = 10
_UNREADABLE: Final = frozenset({"missing_scope", "not_in_channel", "no_permission", "not_allowed_token_type"})


class SlackChannel:
    """One installation of the app."""

    provider = Provider.SLACK

    def __init__(self, clients: Clients, installation: Installation, codec: Codec) -> None:
        self.account = installation.team
        self._write: AsyncWebClient = clients.write
        self._read: AsyncWebClient = clients.read
        self._installation = installation
        self._codec = codec
        self._profiles = Profiles(clients, installation)

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

    async def find(self, publication: Publication) -> Posted | None:
        """Look through what was posted since the attempt. `Ambiguous` where the app may not read."""
        if publication.attempt_at is None:
            return None
        channel = await self._conversation(publication.channel or publication.place, check=False)
        oldest = f"{(publication.attempt_at - BEFORE).timestamp():.6f}"
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._page(channel, publication.thread, oldest, cursor)
            for message in page.get("messages", ()):
                surface = self._surface_of(message, publication.id)
                if surface is not None:
                    return Posted(channel, str(message["ts"]), surface)
            cursor = (page.get("response_metadata") or {}).get("next_cursor") or ""
            if not cursor:
                return None
        raise Ambiguous("there are too many messages to look through")

    async def _page(self, channel: str, thread: str | None, oldest: str, cursor: str) -> Mapping[str, Any]:
        wanted: dict[str, Any] = {
            "channel": channel,
            "oldest": oldest,
            "inclusive": True,
            "include_all_metadata": True,
            "limit": PAGE,
            **({"cursor": cursor} if cursor else {}),
        }
        try:
            if thread is None:
                answer = await self._read.conversations_history(**wanted)
            else:
                answer = await self._read.conversations_replies(ts=thread, **wanted)
        except FAILURES as error:
            if code_of(error) in _UNREADABLE:
                raise Ambiguous(f"the app may not read this conversation ({code_of(error)})") from error
            raise channel_error(error, harmless=True) from error
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    def _surface_of(self, message: Mapping[str, Any], delivery: str) -> Surface | None:
        """The surface of our card for this delivery; None when the message is another."""
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        own = message.get("bot_id") == self._installation.bot_id or message.get("user") == self._installation.bot_user
        if not own or metadata.get("event_type") != MARK or payload.get("delivery") != delivery:
            return None
        return Surface.REVIEW if payload.get("surface") == Surface.REVIEW else Surface.NATIVE

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

    async def _edit(self, channel: str, message: str, text: str, blocks: Sequence[Block]) -> None:
        try:
            # Without `blocks` Slack would take them away; without `parse` it would read mentions into the text.
            await self._write.chat_update(
                channel=channel, ts=message, text=text, blocks=list(blocks), parse="none", link_names=False
            )
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error

    async def say(self, words: Say) -> Posted:
        """Post plain words, shown as written."""
        channel = await self._conversation(words.channel)
        return await self._say_words(channel, words.text, words.thread or words.reply_to)

    async def ask_words(self, prompt: AskWords, card: Card) -> Posted:
        """Ask for words in the thread of the card. Slack has modals for this, so no control here leads to it."""
        title = isolate(card.interaction.content.title)
        text = f"{prompt.name}, please reply in this thread with your words for “{title}”."
        return await self._say_words(prompt.channel, text, prompt.thread or prompt.reply_to)

    async def take_back(self, channel: str, message: str) -> None:
        """Delete a message of ours."""
        try:
            await self._write.chat_delete(channel=channel, ts=message)
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error

    async def _say_words(self, channel: str, text: str, thread: str | None) -> Posted:
        blocks = notice(text)
        answer = await self._say_once(
            channel, escape(text).strip() or "…", blocks if fits(blocks) else [], thread, None
        )
        return Posted(str(answer["channel"]), str(answer["ts"]))

    async def _say_once(
        self,
        channel: str,
        text: str,
        blocks: Sequence[Block],
        thread: str | None,
        metadata: Mapping[str, Any] | None,
        *,
        shown: bool = False,
    ) -> Mapping[str, Any]:
        """`shown`: what goes into a thread is shown in its conversation too."""
        try:
            answer = await self._write.chat_postMessage(
                channel=channel,
                text=text,
                blocks=list(blocks) or None,
                thread_ts=thread,
                reply_broadcast=True if shown and thread else None,
                metadata=dict(metadata) if metadata else None,
                **PLAIN,
            )
        except FAILURES as error:
            raise channel_error(error) from error
        return dict(answer.data) if isinstance(answer.data, dict) else {}

    async def _conversation(self, place: str, *, check: bool = True) -> str:
        """The conversation id of a place: a user's direct-message channel is opened. Slack takes posts to deactivated
        people and says nothing, so with `check` that is asked first."""
        if not place.startswith(("U", "W")):
            return place
        if check and (await self._profiles.standing(place, self.account)).deleted:
            raise Unreachable("user_disabled", "the account is deactivated")
        return await self._profiles.direct(place)

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
