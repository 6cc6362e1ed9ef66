"""The browser that the tests of this folder stand on."""

from __future__ import annotations

from playwright.async_api import Browser, Page

from tests.browser.trouble import troubles


async def test_a_page_is_laid_out_and_runs_scripts(page: Page) -> None:
    await page.set_content("<p style='width: 120px'>Ship it?</p>")
    assert await page.evaluate("document.querySelector('p').getBoundingClientRect().width") == 120


async def test_a_failing_script_is_noticed(browser: Browser) -> None:
    page = await browser.new_page()
    noticed = troubles(page)
    async with page.expect_event("pageerror"):
        await page.set_content("<script>throw new Error('lost')</script>")
    assert noticed == ["a script failed: lost"]


async def test_a_request_to_another_machine_is_noticed(browser: Browser) -> None:
    page = await browser.new_page()
    noticed = troubles(page)
    await page.route("http://fonts.example/**", lambda route: route.abort())
    async with page.expect_event("requestfailed"):
        await page.set_content("<img src='http://fonts.example/a.png'>", wait_until="commit")
    assert noticed == ["asked http://fonts.example/a.png"]
