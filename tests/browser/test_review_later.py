"""Putting a card off and handing it on, in a real browser: by keyboard, without scripts, and with half an answer."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from bot.startup import WORKSPACE
from core.use_cases.settings import set_times
from tests.browser.judge import violations
from tests.browser.pages_served import Service, served
from tests.browser.trouble import troubles
from tests.web.visiting import question

TEXT = {"id": "why", "type": "text", "prompt": "Why?", "multiline": False}
FOR_ANA = {"audience": {"answerers": ["person:ana"]}, "to": "review", "payload": {"questions": [TEXT]}}


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        await set_times(running.stage.context, WORKSPACE, "per_ana", "Europe/Madrid", None)
        yield running


@pytest.mark.slow  # what the fields about time do is asked of the pages in tests/web
@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
async def test_enter_in_a_field_about_time_does_what_the_field_says_and_never_answers(
    service: Service, browser: Browser, scripts: bool
) -> None:
    id = await service.stage.ask(question(**FOR_ANA))
    page = await (await browser.new_context(java_script_enabled=scripts)).new_page()
    await service.sign_in(page, "ana", f"/review/{id}")
    await page.get_by_text("Not now").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("Waiting for Ana.")).to_be_visible()
    await page.get_by_label("Or at this time").fill("yesterday")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("alert")).to_contain_text("Write a time like 20m")
    field = page.get_by_label("Or at this time")
    await expect(field).to_have_value("yesterday")
    await expect(field).to_have_accessible_description(
        "Write a time like 20m, 2h, 18:30, tomorrow 9:00, mon 9:00 or 2026-12-05 09:00. It is read in your time zone, "
        "Europe/Madrid. Error: Write a time like 20m, 2h, 18:30, tomorrow 9:00, mon 9:00 or 2026-12-05 09:00."
    )
    await field.fill("fri 9:30")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").first).to_contain_text("You will be reminded on 4 Dec 2026, 09:30 CET.")
    await page.get_by_text("Not now").click()
    await page.get_by_label("Hand it to").fill("@ben")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").first).to_contain_text("Ben may answer this now as well.")
    card = await service.stage.card(id)
    assert card.is_pending
    assert [one.to for one in card.delegations] == ["person:ben"]


async def test_half_an_answer_is_kept_when_a_card_is_put_off_right_after_typing(
    service: Service, browser: Browser
) -> None:
    id = await service.stage.ask(question(**FOR_ANA))
    page = await browser.new_page()
    noticed = troubles(page)
    await service.sign_in(page, "ana", f"/review/{id}")
    await page.get_by_label("Why?").fill("half an ans")
    await page.get_by_text("Not now").click()
    await page.get_by_role("group", name="Remind me").get_by_role("button", name="In 15 minutes").click()
    await expect(page.get_by_text("You will be reminded on 2 Dec 2026, 11:15 CET.")).to_be_visible()
    await expect(page.get_by_label("Why?")).to_have_value("half an ans")
    await page.get_by_text("Not now").click()
    assert await violations(page) == []
    assert noticed == []


@pytest.mark.slow  # what the fields about time do is asked of the pages in tests/web
async def test_ones_zone_and_list_are_set_on_the_inbox(service: Service, browser: Browser) -> None:
    page = await browser.new_page()
    await service.sign_in(page)
    await page.get_by_text("Time zone and morning list").click()
    await page.get_by_label("Your time zone").fill("Europe/Madird")
    await page.get_by_label("Send me a list in the morning").check()
    await page.get_by_label("At what time").fill("08:15")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("There is no time zone called Europe/Madird")
    assert await violations(page) == []
    await page.get_by_label("Your time zone").fill("Europe/Lisbon")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_have_text("Saved. Your next list comes on 3 Dec 2026, 08:15 WET.")
    await page.get_by_text("Time zone and morning list").click()
    await expect(page.get_by_label("At what time")).to_have_value("08:15")
    assert await violations(page) == []
