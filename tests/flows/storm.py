"""A storm: people go on pressing while the service is killed again and again; and what must be true after it."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from bot.sandbox.slack.seen import NotOnScreen
from bot.sandbox.telegram.impossible import Impossible
from tests.flows.crashing import Crashing, expect_whole
from tests.flows.rig import ANA, BEA, TG_ANA, TG_BEA, confirmation, eventually, question

PLACES = 6
"""Conversations in each chat: the pace that each may be written to is not what is tried here."""
SLACK_PEOPLE, TELEGRAM_PEOPLE = (ANA, BEA), (TG_ANA, TG_BEA)
LABELS = ("Yes", "No", "Deploy", "Hold")


@dataclass
class Storm:
    """One run: `cards` are the ids by their titles."""

    r: Crashing
    chance: random.Random
    channels: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    cards: dict[str, str] = field(default_factory=dict)
    slack_people: Sequence[str] = SLACK_PEOPLE
    telegram_people: Sequence[int] = TELEGRAM_PEOPLE
    places: int = PLACES

    def __post_init__(self) -> None:
        for number in range(self.places):
            self.channels.append(self.r.slack.workspace.add_channel(f"room-{number}", self.slack_people).id)
            self.groups.append(self.r.telegram.scene.create_group(f"Room {number}", self.telegram_people).id)

    async def ask(self, count: int, pause: float) -> None:
        """Ask in both chats, again under the same key when the answer did not come."""
        for number in range(count):
            place = number % PLACES
            about: dict[str, Any] = {
                "title": f"Card {number:03d}",
                "to": [f"slack:{self.channels[place]}", f"telegram:{self.groups[place]}"],
                "continuation": {"webhook": self.r.asker.url},
            }
            body = confirmation(reason="none", **about) if number % 3 == 0 else question(**about)
            while True:
                with contextlib.suppress(httpx2.HTTPError):
                    answer = await self.r.api.post(
                        "/v1/interactions", json=body, headers={"Idempotency-Key": f"key-{number}"}
                    )
                    assert answer.status_code in (201, 503), answer.text
                    if answer.status_code == 201:
                        self.cards[body["title"]] = answer.json()["id"]
                        break
                await asyncio.sleep(0.05)
            await asyncio.sleep(pause * self.chance.random())

    async def press_in_slack(self, who: str) -> None:
        """Press whatever can be pressed, as long as it can."""
        while True:
            live = list(self.live_in_slack())
            if live:
                channel, ts, labels = self.chance.choice(live)
                with contextlib.suppress(NotOnScreen):
                    await self.r.slack.person(who).press(self.chance.choice(labels), channel=channel, ts=ts)
            await asyncio.sleep(0.2 * self.chance.random())

    async def press_in_telegram(self, who: int) -> None:
        """The same in Telegram."""
        while True:
            live = list(self.live_in_telegram())
            if live:
                group, message, labels = self.chance.choice(live)
                with contextlib.suppress(Impossible):
                    label = self.chance.choice(labels)
                    await self.r.telegram.human.press(who, group, label, message_id=message, wait=0.3)
            await asyncio.sleep(0.2 * self.chance.random())

    def live_in_slack(self) -> Iterator[tuple[str, str, list[str]]]:
        for channel in self.channels:
            for message in self.r.slack.platform.world.messages.get(channel, {}).values():
                controls = [one for block in message.blocks if block["type"] == "actions" for one in block["elements"]]
                said = [one["text"]["text"] for one in controls if one["type"] == "button"]
                if labels := [label for label in said if label in LABELS]:
                    yield channel, message.ts, labels

    def live_in_telegram(self) -> Iterator[tuple[int, int, list[str]]]:
        for group in self.groups:
            for message in self.r.telegram.world.history(group):
                if labels := [label for label in message.buttons if label in LABELS]:
                    yield group, message.id, labels

    async def kill(self, times: int) -> None:
        """Let it live for a moment, again and again."""
        for _ in range(times):
            await asyncio.sleep(0.1 + 0.7 * self.chance.random())
            one = self.chance.choice(self.r.lives)
            await one.kill()
            await one.start()

    async def is_over(self) -> bool:
        """Whether every card is settled and no control is left in either chat."""
        if any(self.live_in_slack()) or any(self.live_in_telegram()):
            return False
        states = [(await self.r.get(id))["status"] for id in self.cards.values()]
        return "pending" not in states


@contextlib.asynccontextmanager
async def going_on(*things: Any) -> AsyncIterator[None]:
    """Do these side by side until the block is left."""
    tasks = [asyncio.create_task(thing) for thing in things]
    try:
        yield
    finally:
        # Before Python 3.12 `asyncio.wait_for` may lose a cancellation that comes as what it waits for ends.
        left = set(tasks)
        while left:
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=1)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for one in ended:
        if isinstance(one, Exception):
            raise one


async def rage(storm: Storm, *, cards: int, kills: int, pause: float) -> None:
    """Ask, press and kill at once, then go on pressing until everything is over."""
    people = [storm.press_in_slack(who) for who in SLACK_PEOPLE]
    people += [storm.press_in_telegram(who) for who in TELEGRAM_PEOPLE]
    for one in storm.r.lives:
        await one.start()
    async with going_on(*people):
        await asyncio.gather(storm.ask(cards, pause), storm.kill(kills))
        await eventually(storm.is_over, 60)


async def expect_all_in_order(storm: Storm) -> None:
    """One outcome, receipt, event and webhook id for each card, and copies in chat as the database has them."""
    r = storm.r
    listed = (await r.api.get("/v1/interactions?limit=100")).json()["items"]
    assert sorted(one["title"] for one in listed) == sorted(storm.cards)
    events = await r.events()
    for title, id in storm.cards.items():
        now = await r.get(id)
        chain = await r.receipts(id)
        expect_whole(chain)
        ends = [one for one in chain if one["type"] == now["status"]]
        assert [one["id"] for one in ends] == [now["outcome"]["receipt"]], title
        (event,) = [one for one in events if one["type"] == f"interaction.{now['status']}" and _is_about(one, id)]
        assert {one.id for one in r.asker.of(id)} == {event["id"]}, title
        expect_copies(storm, title, now)


def _is_about(event: dict[str, Any], id: str) -> bool:
    return bool(event["data"]["interaction"]["id"] == id)


def expect_copies(storm: Storm, title: str, now: dict[str, Any]) -> None:
    """What is in the chats is what the database knows. Only where nobody can find out may a copy be there twice."""
    known = {(one["provider"], one["channel"], one["message"]) for one in now["publications"] if one["message"]}
    world, telegram = storm.r.slack.platform.world, storm.r.telegram.world
    shown: set[tuple[str, str, str]] = set()
    for channel in storm.channels:
        for message in world.messages.get(channel, {}).values():
            if title in str(message.blocks):
                shown.add(("slack", channel, message.ts))
    assert len(shown) <= 1, title
    for group in storm.groups:
        for sent in telegram.history(group):
            if title in sent.content.text:
                shown.add(("telegram", str(group), str(sent.id)))
    assert shown == known, title


async def drained(r: Crashing, seconds: float = 30.0) -> None:
    """Wait until nothing is owed any more, webhooks included."""

    async def look() -> bool:
        metrics = (await r.api.get("/metrics")).text
        waiting = [line for line in metrics.splitlines() if line.startswith('sayso_outbox_waiting{lane="')]
        owed = {line.split('"')[1]: float(line.rpartition(" ")[2]) for line in waiting}
        return owed["redraw"] == owed["hear"] == owed["talk"] == 0

    await eventually(look, seconds)
