"""A card that can never arrive is settled at once, with a reason people understand; a dead token only stops sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bot.app import build
from bot.config import load
from bot.sandbox.serving import serving
from bot.sandbox.telegram.faults import FaultKind
from bot.sandbox.telegram.people import Status
from bot.startup import WORKSPACE
from tests.flows.rig import (
    ANA,
    CHANNEL,
    KEY,
    TG_ANA,
    TG_CARL,
    Rig,
    eventually,
    free_port,
    rig,
    settings_for,
    sqlite_at,
    stand_ins,
)
from tests.flows.trouble import PushedClock, cards, place, posts


@dataclass(frozen=True)
class Case:
    """`to` makes what is wrong and returns the address, `says` are words of the reason the asker gets."""

    why: str
    to: Callable[[Rig], str]
    says: str


def _slack_uninvited(r: Rig) -> str:
    return f"slack:{r.slack.workspace.add_channel('elsewhere', [ANA], with_app=False).id}"


def _slack_archived(r: Rig) -> str:
    r.slack.workspace.archive(CHANNEL)
    return f"slack:{CHANNEL}"


def _slack_deactivated(r: Rig) -> str:
    r.slack.workspace.change_user(ANA, deleted=True)
    return f"slack:{ANA}"


def _slack_no_thread(r: Rig) -> str:
    return f"slack:{CHANNEL}/1712000000.000100"


def _telegram_blocked(r: Rig) -> str:
    r.telegram.human.block(TG_CARL)
    return f"telegram:{TG_CARL}"


def _telegram_never_started(r: Rig) -> str:
    return f"telegram:{r.telegram.scene.create_user('Dora').id}"


def _telegram_deactivated(r: Rig) -> str:
    r.telegram.scene.deactivate(TG_CARL)
    return f"telegram:{TG_CARL}"


def _telegram_removed(r: Rig) -> str:
    r.telegram.scene.set_status(r.group, r.telegram.bot_id, Status.KICKED, by=TG_ANA)
    return f"telegram:{r.group}"


def _telegram_no_topic(r: Rig) -> str:
    forum = r.telegram.scene.create_group("Forum", [TG_ANA], is_forum=True)
    return f"telegram:{forum.id}/99"


CASES = [
    Case("no such channel", lambda _: "slack:C0NOWHERE", "shows the app no such channel"),
    Case("the app is not invited", _slack_uninvited, "invite it there"),
    Case("the channel is archived", _slack_archived, "archived"),
    Case("the account is deactivated", _slack_deactivated, "deactivated"),
    Case("no such user", lambda _: "slack:U0NOBODY", "no such user"),
    Case("no such thread", _slack_no_thread, "thread"),
    Case("no such chat", lambda _: "telegram:-1009999999999", "no such chat"),
    Case("the bot is blocked", _telegram_blocked, "blocked the bot"),
    Case("the bot was never started", _telegram_never_started, "started a chat with the bot"),
    Case("the account is deactivated", _telegram_deactivated, "deactivated"),
    Case("the bot was removed", _telegram_removed, "removed from this chat"),
    Case("no such topic", _telegram_no_topic, "topic"),
]


async def test_what_can_never_arrive_is_undeliverable_within_seconds_with_a_plain_reason(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        for case in CASES:
            asked = await r.ask(to=case.to(r), title=case.why)
            now = await r.get(asked["id"], wait=8)
            assert now["status"] == "undeliverable", case.why
            reason = now["outcome"]["reason"]
            assert case.says in reason, case.why
            assert (now["outcome"]["via"], now["outcome"]["by"]["type"]) == ("timer", "timer")
            (copy,) = now["publications"]
            assert (copy["state"], copy["reason"], copy["message"]) == ("failed", reason, None), case.why
            assert [one["type"] for one in await r.receipts(asked["id"])] == ["created", "undeliverable"]
            r.slack.workspace.archive(CHANNEL, archived=False)
            r.slack.workspace.change_user(ANA, deleted=False)
        ended = await r.events("interaction.undeliverable")
        assert len(ended) == len(CASES)


async def test_a_card_whose_only_answerer_is_deactivated_says_that_nobody_is_left(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.ask(to=f"slack:{CHANNEL}", audience={"answerers": [f"slack:{ANA}"]})
        await r.posted(asked["id"])
        r.slack.workspace.change_user(ANA, deleted=True)
        now = await r.get(asked["id"], wait=8)
        assert (now["status"], now["outcome"]["reason"]) == ("undeliverable", "Nobody is left who may answer this.")


async def test_the_fallbacks_are_tried_in_order_and_only_when_every_place_failed(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        policy = {"fallback": ["slack:C0NOWHERE2", f"telegram:{r.group}", f"slack:{CHANNEL}"]}
        asked = await r.ask(to=["slack:C0NOWHERE1", "telegram:-1009999999999"], policy=policy)

        async def arrived() -> dict[str, Any] | None:
            now = await r.get(asked["id"])
            return now if now["publications"][-1]["state"] == "posted" else None

        now = await eventually(arrived)
        assert [one["state"] for one in now["publications"]] == ["failed", "failed", "failed", "posted"]
        assert now["publications"][-1]["channel"] == str(r.group)
        assert now["status"] == "pending"
        assert not cards(r, "slack")  # the last one was not needed
        await r.telegram.human.press(TG_ANA, r.group, "Yes")
        assert (await r.get(asked["id"], wait=5))["status"] == "answered"


async def test_one_place_that_works_keeps_it_pending_without_a_fallback(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.ask(to=["slack:C0NOWHERE", f"slack:{CHANNEL}"], policy={"fallback": [f"telegram:{r.group}"]})

        async def tried() -> dict[str, Any] | None:
            now = await r.get(asked["id"])
            return now if {one["state"] for one in now["publications"]} == {"failed", "posted"} else None

        now = await eventually(tried)
        assert now["status"] == "pending"
        assert len(now["publications"]) == 2


async def test_a_card_that_is_also_for_the_review_page_stays_pending(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path)) as r:
        asked = await r.ask(to=["slack:C0NOWHERE", "review"], audience={"answerers": ["role:operator"]})

        async def tried() -> dict[str, Any] | None:
            now = await r.get(asked["id"])
            return now if now["publications"][0]["state"] == "failed" else None

        now = await eventually(tried)
        assert (now["status"], now["outcome"]) == ("pending", None)
        assert "no such channel" in now["publications"][0]["reason"]


@pytest.mark.parametrize("provider", ["slack", "telegram"])
async def test_a_token_that_stops_working_stops_sends_and_shows_in_readyz(provider: str, tmp_path: Path) -> None:
    clock = PushedClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        await _break_token(r, provider)
        first = await r.ask(title="First", to=place(r, provider))

        async def shown() -> bool:
            ready = await r.api.get("/readyz")
            assert ready.status_code == 200  # the service itself is well
            return bool(ready.json()["chats"] == {provider: 1})

        await eventually(shown)
        (problem,) = (one.problem for one in r.apps[0].chats.accounts(WORKSPACE) if one.provider.value == provider)
        assert problem
        assert "token" in problem or "installed again" in problem
        other = f"slack:{ANA}" if provider == "slack" else f"telegram:{TG_ANA}"
        second = await r.ask(title="Second", to=other)
        third = await r.ask(title="Third", to=place(r, "telegram" if provider == "slack" else "slack"))
        await r.posted(third["id"])  # the other chat goes on
        for asked in (first, second):
            assert (await r.get(asked["id"]))["status"] == "pending"  # nobody but an operator can say that it is over
        assert len(posts(r, provider, "First")) + len(posts(r, provider, "Second")) <= 1
        await _mend_token(r, provider)
        clock.push(61)
        for asked in (first, second):
            await r.posted(asked["id"])
        assert (await r.api.get("/readyz")).json()["chats"] == {}


async def _break_token(r: Rig, provider: str) -> None:
    if provider == "slack":
        r.slack.workspace.uninstall()
    else:
        r.telegram.fail(FaultKind.ERROR, "*", count=10_000, status=401, description="Unauthorized")


async def _mend_token(r: Rig, provider: str) -> None:
    if provider == "slack":
        settings = r.slack.settings
        r.slack.platform.install(settings.team_id, settings.bot_token, settings.bot_user_id, settings.bot_id)
    else:
        r.telegram.faults.clear()


async def test_a_wrong_token_at_the_start_is_shown_and_the_rest_goes_on(tmp_path: Path) -> None:
    async with stand_ins() as (slack, telegram, group):
        given = settings_for(slack, telegram, sqlite_at(tmp_path), free_port(), slack_bot_token="xoxb-wrong")
        app, url = build(load(given)), f"http://127.0.0.1:{given['sayso_port']}"
        headers = {"Authorization": f"Bearer {KEY}"}
        async with (
            app.running() as web,
            serving(web, port=given["sayso_port"]),
            httpx2.AsyncClient(base_url=url, headers=headers) as api,
        ):
            r = Rig(slack, telegram, api, url, group)

            async def shown() -> bool:
                return bool((await api.get("/readyz")).json()["chats"] == {"slack": 1})

            await eventually(shown)
            slack_s, *_ = app.chats.accounts(WORKSPACE)
            assert slack_s.name == "the account of SLACK_BOT_TOKEN"
            assert "installed again" in (slack_s.problem or "")
            asked = await r.ask(to=place(r, "telegram"))
            await r.posted(asked["id"])
            waits = await r.ask(title="Waits")
            assert (await r.get(waits["id"], wait=1))["status"] == "pending"
