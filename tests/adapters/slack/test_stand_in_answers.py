"""How an app answers an interaction without a token: in the response to a command, and by response URLs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.webhook.async_client import AsyncWebhookClient

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import acme, bolt_app, button, card, client_of, over_http, row

Bodies = list[dict[str, Any]]


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with acme() as stand_in:
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
