"""Forms and checkboxes on the Slack stand-in's page: every kind of field, two people at one list, a form closed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Locator, Page, expect

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import acme, asks, bolt_app, button, client_of, modal, over_http, plain, row
from tests.browser.judge import violations_in_both_schemes

OPTIONS = [{"text": plain(label), "value": label.lower()} for label in ("Europe", "America", "Asia")]
FIELDS: list[tuple[str, dict[str, Any]]] = [
    ("What happened?", {"type": "plain_text_input", "multiline": True}),
    ("How many?", {"type": "number_input", "is_decimal_allowed": False, "min_value": "1", "max_value": "9"}),
    ("When?", {"type": "datepicker"}),
    ("At what time?", {"type": "timepicker"}),
    ("Where?", {"type": "radio_buttons", "options": OPTIONS}),
    ("Whose?", {"type": "static_select", "options": OPTIONS}),
    ("Which?", {"type": "checkboxes", "options": OPTIONS}),
    ("Labels", {"type": "multi_static_select", "max_selected_items": 2, "options": OPTIONS}),
    ("Mail", {"type": "email_text_input"}),
]
FORM = modal(
    *(
        {**asks(label, f"f{n}"), "element": {"action_id": "value", **element}}
        for n, (label, element) in enumerate(FIELDS)
    ),
    notify_on_close=True,
)
LIST = ("Notes reviewed", "Canary is clean", "On-call knows")


def boxes(ticked: set[str]) -> list[dict[str, Any]]:
    """A list as the app draws it: a block of its own for every state."""
    options = [{"text": plain(label), "value": label} for label in LIST]
    on = [one for one in options if one["value"] in ticked]
    element: dict[str, Any] = {"type": "checkboxes", "action_id": "list", "options": options}
    name = "list." + ".".join(sorted(ticked))
    return [row({**element, **({"initial_options": on} if on else {})}, block_id=name), row(button("Open"))]


@pytest_asyncio.fixture(loop_scope="session")
async def slack() -> AsyncIterator[SlackStandIn]:
    async with acme() as stand_in:
        yield stand_in


class App:
    """Shows a form, keeps what it is sent, and redraws a list as it is told to."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.closed = asyncio.Event()
        self.touched: list[tuple[str, list[str]]] = []


