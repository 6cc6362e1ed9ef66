"""The demo's gallery: any format asked at a press, in both chats at once, with what was saved of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bot.app import App
from bot.client import Client
from bot.sandbox.framed import ENTER
from bot.sandbox.gallery import FORMATS, Format
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE

BY_ID: Mapping[str, Format] = {one.id: one for one in FORMATS}


@dataclass
class DemoGallery:
    """Asks formats, each in a channel and a group of its own, and tells what the page shows of the last one.

    `slack_people` and `telegram_people` are in every room; the first of each is whom the page shows. `rooms` are the
    channel and the group by the room's name.
    """

    app: App
    client: Client
    slack: SlackStandIn
    telegram: TelegramStandIn
    slack_people: tuple[str, ...]
    telegram_people: tuple[int, ...]
    rooms: dict[str, tuple[str, int]] = field(default_factory=dict)
    shown: tuple[Format, str] | None = None

    async def ask(self, id: str) -> None:
        """Ask the format with this id in its two rooms; all copies are one card. Raises `LookupError`."""
        one = BY_ID[id]
        channel, group = self._room(one)
        request = {name: value for name, value in one.request.items() if name != "title"}
        places = [f"slack:{channel}", f"telegram:{group}"]
        asked = await asyncio.to_thread(self.client.start, one.request["title"], to=places, **request)
        self.shown = one, asked.id

    async def state(self) -> dict[str, Any]:
        """The formats there are, and where the last one that was asked can be seen and what is saved of it."""
        formats = [{"id": one.id, "name": one.name} for one in FORMATS]
        if self.shown is None:
            return {"formats": formats, "asked": None}
        one, id = self.shown
        channel, group = self._room(one)
        interaction = (await asyncio.to_thread(self.client.get, id)).raw
        receipts = [receipt.wire() for receipt in await self.app.store.records.receipts(WORKSPACE, id)]
        return {
            "formats": formats,
            "asked": {
                "format": one.id,
                "id": id,
                "status": interaction["status"],
                "outcome": interaction["outcome"],
                "receipts": receipts,
                "slack": f"{self.slack.url}/client/?user={self.slack_people[0]}&channel={channel}",
                "telegram": f"{self.telegram.api_url}/client?as={self.telegram_people[0]}&chat={group}",
                "review": f"{self.app.settings.base_url}{ENTER}?to={quote(f'/review/{id}', safe='')}",
            },
        }

    def _room(self, one: Format) -> tuple[str, int]:
        if one.room not in self.rooms:
            channel = self.slack.workspace.add_channel(one.room, self.slack_people)
            title = one.room.replace("-", " ").capitalize()
            # Whoever makes a group is asked how to sign; the person who is looked at only answers.
            group = self.telegram.scene.create_group(title, tuple(reversed(self.telegram_people)))
            self.rooms[one.room] = channel.id, group.id
        return self.rooms[one.room]
