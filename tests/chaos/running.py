"""One chaos run: three replicas on PostgreSQL, trouble for so many seconds, then calm, then the reckoning."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2

from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.telegram.impossible import Impossible
from tests.chaos.reckoning import breaches, limits_exceeded, tracebacks
from tests.chaos.trouble import Trouble
from tests.flows.crashing import crashing
from tests.flows.killable import Nursery
from tests.flows.rig import ANA, TG_ANA, confirmation, eventually, question
from tests.flows.storm import Storm, drained, going_on

REPLICAS: Final = 3
ALLOWED: Final = (f"slack:{ANA}", f"telegram:{TG_ANA}")
PATIENCE: Final = 300.0
"""Seconds that everything owed may take once nothing fails any more: the pace of the chats is what is waited for."""


@dataclass(frozen=True)
class Sizes:
    """How much of everything. `people` is per chat, `places` conversations per chat."""

    seconds: float = 120.0
    cards: int = 150
    people: int = 30
    places: int = 12


@dataclass
class Result:
    """What came of it. Anything in `broken` is a fault of the product (or of the run)."""

    seed: int
    cards: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    trouble: dict[str, int] = field(default_factory=dict)
    presses: int = 0
    webhooks: int = 0
    exceeded: Counter[str] = field(default_factory=Counter)
    drained: float = 0.0
    broken: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)


@dataclass
class Chaos(Storm):
    """The storm with every kind of card that one press can settle, and people who may not press."""

    restricted: set[str] = field(default_factory=set)
    presses: int = 0
    followed: list[str] = field(default_factory=list)
    is_pressing: bool = True

    async def ask_all(self, count: int, seconds: float) -> None:
        """Ask so many over so many seconds."""
        for number in range(count):
            await self._ask_one(number)
            await asyncio.sleep(2 * seconds / count * self.chance.random())

    async def _ask_one(self, number: int) -> None:
        place = number % self.places
        about: dict[str, Any] = {
            "title": f"Card {number:05d}",
            "to": [f"slack:{self.channels[place]}", f"telegram:{self.groups[place]}"],
            "continuation": {"webhook": self.r.asker.url},
        }
        if number % 5 == 1:
            about["audience"] = {"answerers": list(ALLOWED)}
            self.restricted.add(about["title"])
        if number % 5 == 2:
            about["policy"] = {"expires_in": f"{self.chance.randint(5, 20)}s"}
        if number % 5 == 3:
            about["policy"] = {"nudges": {"every": "30s", "max": 2}}
        body = confirmation(reason="none", **about) if number % 3 == 0 else question(**about)
        answer = await self._until_answered("/v1/interactions", body, f"chaos-{number}")
        self.cards[body["title"]] = answer.json()["id"]
        assert answer.status_code == 201, answer.text
        if number % 7 == 6:
            withdrawn = await self._until_answered(
                f"/v1/interactions/{answer.json()['id']}/withdraw", {"revision": 1}, ""
            )
            assert withdrawn.status_code in (200, 409), withdrawn.text

    async def _until_answered(self, path: str, body: dict[str, Any], key: str) -> httpx2.Response:
        """Ask again while nobody answers, as a client would."""
        headers = {"Idempotency-Key": key} if key else {}
        while True:
            with contextlib.suppress(httpx2.HTTPError):
                answer = await self.r.api.post(path, json=body, headers=headers)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.1)

    async def press_one_in_slack(self, who: str) -> None:
        """Press something now and then, as long as it is let."""
        while True:
            await asyncio.sleep(4 * self.chance.random())
            live = list(self.live_in_slack())
            if live:
                channel, ts, labels = self.chance.choice(live)
                with contextlib.suppress(NotOnScreen):
                    self.presses += 1
                    await self.r.slack.person(who).press(self.chance.choice(labels), channel=channel, ts=ts)

    async def press_one_in_telegram(self, who: int) -> None:
        """The same in Telegram, sometimes twice."""
        while True:
            await asyncio.sleep(4 * self.chance.random())
            live = list(self.live_in_telegram())
            if live:
                group, message, labels = self.chance.choice(live)
                label = self.chance.choice(labels)
                for _ in range(self.chance.choice((1, 1, 2))):
                    with contextlib.suppress(Impossible):
                        self.presses += 1
                        await self.r.telegram.human.press(who, group, label, message_id=message, wait=0.3)

    async def follow(self) -> None:
        """Follow the list of events through everything, from where the last page ended."""
        while True:
            after = f"&after={self.followed[-1]}" if self.followed else ""
            with contextlib.suppress(httpx2.HTTPError):
                answer = await self.r.api.get(f"/v1/events?limit=100{after}")
                if answer.status_code == 200:
                    self.followed += [one["id"] for one in answer.json()["items"]]
            await asyncio.sleep(0.2)


async def run(nursery: Nursery, database: str, folder: Path, seed: int, sizes: Sizes) -> Result:
    """Do it once."""
    chance, result = random.Random(seed), Result(seed, sizes.cards)
    async with crashing(nursery, database, folder, processes=REPLICAS, pace=True) as r:
        slack_people, telegram_people = _people(r, sizes.people)
        chaos = Chaos(r, chance, slack_people=slack_people, telegram_people=telegram_people, places=sizes.places)
        trouble = Trouble(r, random.Random(seed + 1))
        for one in r.lives:
            await one.start()
        pressing = [chaos.press_one_in_slack(who) for who in slack_people]
        pressing += [chaos.press_one_in_telegram(who) for who in telegram_people]
        async with going_on(*pressing, chaos.follow()):
            async with going_on(trouble.of_providers()):
                await asyncio.gather(chaos.ask_all(sizes.cards, sizes.seconds), trouble.of_replicas(sizes.seconds))
            trouble.end()
            since = time.monotonic()
            try:
                await eventually(chaos.is_over, PATIENCE)
                await drained(r)
            except TimeoutError:
                result.broken.append(f"not everything was settled and shown after {PATIENCE:g} s of calm")
            result.drained = time.monotonic() - since
            await asyncio.sleep(1)  # the follower looks once more
        result.broken += await breaches(chaos, chaos.restricted, (f".{ANA}", f":{TG_ANA}", f".{TG_ANA}"))
        listed = [one["id"] for one in await r.events()]
        if chaos.followed != listed:
            missing = len(set(listed) - set(chaos.followed))
            result.broken.append(
                f"the follower of the list missed {missing} of {len(listed)} events, or saw them otherwise"
            )
        for id in chaos.cards.values():
            result.statuses[(await r.get(id))["status"]] += 1
        result.kills, result.trouble, result.presses = trouble.kills, trouble.planned, chaos.presses
        result.webhooks, result.exceeded = len(r.asker.heard), limits_exceeded(r)
        result.tracebacks = tracebacks(r)
    return result


def _people(r: Any, count: int) -> tuple[Sequence[str], Sequence[int]]:
    """Ana, who may settle everything, and so many others."""
    slack, telegram = [ANA], [TG_ANA]
    for number in range(1, count):
        slack.append(f"U9P{number:04d}")
        r.slack.workspace.add_user(f"p{number}", f"P {number}", user_id=slack[-1])
        telegram.append(1000 + number)
        r.telegram.scene.create_user(f"P {number}", user_id=telegram[-1])
        r.telegram.human.start(telegram[-1])
    return slack, telegram
