"""Modals and Home: triggers, stacks, hashes, what is typed, and every answer to a submission."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient

from bot.sandbox.slack import NotOnScreen, SlackStandIn
from tests.adapters.slack.apps import (
    asks,
    bolt_app,
    button,
    client_of,
    error_of,
    modal,
    over_http,
    plain,
    row,
    serving,
)


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with serving() as stand_in:
        stand_in.workspace.add_user("ana", user_id="UANA")
        stand_in.workspace.add_user("ben", user_id="UBEN")
        stand_in.workspace.add_channel("general", ["UANA", "UBEN"], channel_id="CGEN")
        yield stand_in


@pytest.fixture
def client(slack: SlackStandIn) -> AsyncWebClient:
    return client_of(slack)


@pytest.fixture
def app(slack: SlackStandIn) -> AsyncApp:
    return bolt_app(slack)


def trigger(slack: SlackStandIn, user: str = "UANA") -> str:
    return slack.platform.triggers.issue(user, slack.team_id)


async def test_a_trigger_opens_one_modal_within_three_seconds(slack: SlackStandIn, client: AsyncWebClient) -> None:
    first = trigger(slack)
    opened = await client.views_open(trigger_id=first, view=modal())
    assert opened["view"]["id"] == opened["view"]["root_view_id"]
    assert opened["view"]["state"]["values"] == {"why": {"text": {"type": "plain_text_input", "value": None}}}
    assert await error_of(client.views_open(trigger_id=first, view=modal())) == "exchanged_trigger_id"
    late = trigger(slack)
    slack.platform.clock.advance(3.1)
    assert await error_of(client.views_open(trigger_id=late, view=modal())) == "expired_trigger_id"


async def test_a_refused_view_does_not_spend_the_trigger(slack: SlackStandIn, client: AsyncWebClient) -> None:
    one = trigger(slack)
    untitled = {name: value for name, value in modal().items() if name != "title"}
    assert await error_of(client.views_open(trigger_id=one, view=untitled)) == "invalid_arguments"
    assert (await client.views_open(trigger_id=one, view=modal()))["ok"]


async def test_three_modals_stand_above_each_other_and_no_fourth(slack: SlackStandIn, client: AsyncWebClient) -> None:
    root = (await client.views_open(trigger_id=trigger(slack), view=modal()))["view"]
    second = (await client.views_push(trigger_id=trigger(slack), view=modal()))["view"]
    third = (await client.views_push(trigger_id=trigger(slack), view=modal()))["view"]
    assert (second["previous_view_id"], third["root_view_id"]) == (root["id"], root["id"])
    assert await error_of(client.views_push(trigger_id=trigger(slack), view=modal())) == "push_limit_reached"
    ana = slack.person("UANA")
    await ana.close()
    assert ana.modal
    assert ana.modal["id"] == second["id"]


async def test_nothing_is_pushed_onto_nothing(slack: SlackStandIn, client: AsyncWebClient) -> None:
    assert await error_of(client.views_push(trigger_id=trigger(slack), view=modal())) == "invalid_trigger_id"


async def test_a_stale_hash_loses_and_an_external_id_is_taken_once(slack: SlackStandIn, client: AsyncWebClient) -> None:
    view = (await client.views_open(trigger_id=trigger(slack), view=modal(external_id="card-1")))["view"]
    changed = await client.views_update(external_id="card-1", hash=view["hash"], view=modal(title=plain("Two")))
    assert changed["view"]["hash"] != view["hash"]
    stale = client.views_update(view_id=view["id"], hash=view["hash"], view=modal(title=plain("Three")))
    assert await error_of(stale) == "hash_conflict"
    await client.views_update(view_id=view["id"], view=modal(external_id="card-1"))
    again = client.views_open(trigger_id=trigger(slack, "UBEN"), view=modal(external_id="card-1"))
    assert await error_of(again) == "duplicate_external_id"


async def test_what_was_typed_stays_only_under_the_same_ids(slack: SlackStandIn, client: AsyncWebClient) -> None:
    view = (await client.views_open(trigger_id=trigger(slack), view=modal(asks("Why?"), asks("More", "more"))))["view"]
    ana = slack.person("UANA")
    await ana.fill("because", "Why?", on="modal")
    await ana.fill("much more", "More", on="modal")
    blocks = [asks("Why?", initial_value="ignored"), asks("More", "fresh", initial_value="anew")]
    changed = (await client.views_update(view_id=view["id"], view=modal(*blocks)))["view"]
    values = {block: actions["text"]["value"] for block, actions in changed["state"]["values"].items()}
    assert values == {"why": "because", "fresh": "anew"}


async def test_slacks_client_checks_a_form_before_it_is_sent(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp
) -> None:
    number = {"type": "number_input", "action_id": "n", "is_decimal_allowed": False, "max_value": "10"}
    form = modal(
        asks("Why?", min_length=3, max_length=5),
        {"type": "input", "block_id": "many", "label": plain("How many?"), "element": number, "optional": True},
    )
    await client.views_open(trigger_id=trigger(slack), view=form)
    ana = slack.person("UANA")
    async with over_http(slack, app):
        empty = await ana.submit()
        await ana.fill("no", "Why?", on="modal")
        await ana.fill("11", "How many?", on="modal")
        short = await ana.submit()
        await ana.fill("no, no", "Why?", on="modal")
        await ana.fill("1.5", "How many?", on="modal")
        long = await ana.submit()
    assert empty.errors == {"why": "Please complete this required field."}
    assert set(short.errors) == {"why", "many"}
    assert set(long.errors) == {"why", "many"}
    assert {empty.sent, short.sent, long.sent} == {False}
    assert len(slack.platform.journal.deliveries) == 0


NO_BLOCK = {"response_action": "errors", "errors": {"nope": "x"}}
BAD_VIEW = {"response_action": "update", "view": {"type": "modal", "blocks": []}}
ANSWERS: list[tuple[str, Any, bool, str]] = [
    ("nothing closes it", {}, False, ""),
    ("words are no answer", {"text": "ok"}, True, "Form"),
    ("errors name a block", {"response_action": "errors", "errors": {"why": "x"}}, False, "Form"),
    ("errors for no such block", NO_BLOCK, True, "Form"),
    ("errors without any", {"response_action": "errors", "errors": {}}, True, "Form"),
    ("another view", {"response_action": "update", "view": modal(title=plain("Two"))}, False, "Two"),
    ("one above", {"response_action": "push", "view": modal(title=plain("Above"))}, False, "Above"),
    ("a view Slack refuses", BAD_VIEW, True, "Form"),
    ("all gone", {"response_action": "clear"}, False, ""),
    ("an action nobody knows", {"response_action": "reload"}, True, "Form"),
]


@pytest.mark.parametrize(("why", "answer", "trouble", "title"), ANSWERS, ids=[row[0] for row in ANSWERS])
async def test_an_answer_to_a_submission_does_what_slack_does(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp, why: str, answer: Any, trouble: bool, title: str
) -> None:
    @app.view("form")
    async def submitted(ack: Any) -> None:
        await ack(**answer)

    await client.views_open(trigger_id=trigger(slack), view=modal(asks("Why?")))
    ana = slack.person("UANA")
    await ana.fill("because", "Why?", on="modal")
    async with over_http(slack, app):
        seen = await ana.submit()
    assert (seen.trouble is not None) is trouble, why
    assert (seen.modal["title"]["text"] if seen.modal else "") == title
    assert len(slack.platform.journal.troubles) == trouble


async def test_errors_are_shown_corrected_and_accepted(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp
) -> None:
    bodies: list[dict[str, Any]] = []

    @app.view("form")
    async def submitted(ack: Any, body: dict[str, Any]) -> None:
        bodies.append(body)
        if len(bodies) == 1:
            await ack(response_action="errors", errors={"why": "Name a ticket."})
        else:
            await ack()

    await client.views_open(
        trigger_id=trigger(slack), view=modal(asks("Why?"), private_metadata="int_1", notify_on_close=True)
    )
    ana = slack.person("UANA")
    await ana.fill("because", "Why?", on="modal")
    async with over_http(slack, app):
        assert (await ana.submit()).errors == {"why": "Name a ticket."}
        await ana.fill("OPS-1", "Why?", on="modal")
        assert (await ana.submit()).modal is None
    assert [body["view"]["state"]["values"]["why"]["text"]["value"] for body in bodies] == ["because", "OPS-1"]
    assert bodies[0]["view"]["private_metadata"] == "int_1"
    assert bodies[0]["view"]["app_installed_team_id"] == slack.team_id
    assert bodies[0]["trigger_id"] != bodies[1]["trigger_id"]
    assert bodies[0]["view"]["hash"] == bodies[1]["view"]["hash"], "a hash identifies no submission"


async def test_closing_is_told_only_when_the_app_asked_to_hear_of_it(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp
) -> None:
    closed: list[tuple[str, bool]] = []

    @app.view_closed("form")
    async def gone(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        closed.append((body["view"]["id"], body["is_cleared"]))

    ana = slack.person("UANA")
    async with over_http(slack, app):
        await client.views_open(trigger_id=trigger(slack), view=modal())
        assert (await ana.close()).sent is False
        one = await client.views_open(trigger_id=trigger(slack), view=modal(notify_on_close=True))
        assert (await ana.close()).status == 200
        root = await client.views_open(trigger_id=trigger(slack), view=modal(notify_on_close=True))
        await client.views_push(trigger_id=trigger(slack), view=modal())
        await ana.close(everything=True)
    assert closed == [(one["view"]["id"], False), (root["view"]["id"], True)]
    assert ana.modal is None
    with pytest.raises(NotOnScreen):
        await ana.submit()


async def test_a_press_inside_a_modal_can_redraw_it(slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp) -> None:
    bodies: list[dict[str, Any]] = []

    @app.action("more")
    async def more(ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        await ack()
        bodies.append(body)
        await client.views_update(
            view_id=body["view"]["id"], hash=body["view"]["hash"], view=modal(title=plain("More"))
        )

    await client.views_open(trigger_id=trigger(slack), view=modal(row(button("More")), asks("Why?")))
    ana = slack.person("UANA")
    await ana.fill("draft", "Why?", on="modal")
    async with over_http(slack, app):
        seen = await ana.press("More", on="modal", watch=1)
    assert seen.modal
    assert seen.modal["title"]["text"] == "More"
    assert seen.modal["state"]["values"]["why"]["text"]["value"] == "draft"
    assert bodies[0]["container"] == {"type": "view", "view_id": seen.modal["id"]}
    assert "message" not in bodies[0]
    assert "response_url" not in bodies[0]


async def test_home_is_published_when_it_is_opened_and_its_buttons_work(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp
) -> None:
    pressed: list[str] = []

    @app.event("app_home_opened")
    async def opened(event: dict[str, Any], client: AsyncWebClient) -> None:
        assert event["tab"] == "home"
        await client.views_publish(user_id=event["user"], view={"type": "home", "blocks": [row(button("Refresh"))]})

    @app.action("refresh")
    async def refresh(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        pressed.append(body["view"]["type"])

    ana = slack.person("UANA")
    async with over_http(slack, app):
        assert (await ana.open_home()).status == 200
        while ana.home is None:
            await slack.platform.world.after(slack.platform.world.version, 1)
        await ana.press("Refresh", on="home")
    assert pressed == ["home"]
    assert slack.person("UBEN").home is None
    first = ana.home
    blocks = [{"type": "divider"}]
    await client.views_publish(user_id="UANA", hash=first["hash"], view={"type": "home", "blocks": blocks})
    stale = client.views_publish(user_id="UANA", hash=first["hash"], view={"type": "home", "blocks": blocks})
    assert await error_of(stale) == "hash_conflict"


async def test_a_submission_from_another_workspace_names_the_submitters(
    slack: SlackStandIn, client: AsyncWebClient, app: AsyncApp
) -> None:
    bodies: list[dict[str, Any]] = []

    @app.view("form")
    async def submitted(ack: Any, body: dict[str, Any]) -> None:
        bodies.append(body)
        await ack()

    @app.action("ask")
    async def ask(ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
        bodies.append(body)
        await client.views_open(trigger_id=body["trigger_id"], view=modal(asks("Why?")))
        await ack()

    slack.workspace.add_team("Partner", "TPAR")
    slack.workspace.add_user("pat", user_id="UPAT", team_id="TPAR")
    slack.workspace.add_channel("both", ["UANA", "UPAT"], channel_id="CBOTH", shared_with=["TPAR"])
    await client.chat_postMessage(channel="CBOTH", text="x", blocks=[row(button("Ask"))])
    pat = slack.person("UPAT")
    async with over_http(slack, app):
        await pat.press("Ask")
        await pat.fill("because", "Why?", on="modal")
        await pat.submit()
    press, submission = bodies
    assert (press["team"]["id"], press["user"]["team_id"]) == (slack.team_id, "TPAR")
    assert (submission["team"]["id"], submission["view"]["app_installed_team_id"]) == ("TPAR", slack.team_id)
