"""Socket Mode with the real Bolt handler: envelopes, several connections, refresh, retries."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
from aiohttp import ClientSession
from slack_bolt.async_app import AsyncApp

from blocks.slack import limits
from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import asks, bolt_app, button, client_of, error_of, modal, over_socket, row, serving


@pytest.fixture
def patience() -> float:
    """How many seconds an answer may take: enough on any machine, except where it is the waiting that is looked at."""
    return 30.0


@pytest.fixture
async def slack(patience: float) -> AsyncIterator[SlackStandIn]:
    async with serving(bot_events=frozenset({"message.im"}), ack_seconds=patience) as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_channel("general", ["UANA"], channel_id="CGEN")
        yield stand_in


async def open_socket(slack: SlackStandIn, session: ClientSession) -> Any:
    answer = await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token)
    socket = await session.ws_connect(answer["url"])
    hello = await socket.receive_json()
    assert hello["type"] == "hello"
    return socket


async def test_presses_commands_and_events_travel_over_the_socket(slack: SlackStandIn) -> None:
    app = bolt_app(slack)
    seen: list[str] = []

    @app.action("yes")
    async def press(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        seen.append(body["type"])

    @app.command("/sayso")
    async def command(ack: Any) -> None:
        await ack("Nothing is open.")

    @app.event("message")
    async def event(body: dict[str, Any]) -> None:
        seen.append(body["event"]["text"])

    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    async with over_socket(slack, app):
        ana = slack.person("UANA")
        assert (await ana.press("Yes")).status == 200
        answer = await ana.command("/sayso")
        assert (await ana.write("hello")).status == 200
    assert seen == ["block_actions", "hello"]
    assert [message["text"] for message in answer.private] == ["Nothing is open."]


async def test_a_submission_is_answered_in_the_ack(slack: SlackStandIn) -> None:
    app = bolt_app(slack)

    @app.action("ask")
    async def ask(ack: Any, body: dict[str, Any], client: Any) -> None:
        await ack()
        await client.views_open(trigger_id=body["trigger_id"], view=modal(asks("Why?")))

    @app.view("form")
    async def form(ack: Any, view: dict[str, Any]) -> None:
        if view["state"]["values"]["why"]["text"]["value"] == "because":
            await ack(response_action="errors", errors={"why": "Say more."})
        else:
            await ack()

    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Ask"))])
    async with over_socket(slack, app):
        ana = slack.person("UANA")
        opened = await ana.press("Ask", watch=1)
        assert opened.modal
        await ana.fill("because", "Why?", on="modal")
        assert (await ana.submit()).errors == {"why": "Say more."}
        await ana.fill("the canary failed", "Why?", on="modal")
        assert (await ana.submit()).modal is None


async def test_each_payload_goes_to_one_of_the_connections(slack: SlackStandIn) -> None:
    counts: Counter[int] = Counter()

    def counting(number: int) -> AsyncApp:
        app = bolt_app(slack)

        @app.action("yes")
        async def press(ack: Any) -> None:
            await ack()
            counts[number] += 1

        return app

    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    async with over_socket(slack, counting(1)), over_socket(slack, counting(2)):
        for _ in range(10):
            await slack.person("UANA").press("Yes")
    assert counts == {1: 5, 2: 5}


async def test_a_refresh_makes_the_client_open_a_new_connection(slack: SlackStandIn) -> None:
    app = bolt_app(slack)

    @app.action("yes")
    async def press(ack: Any) -> None:
        await ack()

    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    async with over_socket(slack, app):
        await slack.platform.sockets.refresh("refresh_requested")
        while len(slack.platform.journal.of("apps.connections.open")) < 2 or not slack.platform.sockets.count:
            await slack.platform.sockets.change()
        assert (await slack.person("UANA").press("Yes")).status == 200


async def test_no_connection_is_trouble_for_people_and_a_retry_for_events(slack: SlackStandIn) -> None:
    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    ana = slack.person("UANA")
    assert (await ana.press("Yes")).trouble == "⚠ connection_failed"
    await ana.write("hello")
    async with ClientSession() as session:
        socket = await open_socket(slack, session)
        slack.platform.clock.advance(60)
        envelope = await socket.receive_json()
        assert (envelope["type"], envelope["retry_attempt"]) == ("events_api", 2)
        assert envelope["retry_reason"] == "connection_failed"
        assert envelope["payload"]["event"]["text"] == "hello"
        await socket.send_json({"envelope_id": envelope["envelope_id"]})
        await socket.close()


async def test_the_first_delivery_says_attempt_zero(slack: SlackStandIn) -> None:
    async with ClientSession() as session:
        socket = await open_socket(slack, session)
        writing = asyncio.create_task(slack.person("UANA").write("hello"))
        envelope = await socket.receive_json()
        assert (envelope["retry_attempt"], envelope["retry_reason"]) == (0, "")
        assert envelope["accepts_response_payload"] is False
        await socket.send_str("not json")
        await socket.send_json({"envelope_id": "somebody else's"})
        await socket.send_json({"envelope_id": envelope["envelope_id"]})
        assert (await writing).status == 200
        await socket.close()


@pytest.mark.parametrize("patience", [0.3])
async def test_a_silent_connection_is_trouble_after_the_time_to_ack(slack: SlackStandIn) -> None:
    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    async with ClientSession() as session:
        socket = await open_socket(slack, session)
        seen = await slack.person("UANA").press("Yes")
        assert (seen.status, seen.trouble) == (None, "⚠ timeout")
        assert seen.seconds >= 0.3
        await socket.close()


async def test_a_connection_lost_while_waiting_is_told_at_once(slack: SlackStandIn) -> None:
    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))])
    async with ClientSession() as session:
        socket = await open_socket(slack, session)
        pressing = asyncio.create_task(slack.person("UANA").press("Yes"))
        await socket.receive_json()
        await socket.close()
        assert (await pressing).trouble == "⚠ connection_failed"


async def test_a_ticket_opens_one_connection_and_the_eleventh_is_turned_away(slack: SlackStandIn) -> None:
    async with ClientSession() as session:
        answer = await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token)
        first = await session.ws_connect(answer["url"])
        await first.receive_json()
        with pytest.raises(Exception, match=r"403"):
            await session.ws_connect(answer["url"])
        others = [await open_socket(slack, session) for _ in range(limits.SOCKETS.number - 1)]
        answer = await client_of(slack, slack.app_token).apps_connections_open(app_token=slack.app_token)
        extra = await session.ws_connect(answer["url"])
        assert (await extra.receive_json())["reason"] == "too_many_websockets"
        for socket in (first, *others, extra):
            await socket.close()


async def test_opening_connections_is_slow_paced() -> None:
    async with serving(pace=True) as slack:
        client = client_of(slack, slack.app_token)
        for _ in range(10):
            await client.apps_connections_open(app_token=slack.app_token)
        assert await error_of(client.apps_connections_open(app_token=slack.app_token)) == "ratelimited"
