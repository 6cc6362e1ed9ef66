"""One Telegram with several bots: each is a stand-in of its own, behind one address."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping

from starlette.types import Receive, Scope, Send

from bot.sandbox.serving import Connections, serving
from bot.sandbox.telegram.api import BotApi
from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn


class Front:
    """Sends every call to the bot whose token it carries."""

    def __init__(self, bots: Mapping[str, TelegramStandIn]) -> None:
        connections = Connections()
        self._apis = {f"/bot{token}": BotApi(one.parts, connections) for token, one in bots.items()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope["path"])
        api = self._apis.get(path[: path.index("/", 1)], next(iter(self._apis.values())))
        await api(scope, receive, send)


@contextlib.asynccontextmanager
async def two_bots(*people: int) -> AsyncIterator[tuple[TelegramStandIn, TelegramStandIn, str]]:
    """Two bots that the same people started, and the address of the Bot API."""
    first = TelegramStandIn(StandInSettings(pace=False))
    second = TelegramStandIn(
        StandInSettings(pace=False, bot_id=7_000_000_002, bot_username="second_bot", bot_name="second")
    )
    async with first.serve(), second.serve():
        front = Front({one.bot_token: one for one in (first, second)})
        async with serving(front) as address:
            for one in (first, second):
                for number in people:
                    one.scene.create_user(f"P{number}", user_id=number)
                    one.human.start(number)
            yield first, second, address.url
