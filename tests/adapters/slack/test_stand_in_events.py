"""Events over HTTP: what people write, what changes, and how failed deliveries come again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.sandbox.serving import serving as listening
from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import acme, bolt_app, card, client_of, over_http

Bodies = list[dict[str, Any]]


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    events = frozenset({"message.im", "message.channels", "app_mention", "user_change"})
    async with acme(bot_events=events, ack_seconds=30) as stand_in:
        yield stand_in


@pytest.fixture
def app(slack: SlackStandIn) -> AsyncApp:
    return bolt_app(slack)


class Endpoint:
    """A request URL that answers what it is told and keeps what it was sent."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.headers: list[dict[str, str]] = []
        self.answer_headers: dict[str, str] = {}
        self.bodies: list[bytes] = []

    async def answer(self, request: Request) -> Response:
        self.headers.append(dict(request.headers))
        self.bodies.append(await request.body())
        status = self.statuses.pop(0) if self.statuses else 200
        return Response("", status_code=status, headers=self.answer_headers)


@pytest.fixture
async def endpoint(slack: SlackStandIn) -> AsyncIterator[Endpoint]:
    made = Endpoint()
    async with listening(Starlette(routes=[Route("/", made.answer, methods=["POST"])])) as address:
        slack.request_url = f"{address.url}/"
        yield made


async def test_a_failed_event_comes_again_three_times_with_its_number_and_reason(
    slack: SlackStandIn, endpoint: Endpoint
) -> None:
    endpoint.statuses = [500] * 4
    await slack.person("UANA").write("hello", channel="CGEN")
    (delivery,) = slack.platform.journal.deliveries
    for times, wait in ((2, 60), (3, 300)):
        await delivery.tried(times)
        slack.platform.clock.advance(wait)
    await delivery.tried(4)
    assert len(set(endpoint.bodies)) == 1, "the same event id and stamps each time"
    assert [h.get("x-slack-retry-num") for h in endpoint.headers] == [None, "1", "2", "3"]
    assert {h.get("x-slack-retry-reason") for h in endpoint.headers[1:]} == {"http_error"}


async def test_a_receiver_can_turn_retries_off(slack: SlackStandIn, endpoint: Endpoint) -> None:
    endpoint.statuses = [500]
    endpoint.answer_headers = {"x-slack-no-retry": "1"}
    await slack.person("UANA").write("hello", channel="CGEN")
    slack.platform.clock.advance(600)
    await asyncio.sleep(0.05)
    assert len(endpoint.bodies) == 1


async def test_nobody_listening_is_a_failed_connection(slack: SlackStandIn) -> None:
    slack.request_url = "http://127.0.0.1:1/slack/events"
    await card(slack)
    seen = await slack.person("UANA").press("Yes")
    assert seen.trouble == "⚠ connection_failed"


async def test_what_people_write_arrives_as_events(slack: SlackStandIn, app: AsyncApp) -> None:
    texts: list[tuple[str, str, str | None]] = []
    mentions: list[str] = []

    @app.event("message")
    async def take(event: dict[str, Any]) -> None:
        texts.append((event["channel_type"], event["text"], event.get("thread_ts")))

    @app.event("app_mention")
    async def mentioned(event: dict[str, Any]) -> None:
        mentions.append(event["text"])

    ts = await card(slack)
    await slack.platform.courier.settled()
    async with over_http(slack, app):
        ana = slack.person("UANA")
        await ana.write("a < b & @ben", channel="CGEN")
        await ana.write("in the thread", channel="CGEN", thread_ts=ts)
        await ana.write("just you")
        await ana.write("@sayso hello", channel="CGEN")
    assert texts == [
        ("channel", "a &lt; b &amp; <@UBEN>", None),
        ("channel", "in the thread", ts),
        ("im", "just you", None),
        ("channel", f"<@{slack.settings.bot_user_id}> hello", None),
    ]
    assert mentions == [f"<@{slack.settings.bot_user_id}> hello"]


async def test_events_need_their_scope_and_the_app_in_the_channel(slack: SlackStandIn, endpoint: Endpoint) -> None:
    slack.workspace.add_channel("elsewhere", ["UANA"], channel_id="CELSE", with_app=False)
    ana = slack.person("UANA")
    assert (await ana.write("nobody hears", channel="CELSE")).sent is False
    slack.workspace.grant("chat:write")
    assert (await ana.write("no scope", channel="CGEN")).sent is False
    assert endpoint.bodies == []


async def test_the_apps_own_messages_come_back_as_events_that_bolt_ignores(slack: SlackStandIn, app: AsyncApp) -> None:
    heard: Bodies = []

    @app.event("message")
    async def take(event: dict[str, Any]) -> None:
        heard.append(event)

    async with over_http(slack, app):
        ts = await card(slack)
        await client_of(slack).chat_update(channel="CGEN", ts=ts, text="y")
        await client_of(slack).chat_delete(channel="CGEN", ts=ts)
        await slack.platform.courier.settled()
    events = [delivery.payload["event"] for delivery in slack.platform.journal.deliveries]
    assert [event.get("subtype") for event in events] == [None, "message_changed", "message_deleted"]
    assert {attempt.status for d in slack.platform.journal.deliveries for attempt in d.attempts} == {200}
    assert heard == []


async def test_a_changed_account_is_told(slack: SlackStandIn, app: AsyncApp) -> None:
    told: list[bool] = []

    @app.event("user_change")
    async def take(event: dict[str, Any]) -> None:
        told.append(event["user"]["deleted"])

    async with over_http(slack, app):
        slack.workspace.change_user("UBEN", deleted=True)
        await slack.platform.courier.settled()
    assert told == [True]


async def test_what_happens_to_channels_and_to_the_app_is_told() -> None:
    told: Bodies = []
    kinds = (
        "member_joined_channel", "member_left_channel", "channel_archive", "channel_id_changed", "app_uninstalled",
        "tokens_revoked",
    )  # fmt: skip
    async with acme(bot_events=frozenset(kinds)) as slack:
        app = bolt_app(slack)
        for kind in kinds:

            @app.event(kind)
            async def take(event: dict[str, Any]) -> None:
                told.append(event)

        async with over_http(slack, app):
            await card(slack)  # a first call, for which Bolt learns who it is
            slack.workspace.add_user("eve", user_id="UEVE")
            slack.workspace.join("CGEN", "UEVE")
            slack.workspace.leave("CGEN", "UEVE")
            moved = slack.workspace.change_channel_id("CGEN")
            slack.workspace.archive(moved.id)
            await slack.platform.courier.settled()
            assert len(slack.person("UANA").messages(moved.id)) == 1
            slack.workspace.uninstall()
    assert {event["type"] for event in told} >= set(kinds) - {"app_uninstalled", "tokens_revoked"}
    changed = next(event for event in told if event["type"] == "channel_id_changed")
    assert (changed["old_channel_id"], changed["new_channel_id"]) == ("CGEN", moved.id)
    sent = [d.payload["event"]["type"] for d in slack.platform.journal.deliveries]
    assert sent[-2:] == ["tokens_revoked", "app_uninstalled"]
