"""One card on several surfaces: who is answering is shown on all of them, survives a restart, lapses, and whatever
settles it settles it everywhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2

from bot.startup import WORKSPACE
from core.drafts import HOLD
from core.people import Identity, Role
from core.use_cases.directory import add_person
from core.use_cases.drafting import lapse_holds
from tests.blocks.slack.cards import shown
from tests.flows.page import Visitor, browser, sign_in
from tests.flows.rig import (
    ANA,
    BEA,
    CARL,
    CHANNEL,
    KEY,
    TG_ANA,
    TG_BEA,
    TG_CARL,
    Rig,
    choice,
    confirmation,
    eventually,
    free_port,
    rig,
    service,
    settings_for,
    sqlite_at,
    stand_ins,
    unpaced,
)

PEOPLE = (("ana", ANA, TG_ANA), ("bea", BEA, TG_BEA), ("carl", CARL, TG_CARL))
FORM = {
    "questions": [
        choice("Yes", "No"),
        {"id": "q2", "prompt": "Why?", "type": "text"},
        {**choice("Red", "Blue"), "id": "q3", "prompt": "Which?", "type": "choices"},
    ]
}


@dataclass
class LateClock:
    """The machine's time, and as much later as it is moved."""

    later: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return datetime.now(UTC) + self.later


async def _acquaint(r: Rig) -> None:
    team = r.slack.platform.settings.team_id
    for name, slack, telegram in PEOPLE:
        accounts = (
            Identity(provider="slack", account=team, user=slack),
            Identity(provider="telegram", user=f"{telegram}"),
        )
        await add_person(r.apps[0].context, WORKSPACE, name, name.title(), Role.MEMBER, accounts)


async def _visitors(r: Rig, stack: AsyncExitStack) -> list[Visitor]:
    https = [await stack.enter_async_context(browser(r)) for _ in PEOPLE]
    return [await sign_in(r, http, user) for http, (_, _, user) in zip(https, PEOPLE, strict=True)]


def _in_slack(r: Rig, asked: dict[str, Any]) -> str:
    return shown(list(r.slack_message(asked["publications"][0]).blocks))


async def _says(r: Rig, asked: dict[str, Any], words: str, *, there: bool = True) -> None:
    """Wait until every copy says it, or none does."""

    async def look() -> bool:
        texts = [_in_slack(r, asked), *(r.telegram_message(one).text for one in asked["publications"][1:])]
        return all((words in text) is there for text in texts)

    await eventually(look)


