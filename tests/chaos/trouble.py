"""What goes wrong during a chaos run, as the seed has it."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field

from bot.sandbox.slack.faults import FaultKind as SlackFault
from bot.sandbox.telegram.faults import FaultKind as TelegramFault
from tests.flows.crashing import Crashing
from tests.flows.receiver import Answer

SLACK_METHODS = ("chat.postMessage", "chat.update", "*")
TELEGRAM_METHODS = ("sendMessage", "editMessageText", "getUpdates", "*")
STATUSES = (500, 502, 503)
RECEIVER = (500, 503, 429, 408)


@dataclass
class Trouble:
    """Makes everything fail now and then. `kills` and `planned` say how often it did."""

    r: Crashing
    chance: random.Random
    kills: int = 0
    planned: dict[str, int] = field(default_factory=dict)

    async def of_providers(self) -> None:
        """Let calls to both chats and webhooks fail, a few a second, until cancelled."""
        while True:
            await asyncio.sleep(0.6 * self.chance.random())
            self._fail_one()

    def _fail_one(self) -> None:
        turn = self.chance.random()
        seconds = 1.0 + 2.0 * self.chance.random()
        if turn < 0.4:
            slack = self.chance.choice((*(one for one in SlackFault if one is not SlackFault.ERROR),))
            self.r.slack.fail(
                slack, self.chance.choice(SLACK_METHODS), seconds=seconds, status=self.chance.choice(STATUSES)
            )
            self._count(f"slack {slack.value}")
        elif turn < 0.8:
            telegram = self.chance.choice((*(one for one in TelegramFault if one is not TelegramFault.ERROR),))
            self.r.telegram.fail(
                telegram, self.chance.choice(TELEGRAM_METHODS), seconds=seconds, status=self.chance.choice(STATUSES)
            )
            self._count(f"telegram {telegram.value}")
        else:
            self.r.asker.answers.append(Answer(self.chance.choice(RECEIVER), after=0.2 * self.chance.random()))
            self._count("webhook refused")

    def _count(self, what: str) -> None:
        self.planned[what] = self.planned.get(what, 0) + 1

    async def of_replicas(self, seconds: float) -> None:
        """`kill -9` any of them again and again for so long; what is killed is started again."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until:
            await asyncio.sleep(0.5 + 2.5 * self.chance.random())
            one = self.chance.choice(self.r.lives)
            await one.kill()
            self.kills += 1
            await asyncio.sleep(self.chance.random())
            await one.start(is_calm=False)

    def end(self) -> None:
        """Let everything work again."""
        self.r.slack.platform.faults.clear()
        self.r.telegram.faults.clear()
        self.r.asker.answers.clear()
