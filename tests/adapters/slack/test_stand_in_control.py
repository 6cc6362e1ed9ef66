"""The stand-in driven from another process: everything through its control API."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession
from slack_bolt.async_app import AsyncApp

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import asks, bolt_app, button, client_of, error_of, modal, over_http, row, serving

ROOT = Path(__file__).parents[3]


class Remote:
    """A caller of the control API."""

    def __init__(self, base: str, session: ClientSession) -> None:
        self._base = f"{base}/_control"
        self._session = session

    async def post(self, path: str, _status: int = 200, **body: Any) -> Any:
        async with self._session.post(f"{self._base}{path}", json=body) as response:
            assert response.status == _status, await response.text()
            return await response.json()

    async def get(self, path: str, **query: str) -> Any:
        async with self._session.get(f"{self._base}{path}", params=query) as response:
            return await response.json()


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving(bot_events=frozenset({"message.channels", "app_home_opened"})) as stand_in:
        yield stand_in


@pytest.fixture
async def remote(slack: SlackStandIn) -> AsyncIterator[Remote]:
    async with ClientSession() as session:
        yield Remote(slack.url, session)


@pytest.fixture
def app(slack: SlackStandIn) -> AsyncApp:
    made = bolt_app(slack)

    @made.action("ask")
    async def ask(ack: Any, body: dict[str, Any], client: Any) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=modal(asks("Why?")))
        await ack()

    @made.view("form")
    async def form(ack: Any) -> None:
        await ack()

    @made.event("message")
    async def message() -> None:
        pass

    @made.command("/sayso")
    async def command(ack: Any) -> None:
        await ack("Nothing is open.")

    return made


async def test_a_whole_round_without_python_objects(slack: SlackStandIn, remote: Remote, app: AsyncApp) -> None:
    ana = await remote.post("/users", name="ana", real_name="Ana Ruiz")
    ben = await remote.post("/users", name="ben")
    channel = await remote.post("/channels", name="general", members=[ana["id"]])
    await remote.post(f"/channels/{channel['id']}/join", user=ben["id"])
    client = client_of(slack)
    async with over_http(slack, app) as url:
        settings = await remote.post("/settings", request_url=url, pace=False)
        assert settings == {"request_url": url, "pace": False}
        await client.chat_postMessage(channel=channel["id"], text="x & y", blocks=[row(button("Ask"))])
        people = f"/people/{ana['id']}"
        seen = await remote.post(f"{people}/press", label="Ask", watch=1)
        assert seen["modal"]["callback_id"] == "form"
        await remote.post(f"{people}/fill", value="because", label="Why?", on="modal")
        assert (await remote.post(f"{people}/submit"))["modal"] is None
        wrote = await remote.post(f"{people}/write", text="hello", channel=channel["id"])
        assert wrote["status"] == 200
        answered = await remote.post(f"{people}/command", command="/sayso", channel=channel["id"])
        assert answered["private"][0]["text"] == "Nothing is open."
        again = await remote.post("/replay", times=2)
        assert [attempt["status"] for attempt in again["attempts"]] == [200, 200]
    found = (await remote.get("/messages", channel=channel["id"]))["messages"]
    assert [message["text"] for message in found] == ["x & y", "hello"]
    assert found[0]["reads"] == "Ask"
    private = (await remote.get("/private", user=ana["id"]))["messages"]
    assert [message["text"] for message in private] == ["Nothing is open."]
    calls = (await remote.get("/journal", method="chat.postMessage"))["calls"]
    assert [call["result"]["ok"] for call in calls] == [True]
    later = (await remote.get("/journal", after=str(calls[-1]["number"])))["calls"]
    assert {call["method"] for call in later} == {"auth.test", "views.open"}
    sorts = [delivery["sort"] for delivery in (await remote.get("/deliveries"))["deliveries"]]
    assert "slash_commands" in sorts


async def test_failures_and_forgeries_can_be_asked_for(slack: SlackStandIn, remote: Remote, app: AsyncApp) -> None:
    channel = await remote.post("/channels", name="general")
    client = client_of(slack)
    await remote.post("/faults", kind="error", method="chat.postMessage", error="fatal_error")
    assert await error_of(client.chat_postMessage(channel=channel["id"], text="x")) == "fatal_error"
    await remote.post("/faults", kind="error", count=9)
    await remote.post("/faults/clear")
    assert (await client.auth_test())["ok"]
    async with over_http(slack, app):
        forged = await remote.post("/deliver", payload={"type": "block_actions"}, signature="bad")
    assert forged["status"] == 401
    await remote.post(f"/channels/{channel['id']}/archive")
    assert await error_of(client.chat_postMessage(channel=channel["id"], text="x")) == "is_archived"
    await remote.post("/settings", scopes=["users:read"])
    assert await error_of(client.chat_postMessage(channel=channel["id"], text="x")) == "missing_scope"
    await remote.post("/away", seconds=60)
    await remote.post("/advance", seconds=60)
    assert (await client.auth_test())["ok"]
    await remote.post("/uninstall")
    assert await error_of(client.auth_test()) == "account_inactive"


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/people/UNOBODY/press", {"label": "Yes"}, 404),
        ("/people/UANA/press", {"label": "Yes"}, 404),
        ("/people/UANA/dance", {}, 404),
        ("/people/UANA/press", {"colour": "red"}, 422),
        ("/users", {}, 422),
        ("/users", {"name": "x", "height": 3}, 422),
        ("/faults", {"kind": "meteor"}, 422),
        ("/settings", {"speed": 1}, 422),
        ("/replay", {}, 404),
    ],
)
async def test_what_cannot_be_done_is_told(
    slack: SlackStandIn, remote: Remote, path: str, body: dict[str, Any], status: int
) -> None:
    slack.workspace.add_user("ana", user_id="UANA")
    answer = await remote.post(path, status, **body)
    assert answer["error"]


async def test_another_sites_page_cannot_drive_it(slack: SlackStandIn) -> None:
    async with ClientSession() as session:
        form = session.post(f"{slack.url}/_control/users", data={"name": "eve"})
        async with form as response:
            assert response.status == 415
        text = session.post(f"{slack.url}/_control/users", data="{", headers={"Content-Type": "application/json"})
        async with text as response:
            assert response.status == 400
    assert not any(user.name == "eve" for user in slack.platform.world.users.values())


async def test_a_screen_shows_what_one_person_sees(slack: SlackStandIn, remote: Remote) -> None:
    slack.workspace.add_user("ana", "Ana Ruiz", user_id="UANA")
    slack.workspace.add_user("ben", user_id="UBEN")
    slack.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
    slack.workspace.add_channel("secret", ["UBEN"], channel_id="CSEC", private=True)
    client = client_of(slack)
    await client.chat_postMessage(channel="CGEN", text="*hi* <@UANA>")
    await client.chat_postEphemeral(channel="CGEN", user="UBEN", text="psst")
    anas = await remote.get("/screen", user="UANA", channel="CGEN")
    bens = await remote.get("/screen", user="UBEN", channel="CGEN")
    assert [channel["name"] for channel in anas["channels"]] == ["general"]
    assert [channel["name"] for channel in bens["channels"]] == ["general", "secret"]
    assert [m["private"] for m in anas["conversation"]["messages"]] == [False]
    assert [m["private"] for m in bens["conversation"]["messages"]] == [False, True]
    assert anas["conversation"]["messages"][0]["nodes"] == [
        {"t": "b", "c": [{"t": "text", "s": "hi"}]},
        {"t": "text", "s": " "},
        {"t": "user", "id": "UANA", "s": "@Ana Ruiz"},
    ]
    hidden = await remote.get("/screen", user="UANA", channel="CSEC")
    assert hidden["conversation"] is None


async def test_the_stream_tells_that_something_changed(slack: SlackStandIn) -> None:
    async with ClientSession() as session, session.get(f"{slack.url}/_control/stream") as stream:
        first = int((await stream.content.readline()).decode().removeprefix("data: "))
        await stream.content.readline()
        slack.workspace.add_user("ana")
        second = int((await stream.content.readline()).decode().removeprefix("data: "))
    assert second > first


async def test_the_page_and_nothing_else_of_its_folder_is_served(slack: SlackStandIn) -> None:
    async with ClientSession() as session:
        async with session.get(f"{slack.url}/") as page:
            assert str(page.url) == f"{slack.url}/client/"
            assert "script-src 'self'" in page.headers["Content-Security-Policy"]
            assert "<title>Slack stand-in</title>" in await page.text()
        for name, status in (("main.js", 200), ("client.css", 200), ("__init__.py", 404), ("..%2Fapi.py", 404)):
            async with session.get(f"{slack.url}/client/{name}") as part:
                assert part.status == status, name


async def test_a_stand_in_of_its_own_process_says_how_to_reach_it(slack: SlackStandIn) -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot.sandbox.slack", "--port", "0"), stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    assert process.stdout
    try:
        told = json.loads(await process.stdout.readline())
        client = client_of(slack)
        client.base_url, client.token = told["api_url"], told["bot_token"]
        assert (await client.auth_test())["team_id"] == told["team_id"]
    finally:
        process.terminate()
        await process.wait()
