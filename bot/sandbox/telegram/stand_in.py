"""The Telegram stand-in: a server that Bot API clients talk to, and the people on the other side of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Self

from starlette.applications import Starlette
from starlette.routing import Route

from bot.sandbox.clock import Clock
from bot.sandbox.serving import Address, App, Connections, Receive, Scope, Send, serving
from bot.sandbox.telegram.api import BotApi
from bot.sandbox.telegram.client import client_routes, to_client
from bot.sandbox.telegram.control import (
    CLOCK,
    FAULTS,
    HUMAN,
    SAYING_WHO,
    SCENE,
    WIRE,
    control_routes,
    operations_of,
)
from bot.sandbox.telegram.faults import Failure, FaultKind, Faults
from bot.sandbox.telegram.feed import Feed
from bot.sandbox.telegram.human import Human
from bot.sandbox.telegram.journal import Journal
from bot.sandbox.telegram.pace import Pace
from bot.sandbox.telegram.parts import Parts
from bot.sandbox.telegram.polling import Polling
from bot.sandbox.telegram.saying_who import SayingWho
from bot.sandbox.telegram.scene import Scene
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.updates import UpdateQueue
from bot.sandbox.telegram.webhook import WebhookSender
from bot.sandbox.telegram.wire import Wire
from bot.sandbox.telegram.world import World


class TelegramStandIn:
    """Everything of one stand-in. `async with stand_in.serve():` makes it listen.

    `scene` makes accounts and chats, `human` does what people do, `wire` tampers with deliveries, `faults` lets calls
    fail, `saying_who` signs what pages are told of people, `journal` tells what the bot called, `clock` can be
    advanced, `world` is what there is.
    """

    def __init__(self, settings: StandInSettings | None = None) -> None:
        self.settings = settings or StandInSettings()
        self.clock = Clock()
        self.faults = Faults(self.clock)
        self.journal = Journal()
        self.world = World(self.settings, self.clock)
        queue = UpdateQueue(self.clock, self.settings.first_update_id)
        feed = Feed(self.world, queue)
        self._connections = Connections()
        webhook = WebhookSender(
            queue,
            self.clock,
            self.faults,
            self.journal,
            retry=self.settings.webhook_retry,
            wait=self.settings.webhook_wait,
            on_reply=self._run_reply,
            on_change=self.world.touch,
        )
        self.parts = Parts(
            settings=self.settings,
            clock=self.clock,
            world=self.world,
            queue=queue,
            feed=feed,
            polling=Polling(queue, self.clock, pace=self.settings.pace, on_wait=self.world.touch),
            webhook=webhook,
            pace=Pace(self.clock, on=self.settings.pace),
            faults=self.faults,
            journal=self.journal,
        )
        self._api = BotApi(self.parts, self._connections)
        self.scene = Scene(self.world, feed)
        self.human = Human(self.world, feed, self.scene)
        self.wire = Wire(queue, webhook)
        self.saying_who = SayingWho(self.settings, self.clock, self.world)
        self._app = self._routed()
        self._address: Address | None = None
        self._listening = contextlib.AsyncExitStack()
        self._returning: asyncio.Task[None] | None = None

    @property
    def api_url(self) -> str:
        """What stands before `/bot<token>/`; the value of TELEGRAM_API_URL."""
        if self._address is None:
            raise RuntimeError("the stand-in is not serving")
        return self._address.url

    @property
    def bot_token(self) -> str:
        """The bot's token."""
        return self.settings.bot_token

    @property
    def bot_username(self) -> str:
        """The bot's username, without the @."""
        return self.settings.bot_username

    @property
    def bot_id(self) -> int:
        """The bot's account."""
        return self.settings.bot_id

    @property
    def polled(self) -> bool:
        """Whether a client waits in getUpdates right now."""
        return self.parts.polling.waiting

    def fail(
        self,
        kind: FaultKind,
        method: str = "*",
        *,
        count: int = 1,
        chat_id: int | None = None,
        seconds: float = 1.0,
        status: int = 502,
        description: str = "Bad Request: failed on demand",
    ) -> None:
        """Let the next `count` calls of `method` (`*` for any), of one chat if given, go wrong."""
        self.faults.plan(
            Failure(
                kind=kind,
                method=method,
                count=count,
                chat_id=chat_id,
                seconds=seconds,
                status=status,
                description=description,
            )
        )

    async def until(self, found: Callable[[], object], seconds: float = 5.0) -> None:
        """Return as soon as `found()` is true, looking again at every change; TimeoutError after `seconds`."""
        await self.world.until(found, seconds)

    async def away(self, seconds: float, *, refuse: bool = False) -> None:
        """Be unreachable for a while: connections close unanswered, or with `refuse` no port listens at all.

        `clock.advance` shortens it. Without an answer a client cannot know whether it was
        heard; refused, it knows that it was not. With `refuse` the control API is unreachable too.
        """
        self.faults.go_away(seconds)
        if refuse and self._address is not None:
            self._connections.hang_up_all()
            await self._listening.aclose()
            self._returning = asyncio.create_task(self._return(self._address, seconds))

    @contextlib.asynccontextmanager
    async def serve(self, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Self]:
        """Listen until the block is left. Port 0 takes a free one; `api_url` says which."""
        await self._listen(host, port)
        try:
            yield self
        finally:
            if self._returning is not None:
                self._returning.cancel()
                await asyncio.gather(self._returning, return_exceptions=True)
            self.parts.polling.release()
            await self.parts.webhook.stop()
            self.world.close()
            await self._listening.aclose()
            self._address = None

    async def _listen(self, host: str, port: int) -> None:
        served = serving(self._app, host, port, connections=self._connections)
        self._address = await self._listening.enter_async_context(served)

    async def _return(self, address: Address, seconds: float) -> None:
        await self.clock.sleep(seconds)
        await self._listen(address.host, address.port)
        self.world.touch()

    async def _run_reply(self, reply: dict[str, object]) -> None:
        await self._api.run_reply(reply)

    def _routed(self) -> App:
        operations = {
            **operations_of(self.scene, SCENE),
            **operations_of(self.human, HUMAN),
            **operations_of(self.saying_who, SAYING_WHO),
            **operations_of(self.wire, WIRE),
            **operations_of(self.faults, FAULTS),
            **operations_of(self.clock, CLOCK),
        }
        pages = Starlette(
            routes=[
                Route("/", to_client),
                *control_routes(self.parts, operations),
                *self.saying_who.routes(),
                *client_routes(self.world),
            ]
        )
        api = self._api

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "http" and scope["path"].startswith("/bot"):
                await api(scope, receive, send)
            else:
                await pages(scope, receive, send)

        return app
