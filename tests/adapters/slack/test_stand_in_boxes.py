"""Checkboxes of a message as Slack's client keeps them, people whose client is behind, and forms of many fields."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from slack_bolt.async_app import AsyncApp

from bot.sandbox.slack import NotOnScreen, SlackStandIn
from tests.adapters.slack.apps import acme, asks, bolt_app, button, client_of, modal, over_http, plain, row

CARD: dict[str, Any] = {"channel": "CGEN", "text": "Card"}


def at(ts: str) -> dict[str, Any]:
    return {"channel": "CGEN", "ts": ts}


def options(*labels: str) -> list[dict[str, Any]]:
    return [{"text": plain(label), "value": label.lower()} for label in labels]


def boxes(block_id: str, *ticked: str) -> list[dict[str, Any]]:
    """A card with one group of checkboxes."""
    element: dict[str, Any] = {"type": "checkboxes", "action_id": "boxes", "options": options("Lint", "Docs", "Tests")}
    if ticked:
        element["initial_options"] = options(*ticked)
    return [row(element, block_id=block_id)]


@pytest.fixture
async def slack() -> AsyncIterator[SlackStandIn]:
    async with acme() as stand_in:
        yield stand_in


@pytest.fixture
async def actions(slack: SlackStandIn) -> AsyncIterator[list[dict[str, Any]]]:
    """Every action that arrived, acknowledged."""
    app, found = bolt_app(slack), list[dict[str, Any]]()

    @app.action(re.compile("."))
    async def take(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        found.append(body["actions"][0])

    async with over_http(slack, app):
        yield found


def values(action: dict[str, Any]) -> list[str]:
    return [one["value"] for one in action["selected_options"]]


async def test_a_box_is_ticked_beside_what_is_ticked_already(
    slack: SlackStandIn, actions: list[dict[str, Any]]
) -> None:
    posted = await client_of(slack).chat_postMessage(**CARD, blocks=boxes("g.0", "Docs"))
    here = at(str(posted["ts"]))
    ana = slack.person("UANA")
    await ana.tick("Lint", **here)
    await ana.untick("docs", **here)
    assert [values(action) for action in actions] == [["docs", "lint"], ["lint"]]
    assert ana.ticked(**here) == ["Lint"]
    assert slack.person("UBEN").ticked(**here) == ["Docs"], "each client has boxes of its own until a redraw"
    for again in (ana.tick("Lint"), ana.untick("Docs")):
        with pytest.raises(NotOnScreen, match="already"):
            await again


async def test_a_redraw_changes_boxes_only_where_the_block_has_another_id(
    slack: SlackStandIn, actions: list[dict[str, Any]]
) -> None:
    client = client_of(slack)
    ts = str((await client.chat_postMessage(**CARD, blocks=boxes("g.0")))["ts"])
    ana, here = slack.person("UANA"), at(ts)
    await ana.tick("Lint", **here)
    await client.chat_update(**CARD, ts=ts, blocks=boxes("g.0", "Docs"))
    assert ana.ticked(**here) == ["Lint"], "what was touched stays as it was touched"
    await client.chat_update(**CARD, ts=ts, blocks=boxes("g.1", "Docs"))
    assert ana.ticked(**here) == ["Docs"]
    await client.chat_update(**CARD, ts=ts, blocks=boxes("g.0", "Tests"))
    assert ana.ticked(**here) == ["Lint"], "an id that was there before brings back what was touched under it"


async def test_whoever_has_not_refreshed_acts_on_what_they_see(
    slack: SlackStandIn, actions: list[dict[str, Any]]
) -> None:
    client = client_of(slack)
    ts = str((await client.chat_postMessage(**CARD, blocks=boxes("g.0")))["ts"])
    ana, ben, here = slack.person("UANA"), slack.person("UBEN"), at(ts)
    await ben.freeze()
    await client.chat_update(**CARD, ts=ts, blocks=boxes("g.1", "Lint"))
    later = str((await client.chat_postMessage(**CARD, blocks=boxes("h.0")))["ts"])
    assert (ana.ticked(**here), ben.ticked(**here)) == (["Lint"], [])
    await ben.tick("Docs", **here)
    assert (actions[-1]["block_id"], values(actions[-1])) == ("g.0", ["docs"])
    with pytest.raises(NotOnScreen, match="sees no message"):
        await ben.tick("Docs", channel="CGEN", ts=later)
    await ben.refresh()
    assert ben.ticked(**here) == ["Lint"]
    await ben.tick("Docs", **here)
    assert (actions[-1]["block_id"], values(actions[-1])) == ("g.1", ["lint", "docs"])
    await ben.tick("Tests", **here, version=0)
    assert (actions[-1]["block_id"], values(actions[-1])) == ("g.0", ["docs", "tests"])


EVERY_FIELD: list[tuple[str, dict[str, Any], Any, Any]] = [
    # the label, its element, what somebody enters, what state.values then say
    ("Words", {"type": "plain_text_input", "multiline": True}, "a\nb", {"value": "a\nb"}),
    ("Count", {"type": "number_input", "is_decimal_allowed": False}, "7", {"value": "7"}),
    ("Mail", {"type": "email_text_input"}, "a@b.example", {"value": "a@b.example"}),
    ("Address", {"type": "url_text_input"}, "https://b.example", {"value": "https://b.example"}),
    ("Day", {"type": "datepicker"}, "2026-12-24", {"selected_date": "2026-12-24"}),
    ("Time", {"type": "timepicker"}, "09:30", {"selected_time": "09:30"}),
    ("Moment", {"type": "datetimepicker"}, 1_798_000_000, {"selected_date_time": 1_798_000_000}),
    ("One", {"type": "radio_buttons", "options": options("A", "B")}, "B", {"selected_option": "b"}),
    ("Menu", {"type": "static_select", "options": options("A", "B")}, "A", {"selected_option": "a"}),
    ("Boxes", {"type": "checkboxes", "options": options("A", "B")}, ["A", "B"], {"selected_options": ["a", "b"]}),
    ("Many", {"type": "multi_static_select", "options": options("A", "B")}, ["B"], {"selected_options": ["b"]}),
    ("Person", {"type": "users_select"}, "UBEN", {"selected_user": "UBEN"}),
]


async def test_a_form_of_every_kind_of_field_is_filled_in_by_its_labels(slack: SlackStandIn) -> None:
    app = AsyncApp(client=client_of(slack), signing_secret=slack.signing_secret)
    fields = [
        {**asks(label, f"f{n}"), "element": {"action_id": "value", **element}}
        for n, (label, element, _, _) in enumerate(EVERY_FIELD)
    ]
    sent: list[dict[str, Any]] = []

    @app.action("open")
    async def show(ack: Any, body: dict[str, Any], client: Any) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=modal(*fields))
        await ack()

    @app.view("form")
    async def submitted(ack: Any, view: dict[str, Any]) -> None:
        sent.append(view["state"]["values"])
        if len(sent) == 1:
            await ack(response_action="errors", errors={"f0": "too short", "f7": "not that one", "f9": "only one"})
        else:
            await ack()

    async with over_http(slack, app):
        await client_of(slack).chat_postMessage(**CARD, blocks=[row(button("Open"))])
        ana = slack.person("UANA")
        await ana.press("Open")
        missing = await ana.submit()
        assert (missing.sent, len(missing.errors)) == (False, len(EVERY_FIELD)), "the client asks for each itself"
        await ana.fill_in({label: value for label, _, value, _ in EVERY_FIELD})
        seen = await ana.submit()
        assert seen.errors == {"f0": "too short", "f7": "not that one", "f9": "only one"}
        await ana.fill_in({"Words": "longer", "One": "A", "Boxes": ["B"]})
        assert (await ana.submit()).modal is None
    for n, (label, _, _, wanted) in enumerate(EVERY_FIELD):
        entry = dict(sent[0][f"f{n}"]["value"])
        entry.pop("type")
        assert {name: plainly(value) for name, value in entry.items()} == wanted, label
    changed = [plainly(next(v for k, v in sent[1][f"f{n}"]["value"].items() if k != "type")) for n in (0, 7, 9)]
    assert changed == ["longer", "a", ["b"]]
    with pytest.raises(NotOnScreen):
        await slack.person("UANA").fill_in({"Words": "x"})


def plainly(value: Any) -> Any:
    """Options as their values."""
    if isinstance(value, list):
        return [plainly(one) for one in value]
    return value["value"] if isinstance(value, dict) else value


async def test_what_people_do_with_messages_in_a_thread_is_told(slack: SlackStandIn) -> None:
    async with acme(bot_events=frozenset({"message.channels"})) as own:
        app, told = bolt_app(own), list[dict[str, Any]]()

        @app.event("message")
        async def take(event: dict[str, Any]) -> None:
            told.append(event)

        async with over_http(own, app):
            parent = str((await client_of(own).chat_postMessage(**CARD))["ts"])
            await own.platform.courier.settled()
            told.clear()
            ana, thread = own.person("UANA"), dict[str, Any](channel="CGEN", thread_ts=parent)
            first = await ana.write("one", **thread)
            await ana.write("two", **thread, broadcast=True)
            await ana.write("three", **thread, files=["shot.png"])
            await ana.write("four", **thread, through="A0OTHER")
            assert first.ts is not None
            await ana.edit("uno", channel="CGEN", ts=first.ts)
            await ana.delete(channel="CGEN", ts=first.ts)
            with pytest.raises(NotOnScreen, match="wrote no message"):
                await ana.edit("mine", channel="CGEN", ts=parent)
    assert [event.get("subtype") for event in told] == [
        None, "thread_broadcast", "file_share", None, "message_changed", "message_deleted"
    ]  # fmt: skip
    assert {event.get("thread_ts") for event in told[:4]} == {parent}
    assert told[2]["files"][0]["name"] == "shot.png"
    assert (told[3]["user"], told[3]["app_id"], told[3]["bot_id"]) == ("UANA", "A0OTHER", "B0OTHER")
    assert told[4]["message"]["text"] == "uno"
    assert told[5]["deleted_ts"] == first.ts