async def test_whatever_settles_a_card_settles_it_everywhere(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        r = await stack.enter_async_context(rig(sqlite_at(tmp_path)))
        await _acquaint(r)
        visitors = await _visitors(r, stack)
        places = [f"slack:{CHANNEL}", f"telegram:{r.group}", f"telegram:{TG_CARL}"]

        async def in_slack(card: dict[str, Any]) -> None:
            await r.slack.person(ANA).press("Deploy", channel=CHANNEL, ts=card["publications"][0]["message"])

        async def in_the_group(card: dict[str, Any]) -> None:
            number = int(card["publications"][1]["message"])
            await r.telegram.human.press(TG_ANA, r.group, "Deploy", message_id=number)

        async def on_a_page(card: dict[str, Any]) -> None:
            assert await visitors[0].press(card["id"], "accept", {}) == 200

        async def by_the_asker(card: dict[str, Any]) -> None:
            assert (await r.api.post(f"/v1/interactions/{card['id']}/withdraw", json={})).status_code == 200

        for settle in (in_slack, in_the_group, on_a_page, by_the_asker):
            card = await r.posted((await r.ask(**confirmation(to=places)))["id"])
            drawn = [await one.read(card["id"]) for one in visitors]
            assert all("Deploy" in page for page in drawn)
            await settle(card)
            now = await r.shown_settled(card["id"])
            who = "Ana" if settle is not by_the_asker else ""
            assert [one["state"] for one in now["publications"]] == ["settled"] * 3
            assert "Deploy" not in [one.get("text", {}).get("text") for one in _buttons(r, card)]
            for copy in card["publications"][1:]:
                message = r.telegram_message(copy)
                assert message.buttons == []
                assert who in message.text
            for visitor, page in zip(visitors[1:], drawn[1:], strict=True):
                assert await visitor.press(card["id"], "reject", {"reason": "no"}, drawn=page) == 409
                assert "Deploy</button>" not in await visitor.read(card["id"])
            assert (await r.get(card["id"]))["status"] == now["status"]


def _buttons(r: Rig, card: dict[str, Any]) -> list[dict[str, Any]]:
    blocks = r.slack_message(card["publications"][0]).blocks
    return [one for block in blocks for one in block.get("elements", ()) if one.get("type") == "button"]


async def test_who_is_answering_is_shown_everywhere_until_they_close_or_leave_it_alone(tmp_path: Path) -> None:
    clock = LateClock()
    async with rig(sqlite_at(tmp_path), clock=clock) as r:
        to = [f"slack:{CHANNEL}", f"telegram:{r.group}"]
        card = await r.posted((await r.ask(payload=FORM, to=to))["id"])
        here = {"channel": CHANNEL, "ts": card["publications"][0]["message"]}
        number = int(card["publications"][1]["message"])
        assert (await r.slack.person(ANA).press("Answer…", **here, watch=5)).modal is not None
        await _says(r, card, "is answering")
        await r.telegram.human.press(TG_BEA, r.group, "Answer", message_id=number)
        await _says(r, card, "Bea")
        clock.later += HOLD + timedelta(seconds=1)
        context, records = r.apps[0].context, r.apps[0].store.records
        assert await lapse_holds(context, records) in (0, 2)  # the service looks as well
        await _says(r, card, "answering", there=False)
        await r.slack.person(ANA).fill_in({"Ship now?": "Yes", "Why?": "It works", "Which?": ["Red"]})
        assert (await r.slack.person(ANA).submit()).errors == {}
        settled = await r.shown_settled(card["id"])
        assert settled["outcome"]["answer"] == {
            "q1": {"value": "yes"}, "q2": {"value": "It works"}, "q3": {"values": ["red"]}
        }  # fmt: skip


@asynccontextmanager
async def _running(settings: dict[str, Any], r: Rig) -> AsyncIterator[Rig]:
    """One life of the service. What both chats and the database hold stays when it ends."""
    headers = {"Authorization": f"Bearer {KEY}"}
    async with service(settings, unpaced()) as app, httpx2.AsyncClient(base_url=r.url, headers=headers) as api:
        yield Rig(r.slack, r.telegram, api, r.url, r.group, [app])


async def test_what_is_filled_in_survives_a_restart_of_the_service(tmp_path: Path) -> None:
    async with stand_ins() as (slack, telegram, group):
        settings = settings_for(slack, telegram, sqlite_at(tmp_path), free_port())
        url = f"http://127.0.0.1:{settings['sayso_port']}"
        slack.request_url = f"{url}/slack/events"
        told = Rig(slack, telegram, httpx2.AsyncClient(), url, group)
        async with _running(settings, told) as r:
            to = [f"slack:{CHANNEL}", f"telegram:{TG_BEA}"]
            card = await r.posted((await r.ask(payload=FORM, to=to))["id"])
            other = await r.posted((await r.ask(payload=FORM, to=to, title="Another"))["id"])
            here = {"channel": CHANNEL, "ts": card["publications"][0]["message"]}
            await slack.person(ANA).press("Answer…", **here, watch=5)
            number = int(other["publications"][1]["message"])
            await telegram.human.press(TG_BEA, TG_BEA, "Answer", message_id=number)
            await telegram.until(lambda: "Yes" in r.telegram_message(other["publications"][1]).buttons, 10)
            await telegram.human.press(TG_BEA, TG_BEA, "Yes", message_id=number)
            await telegram.until(lambda: telegram.human.prompt(TG_BEA, TG_BEA), 10)
            await _says(r, {"publications": card["publications"][:1]}, "is answering")
        async with _running(settings, told) as r:
            await _says(r, {"publications": other["publications"][:1]}, "Bea is answering")
            await slack.person(ANA).fill_in({"Ship now?": "No", "Why?": "Not yet", "Which?": ["Blue"]})
            assert (await slack.person(ANA).submit()).errors == {}
            first = await r.shown_settled(card["id"])
            assert first["outcome"]["answer"]["q2"] == {"value": "Not yet"}
            telegram.human.answer_prompt(TG_BEA, TG_BEA, "Because")
            await telegram.until(lambda: "☐ Red" in r.telegram_message(other["publications"][1]).buttons, 10)
            await telegram.human.press(TG_BEA, TG_BEA, "☐ Red", message_id=number)
            await telegram.until(lambda: "☑ Red" in r.telegram_message(other["publications"][1]).buttons, 10)
            await telegram.human.press(TG_BEA, TG_BEA, "Next", message_id=number)
            await telegram.until(lambda: "Submit" in r.telegram_message(other["publications"][1]).buttons, 10)
            await telegram.human.press(TG_BEA, TG_BEA, "Submit", message_id=number)
            second = await r.shown_settled(other["id"])
            assert second["outcome"]["answer"] == {
                "q1": {"value": "yes"}, "q2": {"value": "Because"}, "q3": {"values": ["red"]}
            }  # fmt: skip
        await told.api.aclose()
