"""What a conversation is called: asked once, remembered, and never waited for."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, cast

from bot import place_names
from bot.place_names import FRESH, PlaceNames
from core.addresses import ChatAddress, Provider, parse_address
from core.channels import Channel
from core.errors import Transient
from tests.web.calling import MovingClock
from tests.web.visiting import confirmation, staged

HERE = "wsp_1"


@dataclass
class Chat:
    """A chat in which every place is called by its number, unless it is away or slow."""

    asked: list[str] = field(default_factory=list)
    away: bool = False
    answers: asyncio.Event | None = None

    async def place_name(self, place: str) -> str:
        self.asked.append(place)
        if self.answers is not None:
            await self.answers.wait()
        if self.away:
            raise Transient("away")
        return f"Room {place}"


def names_of(chat: object) -> tuple[PlaceNames, MovingClock]:
    clock = MovingClock()

    async def channel(workspace: str, provider: Provider, account: str) -> Channel:
        return cast("Channel", chat)

    return PlaceNames(channel, clock), clock


async def test_a_place_is_asked_for_once_an_hour_whatever_its_thread() -> None:
    names, clock = names_of(chat := Chat())
    to = ["telegram:-100", "telegram:-100/7", "person:ana", "review"]
    wanted = {"telegram:-100": "Room -100", "telegram:-100/7": "Room -100"}
    assert [await names.of(HERE, to) for _ in range(3)] == [wanted] * 3
    assert chat.asked == ["-100"]
    clock.move(hours=FRESH.total_seconds() / 3600)
    await names.of(HERE, to)
    assert chat.asked == ["-100"] * 2


async def test_a_name_that_was_asked_for_by_a_clock_that_was_ahead_is_asked_for_again() -> None:
    names, clock = names_of(chat := Chat())
    await names.of(HERE, ["slack:C1"])
    clock.move(hours=-24)
    await names.of(HERE, ["slack:C1"])
    assert chat.asked == ["C1"] * 2


async def test_a_chat_that_is_away_keeps_the_name_it_had_and_has_none_before() -> None:
    names, clock = names_of(chat := Chat())
    await names.of(HERE, ["slack:C1"])
    clock.move(hours=FRESH.total_seconds() / 3600)
    chat.away = True
    assert await names.of(HERE, ["slack:C1", "slack:C2"]) == {"slack:C1": "Room C1"}


async def test_a_slow_chat_holds_nobody_up_and_is_heard_the_next_time(monkeypatch: Any) -> None:
    monkeypatch.setattr(place_names, "PATIENCE", 0.01)
    names, _ = names_of(chat := Chat(answers=asyncio.Event()))
    assert await names.of(HERE, ["slack:C1"]) == {}
    assert chat.answers is not None
    chat.answers.set()
    monkeypatch.setattr(place_names, "PATIENCE", 5)
    assert await names.of(HERE, ["slack:C1"]) == {"slack:C1": "Room C1"}
    assert chat.asked == ["C1"]


async def test_the_page_says_what_the_place_is_called(sqlite_store_url: str) -> None:
    async with staged(sqlite_store_url) as stage:
        body = confirmation()
        address = parse_address(str(body["to"]))
        assert isinstance(address, ChatAddress)
        stage.slack.names[address.place] = "#ops <b>"
        id = await stage.ask(body)
        ana = stage.browser()
        await ana.sign_in()
        await ana.open(f"/review/{id}")
        assert "Slack (#ops &lt;b&gt;)" in ana.text.replace("\u2068", "").replace("\u2069", "")


async def test_what_a_channel_is_called_is_told_to_those_who_are_in_it(sqlite_store_url: str) -> None:
    async with staged(sqlite_store_url) as stage:
        body = confirmation(audience={"answerers": ["person:ben", "conversation"]})
        address = parse_address(str(body["to"]))
        assert isinstance(address, ChatAddress)
        stage.slack.names[address.place] = "#layoffs"
        id = await stage.ask(body)
        ben = stage.browser()
        await ben.sign_in("ben")
        for members, told in ((stage.slack.members, True), (set(), False)):
            stage.slack.members = members
            page = await ben.open(f"/review/{id}")
            assert page.status_code == 200
            assert ("#layoffs" in ben.text) is told
        stage.slack.away = True
        await ben.open(f"/review/{id}")
        assert "#layoffs" not in ben.text, "who cannot be told to be in it is not told either"
