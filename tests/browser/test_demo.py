"""The demo in a real browser: any format is asked at a press, answered in one frame, and settled in all of them."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page, expect

from bot.demo import opened
from tests.browser.judge import violations

FITS = "document.documentElement.scrollHeight <= innerHeight"


async def test_a_format_is_asked_at_a_press_and_settles_in_every_frame(page: Page, tmp_path: Path) -> None:
    async with opened(tmp_path, 0) as url:
        await page.set_viewport_size({"width": 1700, "height": 900})
        await page.goto(url)
        await expect(page.get_by_role("listitem").first).to_contain_text("waits for a person")
        await page.get_by_role("link", name="Gallery").click()
        await page.get_by_role("button", name="closed choice").click()
        slack, telegram, review = (page.frame_locator(f"#{name}") for name in ("slack", "telegram", "review"))
        await expect(slack.get_by_role("button", name="Ship it now")).to_be_visible()
        await expect(review.get_by_role("button", name="Submit")).to_be_visible()
        await telegram.get_by_role("button", name="Ship it now").click()
        await expect(page.locator("#saved .state")).to_have_text("answered")
        await expect(page.locator("#saved")).to_contain_text('"via": "telegram"')
        await expect(review.get_by_role("heading", name="Outcome")).to_be_visible()
        await expect(slack.locator("#messages")).to_contain_text("Answered by Ana in Telegram")
        await expect(slack.get_by_role("button", name="Ship it now")).to_have_count(0)
        assert await violations(page) == []
        assert await page.evaluate(FITS)
        await page.get_by_role("link", name="The agent").click()
        await expect(slack.get_by_role("heading", name="releases")).to_be_visible()
        assert await page.evaluate(FITS)
