"""One chaos run: three replicas on PostgreSQL, trouble for so many seconds, then calm, then the reckoning."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx2

from tests.chaos.asking import Asking
from tests.chaos.crowd import InSlack, InTelegram
from tests.chaos.limits import Limits
from tests.chaos.reckoning import breaches, tracebacks
from tests.chaos.reckoning_cards import CARD_ENDS
from tests.chaos.reckoning_orders import ORDER_ENDS
from tests.chaos.town import Town
from tests.chaos.trouble import Trouble
from tests.flows.crashing import crashing
from tests.flows.killable import Nursery
from tests.flows.rig import eventually
from tests.flows.storm import drained, going_on

REPLICAS: Final = 3
PATIENCE: Final = 1200.0
"""Seconds that everything owed may take once nothing fails any more: the pace of the chats is what is waited for."""
FEW: Final = 5
"""So many messages to act on are told one by one."""
CALM: Final = 60.0
"""Seconds of calm after which programs end the orders that nobody ended, and take back the cards that nobody saw."""


@dataclass(frozen=True)
class Sizes:
    """How much of everything. `people` is per chat, `places` conversations per chat."""

    seconds: float = 240.0
    cards: int = 2000
    orders: int = 160
    people: int = 60
    places: int = 12


@dataclass
class Result:
    """What came of it. Anything in `broken` is a fault of the product (or of the run)."""

    seed: int
    sizes: Sizes
    statuses: Counter[str] = field(default_factory=Counter)
    kills: int = 0
    trouble: dict[str, int] = field(default_factory=dict)
    acts: Counter[str] = field(default_factory=Counter)
    webhooks: int = 0
    reminders: int = 0
    exceeded: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    calls: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    unjudged: int = 0
    longest_still: float = 0.0
    drained: float = 0.0
    broken: list[str] = field(default_factory=list)
    tracebacks: list[str] = field(default_factory=list)


@dataclass
class Follower:
    """A program that follows the list of events through everything, from where its last page ended."""

    town: Town
    followed: list[str] = field(default_factory=list)

    async def follow(self) -> None:
        """Go on, until cancelled."""
        while True:
            after = f"&after={self.followed[-1]}" if self.followed else ""
            with contextlib.suppress(httpx2.HTTPError):
                answer = await self.town.r.api.get(f"/v1/events?limit=100{after}")
                if answer.status_code == 200:
                    self.followed += [one["id"] for one in answer.json()["items"]]
            await asyncio.sleep(0.2)


async def run(
    nursery: Nursery,
    database: str,
    folder: Path,
    seed: int,
    sizes: Sizes,
    tell: Callable[[str], None] = lambda _: None,
) -> Result:
    """Do it once. `tell` hears now and then how far it is."""
    chance, result = random.Random(seed), Result(seed, sizes)
    async with crashing(nursery, database, folder, processes=REPLICAS, pace=True) as r:
        town = Town(r, chance, sizes.people, sizes.places)
        asking, follower, limits = Asking(town, sizes.seconds), Follower(town), Limits(r)
        trouble = Trouble(r, random.Random(seed + 1))
        for one in r.lives:
            await one.start()
        people = [InSlack(town, who).live() for who in town.slack_people]
        people += [InTelegram(town, who).live() for who in town.telegram_people]
        async with going_on(town.look(), follower.follow(), limits.watch(), _progress(town, trouble, tell)):
            async with going_on(*people):
                async with going_on(trouble.of_providers()):
                    await asyncio.gather(asking.all(sizes.cards, sizes.orders), trouble.of_replicas(sizes.seconds))
                trouble.end()
                since = time.monotonic()
                try:
                    async with going_on(_ending(asking)):
                        await eventually(town.are_all_settled, PATIENCE, every=1.0)
                        await drained(r, PATIENCE)
                except TimeoutError:
                    result.broken.append(f"not everything was settled and shown after {PATIENCE:g} s of calm")
                result.drained = time.monotonic() - since
            await asyncio.sleep(1)  # the follower looks once more
        limits.look()
        broken, events = await breaches(town, folder)
        result.broken += broken
        if follower.followed != [one["id"] for one in events]:
            missing = len({one["id"] for one in events} - set(follower.followed))
            result.broken.append(
                f"the follower of the list missed {missing} of {len(events)} events, or saw them otherwise"
            )
        result.statuses = Counter(one["type"] for one in events if one["type"] in CARD_ENDS | ORDER_ENDS)
        result.reminders = sum(one["type"].endswith(".nudged") for one in events)
        result.kills, result.trouble, result.acts = trouble.kills, trouble.planned, town.acts
        result.webhooks, result.exceeded, result.examples = len(r.asker.heard), limits.exceeded, limits.examples
        result.refused, result.tracebacks = limits.planned, tracebacks(r)
        result.calls, result.unjudged, result.longest_still = limits.calls, limits.unjudged, limits.longest
    return result


async def _progress(town: Town, trouble: Trouble, tell: Callable[[str], None]) -> None:
    began = time.monotonic()
    while True:
        await asyncio.sleep(20)
        live = len(town.live_in_slack) + sum(map(len, town.live_in_telegram.values()))
        asked = len(town.cards) + len(town.orders)
        tell(f"{time.monotonic() - began:.0f} s: {asked} asked, {live} messages to act on, {trouble.kills} kills")
        if len(town.cards) and live <= FEW:
            tell("".join(f"  {where}\n" for where in town.left()))


async def _ending(asking: Asking) -> None:
    await asyncio.sleep(CALM)
    await asyncio.gather(asking.end_orders(), asking.take_back_unseen())
