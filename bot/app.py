"""The whole service, put together by hand: every dependency is visible here."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from collections.abc import AsyncIterator
from datetime import timedelta

import structlog
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute

from adapters.telegram.proving import login_at
from blocks.codec import Codec
from bot.authority import Authority
from bot.background import Pauses, begin
from bot.chats import Chats
from bot.config import ProcessRole, Settings
from bot.configured import EVERY, say_settings
from bot.draining import Draining, Farewell
from bot.errands import Errands
from bot.errands.noting import Notes
from bot.greeting import Greeting
from bot.installing import SlackDoor
from bot.intake import Intake
from bot.kept import Kept
from bot.listing import Listing
from bot.loop_intake import LoopIntake
from bot.moment import SystemClock, SystemIds
from bot.noticing import Noticing
from bot.openid import relying_parties
from bot.pace import Pace, Rates
from bot.place_names import PlaceNames
from bot.relay import Bells, Relay
from bot.remembered import Remembered
from bot.renewing import Renewal
from bot.restored import Marking
from bot.scheduler import Scheduler
from bot.sealing import Sealer
from bot.signing import Signing
from bot.slack import SlackSide
from bot.socket_slots import SocketSlots
from bot.startup import WORKSPACE, prepare
from bot.telegram_bots import TelegramBots
from bot.telemetry import Telemetry
from bot.tool_callers import ToolCallers
from bot.turns import OwnTurns
from bot.vault import SealedVault
from bot.wake import Waiter
from bot.waking import wake
from bot.web.api import build_api
from bot.web.calls import ApiServices
from bot.web.health import Health
from bot.web.pages import build_pages
from bot.web.patience import Patience
from bot.web.proof import PURPOSE
from bot.web.published_keys import keys_route
from bot.web.strays import with_a_page_for_strays
from bot.web.strictness import Strictness
from bot.webhooks import Webhooks
from core.dues import EVERY_KIND, DueKind
from core.ports import Clock, Committed, Context
from core.store import Store, check_schema, notices, open_engine
from core.use_cases.answer import expire_due
from core.use_cases.drafting import lapse_holds
from core.use_cases.fires import FIRES
from core.use_cases.resealing import reseal_all
from core.use_cases.retaining import forget, purge
from core.use_cases.transact import transact
from core.use_cases.turned_back import count_anew, count_anew_if_ahead

log = structlog.get_logger("sayso.app")

LAST_FETCH = 2.0
"""Seconds that receiving has to end once the process is told to stop."""


class App:
    """One process of the service. Making it does no input or output; `running` does.

    `rates` say how fast the chats may be written to, the providers' documented limits unless given; `clock` is this
    machine's unless given.
    """

    def __init__(self, settings: Settings, rates: Rates | None = None, clock: Clock | None = None) -> None:
        self.settings = settings
        self.place = f"{os.uname().nodename}:{settings.sayso_host}:{settings.sayso_port}"
        self.owner = f"{self.place}/{os.getpid()}-{secrets.token_hex(3)}"
        self.bells = Bells()
        self.draining = Draining()
        self.telemetry = Telemetry()
        self.marking = Marking(settings.database_url())
        self.signing = Signing(Sealer(settings.keys("signing")))
        vault = SealedVault(settings.keys("webhooks"))
        self.store = Store(open_engine(settings.database_url()), self._committed, self.signing, vault)
        self.clock = clock or SystemClock()
        self.noticing = Noticing(self.clock)
        self.context = Context(self.store.work, self.clock, SystemIds(), f"{settings.base_url}/review/")
        records = self.store.records
        self.waiter = Waiter(records.last_position)
        self.chats = Chats(self.context, records, WORKSPACE)
        sealer = Sealer(settings.keys("installations"))
        self.kept = Kept(self.context, records, self.chats, sealer)
        self.chats.find = self.kept.find
        self.remembered = Remembered(records.standing)
        self.authority = Authority(self.context, records, self.chats.known_in, self.remembered)
        self.listing = Listing(self.context, records, self.authority, self.chats.known_in, link_ok=settings.link_ok)
        codec = Codec(*settings.keys("controls"))
        greeting = Greeting(self.context)
        self.intake = Intake(
            self.context,
            self.chats.connection,
            codec,
            self.authority,
            self.listing.of_identity,
            greeting,
            LoopIntake(self.context, records, self.authority),
            self.telemetry,
        )
        self.slack = (
            SlackSide(
                settings,
                codec,
                self.intake,
                self.clock,
                self.chats,
                self.kept,
                SlackDoor(self.context, records, self.kept, sealer, settings.sayso_install),
                self.noticing,
                SocketSlots(self.context, self.owner, settings.slack_sockets, self.noticing),
            )
            if settings.slack_on
            else None
        )
        renew = self.slack.renew if self.slack is not None and settings.slack_installs else None
        self.renewal = Renewal(self.context, records, self.kept, sealer, renew, self.owner)
        self.pace = Pace(self.store.turns or OwnTurns(), rates)
        self.telegram = TelegramBots(
            settings,
            codec,
            self.context,
            self.intake,
            self.chats,
            self.kept,
            self.owner,
            self.noticing.conflict,
            self.pace,
        )
        self.webhooks = Webhooks(self.clock, settings.sayso_webhook_allow)
        notes = Notes(self.context, self.chats, self.telemetry, self.pace)
        errands = Errands(notes, records, self.webhooks, self.listing, link_ok=settings.link_ok)
        self.relay = Relay(self.context, self.store.outbox, errands, self.pace, self.bells, self.owner)
        self.scheduler = Scheduler(lambda: count_anew(self.context))
        self.web: Starlette | None = None

    def _committed(self, change: Committed) -> None:
        self.marking.committed(change)
        self.telemetry.committed(change)
        self.waiter.committed(change)
        self.remembered.committed(change)
        self.bells.ring(tuple(self.bells.lanes) if change.missed else change.lanes)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Starlette]:
        """Prepare the database, start everything this process does, and give the web application to serve.

        The caller holds the port of the settings, so whoever ran here before is gone, and what it had in hand is taken
        up at once. Leaving the block finishes what is in hand. Raises `Misconfigured`.
        """
        operator = await prepare(self.store, self.context, self.settings)
        await self.signing.open(self.context)
        await self._take_over()
        await self.marking.make_true(self.context, self.store.records, self.owner)
        await say_settings(self.context, self.settings)
        role = self.settings.sayso_role
        services = ApiServices(
            self.context, self.store.records, self.waiter, self.settings.base_url, self.authority, operator
        )
        leaving = Middleware(Farewell, draining=self.draining)
        strict = Middleware(Strictness, https=self.settings.base_url.startswith("https://"))
        self.web = Starlette(routes=self._routes(), middleware=[leaving, strict, Middleware(Patience)])
        # Not mounted at `/`: a mount takes no address with a line break in it, and would answer that without a problem.
        pages = (self.settings.base_url, self.settings.key("sessions"))
        self.web.router.default = with_a_page_for_strays(build_api(services), *pages)
        stop = asyncio.Event()
        listening = begin(self._listen(), "notices")
        receiving = self._connect(receives=role is not ProcessRole.WEB, stop=stop)
        working = [begin(self.relay.run(stop), "relay")] if role is not ProcessRole.WEB else []
        if working:
            self._schedule()
        self.scheduler.every(EVERY, "settings", lambda: say_settings(self.context, self.settings))
        self.scheduler.start()
        self.scheduler.once("clock", lambda: count_anew_if_ahead(self.context))
        try:
            yield self.web
        finally:
            stop.set()
            await self.scheduler.stop()
            await self.waiter.close()
            # What is in hand needs the chats' connections, so these close after it.
            await asyncio.gather(*working, return_exceptions=True)
            self.webhooks.close()
            # Whoever fetches ends by itself, after what it was storing: cut off there, a transaction would stay open.
            if receiving:
                await asyncio.wait(receiving, timeout=LAST_FETCH)
            for task in (listening, *receiving):
                task.cancel()
            await asyncio.gather(listening, *receiving, return_exceptions=True)
            if self.slack is not None:
                await self.slack.close()
            await self.telegram.close()
            await self.store.close()
            self.marking.close()

    def _routes(self) -> list[BaseRoute]:
        health = Health(
            self.store.records,
            self.clock,
            lambda: check_schema(self.store.engine),
            self.chats.troubled,
            self.telemetry.registry,
            self.noticing.wire,
            self.settings.key(PURPOSE),
            self.draining,
        )
        routes: list[BaseRoute] = [*health.routes(), keys_route(self.store.records, self.signing.vouched)]
        if self.slack is not None:
            routes += self.slack.routes()
        routes += self.telegram.routes()
        pages = build_pages(
            self.context,
            self.store.records,
            self.authority,
            self.listing,
            PlaceNames(self.chats.reach, self.clock),
            self.chats.accounts,
            base_url=self.settings.base_url,
            key=self.settings.key("sessions"),
            parties=relying_parties(self.settings, self.clock),
            bots=self.telegram.proving,
            telegram_site=login_at(self.settings.telegram_api_url) if self.settings.link_ok else None,
        )
        return [*routes, *pages]

    def _schedule(self) -> None:
        late = self.telemetry.late
        self.scheduler.every(0.5, "expire", lambda: expire_due(self.context, self.store.records, late=late))
        ready = {DueKind.TOOL: ToolCallers(self.store.records, self.authority).fire}
        # A chat that is asked may take long to answer, and nothing else waits for it.
        at_once, asked = EVERY_KIND - ready.keys(), frozenset(ready)
        dues = self.store.dues
        self.scheduler.every(0.5, "wake", lambda: wake(self.context, dues, FIRES, late, kinds=at_once))
        self.scheduler.every(0.5, "ask", lambda: wake(self.context, dues, FIRES, late, ready, asked))
        self.scheduler.every(5, "lapse", lambda: lapse_holds(self.context, self.store.records))
        self.scheduler.every(30, "renew", self.renewal.look)
        self.scheduler.every(30, "reseal", lambda: reseal_all(self.context))
        self.scheduler.every(600, "forget", self._forget, drops=True)
        if (kept := self.settings.sayso_retention) is not None:
            self.scheduler.every(3600, "purge", lambda: self._purge(kept), drops=True)
        self.scheduler.every(5, "arrivals", self.telegram.take_up_waiting)

    async def _take_over(self) -> None:
        if self.settings.sayso_port == 0:
            return
        freed = await transact(self.context, lambda work: work.take_over(self.place, self.clock.now()))
        if freed:
            log.info("taken up from the process before", claims=freed)

    async def _forget(self) -> None:
        await forget(self.context, rest=Pauses())
        await self.pace.forget()

    async def _purge(self, kept: timedelta) -> None:
        before = self.clock.now() - kept
        swept = await purge(self.context, await self.store.records.workspaces(), before, rest=Pauses())
        if swept.total:
            log.info("purged", interactions=swept.interactions, loops=swept.loops, said=swept.others)

    async def _listen(self) -> None:
        """Hear what other processes commit."""
        async for change in notices(self.settings.database_url(), self.store.backends):
            self._committed(change)

    def _connect(self, *, receives: bool, stop: asyncio.Event) -> list[asyncio.Task[None]]:
        tasks = []
        if self.slack is not None:
            tasks.append(begin(self.slack.run(receives=receives), "slack"))
        tasks.append(begin(self.telegram.run(receives=receives, stop=stop), "telegram"))
        tasks.append(begin(self.kept.run(stop), "accounts"))
        tasks.append(begin(self.signing.run(self.context, stop), "signing"))
        return tasks


def build(settings: Settings, rates: Rates | None = None, clock: Clock | None = None) -> App:
    """Put one process of the service together."""
    return App(settings, rates, clock)
