"""A service that starts on an earlier copy of its database: the chats come to show what the copy says."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.stand_in import TelegramStandIn
from core.store.copying import copy_sqlite
from core.use_cases.checking import LOST
from tests.flows.crashing import expect_whole
from tests.flows.rig import (
    ANA,
    BEA,
    CHANNEL,
    KEY,
    NOBODY,
    TG_ANA,
    Rig,
    eventually,
    free_port,
    service,
    settings_for,
    sqlite_at,
    stand_ins,
    unpaced,
)


@dataclass
class Lives:
    """The same chats and the same database for one life of the service after the other."""

    slack: SlackStandIn
    telegram: TelegramStandIn
    group: int
    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "sayso.sqlite3"

    @contextlib.asynccontextmanager
    async def life(self, **changes: Any) -> AsyncIterator[Rig]:
        port = free_port()
        given = settings_for(self.slack, self.telegram, sqlite_at(self.folder), port, **changes)
        url = f"http://127.0.0.1:{port}"
        self.slack.request_url = f"{url}/slack/events"
        headers = {"Authorization": f"Bearer {KEY}"}
        async with (
            service(given, unpaced()) as app,
            httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY) as api,
        ):
            yield Rig(self.slack, self.telegram, api, url, self.group, [app])

    def go_back_to(self, copy: Path) -> None:
        """Put a copy in the place of the database, as `docs/keeping.md` says."""
        for end in ("-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)
        shutil.copyfile(copy, self.file)

    def in_slack(self, title: str) -> list[Any]:
        messages = self.slack.platform.world.messages.get(CHANNEL, {}).values()
        return [one for one in messages if title in str(one.blocks)]

    def in_telegram(self, title: str) -> list[Any]:
        return [one for one in self.telegram.world.history(self.group) if title in one.content.text]


@pytest.fixture
async def lives(tmp_path: Path) -> AsyncIterator[Lives]:
    async with stand_ins() as (slack, telegram, group):
        yield Lives(slack, telegram, group, tmp_path)


def controls(message: Any) -> list[Any]:
    return [one for block in message.blocks if block["type"] == "actions" for one in block["elements"]]


async def types(r: Rig, id: str) -> list[str]:
    chain = await r.receipts(id)
    expect_whole(chain)
    return [one["type"] for one in chain]


async def test_what_was_settled_after_the_copy_is_open_again_everywhere(lives: Lives, tmp_path: Path) -> None:
    copy, to = tmp_path / "copy.sqlite3", [f"slack:{CHANNEL}", f"telegram:{lives.group}"]
    async with lives.life() as r:
        again = await r.posted((await r.ask(title="Open again", to=to))["id"])
        stays = await r.posted((await r.ask(title="Settled before", to=to))["id"])
        (known,) = lives.in_slack("Settled before")
        await r.slack.person(ANA).press("No", channel=CHANNEL, ts=known.ts)
        await r.shown_settled(stays["id"])
        copy_sqlite(lives.file, copy)
        (message,) = lives.in_slack("Open again")
        await r.slack.person(ANA).press("Yes", channel=CHANNEL, ts=message.ts)
        await r.shown_settled(again["id"])
        last = (await r.events())[-1]["id"]
        lost = await r.posted((await r.ask(title="Asked after", to=to))["id"])
        assert not controls(lives.in_slack("Open again")[0])
    lives.go_back_to(copy)
    async with lives.life() as r:

        async def open_again() -> bool:
            (there,) = lives.in_telegram("Open again")
            return bool(controls(lives.in_slack("Open again")[0])) and bool(there.content.keyboard)

        await eventually(open_again)
        assert (await r.get(again["id"]))["status"] == "pending"
        assert await types(r, again["id"]) == ["created", "restored"]
        assert await types(r, stays["id"]) == ["created", "answered"]
        # Whoever had read up to what is lost hears of all that happened since, and of nothing twice.
        heard = (await r.api.get(f"/v1/events?after={last}")).json()["items"]
        assert [one["type"] for one in heard] == ["interaction.restored"]
        assert heard[0]["data"]["interaction"]["id"] == again["id"]
        assert (await r.api.get("/v1/events?after=evt_0000000000000000000000000a")).status_code == 422
        # What was asked after the copy is known to nobody now, and whoever presses it is told so.
        assert (await r.api.get(f"/v1/interactions/{lost['id']}")).status_code == 404
        (orphan,) = lives.in_slack("Asked after")
        seen = await r.slack.person(BEA).press("Yes", channel=CHANNEL, ts=orphan.ts, watch=2)
        assert LOST in " ".join(one["text"] for one in seen.private)
        (orphan_there,) = lives.in_telegram("Asked after")
        tap = await r.telegram.human.press(TG_ANA, r.group, "Yes", message_id=orphan_there.id)
        assert tap.answer is not None
        assert tap.answer.text == LOST
        await r.slack.person(BEA).press("No", channel=CHANNEL, ts=lives.in_slack("Open again")[0].ts)
        assert (await r.shown_settled(again["id"]))["outcome"]["by"]["identity"].endswith(BEA)
        assert await types(r, again["id"]) == ["created", "restored", "answered"]
    async with lives.life() as r:
        assert await types(r, again["id"]) == ["created", "restored", "answered"]


async def test_what_the_copy_still_owes_is_looked_for_before_it_is_posted(lives: Lives, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    async with lives.life():
        pass  # the chats are known from here on
    async with lives.life(sayso_role="web") as r:
        asked = (await r.ask(title="Owed", to=[f"slack:{CHANNEL}", f"telegram:{lives.group}"]))["id"]
        copy_sqlite(lives.file, copy)
    async with lives.life() as r:
        await r.posted(asked)
    lives.go_back_to(copy)
    async with lives.life() as r:
        (there,) = lives.in_telegram("Owed")
        await r.telegram.human.press(TG_ANA, r.group, "Yes", message_id=there.id)
        settled = await r.shown_settled(asked)
        assert settled["outcome"]["by"]["identity"].endswith(str(TG_ANA))

        async def shown() -> bool:
            now = await r.get(asked)
            return all(one["message"] and one["state"] == "settled" for one in now["publications"])

        await eventually(shown)
        (in_slack,), (in_telegram,) = lives.in_slack("Owed"), lives.in_telegram("Owed")
        known = {one["message"] for one in (await r.get(asked))["publications"]}
        assert known == {in_slack.ts, str(in_telegram.id)}
        assert not controls(in_slack)
        assert not in_telegram.content.keyboard
