"""The operators' page of how things stand, in a real browser: in both colour schemes, on a phone, with a keyboard."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest_asyncio
from playwright.async_api import Browser

from core.outbox import Lane
from tests.browser.judge import violations_in_both_schemes
from tests.browser.pages_served import Service, served
from tests.web.test_pages_status import HEAR, SAY, give_up


@pytest_asyncio.fixture(loop_scope="session")
async def service(sqlite_store_url: str) -> AsyncIterator[Service]:
    async with served(sqlite_store_url) as running:
        yield running


async def test_it_reads_well_on_a_phone_and_nobody_stumbles(service: Service, browser: Browser) -> None:
    stage = service.stage
    stage.accounts["con_1"] = replace(stage.accounts["con_1"], problem="Slack says: token_revoked")
    await give_up(stage, SAY, Lane.TALK, "channel_not_found: there is no such channel")
    await give_up(stage, HEAR, Lane.HEAR, "the receiver answered 410")
    context = await browser.new_context(viewport={"width": 360, "height": 1000})
    page = await context.new_page()
    await service.sign_in(page, to="/status")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []
    assert await page.get_by_role("heading", level=2).all_inner_texts() == [
        "Look at this first", "Chats", "Waiting", "Webhooks in the last 24 hours", "Given up",
    ]  # fmt: skip
