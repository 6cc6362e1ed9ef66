"""One Telegram bot, assembled: what arrives goes to the intake, what is owed goes out through the channel."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

from starlette.routing import Route

from adapters.inbound import AnyArrival, Commanded, Intake, Wrote
from adapters.telegram.channel import TelegramChannel
from adapters.telegram.client import TelegramClient
from adapters.telegram.endpoint import Deliver, Receive, deliverer, webhook
from adapters.telegram.parse import Receiver, album_of, parse, query_id
from adapters.telegram.polling import Hold, Lost, Poller
from adapters.telegram.settings import Me, TelegramSettings
from adapters.telegram.telling import Teller, Turns
from blocks.codec import Codec
from blocks.telegram.lists import COMMANDS
from core.errors import ChannelError, Misconfigured, Misrendered, Transient
from core.loops.replies import OpenLoopForm
from core.replies import Reply

REMEMBERED: Final = 1_000
"""Messages whose senders were told, so that a redelivery is not answered with a second message."""
FAREWELL: Final = 5.0
"""Seconds that answers still on their way have when the adapter is closed."""


class TelegramAdapter:
    """A bot's connection. Making it does no I/O.

    `receive` stores a raw update and sees to it that `take` is called with it, now or after a restart; without one,
    `take` itself is awaited before anything is acknowledged. Either way an update may come more than once, and the
    intake knows it by its key. `shared` is told whenever somebody else turns out to fetch the updates too. `turns` says
    when answers may go out.
    """

    def __init__(
        self,
        settings: TelegramSettings,
        codec: Codec,
        intake: Intake,
        receive: Receive | None = None,
        shared: Callable[[], None] | None = None,
        turns: Turns | None = None,
    ) -> None:
        self._shared = shared
        self._settings = settings
        self._intake = intake
        self._receive = receive or self._take_at_once
        self._client = TelegramClient(
            settings.bot_token, settings.api_url, site=settings.public_url, launcher=settings.launcher
        )
        self._teller = Teller(self._client, turns)
        self._receiver: Receiver | None = None
        self._told: OrderedDict[str, None] = OrderedDict()
        self._talks: set[asyncio.Task[None]] = set()
        self.channel = TelegramChannel(self._client, codec)

    async def start(self) -> Me:
        """Ask who the bot is, say which updates are wanted and how, and offer the commands.

        Raises `ChannelError` (may be called again) or `Misconfigured`. Whatever waited meanwhile is kept.
        """
        me = await self._client.open()
        self._receiver = Receiver(me.id, me.username)
        self.channel.account = self._teller.account = me.username
        with suppress(ChannelError):  # a menu of commands is a convenience
            await self._client.set_commands(COMMANDS)
        url, secret = self._settings.webhook_url, self._settings.webhook_secret
        if url is None or secret is None:
            await self._client.delete_webhook()
            return me
        try:
            await self._client.set_webhook(url, secret)
        except Misrendered as refused:
            raise Misconfigured(
                f"Telegram does not deliver to {url} ({refused}): check SAYSO_PUBLIC_URL and TELEGRAM_WEBHOOK_SECRET."
            ) from None
        return me

    def routes(self) -> list[Route]:
        """What Telegram posts to; nothing where updates are fetched."""
        secret = self._settings.webhook_secret
        return [webhook(secret, self._receive)] if secret and self._settings.webhook_url else []

    @property
    def deliver(self) -> Deliver | None:
        """What takes a delivery, for a bot whose route is somebody else's; None where updates are fetched."""
        secret = self._settings.webhook_secret
        return deliverer(secret, self._receive) if secret and self._settings.webhook_url else None

    async def poll(self, stop: asyncio.Event, hold: Hold, lost: Lost | None = None) -> None:
        """Fetch updates until `stop` is set, where they are not delivered. One process at a time: `hold` says which.
        `lost` is told why when the token stops working."""
        if self._settings.webhook_url is None:
            await Poller(self._client, self._receive, lost=lost, shared=self._shared).run(stop, hold)

    async def take(self, raw: Mapping[str, Any]) -> None:
        """Handle one update: commit what follows from it, then tell its sender in the background."""
        if self._receiver is None:
            raise Transient("the bot is not connected yet")
        arrival = parse(raw, self._receiver)
        if arrival is None:
            if query := query_id(raw):
                self._talk(self._teller.stop_progress(query))
            return
        reply = await self._intake(arrival)
        if not isinstance(reply, OpenLoopForm):  # nobody has a form here: words are asked for by a prompt
            self._talk(self.tell(arrival, reply))

    async def tell(self, arrival: AnyArrival, reply: Reply) -> None:
        """Tell the sender of an arrival what came of it, as well as it goes; a message is answered once, and so is
        an album."""
        if isinstance(arrival, Wrote | Commanded):
            album = album_of(arrival.raw)
            what = f"{arrival.channel}:{album}" if album else arrival.key
            if what in self._told:
                return
            self._told[what] = None
            if len(self._told) > REMEMBERED:
                self._told.popitem(last=False)
        await self._teller.tell(arrival, reply)

    async def close(self) -> None:
        """Let answers on their way arrive, then end the connections."""
        if self._talks:
            await asyncio.wait(self._talks, timeout=FAREWELL)
        for talk in self._talks:
            talk.cancel()
        await asyncio.gather(*self._talks, return_exceptions=True)
        await self._client.close()

    async def _take_at_once(self, _number: int, raw: Mapping[str, Any]) -> None:
        await self.take(raw)

    def _talk(self, saying: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(saying)
        self._talks.add(task)
        task.add_done_callback(self._talks.discard)
