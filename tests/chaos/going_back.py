"""A service that goes back to copies of its database again and again while people act in both chats, killed while it
does so; then calm, then the reckoning."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from tests.chaos.asking import Asking
from tests.chaos.copies import Kept
from tests.chaos.crowd import InSlack, InTelegram
from tests.chaos.reckoning import tracebacks
from tests.chaos.reckoning_copies import Back, breaches
from tests.chaos.running import Follower
from tests.chaos.sights import Reminded, Sights
from tests.chaos.town import TITLE, Town
from tests.flows.crashing import Crashing, crashing
from tests.flows.killable import Nursery
from tests.flows.rig import eventually
from tests.flows.storm import drained, going_on

FIRST: Final = 1000
"""What is asked between two copies counts from a multiple of this."""
IN_BOTH: Final = 4
PATIENCE: Final = 400.0
"""Seconds that everything may take at the end: in Telegram a lost post has a minute to show up."""
WAIT: Final = 1.5
"""The longest that somebody waits between two acts, in seconds."""
LOST: Final = 900
"""What is asked first after a copy, in both chats: at least that is lost."""
CALM: Final = 40.0
"""Seconds after which programs take back the cards that nobody has settled."""
HELD: Final = ("loops", "alerts")
"""Before what the service is kept waiting, where it can be, until it is killed."""


@dataclass(frozen=True)
class Sizes:
    """`rounds` copies; `seconds` of asking in each, `cards` and `orders` of each, `people` and `places` per chat."""

    rounds: int = 3
    seconds: float = 12.0
    cards: int = 40
    orders: int = 8
    people: int = 6
    places: int = 4


@dataclass
class Result:
    """What came of it. `killed` counts the kills that found it in the middle of going back, `lost` the messages in the
    chats that nobody knows any more."""

    broken: list[str] = field(default_factory=list)
    backs: list[Back] = field(default_factory=list)
    killed: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    tracebacks: list[str] = field(default_factory=list)


@dataclass
class Going:
    """One run."""

    r: Crashing
    kept: Kept
    town: Town
    reminded: Reminded
    folder: Path
    sizes: Sizes
    result: Result

    async def round(self, number: int) -> None:
        """Ask and let people act, copy at some moment, go on for a while, and go back to the copy."""
        chance, most = self.town.chance, self.sizes.seconds / 2
        asking = Asking(self.town, self.sizes.seconds, first=number * FIRST, in_both=IN_BOTH)
        copy = self.folder / f"copy-{number}"
        async with going_on(asking.all(self.sizes.cards, self.sizes.orders)):
            await asyncio.sleep(1 + most * chance.random())
            taken = datetime.now(UTC)
            await self.kept.take(copy)
            await asking.one(number * FIRST + LOST)
            await asyncio.sleep(most * chance.random())
            await eventually(lambda: self._is_shown(f"Card {number * FIRST + LOST:05d}"), PATIENCE)
            await self._kill()
        await self.kept.put(copy)
        for one in self.r.lives:
            one.settings["sayso_database_url"] = self.kept.url
        known = self.kept.known()
        self.result.backs.append(Back(taken, datetime.now(UTC), known, Sights.of(self.town), self.reminded.now()))
        await self._start_and_kill(HELD[number % len(HELD)])
        await asyncio.gather(*(one.start() for one in self.r.lives))

    async def _is_shown(self, title: str) -> bool:
        return bool(Sights.of(self.town).copies.get(title))

    async def _kill(self) -> None:
        await asyncio.gather(*(one.kill() for one in self.r.lives))

    async def _start_and_kill(self, held: str) -> None:
        """Kill it in the middle of going back."""
        before = self.kept.timelines()

        async def look() -> bool:
            return self.kept.is_going_back(before) or self.kept.timelines() > before

        with self.kept.held(held):
            await asyncio.gather(*(one.begin() for one in self.r.lives))
            await eventually(look, every=0.001)
            await asyncio.sleep(0.05 * self.town.chance.random())
            await self._kill()
        self.result.killed += self.kept.is_going_back(before)

    async def take_back(self) -> None:
        """Withdraw whatever people have not settled, in the end."""
        await asyncio.sleep(CALM)
        while True:
            for one in await self._all("/v1/interactions?status=pending&limit=100"):
                body = {"revision": one["revision"]}
                answer = await self.r.api.post(f"/v1/interactions/{one['id']}/withdraw", json=body)
                assert answer.status_code in (200, 409), answer.text
            await asyncio.sleep(2)

    async def left(self) -> list[str]:
        """What is known and has not ended, and what is known and can be acted on in a chat."""
        known = {**await self.cards(), **await self.orders()}
        self.town.see()
        live = [*self.town.live_in_slack, *(one for found in self.town.live_in_telegram.values() for one in found)]
        return [*sorted(self.kept.known().waiting), *(title for one in live if (title := _title(one)) in known)]

    async def is_over(self) -> bool:
        """Whether nothing is left."""
        return not await self.left()

    async def cards(self) -> dict[str, str]:
        """The id of each card that is known, by its title."""
        return {one["title"]: one["id"] for one in await self._all("/v1/interactions?limit=100")}

    async def orders(self) -> dict[str, str]:
        """The name of each work order that is known, by its title."""
        return {one["title"]: one["id"] for one in await self._all("/v1/loops?limit=100")}

    async def _all(self, path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after = ""
        while True:
            page = (await self.r.api.get(path + after)).json()
            found += page["items"]
            if not page["next"]:
                return found
            after = f"&after={page['next']}"


def _title(message: Any) -> str:
    found = TITLE.search(getattr(message, "text", "") + str(getattr(message, "blocks", "")))
    return found[0] if found else ""


async def run(nursery: Nursery, kept: Kept, folder: Path, seed: int, sizes: Sizes, processes: int) -> Result:
    """Do it once."""
    result = Result()
    async with crashing(nursery, kept.url, folder, processes=processes) as r:
        town = Town(r, random.Random(seed), sizes.people, sizes.places)
        follower, reminded = Follower(town), Reminded(town)
        going = Going(r, kept, town, reminded, folder, sizes, result)
        await asyncio.gather(*(one.start() for one in r.lives))
        people = [InSlack(town, who, WAIT).live() for who in town.slack_people]
        people += [InTelegram(town, who, WAIT).live() for who in town.telegram_people]
        async with going_on(town.look(), follower.follow(), reminded.watch()):
            async with going_on(*people):
                for number in range(sizes.rounds):
                    await going.round(number)
                last = Asking(town, sizes.seconds, first=sizes.rounds * FIRST, in_both=IN_BOTH)
                await last.all(sizes.cards, sizes.orders)
                town.orders = await going.orders()
                try:
                    async with going_on(last.end_orders(), going.take_back()):
                        await eventually(going.is_over, PATIENCE, every=1.0)
                        await drained(r, PATIENCE)
                except TimeoutError:
                    result.broken.append(f"after {PATIENCE:g} s of calm there is left: {await going.left()}")
            await asyncio.sleep(1)  # the follower looks once more
        town.cards, town.orders = await going.cards(), await going.orders()
        broken, events = await breaches(town, result.backs, reminded, follower.followed, folder)
        result.broken += broken
        result.statuses = Counter(one["type"] for one in events)
        result.lost = sum(not {title} & {*town.cards, *town.orders} for title in Sights.of(town).copies)
        result.acts, result.tracebacks = town.acts, tracebacks(r)
    return result
