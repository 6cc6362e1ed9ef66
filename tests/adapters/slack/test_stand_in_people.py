"""What people can and cannot do, and what the controls of a card then say in the payload."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from bot.sandbox.slack import NotOnScreen, SlackStandIn
from tests.adapters.slack.apps import asks, bolt_app, button, client_of, over_http, plain, row, serving


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving() as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_user("ben", user_id="UBEN")
        stand_in.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        yield stand_in


@pytest.fixture
def app(slack: SlackStandIn) -> AsyncApp:
    return bolt_app(slack)


@pytest.fixture
def actions(app: AsyncApp) -> list[dict[str, Any]]:
    """Every action that arrived, acknowledged."""
    found: list[dict[str, Any]] = []

    @app.action(re.compile("."))
    async def take(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        found.append(body)

    return found


def options(*labels: str) -> list[dict[str, Any]]:
    return [{"text": plain(label), "value": label.lower()} for label in labels]


CONTROLS = [
    row(
        {"type": "radio_buttons", "action_id": "region", "options": options("Europe", "Asia")},
        {"type": "static_select", "action_id": "owner", "options": options("Ana", "Ben")},
        {"type": "multi_static_select", "action_id": "labels", "options": options("Bug", "Chore")},
        {"type": "datepicker", "action_id": "day", "initial_date": "2026-12-24"},
        {"type": "overflow", "action_id": "more", "options": options("Snooze", "Skip")},
        button("Submit"),
    ),
    {
        "type": "section",
        "block_id": "checks",
        "text": plain("Which checks?"),
        "accessory": {"type": "checkboxes", "action_id": "skip", "options": options("Lint", "Docs")},
    },
    asks("Say why"),
]


async def post(slack: SlackStandIn, *blocks: Any, channel: str = "CGEN") -> str:
    answer = await client_of(slack).chat_postMessage(channel=channel, text="Card", blocks=list(blocks))
    return str(answer["ts"])


async def test_every_choice_is_sent_at_once_and_all_of_them_with_the_last(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    await post(slack, *CONTROLS)
    ana = slack.person("UANA")
    async with over_http(slack, app):
        await ana.choose("Asia")
        await ana.choose("Ben", action_id="owner")
        await ana.choose("Bug", "chore")
        await ana.fill("2026-12-31", action_id="day")
        await ana.choose("Lint", "Docs", label="Which checks?")
        await ana.choose("Docs", label="Which checks?")
        assert (await ana.fill("because", "Say why")).sent is False, "an input in a message waits for a button"
        await ana.press("Submit")
        await ana.press(action_id="more", option="Skip")
    sent = [body["actions"][0] for body in actions]
    assert [action["type"] for action in sent] == [
        "radio_buttons", "static_select", "multi_static_select", "datepicker", "checkboxes", "checkboxes", "button",
        "overflow",
    ]  # fmt: skip
    assert sent[0]["selected_option"]["value"] == "asia"
    assert [option["value"] for option in sent[4]["selected_options"]] == ["lint", "docs"]
    assert sent[7]["selected_option"]["value"] == "skip"
    values = actions[6]["state"]["values"]
    assert values["row"]["region"] == {"type": "radio_buttons", "selected_option": sent[0]["selected_option"]}
    assert values["row"]["owner"]["selected_option"]["value"] == "ben"
    assert [option["value"] for option in values["row"]["labels"]["selected_options"]] == ["bug", "chore"]
    assert values["row"]["day"] == {"type": "datepicker", "selected_date": "2026-12-31"}
    assert [option["value"] for option in values["checks"]["skip"]["selected_options"]] == ["docs"]
    assert values["why"]["text"] == {"type": "plain_text_input", "value": "because"}


async def test_each_person_has_a_form_of_their_own(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    await post(slack, *CONTROLS)
    async with over_http(slack, app):
        await slack.person("UANA").choose("Asia")
        await slack.person("UBEN").press("Submit")
    values = actions[-1]["state"]["values"]["row"]
    assert values["region"] == {"type": "radio_buttons", "selected_option": None}
    assert values["day"]["selected_date"] == "2026-12-24", "what the card starts with"
    assert values["labels"]["selected_options"] == []


async def test_what_was_entered_outlives_an_edit_with_the_same_ids(slack: SlackStandIn) -> None:
    ts = await post(slack, asks("Say why"))
    ana = slack.person("UANA")
    await ana.fill("because", "Say why")
    client = client_of(slack)
    await client.chat_update(channel="CGEN", ts=ts, text="Card", blocks=[asks("Say why", placeholder=plain("?"))])
    message = slack.platform.world.message("CGEN", ts)
    assert message
    assert slack.platform.form("UANA", message)["why", "text"]["value"] == "because"
    await client.chat_update(channel="CGEN", ts=ts, text="Card", blocks=[asks("Say why", "why2")])
    message = slack.platform.world.message("CGEN", ts)
    assert message
    assert slack.platform.form("UANA", message)["why2", "text"]["value"] is None


async def test_an_input_that_dispatches_is_sent_when_it_is_filled(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    await post(slack, {**asks("Say why"), "dispatch_action": True})
    async with over_http(slack, app):
        await slack.person("UANA").fill("because", "Say why")
    assert actions[0]["actions"][0]["value"] == "because"


async def test_a_link_button_opens_its_address_and_still_tells_the_app(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    await post(slack, row(button("Open", url="https://ask.example.com/review/1")))
    async with over_http(slack, app):
        seen = await slack.person("UANA").press("Open")
    assert seen.opened == "https://ask.example.com/review/1"
    assert actions[0]["actions"][0]["url"] == seen.opened


async def test_nobody_presses_what_is_not_in_front_of_them(slack: SlackStandIn) -> None:
    slack.workspace.add_user("eve", user_id="UEVE")
    ts = await post(slack, row(button("Yes"), button("Yes", "second")))
    with pytest.raises(NotOnScreen, match="sees no message"):
        await slack.person("UEVE").press("Yes", channel="CGEN", ts=ts)
    with pytest.raises(NotOnScreen, match="there are: button 'Yes'"):
        await slack.person("UANA").press("Maybe", channel="CGEN", ts=ts)
    with pytest.raises(NotOnScreen, match="2 such controls"):
        await slack.person("UANA").press("Yes", channel="CGEN", ts=ts)
    with pytest.raises(NotOnScreen, match="nobody has the id"):
        slack.person("UNOBODY")
    with pytest.raises(NotOnScreen, match="no Home"):
        await slack.person("UANA").press("Yes", on="home")
    with pytest.raises(NotOnScreen, match="in no conversation"):
        await slack.person("UEVE").write("hello", channel="CGEN")
    slack.workspace.archive("CGEN")
    with pytest.raises(NotOnScreen, match="archived"):
        await slack.person("UANA").write("hello", channel="CGEN")


async def test_the_newest_card_with_the_control_is_meant(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    await post(slack, row(button("Yes")))
    newer = await post(slack, row(button("Yes")))
    await post(slack, row(button("No")))
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
        await slack.person("UANA").press("Yes", channel="CGEN")
    assert [body["container"]["message_ts"] for body in actions] == [newer, newer]


async def test_a_card_in_a_thread_is_pressed_with_its_thread(
    slack: SlackStandIn, app: AsyncApp, actions: list[dict[str, Any]]
) -> None:
    client = client_of(slack)
    parent = (await client.chat_postMessage(channel="CGEN", text="parent"))["ts"]
    await client.chat_postMessage(channel="CGEN", text="x", blocks=[row(button("Yes"))], thread_ts=parent)
    async with over_http(slack, app):
        await slack.person("UANA").press("Yes")
        answer = actions[0]["response_url"]
    assert actions[0]["container"]["thread_ts"] == parent
    assert answer.startswith(slack.url)
