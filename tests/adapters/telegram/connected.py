"""The adapter, started, between the Telegram stand-in and an intake that remembers what it was given."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from starlette.applications import Starlette

from adapters.inbound import AnyArrival, Pressed
from adapters.telegram import Me, TelegramAdapter, TelegramSettings
from adapters.telegram.endpoint import Receive
from adapters.telegram.polling import Poller
from bot.sandbox.serving import App, serving
from bot.sandbox.telegram import StandInSettings, TelegramStandIn
from core.addresses import Provider
from core.channels import Posted
from core.controls import Control
from core.publications import Publication
from core.replies import Quiet, Reply, Saved
from tests.blocks.telegram.cards import CODEC, ID

SECRET = "a-webhook_secret"
BOTH_WAYS = pytest.mark.parametrize("polls", [False, True], ids=["webhook", "polling"])


@dataclass
class Remembering:
    """An intake: keeps arrivals by key, so that a redelivery is the same arrival, and replies as it is told to."""

    arrivals: dict[str, AnyArrival] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    reply: Callable[[AnyArrival], Reply] = lambda _arrival: Quiet()
    down: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, arrival: AnyArrival) -> Reply:
        self.seen.append(arrival.key)
        self._tell()
        if self.down:
            raise ConnectionError("the database is away")
        self.arrivals.setdefault(arrival.key, arrival)
        self._tell()
        return self.reply(arrival)

    def _tell(self) -> None:
        waiting, self.changed = self.changed, asyncio.Event()
        waiting.set()

    async def until(self, found: Callable[[], object]) -> None:
        """Return once `found()` is true after some arrival."""
        async with asyncio.timeout(30):
            while not found():
                await self.changed.wait()

    async def first(self, count: int = 1) -> list[AnyArrival]:
        """The first arrivals, once there are so many."""
        await self.until(lambda: len(self.arrivals) >= count)
        return list(self.arrivals.values())

    def controls(self) -> list[Control]:
        """What was pressed, in order."""
        return [CODEC.unpack(one.token) for one in self.arrivals.values() if isinstance(one, Pressed)]


@dataclass
class Connected:
    """Everything one test needs."""

    stand_in: TelegramStandIn
    adapter: TelegramAdapter
    intake: Remembering
    me: Me


async def always() -> bool:
    """Nobody else fetches this bot's updates."""
    return True


@asynccontextmanager
async def connected(
    *, polls: bool = False, receive: Receive | None = None, site: str | None = None, **settings: Any
) -> AsyncIterator[Connected]:
    """A started adapter: updates come by webhook, or with `polls` are fetched by a task that ends with the block.
    `site` is where people find the service, if not where updates are delivered."""
    async with AsyncExitStack() as stack:
        own = StandInSettings(**{"pace": False, "webhook_retry": 0.01, **settings})
        stand_in = await stack.enter_async_context(TelegramStandIn(own).serve())
        routes = Mounted()
        address = await stack.enter_async_context(serving(routes.app))
        intake = Remembering()
        given = TelegramSettings(
            bot_token=stand_in.bot_token,
            webhook_secret=None if polls else SECRET,
            api_url=stand_in.api_url,
            public_url=site or address.url,
        )
        adapter = TelegramAdapter(given, CODEC, intake, receive)
        routes.mount(Starlette(routes=adapter.routes()))
        stack.push_async_callback(adapter.close)
        me = await adapter.start()
        if polls:
            await stack.enter_async_context(polling(adapter))
        yield Connected(stand_in, adapter, intake, me)


class Mounted:
    """An app that is there before what it serves."""

    def __init__(self) -> None:
        self._app: Starlette | None = None

    def mount(self, app: Starlette) -> None:
        """Serve this from now on."""
        self._app = app

    @property
    def app(self) -> App:
        """The app to serve."""

        async def pass_on(scope: Any, receive: Any, send: Any) -> None:
            assert self._app is not None
            await self._app(scope, receive, send)

        return pass_on


@asynccontextmanager
async def polling(adapter: TelegramAdapter) -> AsyncIterator[None]:
    """Fetch updates until the block is left."""
    stop = asyncio.Event()
    task = asyncio.create_task(Poller(adapter._client, adapter._receive, gap=0.02).run(stop, always))
    try:
        yield
    finally:
        stop.set()
        await task


def publication(place: str | int, *, thread: str | None = None, posted: Posted | None = None) -> Publication:
    """The copy of the card that goes (or with `posted` went) to this chat."""
    return Publication(
        id="pub_1",
        workspace="wsp_1",
        interaction=ID,
        number=1,
        provider=Provider.TELEGRAM,
        account="sayso_demo_bot",
        place=str(place),
        thread=thread,
        channel=posted.channel if posted else None,
        message=posted.message if posted else None,
    )


def ana_in(one: Connected) -> int:
    """Ana, who has pressed Start."""
    user = one.stand_in.scene.create_user("Ana", last_name="Ruiz")
    one.stand_in.human.start(user.id)
    return user.id


def last_words(one: Connected, chat: int) -> str:
    """What was said last in a chat."""
    return one.stand_in.world.history(chat)[-1].text


def saves(text: str) -> Callable[[AnyArrival], Reply]:
    """Reply that everything is saved."""
    return lambda _arrival: Saved(text)
