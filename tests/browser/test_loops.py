"""The pages of work orders in a real browser: in both colour schemes, on a phone, with a keyboard."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from core.loops import Claim, Decline
from tests.browser.judge import violations_in_both_schemes
from tests.browser.pages_served import Service, served
from tests.web.test_pages_loops import order

BODY = "Check **each** node:\n\n- one\n- two\n\n| node | state |\n|---|---|\n| a | up |\n"


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        yield running


async def test_orders_are_read_and_ended_on_a_phone_and_nobody_stumbles(service: Service, browser: Browser) -> None:
    await order(service.stage, "wo-1", Claim(), body=BODY, due="45m", slots=3)
    await order(service.stage, "wo-2", Decline("The node is down, and " + "very " * 40 + "much so"))
    context = await browser.new_context(viewport={"width": 360, "height": 900})
    page = await context.new_page()
    await service.sign_in(page, "ben", to="/loops/wo-1")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []
    await page.get_by_label("Slot to claim").select_option(label="Slot 3")
    await page.get_by_role("button", name="Claim").press("Enter")
    await page.get_by_text("Saved.").wait_for()
    summary = page.locator("summary", has_text="Done…")
    await summary.press("Enter")
    await page.get_by_role("button", name="Send").first.press("Enter")
    await page.get_by_text("Say what came of it").wait_for()
    assert await violations_in_both_schemes(page) == []
    await page.get_by_label("What came of it").fill("OK all three are up")
    await page.get_by_role("button", name="Send").first.press("Enter")
    await page.get_by_text("Saved.").wait_for()
    await page.goto(f"{service.base}/loops")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []
    await order(service.stage, "wo-3", to="person:ben", due="45m")
    for path in ("/loops", "/inbox"):
        await page.goto(f"{service.base}{path}")
        assert await page.locator("a[href$='/loops/wo-3']").is_visible(), path
        assert await violations_in_both_schemes(page) == []
