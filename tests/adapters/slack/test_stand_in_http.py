"""Deliveries over HTTP to a real Bolt app: signatures, the three seconds, retries, commands, response URLs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.webhook.async_client import AsyncWebhookClient
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from bot.sandbox.serving import serving as listening
from bot.sandbox.slack import Signature, SlackStandIn, Sort
from tests.adapters.slack.apps import bolt_app, button, client_of, over_http, row, serving

Bodies = list[dict[str, Any]]


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    events = frozenset({"message.im", "message.channels", "app_mention", "app_home_opened", "user_change"})
    async with serving(bot_events=events, ack_seconds=0.3) as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_user("ben", user_id="UBEN")
        stand_in.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        yield stand_in


@pytest.fixture
def app(slack: SlackStandIn) -> AsyncApp:
    return bolt_app(slack)


@pytest.fixture
def pressed(app: AsyncApp) -> Bodies:
    """Every press of `yes` that Bolt let through."""
    found: Bodies = []

    @app.action("yes")
    async def take(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        found.append(body)

    return found


async def card(slack: SlackStandIn, **more: Any) -> str:
    blocks = [row(button("Yes", value="1"), button("No"))]
    posted = await client_of(slack).chat_postMessage(channel="CGEN", text="Ship?", blocks=blocks, **more)
    return str(posted["ts"])


async def test_a_press_reaches_bolt_signed_and_in_full(slack: SlackStandIn, app: AsyncApp, pressed: Bodies) -> None:
    ts = await card(slack)
    async with over_http(slack, app):
        seen = await slack.person("UANA").press("Yes")
    assert (seen.status, seen.trouble) == (200, None)
    (body,) = pressed
    assert body["type"] == "block_actions"
    assert body["team"] == {"id": slack.team_id, "domain": "acme"}
    assert body["user"] == {"id": "UANA", "username": "ana", "name": "ana", "team_id": slack.team_id}
    assert body["container"] == {
        "type": "message", "message_ts": ts, "channel_id": "CGEN", "is_ephemeral": False,
    }  # fmt: skip
    assert body["channel"] == {"id": "CGEN", "name": "general"}
    assert body["message"]["ts"] == ts
    assert body["actions"][0]["value"] == "1"
    assert body["actions"][0]["action_ts"]
    assert body["trigger_id"]
    assert body["response_url"].startswith(slack.url)


@pytest.mark.parametrize("signature", [Signature.BAD, Signature.STALE, Signature.MISSING])
async def test_a_forged_delivery_is_refused_by_bolt(
    slack: SlackStandIn, app: AsyncApp, pressed: Bodies, signature: Signature
) -> None:
    await card(slack)
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
        payload = slack.platform.journal.deliveries[-1].payload
        attempt = await slack.deliver(payload, signature=signature)
    assert attempt.status == 401
    assert len(pressed) == 1


async def test_a_replay_sends_the_same_trigger_id_again(slack: SlackStandIn, app: AsyncApp, pressed: Bodies) -> None:
    await card(slack)
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
        attempts = await slack.replay(4)
    assert [attempt.status for attempt in attempts] == [200] * 4
    assert len({body["trigger_id"] for body in pressed}) == 1
    assert len(pressed) == 5


async def test_two_hundred_presses_at_once_all_arrive(slack: SlackStandIn, app: AsyncApp, pressed: Bodies) -> None:
    ts = await card(slack)
    people = [slack.workspace.add_user(f"p{n}").id for n in range(200)]
    for person in people:
        slack.workspace.join("CGEN", person)
    async with over_http(slack, app):
        await asyncio.gather(*(slack.person(person).press("Yes", channel="CGEN", ts=ts) for person in people))
    assert sorted(body["user"]["id"] for body in pressed) == sorted(people)
    assert len({body["trigger_id"] for body in pressed}) == 200


async def test_without_an_answer_in_time_the_person_sees_a_warning(slack: SlackStandIn, app: AsyncApp) -> None:
    @app.action("no")
    async def slow(ack: Any) -> None:
        await asyncio.sleep(0.6)
        await ack()

    await card(slack)
    async with over_http(slack, app):
        seen = await slack.person("UANA").press("No")
    assert seen.status is None
    assert seen.trouble == "⚠ http_timeout"
    (trouble,) = slack.platform.journal.troubles
    assert (trouble.user, trouble.reason) == ("UANA", "http_timeout")
    interactions = [d for d in slack.platform.journal.deliveries if d.sort == Sort.INTERACTION]
    assert [len(d.attempts) for d in interactions] == [1], "interactions are never retried"


async def test_an_old_version_of_a_card_can_still_be_pressed(
    slack: SlackStandIn, app: AsyncApp, pressed: Bodies
) -> None:
    ts = await card(slack)
    await client_of(slack).chat_update(channel="CGEN", ts=ts, text="Shipped")
    async with over_http(slack, app):
        await slack.person("UBEN").press("Yes", ts=ts, version=0)
    assert pressed[0]["message"]["text"] == "Ship?"


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


async def test_a_command_is_answered_in_its_response_or_later(slack: SlackStandIn, app: AsyncApp) -> None:
    forms: Bodies = []

    @app.command("/sayso")
    async def list_cards(ack: Any, respond: Any, body: dict[str, Any]) -> None:
        forms.append(body)
        await ack("Two cards are open.")
        await respond("And here they are.")

    async with over_http(slack, app):
        ana = slack.person("UANA")
        seen = await ana.command("/sayso", "list", channel="CGEN")
        while len(ana.private("CGEN")) < 2:
            await slack.platform.world.after(slack.platform.world.version, 1)
        unknown = await ana.command("/other")
    assert seen.status == 200
    assert {message.text for message in ana.private("CGEN")} == {"Two cards are open.", "And here they are."}
    assert (forms[0]["command"], forms[0]["text"], forms[0]["channel_id"]) == ("/sayso", "list", "CGEN")
    assert unknown.trouble == "/other is not a valid command."


async def test_a_response_url_works_five_times_within_half_an_hour(
    slack: SlackStandIn, app: AsyncApp, pressed: Bodies
) -> None:
    await card(slack)
    async with over_http(slack, app):
        ana = slack.person("UANA")
        await ana.press("Yes")
        await ana.press("Yes")
    first, second = (AsyncWebhookClient(body["response_url"], retry_handlers=[]) for body in pressed)
    answers = [await first.send(text=str(n)) for n in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [404]
    assert "used_url" in answers[5].body
    assert [message.text for message in ana.private()] == ["0", "1", "2", "3", "4"]
    slack.platform.clock.advance(1801)
    late = await second.send(text="late")
    assert (late.status_code, "expired_url" in late.body) == (404, True)


async def test_a_response_url_replaces_deletes_or_speaks_to_everybody(
    slack: SlackStandIn, app: AsyncApp, pressed: Bodies
) -> None:
    ts = await card(slack)
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
    hook = AsyncWebhookClient(pressed[0]["response_url"], retry_handlers=[])
    await hook.send(text="Shipped", replace_original=True)
    message = slack.platform.world.message("CGEN", ts)
    assert message is not None
    assert (message.text, list(message.blocks)) == ("Shipped", [])
    await hook.send(text="Everybody hears", response_type="in_channel", replace_original=False)
    assert [m.text for m in slack.person("UBEN").messages("CGEN")] == ["Shipped", "Everybody hears"]
    refused = await hook.send(text="x", blocks=[{"type": "banner"}])
    assert refused.status_code == 400
    await hook.send(delete_original=True)
    assert slack.platform.world.message("CGEN", ts) is None


async def test_an_ephemeral_card_is_pressed_without_a_message_in_the_payload(
    slack: SlackStandIn, app: AsyncApp, pressed: Bodies
) -> None:
    await client_of(slack).chat_postEphemeral(channel="CGEN", user="UANA", text="Really?", blocks=[row(button("Yes"))])
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
        hook = AsyncWebhookClient(pressed[0]["response_url"], retry_handlers=[])
        await hook.send(text="Done", replace_original=True)
    assert pressed[0]["container"]["is_ephemeral"] is True
    assert "message" not in pressed[0]
    assert [message.text for message in slack.person("UANA").private()] == ["Done"]