@pytest_asyncio.fixture(loop_scope="session")
async def app(slack: SlackStandIn) -> AsyncIterator[App]:
    made, kept = bolt_app(slack), App()

    @made.action("open")
    async def show(ack: Any, body: dict[str, Any], client: Any) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=FORM)
        await ack()

    @made.action("list")
    async def touch(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        (action,) = body["actions"]
        kept.touched.append((action["block_id"], [one["value"] for one in action["selected_options"]]))

    @made.action(re.compile("."))
    async def choose(ack: Any) -> None:
        await ack()

    @made.view("form")
    async def submitted(ack: Any, view: dict[str, Any]) -> None:
        kept.sent.append({name: entry["value"] for name, entry in view["state"]["values"].items()})
        wrong = {"f0": "Say more.", "f5": "Not theirs.", "f6": "Not all of them."}
        await (ack(response_action="errors", errors=wrong) if len(kept.sent) == 1 else ack())

    @made.view_closed("form")
    async def closed(ack: Any) -> None:
        await ack()
        kept.closed.set()

    async with over_http(slack, made):
        yield kept


async def opened(page: Page, slack: SlackStandIn) -> Locator:
    await client_of(slack).chat_postMessage(channel="CGEN", text="Card", blocks=boxes(set()))
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await page.get_by_role("button", name="Open").click()
    return page.get_by_role("dialog")


async def choose(page: Page, dialog: Locator, label: str, *options: str) -> None:
    await dialog.get_by_label(label).click()
    for option in options:
        await page.get_by_role("option", name=option).click()
    if len(options) > 1:
        await page.keyboard.press("Escape")


async def test_every_kind_of_field_is_filled_in_refused_corrected_and_sent(
    page: Page, slack: SlackStandIn, app: App
) -> None:
    dialog = await opened(page, slack)
    await expect(dialog.get_by_label("What happened?")).to_be_focused()
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog.get_by_text("Please complete this required field.")).to_have_count(len(FIELDS))
    assert app.sent == [], "the client asks for them itself"
    await dialog.get_by_label("What happened?").fill("It fell")
    await dialog.get_by_label("How many?").fill("12")
    await dialog.get_by_label("When?").fill("2026-12-24")
    await dialog.get_by_label("At what time?").fill("09:30")
    await dialog.get_by_role("radio", name="Asia").check()
    await choose(page, dialog, "Whose?", "America")
    await dialog.get_by_role("checkbox", name="Europe").check()
    await dialog.get_by_role("checkbox", name="Asia").check()
    await choose(page, dialog, "Labels", "Europe", "Asia", "America")
    await dialog.get_by_label("Mail").fill("a@b.example")
    await expect(dialog.get_by_label("What happened?")).to_have_value("It fell")
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog.get_by_text("Enter a number within the allowed range.")).to_be_visible()
    await dialog.get_by_label("How many?").fill("7")
    await dialog.get_by_role("button", name="Send").click()
    for complaint in ("Say more.", "Not theirs.", "Not all of them."):
        await expect(dialog.get_by_text(complaint)).to_be_visible()
    assert await violations_in_both_schemes(page) == []
    await page.set_viewport_size({"width": 360, "height": 640})
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    assert await dialog.locator(".modal-body").evaluate("one => one.scrollWidth - one.clientWidth") == 0
    await dialog.get_by_label("What happened?").fill("It fell down")
    await choose(page, dialog, "Whose?", "Europe")
    await dialog.get_by_role("checkbox", name="Asia").uncheck()
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_be_hidden()
    first, last = app.sent
    assert [option["value"] for option in first["f7"]["selected_options"]] == ["europe", "asia"], "no more than two"
    assert (first["f0"]["value"], last["f0"]["value"]) == ("It fell", "It fell down")
    assert (last["f1"]["value"], last["f2"]["selected_date"], last["f3"]["selected_time"]) == (
        "7", "2026-12-24", "09:30"
    )  # fmt: skip
    assert (last["f4"]["selected_option"]["value"], last["f5"]["selected_option"]["value"]) == ("asia", "europe")
    assert [option["value"] for option in last["f6"]["selected_options"]] == ["europe"]
    assert last["f8"]["value"] == "a@b.example"
    assert not app.closed.is_set()


@pytest.mark.slow  # the stand-in's answers are asked in tests/adapters; here its look
async def test_a_form_closed_by_its_person_is_told(page: Page, slack: SlackStandIn, app: App) -> None:
    dialog = await opened(page, slack)
    await expect(dialog).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await asyncio.wait_for(app.closed.wait(), 5)


@pytest.mark.slow  # the stand-in's answers are asked in tests/adapters; here its look
async def test_two_people_tick_one_list_and_each_sees_it_as_it_was_drawn(
    browser: Browser, page: Page, slack: SlackStandIn, app: App
) -> None:
    client = client_of(slack)
    ts = str((await client.chat_postMessage(channel="CGEN", text="List", blocks=boxes(set())))["ts"])
    other = await browser.new_page()
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await other.goto(f"{slack.url}/client/?user=UBEN&channel=CGEN")
    await slack.person("UBEN").freeze()
    await page.get_by_label("Notes reviewed").check()
    await expect(page.get_by_label("Notes reviewed")).to_be_checked()
    await client.chat_update(channel="CGEN", ts=ts, text="List", blocks=boxes({"Notes reviewed"}))
    await expect(other.get_by_label("Notes reviewed")).not_to_be_checked()
    await other.get_by_label("On-call knows").check()
    await expect(other.get_by_label("On-call knows")).to_be_checked()
    await slack.person("UBEN").refresh()
    await expect(other.get_by_label("Notes reviewed")).to_be_checked()
    await expect(other.get_by_label("On-call knows")).not_to_be_checked()
    both = {"Notes reviewed", "On-call knows"}
    await client.chat_update(channel="CGEN", ts=ts, text="List", blocks=boxes(both))
    for shown in (page, other):
        for label in LIST:
            await expect(shown.get_by_label(label)).to_be_checked(checked=label in both)
    assert app.touched == [("list.", ["Notes reviewed"]), ("list.", ["On-call knows"])]
    await other.close()
