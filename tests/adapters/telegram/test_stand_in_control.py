"""The people and the platform by HTTP, and what the client page is given to draw."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2
import pytest
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup

from bot.sandbox.telegram import TelegramStandIn
from bot.sandbox.telegram.client import FILES
from tests.adapters.telegram.bots import bot_of, serving

YES = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="y", style="success")]])


@pytest.fixture
async def stand_in() -> AsyncIterator[TelegramStandIn]:
    async with serving() as found:
        yield found


@pytest.fixture
async def bot(stand_in: TelegramStandIn) -> AsyncIterator[Bot]:
    async with bot_of(stand_in) as found:
        yield found


@pytest.fixture
async def http(stand_in: TelegramStandIn) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=stand_in.api_url, timeout=10, verify=False) as client:
        yield client


async def act(http: httpx2.AsyncClient, name: str, **arguments: Any) -> Any:
    response = await http.post(f"/_control/{name}", json=arguments)
    assert response.status_code == 200, response.text
    return response.json()


async def test_a_whole_conversation_can_be_driven_by_http(http: httpx2.AsyncClient, bot: Bot) -> None:
    ana = await act(http, "create_user", first_name="Ana", username="ana")
    group = await act(http, "create_group", title="Ops", members=[ana["id"]], kind="supergroup")
    await act(http, "start", user_id=ana["id"], payload="code")
    await bot.send_message(group["id"], "Deploy?", reply_markup=YES)
    pressing = asyncio.create_task(act(http, "press", user_id=ana["id"], chat_id=group["id"], button="Yes"))
    while not (updates := await bot.get_updates(timeout=2)) or updates[-1].callback_query is None:
        continue
    await updates[-1].callback_query.answer("Saved")
    tap = await pressing
    assert (tap["data"], tap["answer"]["text"], tap["answer"]["show_alert"]) == ("y", "Saved", False)
    messages = (await http.get("/_control/messages", params={"chat_id": group["id"]})).json()
    assert messages[-1]["content"]["text"] == "Deploy?"


async def test_failures_and_time_can_be_ordered_by_http(stand_in: TelegramStandIn, http: httpx2.AsyncClient) -> None:
    await act(http, "plan", failure={"kind": "drop_after", "method": "sendMessage", "count": 2})
    assert [failure.count for failure in stand_in.faults] == [2]
    await act(http, "go_away", seconds=60)
    assert stand_in.faults.away > 59
    await act(http, "advance", seconds=61)
    assert stand_in.faults.away == 0
    await act(http, "clear")
    assert list(stand_in.faults) == []


async def test_the_journal_can_be_waited_for(stand_in: TelegramStandIn, http: httpx2.AsyncClient, bot: Bot) -> None:
    seen = (await http.get("/_control/journal")).json()["calls"]
    assert [call["method"] for call in seen] == ["getMe"]
    params = {"since": seen[-1]["number"], "wait": 5}
    waiting = asyncio.create_task(http.get("/_control/journal", params=params))
    await bot.set_my_commands([("inbox", "Open cards")])
    (call,) = (await waiting).json()["calls"]
    assert (call["method"], call["done"]) == ("setMyCommands", True)
    assert stand_in.settings.bot_secret not in (await http.get("/_control/journal")).text


@pytest.mark.parametrize(
    ("name", "body", "kind", "status", "words"),
    [
        ("dance", "{}", "application/json", 404, "acts are"),
        ("start", "{}", "text/plain", 415, "application/json"),
        ("start", "no", "application/json", 422, "the body is no JSON"),
        ("start", "[]", "application/json", 422, "a JSON object"),
        ("start", "{}", "application/json", 422, "user_id"),
        ("start", '{"user_id": "x"}', "application/json", 422, "user_id"),
        ("start", '{"user_id": 5}', "application/json", 409, "there is no account 5"),
    ],
)
async def test_a_wrong_act_is_told_what_is_wrong(
    http: httpx2.AsyncClient, name: str, body: str, kind: str, status: int, words: str
) -> None:
    response = await http.post(f"/_control/{name}", content=body, headers={"Content-Type": kind})
    assert response.status_code == status
    assert words in response.json()["error"]


async def test_the_page_is_given_what_one_person_sees(
    stand_in: TelegramStandIn, http: httpx2.AsyncClient, bot: Bot
) -> None:
    stand_in.scene.create_user("Ana", user_id=42)
    stand_in.scene.create_user("Ben", user_id=43)
    group = stand_in.scene.create_group("Ops", [42])
    await bot.send_message(group.id, "<b>Deploy?</b> <script>", parse_mode=None, reply_markup=YES)
    state = (await http.get("/client/state", params={"as": 42, "chat": group.id})).json()
    assert [person["name"] for person in state["people"]] == ["Ana", "Ben"]
    assert [chat["title"] for chat in state["chats"]] == ["sayso", "Ops"]
    message = state["open"]["messages"][-1]
    assert message["text"] == "<b>Deploy?</b> <script>"
    assert message["keyboard"] == [[{"text": "Yes", "action": "callback_data", "style": "success", "data": "y"}]]
    theirs = (await http.get("/client/state", params={"as": 43, "chat": group.id})).json()
    assert [chat["title"] for chat in theirs["chats"]] == ["sayso"]
    assert theirs["open"] is None


async def test_the_page_hears_of_every_change(stand_in: TelegramStandIn, http: httpx2.AsyncClient) -> None:
    async with http.stream("GET", "/client/events") as stream:
        lines = stream.aiter_lines()
        first = json.loads((await anext(lines)).removeprefix("data: "))
        stand_in.scene.create_user("Ana", user_id=42)
        await anext(lines)
        assert json.loads((await anext(lines)).removeprefix("data: ")) > first


async def test_the_page_runs_nothing_from_elsewhere_and_serves_no_other_file(http: httpx2.AsyncClient) -> None:
    page = await http.get("/client")
    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "://" not in "".join(path.read_text() for path in FILES.iterdir()).replace("http://www.w3.org/2000/svg", "")
    assert (await http.get("/client/..%2Fworld.py")).status_code == 404
    assert (await http.get("/client/nothing.js")).status_code == 404
    assert (await http.get("/", follow_redirects=False)).headers["location"] == "/client"
    code = "".join(path.read_text() for path in FILES.glob("*.js"))
    assert not [
        word for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(") if word in code
    ]
