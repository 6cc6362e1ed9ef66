"""How messages of ours get into Slack: posted once, found again by their metadata, edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.client import Clients
from adapters.slack.errors import FAILURES, channel_error, code_of
from adapters.slack.profiles import Profiles
from adapters.slack.settings import Installation
from blocks.codec import Codec
from blocks.slack.parts import Block
from core.errors import Ambiguous, Unreachable

MARK: Final = "sayso_card"
"""The event type of a card's metadata. Every app of the workspace can read it, so it holds no secret."""
PLAIN: Final[Mapping[str, Any]] = {"unfurl_links": False, "unfurl_media": False, "mrkdwn": False}
"""Nothing in our text makes previews or markup. `parse` and `link_names` stay off, as they are by default."""
BEFORE: Final = timedelta(minutes=2)
"""How much earlier than our clock Slack may have stamped a post."""
PAGE: Final = 100
MOST_PAGES: Final = 10
_UNREADABLE: Final = frozenset({"missing_scope", "not_in_channel", "no_permission", "not_allowed_token_type"})


class Posting:
    """One installation of the app."""

    def __init__(self, clients: Clients, installation: Installation, codec: Codec) -> None:
        self.account = installation.team
        self._write: AsyncWebClient = clients.write
        self._read: AsyncWebClient = clients.read
        self._installation = installation
        self._codec = codec
        self._profiles = Profiles(clients, installation)

    async def _delivered(
        self, delivery: str, place: str, thread: str | None, attempt_at: datetime | None
    ) -> tuple[str, str, str] | None:
        """Look for our post of this delivery through what was posted since the attempt: its channel, its id and the
        surface it named. `Ambiguous` where the app may not read."""
        if attempt_at is None:
            return None
        channel = await self._conversation(place, check=False)
        oldest = f"{(attempt_at - BEFORE).timestamp():.6f}"
        cursor = ""
        for _ in range(MOST_PAGES):
            page = await self._page(channel, thread, oldest, cursor)
            for message in page.get("messages", ()):
                surface = self._surface_of(message, delivery)
                if surface is not None:
                    return channel, str(message["ts"]), surface
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

    def _surface_of(self, message: Mapping[str, Any], delivery: str) -> str | None:
        """What our post of this delivery says it shows; None when the message is another."""
        metadata = message.get("metadata") or {}
        payload = metadata.get("event_payload") or {}
        own = message.get("bot_id") == self._installation.bot_id or message.get("user") == self._installation.bot_user
        if not own or metadata.get("event_type") != MARK or payload.get("delivery") != delivery:
            return None
        return str(payload.get("surface") or "")

    async def _edit(self, channel: str, message: str, text: str, blocks: Sequence[Block]) -> None:
        try:
            # Without `blocks` Slack would take them away; without `parse` it would read mentions into the text.
            await self._write.chat_update(
                channel=channel, ts=message, text=text, blocks=list(blocks), parse="none", link_names=False
            )
        except FAILURES as error:
            raise channel_error(error, harmless=True) from error

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
