"""Two people press at the same moment, again and again: one decision each time, the other told who won."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.flows.processes import balancer, process
from tests.flows.rig import (
    ANA,
    BEA,
    CHANNEL,
    KEY,
    TG_ANA,
    TG_BEA,
    Rig,
    eventually,
    free_port,
    rig,
    settings_for,
    sqlite_at,
    stand_ins,
)
from tests.stores import mostly_sqlite_url as store_url

__all__ = ["store_url"]

ROUNDS = [12, pytest.param(200, marks=[pytest.mark.slow, pytest.mark.timeout(600)])]


async def race(r: Rig, ids: list[str]) -> None:
    """Let Ana and Bea press different buttons of every card at the same moment, and look at what came of each."""
    cards = [await r.posted(id, seconds=300) for id in ids]
    for start in range(0, len(cards), 10):
        seen = await asyncio.gather(*(press_both(r, card) for card in cards[start : start + 10]))
        assert {one.status for pair in seen for one in pair} == {200}
    won = [await winner(r, card["id"]) for card in cards]
    await expect_told(r, ANA, "bea", won.count(BEA))
    await expect_told(r, BEA, "ana", won.count(ANA))


async def press_both(r: Rig, card: dict[str, Any]) -> tuple[Any, Any]:
    ts = card["publications"][0]["message"]
    ana = r.slack.person(ANA).press("Yes", channel=CHANNEL, ts=ts)
    bea = r.slack.person(BEA).press("No", channel=CHANNEL, ts=ts)
    return await asyncio.gather(ana, bea)


async def winner(r: Rig, id: str) -> str:
    """Who answered, once it is sure that it was decided once and as they pressed."""
    now = await r.get(id)
    won: str = now["outcome"]["by"]["identity"].rpartition(".")[2]
    assert now["outcome"]["answer"] == {"q1": {"value": "yes" if won == ANA else "no"}}
    kinds = [one["type"] for one in await r.receipts(id)]
    assert kinds == ["created", "answered", "late_answer"]
    return won


async def expect_told(r: Rig, loser: str, name: str, times: int) -> None:
    """Whoever lost was told privately who won, each time."""

    def told() -> int:
        shown = r.slack.platform.world.private_messages(loser, CHANNEL)
        return sum(f"{name} answered this" in message.text for message in shown)

    async def all_told() -> bool:
        return told() >= times

    await eventually(all_told)
    assert told() == times


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_races_on_one_file_have_one_winner_each(tmp_path: Path, rounds: int) -> None:
    async with rig(sqlite_at(tmp_path), ack_seconds=60) as r:
        ids = [(await r.ask())["id"] for _ in range(rounds)]
        await race(r, ids)
        assert len(await r.events("interaction.answered")) == rounds


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_races_between_two_services_on_postgresql_have_one_winner_each(fresh_database: Any, rounds: int) -> None:
    async with (
        rig(fresh_database(), processes=2, ack_seconds=60) as r,
        balancer([one.settings.sayso_port for one in r.apps]) as port,
    ):
        r.slack.request_url = f"http://127.0.0.1:{port}/slack/events"
        ids = [(await r.ask())["id"] for _ in range(rounds)]
        await race(r, ids)
        assert len(await r.events("interaction.answered")) == rounds


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_200_races_between_two_processes_on_postgresql_have_one_winner_each(
    fresh_database: Any, tmp_path: Path
) -> None:
    database = fresh_database()
    async with stand_ins(ack_seconds=60) as (slack, telegram, group):
        settings = [settings_for(slack, telegram, database, free_port()) for _ in range(2)]
        async with (
            process(settings[0], tmp_path / "one.log") as one,
            process(settings[1], tmp_path / "two.log") as two,
            balancer([one.port, two.port]) as port,
        ):
            url = f"http://127.0.0.1:{port}"
            slack.request_url = f"{url}/slack/events"
            headers = {"Authorization": f"Bearer {KEY}"}
            async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=70) as api:
                r = Rig(slack, telegram, api, url, group)
                ids = [(await r.ask())["id"] for _ in range(200)]
                await race(r, ids)
                assert len(await r.events("interaction.answered")) == 200


async def test_five_deliveries_of_one_press_leave_one_receipt(store_url: str) -> None:
    async with rig(store_url) as r:
        asked = await r.posted((await r.ask(to=[f"slack:{CHANNEL}", f"telegram:{r.group}"]))["id"])
        await r.slack.person(ANA).press("Yes")
        await r.slack.replay(5)
        assert [one["type"] for one in await r.receipts(asked["id"])] == ["created", "answered"]


async def test_five_deliveries_of_one_tap_leave_one_receipt(store_url: str) -> None:
    async with rig(store_url) as r:
        asked = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
        await r.telegram.human.press(TG_ANA, r.group, "Yes")
        await r.telegram.wire.redeliver(5)
        await r.telegram.human.press(
            TG_BEA, r.group, "No", message_id=int(asked["publications"][0]["message"]), version=0
        )
        kinds = [one["type"] for one in await r.receipts(asked["id"])]
        assert kinds.count("answered") == 1
