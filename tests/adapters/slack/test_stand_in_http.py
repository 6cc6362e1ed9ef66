"""Presses over HTTP to a real Bolt app: payloads, signatures, replays, the three seconds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from bot.sandbox.slack import Signature, SlackStandIn, Sort
from tests.adapters.slack.apps import acme, bolt_app, card, client_of, over_http

Bodies = list[dict[str, Any]]


@pytest.fixture
def patience() -> float:
    """How many seconds an answer may take: enough on any machine, except where it is the waiting that is looked at."""
    return 30.0


@pytest.fixture
async def slack(patience: float) -> AsyncIterator[SlackStandIn]:
    async with acme(ack_seconds=patience) as stand_in:
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


async def test_two_hundred_presses_at_once_all_arrive() -> None:
    async with acme() as slack:
        app, found = bolt_app(slack), []

        @app.action("yes")
        async def take(ack: Any, body: dict[str, Any]) -> None:
            await ack()
            found.append((body["user"]["id"], body["trigger_id"]))

        ts = await card(slack)
        people = [slack.workspace.add_user(f"p{n}").id for n in range(200)]
        for person in people:
            slack.workspace.join("CGEN", person)
        async with over_http(slack, app):
            await asyncio.gather(*(slack.person(person).press("Yes", channel="CGEN", ts=ts) for person in people))
        assert sorted(user for user, _ in found) == sorted(people)
        assert len({trigger for _, trigger in found}) == 200


@pytest.mark.parametrize("patience", [0.3])
async def test_without_an_answer_in_time_the_person_sees_a_warning(slack: SlackStandIn, app: AsyncApp) -> None:
    warned = asyncio.Event()

    @app.action("no")
    async def slow(ack: Any) -> None:
        await warned.wait()
        await ack()

    await card(slack)
    async with over_http(slack, app):
        seen = await slack.person("UANA").press("No")
        warned.set()
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
