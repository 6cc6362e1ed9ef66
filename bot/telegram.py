"""Telegram's updates through the durable inbox: stored, acknowledged, handled, and taken up again after a crash."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import structlog
from starlette.routing import Route

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.channel import TelegramChannel
from adapters.telegram.endpoint import Deliver
from adapters.telegram.polling import LEASE, Lost
from adapters.telegram.settings import Me, TelegramSettings
from adapters.telegram.telling import Turns
from blocks.codec import Codec
from bot.chats import Identified
from bot.intake import Intake
from core.addresses import Provider
from core.errors import Transient
from core.ports import Context, Work
from core.upkeep import WaitingArrival
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.telegram")

MOST_TAKES = 20
"""An update that failed this often will not do better: it is put aside and said so."""


class TelegramSide:
    """One bot with its inbox. `owner` names this process in the lease that says who fetches."""

    def __init__(
        self,
        given: TelegramSettings,
        codec: Codec,
        context: Context,
        intake: Intake,
        owner: str,
        shared: Callable[[], None] | None = None,
        turns: Turns | None = None,
    ) -> None:
        self._context = context
        self._owner = owner
        self._adapter = TelegramAdapter(given, codec, intake, self._store, shared, turns)
        self._me: Me | None = None
        self._lines: dict[str, asyncio.Task[None]] = {}

    def routes(self) -> list[Route]:
        """What Telegram posts to."""
        return self._adapter.routes()

    @property
    def deliver(self) -> Deliver | None:
        """What takes a delivery, for a bot whose route is somebody else's; None where updates are fetched."""
        return self._adapter.deliver

    @property
    def number(self) -> int | None:
        """The bot's account, once it is known."""
        return self._me.id if self._me is not None else None

    @property
    def channel(self) -> TelegramChannel:
        """What is sent through."""
        return self._adapter.channel

    async def identify(self) -> Identified:
        """Ask who the bot is. Raises `ChannelError`."""
        self._me = await self._adapter.start()
        return Identified(self._me.username, self._me.name, str(self._me.id), self._adapter.channel)

    async def receive(self, stop: asyncio.Event, lost: Lost) -> None:
        """Fetch updates until `stop`, where they are not delivered; tell `lost` when the token stops working."""
        await self._adapter.poll(stop, self._hold, lost)

    async def close(self) -> None:
        """Finish what was taken in, and give the fetching to another process."""
        if self._lines:
            await asyncio.wait(self._lines.values(), timeout=5)
        await self._adapter.close()
        if self._me is not None:
            name = self._lease_name(self._me)
            await transact(self._context, lambda work: work.drop_lease(name, self._owner))

    def _lease_name(self, me: Me) -> str:
        return f"telegram:{me.id}"

    async def _hold(self) -> bool:
        if self._me is None:
            return False
        name, now = self._lease_name(self._me), self._context.clock.now()
        until = now + timedelta(seconds=LEASE)
        return await transact(self._context, lambda work: work.take_lease(name, self._owner, now, until)) is not None

    async def _store(self, number: int, raw: Mapping[str, Any]) -> None:
        """Keep an update for good, then handle it without holding up whoever delivered it."""
        if self._me is None:
            raise Transient("the bot is not connected yet")
        key = f"telegram:{self._me.id}:{number}"
        text = json.dumps(raw, ensure_ascii=True, separators=(",", ":"))

        async def keep(work: Work) -> bool:
            return await work.first_seen(key, Provider.TELEGRAM.value, text, self._context.clock.now())

        if await transact(self._context, keep):
            self._line_up(_sender(raw), key, raw)

    def _line_up(self, sender: str, key: str, raw: Mapping[str, Any]) -> None:
        """Handle the updates of one sender in order, those of different senders side by side."""
        before = self._lines.get(sender)

        async def handle() -> None:
            if before is not None:
                await asyncio.wait([before])
            await self._take(key, raw)

        task = asyncio.create_task(handle(), name=f"update-{key}")
        self._lines[sender] = task

        def leave(done: asyncio.Task[None]) -> None:
            if self._lines.get(sender) is done:
                del self._lines[sender]

        task.add_done_callback(leave)

    async def _take(self, key: str, raw: Mapping[str, Any]) -> None:
        try:
            await self._adapter.take(raw)
            await self._done(key)
        except Exception:
            # It stays in the inbox and is taken up again when its lease lapses.
            log.exception("update not handled", key=key)

    async def _done(self, key: str) -> None:
        """Mark an update done that was not marked with what followed from it."""

        async def mark(work: Work) -> None:
            now = self._context.clock.now()
            if await work.first_seen(key, Provider.TELEGRAM.value, "", now):
                await work.arrival_done(key, None, now)

        await transact(self._context, mark)

    async def take_up(self, arrival: WaitingArrival) -> None:
        """Handle a stored update whose process died."""
        if arrival.takes > MOST_TAKES:
            log.error("update put aside", key=arrival.key, takes=arrival.takes)
            await self._done(arrival.key)
            return
        await self._take(arrival.key, json.loads(arrival.raw))


def _sender(raw: Mapping[str, Any]) -> str:
    for part in raw.values():
        if isinstance(part, dict):
            sender = part.get("from")
            if isinstance(sender, dict):
                return str(sender.get("id"))
    return ""
