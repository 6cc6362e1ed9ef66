"""The page in front of Slack's, in a real browser: on a phone, by keyboard, in both colour schemes, there and back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, expect

from adapters.slack.manifest import POWERS
from core.addresses import Provider
from tests.browser.judge import violations_in_both_schemes
from tests.flows.installed import GAMMA, Place, installable
from tests.flows.rig import sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
WIDTH = 360


@pytest_asyncio.fixture(loop_scope="session")
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    async with installable(sqlite_at(tmp_path)) as found:
        yield found


async def test_with_a_keyboard_on_a_phone_somebody_reads_whose_it_is_goes_to_slack_and_is_told_again(
    place: Place, browser: Browser
) -> None:
    await place.browser().install(await place.invite(code="first"), GAMMA)
    context = await browser.new_context(viewport={"width": WIDTH, "height": 800})
    page = await context.new_page()
    await page.goto(await place.invite(code="second"))
    await expect(page.get_by_role("heading", level=1)).to_have_text("Connect your Slack to sayso?")
    await expect(page.get_by_role("term").first).to_have_text("This link belongs to")
    await expect(page.get_by_role("listitem")).to_have_count(len(POWERS))
    assert await page.evaluate("document.documentElement.scrollWidth") == WIDTH
    assert await violations_in_both_schemes(page) == []
    for name in ("Skip to the content", "sayso", "Go on to Slack"):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent.trim()") == name
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/slack/oauth_redirect**")
    await expect(page.get_by_role("heading", level=1)).to_contain_text("is connected to sayso")
    assert await page.evaluate("document.documentElement.scrollWidth") == WIDTH
    assert await violations_in_both_schemes(page) == []
    kept = await place.app.store.records.installations()
    assert {one.provider for one in kept} == {Provider.SLACK}
    assert len(kept) == 2
