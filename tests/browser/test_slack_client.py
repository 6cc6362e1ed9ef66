"""The Slack stand-in's page in a real browser: cards are read, pressed and answered in words; nothing breaks out."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from slack_bolt.async_app import AsyncApp

from bot.sandbox.slack import SlackStandIn
from tests.adapters.slack.apps import acme, asks, bolt_app, button, client_of, modal, over_http, plain, row
from tests.browser.judge import violations, violations_in_both_schemes

OPTIONS = [{"text": plain(label), "value": label.lower()} for label in ("Europe", "America", "Asia")]
CARD: list[dict[str, Any]] = [
    {"type": "header", "text": plain("Release 4.2")},
    {
        "type": "section",
        "text": {"type": "mrkdwn", "text": "Canary is *clean* for <@UBEN>.\n&gt; no alerts\n`v4.2`"},
    },
    {"type": "section", "fields": [plain("Service"), plain("api")]},
    {"type": "divider"},
    row(
        button("Ship it", "yes", style="primary"),
        button("Hold back", "no", style="danger", confirm={n: plain(n) for n in ("title", "text", "confirm", "deny")}),
        button("In words…", "words"),
    ),
    row(
        {"type": "radio_buttons", "action_id": "region", "options": OPTIONS},
        {"type": "static_select", "action_id": "owner", "placeholder": plain("Choose an owner"), "options": OPTIONS},
        {
            "type": "multi_static_select",
            "action_id": "labels",
            "placeholder": plain("Choose labels"),
            "options": OPTIONS,
        },
        {"type": "datepicker", "action_id": "day", "initial_date": "2026-12-24"},
        {"type": "overflow", "action_id": "more", "options": OPTIONS[:2]},
        block_id="choices",
    ),
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "Anyone here may answer."}]},
]


@pytest_asyncio.fixture(loop_scope="session")
async def slack() -> AsyncIterator[SlackStandIn]:
    async with acme() as stand_in:
        stand_in.workspace.change_user("UANA", real_name="Ana Ruiz")
        stand_in.workspace.change_user("UBEN", real_name="Ben Okafor")
        yield stand_in


@pytest_asyncio.fixture(loop_scope="session")
async def app(slack: SlackStandIn) -> AsyncIterator[AsyncApp]:
    """An app that acknowledges every choice, and answers some."""
    made = bolt_app(slack)

    @made.action("yes")
    async def refuse(ack: Any, respond: Any) -> None:
        await ack()
        await respond("Only *Ben* may answer this.", replace_original=False)

    @made.action("no")
    async def hold(ack: Any, respond: Any) -> None:
        await ack()
        await respond("Held back.", replace_original=False)

    @made.action("words")
    async def words(ack: Any, body: dict[str, Any], client: Any) -> None:
        await client.views_open(trigger_id=body["trigger_id"], view=modal(asks("Why?", multiline=True)))
        await ack()

    @made.action(re.compile("."))
    async def choose(ack: Any) -> None:
        await ack()

    @made.view("form")
    async def submitted(ack: Any, view: dict[str, Any]) -> None:
        if view["state"]["values"]["why"]["text"]["value"] == "because":
            await ack(response_action="errors", errors={"why": "Name a ticket."})
        else:
            await ack()

    @made.event("app_home_opened")
    async def home(event: dict[str, Any], client: Any) -> None:
        blocks = [{"type": "header", "text": plain("Your open cards")}]
        await client.views_publish(user_id=event["user"], view={"type": "home", "blocks": blocks})

    async with over_http(slack, made):
        yield made


async def test_a_card_is_read_pressed_and_answered_in_words(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    client = client_of(slack)
    ts = (await client.chat_postMessage(channel="CGEN", text="Release", blocks=CARD))["ts"]
    message = page.get_by_role("article").first
    await expect(message.get_by_role("heading")).to_have_text("Release 4.2")
    await expect(message.locator("strong").nth(1)).to_have_text("clean")
    await expect(message.locator(".mention")).to_have_text("@Ben Okafor")
    await expect(message.locator("blockquote")).to_have_text("no alerts")
    assert await violations_in_both_schemes(page) == []
    await page.get_by_role("button", name="Ship it").click()
    await expect(page.locator(".message.private")).to_contain_text("Only Ben may answer this.")
    await page.get_by_role("button", name="In words…").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_role("heading")).to_have_text("Form")
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_contain_text("Please complete this required field.")
    await dialog.get_by_label("Why?").fill("because")
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_contain_text("Name a ticket.")
    await expect(dialog.get_by_label("Why?")).to_have_value("because")
    assert await violations_in_both_schemes(page) == []
    await dialog.get_by_label("Why?").fill("OPS-1")
    await dialog.get_by_role("button", name="Send").click()
    await expect(dialog).to_be_hidden()
    await client.chat_update(channel="CGEN", ts=ts, text="Shipped by Ana")
    await expect(message).to_contain_text("Shipped by Ana (edited)")
    await expect(page.get_by_role("button", name="Ship it")).to_have_count(0)


async def test_choices_are_made_with_the_keyboard_and_kept(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    ts = (await client_of(slack).chat_postMessage(channel="CGEN", text="Release", blocks=CARD))["ts"]
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await page.get_by_label("America").check()
    await page.get_by_role("button", name="Choose an owner").press("Enter")
    await page.keyboard.type("as")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Asia")).to_be_visible()
    await page.get_by_role("button", name="Choose labels").click()
    await page.get_by_role("option", name="Europe").click()
    await page.get_by_role("option", name="Asia").click()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Europe Asia")).to_be_focused()
    await page.get_by_label("Date", exact=False).first.fill("2026-12-31")
    await page.get_by_role("button", name="Hold back").click()
    await page.get_by_role("dialog").get_by_role("button", name="confirm").click()
    await expect(page.locator(".message.private")).to_contain_text("Held back.")
    message = slack.platform.world.message("CGEN", ts)
    assert message
    held = slack.platform.form("UANA", message)
    assert held["choices", "region"]["selected_option"]["value"] == "america"
    assert held["choices", "owner"]["selected_option"]["value"] == "asia"
    assert [option["value"] for option in held["choices", "labels"]["selected_options"]] == ["europe", "asia"]
    assert held["choices", "day"]["selected_date"] == "2026-12-31"
    sent = [d.payload["actions"][0]["action_id"] for d in slack.platform.journal.deliveries if "actions" in d.payload]
    assert sorted(sent) == ["day", "labels", "no", "owner", "region"]
    assert list(slack.platform.journal.troubles) == []


@pytest.mark.slow  # the same page as in the tests above, in another state
async def test_the_other_person_sees_the_same_card_with_nothing_chosen(
    page: Page, slack: SlackStandIn, app: AsyncApp
) -> None:
    await client_of(slack).chat_postMessage(channel="CGEN", text="Release", blocks=CARD)
    await slack.person("UANA").choose("Asia", action_id="region")
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await expect(page.get_by_label("Asia")).to_be_checked()
    await page.get_by_label("You are").select_option("Ben Okafor")
    await expect(page.get_by_label("Asia")).not_to_be_checked()


@pytest.mark.slow  # the same page as in the tests above, in another state
async def test_a_thread_is_read_and_replied_to(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    client = client_of(slack)
    ts = (await client.chat_postMessage(channel="CGEN", text="Parent"))["ts"]
    await client.chat_postMessage(channel="CGEN", text="First reply", thread_ts=ts)
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await page.get_by_role("button", name="1 reply").click()
    thread = page.get_by_label("Thread", exact=True)
    await expect(thread).to_contain_text("First reply")
    await thread.get_by_label("Reply", exact=True).fill("Second <reply>")
    await page.keyboard.press("Enter")
    await expect(thread).to_contain_text("Second <reply>")
    await thread.get_by_role("button", name="Close thread").click()
    await expect(page.get_by_role("button", name="2 replies")).to_be_visible()
    assert slack.platform.world.replies("CGEN", ts)[-1].text == "Second &lt;reply&gt;"


@pytest.mark.slow  # the same page as in the tests above, in another state
async def test_the_apps_home_and_its_silence_are_shown(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    await client_of(slack).chat_postMessage(channel="CGEN", text="Release", blocks=CARD)
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    slack.request_url = "http://127.0.0.1:1/"
    await page.get_by_role("button", name="Ship it").click()
    await expect(page.get_by_role("alert")).to_contain_text("did not answer (connection_failed)")
    assert await violations(page) == []


@pytest.mark.slow  # the same page as in the tests above, in another state
async def test_home_opens_from_the_list_of_apps(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await page.get_by_role("navigation").get_by_role("button", name="sayso").click()
    await expect(page.get_by_role("heading", name="Your open cards")).to_be_visible()
    await page.get_by_role("tab", name="Messages").click()
    await page.get_by_label("Message", exact=True).fill("hello there")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_role("article")).to_contain_text("hello there")


async def test_words_from_cards_stay_words(page: Page, slack: SlackStandIn, app: AsyncApp) -> None:
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    escaped = hostile.replace("<", "&lt;").replace(">", "&gt;")
    slack.workspace.change_user("UBEN", real_name=hostile)
    rich = {"type": "rich_text_section", "elements": [{"type": "text", "text": hostile}]}
    blocks: list[dict[str, Any]] = [
        {"type": "header", "text": plain(escaped[:150])},
        {"type": "section", "text": {"type": "mrkdwn", "text": f"{hostile} <javascript:alert(3)|press> <@UBEN>"}},
        {"type": "rich_text", "elements": [rich]},
        {"type": "markdown", "text": f"{hostile} [x](javascript:alert(4))"},
        row(button(escaped[:75], "yes")),
    ]
    await client_of(slack).chat_postMessage(channel="CGEN", text="x", blocks=blocks)
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    card = page.get_by_role("article")
    await expect(card.locator(".rich").first).to_have_text(hostile)
    assert await card.locator("img, script").count() == 0
    assert await page.locator('a[href^="javascript"]').count() == 0
    await expect(card.get_by_role("button", name="<img src=x")).to_be_visible()


@pytest.mark.slow  # the same page as in the tests above, in another state
async def test_a_phone_shows_everything_without_scrolling_sideways(
    page: Page, slack: SlackStandIn, app: AsyncApp
) -> None:
    long = {"type": "section", "text": plain("word" * 200)}
    await client_of(slack).chat_postMessage(channel="CGEN", text="Release", blocks=[*CARD, long])
    await page.set_viewport_size({"width": 360, "height": 720})
    await page.goto(f"{slack.url}/client/?user=UANA&channel=CGEN")
    await expect(page.get_by_role("article")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    assert await page.locator("#messages").evaluate("one => one.scrollWidth - one.clientWidth") == 0
    await page.get_by_role("button", name="Conversations").click()
    await expect(page.get_by_role("navigation")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("navigation")).to_be_hidden()
