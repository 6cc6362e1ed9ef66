"""Every Telegram bot of the deployment: that of the settings' token, and those that operators added."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from adapters.telegram.settings import PATH, TelegramSettings
from blocks.codec import Codec
from bot.background import begin
from bot.chats import Chats
from bot.config import Settings
from bot.intake import Intake
from bot.kept import Kept, Opened
from bot.pace import Pace, Talk
from bot.telegram import MOST_TAKES, TelegramSide
from bot.web.bots import ProvingBot
from core.addresses import Provider
from core.ports import Context
from core.upkeep import ARRIVAL_LEASE
from core.use_cases.transact import transact

log = structlog.get_logger("sayso.telegram")

CREDENTIAL: Final = "bot"
"""What the sealed credential of a bot is called."""
BATCH: Final = 50


@dataclass
class _Added:
    """A bot that was added: how it is reached, and what keeps it connected until `stop`."""

    side: TelegramSide
    token: str
    stop: asyncio.Event
    task: asyncio.Task[None] | None = None


class TelegramBots:
    """The bots. `owner` names this process in the leases that say who fetches; `kept` holds those that were added;
    `shared` is told when somebody else fetches a bot's updates. Answers
    keep the `pace`."""

    def __init__(
        self,
        settings: Settings,
        codec: Codec,
        context: Context,
        intake: Intake,
        chats: Chats,
        kept: Kept,
        owner: str,
        shared: Callable[[], None],
        pace: Pace,
    ) -> None:
        self._settings = settings
        self._codec = codec
        self._context = context
        self._intake = intake
        self._chats = chats
        self._kept = kept
        self._owner = owner
        self._shared = shared
        self._turns = Talk(pace, Provider.TELEGRAM)
        self._secrets = settings.key("telegram webhooks")
        self._added: dict[str, _Added] = {}
        self._by_number: dict[int, TelegramSide] = {}
        self._receives = False
        self._own = self._side(self._given_own()) if settings.telegram_on else None
        if self._own is not None:
            chats.expect(Provider.TELEGRAM)
        kept.sides[Provider.TELEGRAM] = self

    def _side(self, given: TelegramSettings) -> TelegramSide:
        return TelegramSide(given, self._codec, self._context, self._intake, self._owner, self._shared, self._turns)

    def _given_own(self) -> TelegramSettings:
        token, secret = self._settings.telegram_bot_token, self._settings.telegram_webhook_secret
        return TelegramSettings(
            bot_token=token.get_secret_value() if token else "",
            webhook_secret=secret.get_secret_value() if secret else None,
            api_url=self._settings.telegram_api_url,
            public_url=self._settings.sayso_public_url,
        )

    def _given(self, token: str) -> TelegramSettings:
        """How an added bot is reached: at a path of its own, with a secret of its own that needs no place."""
        number = token.partition(":")[0]
        secret = hmac.digest(self._secrets, number.encode(), "sha256").hex()
        return TelegramSettings(
            bot_token=token,
            webhook_secret=secret if self._settings.telegram_webhook_secret is not None else None,
            api_url=self._settings.telegram_api_url,
            public_url=self._settings.sayso_public_url,
            path=f"{PATH}/{number}",
        )

    def routes(self) -> list[Route]:
        """What Telegram posts to."""
        own = self._own.routes() if self._own is not None else []
        return [*own, Route(f"{PATH}/{{number:int}}", self._deliver, methods=["POST"])]

    def proving(self) -> Sequence[ProvingBot]:
        """Those that are connected, as they may let people of their workspaces in."""
        own, token = self._own, self._settings.telegram_bot_token
        known = [(one.side.channel.account, one.token, False) for one in self._added.values()]
        if own is not None and token is not None:
            known.insert(0, (own.channel.account, token.get_secret_value(), True))
        found = ((self._chats.connections.get((Provider.TELEGRAM, name)), token, own) for name, token, own in known)
        return [
            ProvingBot(token.partition(":")[0], connection.workspace, token, own=own)
            for connection, token, own in found
            if connection is not None
        ]

    async def _deliver(self, request: Request) -> Response:
        side = self._by_number.get(request.path_params["number"])
        if side is None or side.deliver is None:
            return Response("There is no such bot here.", 404)
        return await side.deliver(request)

    async def run(self, *, receives: bool, stop: asyncio.Event) -> None:
        """Connect the bot of the settings and fetch its updates until `stop`; those that are added join by
        themselves."""
        self._receives = receives
        if self._own is not None:
            await self._chats.connect(Provider.TELEGRAM, self._own.identify)
            if receives:
                account = self._own.channel.account
                await self._own.receive(stop, partial(self._chats.note_dead, Provider.TELEGRAM, account))

    async def take_up_waiting(self) -> int:
        """Handle stored updates whose process died, each by its own bot; return how many were taken up."""
        known = [*([self._own] if self._own is not None else []), *(one.side for one in self._added.values())]
        sides = {str(side.number): side for side in known if side.number is not None}
        if not sides:
            return 0
        now = self._context.clock.now()
        waiting = await transact(self._context, lambda work: work.waiting_arrivals(now, now + ARRIVAL_LEASE, BATCH))
        taken = 0
        for arrival in waiting:
            side = sides.get(arrival.key.split(":")[1])
            if side is None and arrival.takes > MOST_TAKES:
                side = next(iter(sides.values()))  # its bot was removed: any other puts it aside
            if side is not None:
                await side.take_up(arrival)
                taken += 1
        return taken

    async def close(self) -> None:
        """Finish what was taken in, and give the fetching to other processes."""
        await asyncio.gather(*(self.drop(account) for account in list(self._added)))
        if self._own is not None:
            await self._own.close()

    # What `Kept` tells.

    async def use(self, opened: Opened) -> None:
        """Work through a bot that was added."""
        account, token = opened.installation.account, opened.secrets[CREDENTIAL]
        before = self._added.get(account)
        if before is not None and before.token == token:
            return
        await self.drop(account)
        added = _Added(self._side(self._given(token)), token, asyncio.Event())
        self._added[account] = added
        self._by_number[int(token.partition(":")[0])] = added.side
        added.task = begin(self._work(opened, added), f"telegram {account}")

    async def _work(self, opened: Opened, added: _Added) -> None:
        account = opened.installation.account

        async def identify() -> None:
            found = await added.side.identify()
            if found.account != account:
                log.warning("the bot is called otherwise now", account=account, now=found.account)
                added.side.channel.account = account
            self._chats.adopt(opened.connection, added.side.channel)

        await self._chats.keep_trying(f"telegram:{account}", identify)
        if self._receives:
            await added.side.receive(added.stop, partial(self._chats.note_dead, Provider.TELEGRAM, account))

    async def drop(self, account: str) -> None:
        """Work through a bot no more."""
        added = self._added.pop(account, None)
        if added is None or added.task is None:
            return
        self._by_number = {number: side for number, side in self._by_number.items() if side is not added.side}
        added.stop.set()
        # Whoever fetches ends by itself; whoever still tries to connect would not.
        await asyncio.wait([added.task], timeout=2)
        added.task.cancel()
        await asyncio.gather(added.task, return_exceptions=True)
        await added.side.close()
