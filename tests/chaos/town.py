"""Where a chaos run happens: conversations and people in both chats, what was asked there, and what can be acted on."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from tests.flows.crashing import Crashing
from tests.flows.rig import ANA, TG_ANA

TITLE: Final = re.compile(r"\b(Card|Order) \d{5}\b")
AFTERWARDS: Final = frozenset({"Dispatch again"})
"""What the card of an order offers that has ended."""
LOOK: Final = 0.5
"""Seconds between looks at what everybody has before them."""


@dataclass
class Town:
    """`cards` are ids by title, `orders` names by title; of `restricted` cards only Ana may settle. `people` is how
    many there are in each chat, `places` how many channels and how many groups, in which all of them are."""

    r: Crashing
    chance: random.Random
    people: int
    places: int
    channels: list[str] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    slack_people: list[str] = field(default_factory=lambda: [ANA])
    telegram_people: list[int] = field(default_factory=lambda: [TG_ANA])
    cards: dict[str, str] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)
    restricted: set[str] = field(default_factory=set)
    acts: Counter[str] = field(default_factory=Counter)
    live_in_slack: list[Any] = field(default_factory=list)
    live_in_telegram: dict[int, list[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for number in range(1, self.people):
            self.slack_people.append(f"U9P{number:04d}")
            self.r.slack.workspace.add_user(f"p{number}", f"P {number}", user_id=self.slack_people[-1])
            self.telegram_people.append(1000 + number)
            self.r.telegram.scene.create_user(f"P {number}", user_id=self.telegram_people[-1])
            self.r.telegram.human.start(self.telegram_people[-1])
        for number in range(self.places):
            self.channels.append(self.r.slack.workspace.add_channel(f"room-{number}", self.slack_people).id)
            self.groups.append(self.r.telegram.scene.create_group(f"Room {number}", self.telegram_people).id)

    @property
    def chats(self) -> list[int]:
        """Every conversation in Telegram."""
        return [*self.groups, *self.telegram_people]

    async def look(self) -> None:
        """Go on looking what can be acted on: people act on what they saw a moment ago, as they do."""
        while True:
            self.see()
            await asyncio.sleep(LOOK)

    def see(self) -> bool:
        """Look once; whether there is anything."""
        self.live_in_slack = [one for one in self.in_slack() if is_live_in_slack(one)]
        live = {chat: [one for one in self.in_telegram(chat) if is_live_in_telegram(one)] for chat in self.chats}
        self.live_in_telegram = {chat: found for chat, found in live.items() if found}
        return bool(self.live_in_slack or self.live_in_telegram)

    def left(self) -> list[str]:
        """What can be acted on, as lines to read."""
        slack = [f"slack {one.channel} {one.ts}: {one.text[:80]!r}" for one in self.live_in_slack]
        telegram = [one for found in self.live_in_telegram.values() for one in found]
        return slack + [f"telegram {one.chat_id} {one.id}: {one.text[:80]!r} {one.buttons}" for one in telegram]

    def in_slack(self) -> list[Any]:
        """Everything that the app has in the channels."""
        world = self.r.slack.platform.world
        there = [one for channel in self.channels for one in world.messages.get(channel, {}).values()]
        return [one for one in there if one.bot_id and not one.deleted]

    def in_telegram(self, chat: int) -> list[Any]:
        """Everything that the bot has in a chat."""
        return [one for one in self.r.telegram.world.history(chat) if one.author == self.r.telegram.bot_id]

    async def are_all_settled(self) -> bool:
        """Whether everything came to its end, and nothing can be acted on in any chat."""
        if self.see():
            return False
        for query in (
            "/v1/interactions?status=pending&limit=1",
            "/v1/loops?state=open&state=acknowledged&state=claimed&state=running&limit=1",
        ):
            answer = await self.r.api.get(query)
            if answer.status_code != 200 or answer.json()["items"]:
                return False
        return True


def controls(message: Any) -> list[dict[str, Any]]:
    """What a message in Slack has to act on."""
    return [one for block in message.blocks if block["type"] == "actions" for one in block["elements"]]


def is_live_in_slack(message: Any) -> bool:
    """Whether it is the card of something that has not ended."""
    if TITLE.search(str(message.blocks)) is None or message.thread_ts not in (None, message.ts):
        return False
    return any(one.get("text", {}).get("text") not in AFTERWARDS for one in controls(message))


def is_live_in_telegram(message: Any) -> bool:
    """The same of a message in Telegram."""
    return TITLE.match(message.text) is not None and bool(set(message.buttons) - AFTERWARDS)
