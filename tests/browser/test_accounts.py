"""A person's accounts in a real browser: with a keyboard, on a phone, in both schemes."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser.judge import violations_in_both_schemes
from tests.browser.test_signing_in import Doors, doors, phone
from tests.web.visiting import code_in

__all__ = ["doors"]


async def holds_up(page: Page, title: str) -> None:
    """The page of this title is there, fits, and keeps nobody out."""
    await expect(page).to_have_title(f"{title} · sayso")
    await page.wait_for_load_state()
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []


@pytest.mark.slow  # the same pages by touch, and the same rule as tests/web asks of them
async def test_an_account_is_linked_and_unlinked_on_a_phone(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await doors.service.sign_in(page)
    await page.get_by_role("link", name="Your accounts: Ana").click()
    await holds_up(page, "Your accounts")
    await page.get_by_label("Or its name in a chat").fill("telegram:66")
    await page.get_by_role("button", name="Send a code there").click()
    await holds_up(page, "Type the code")
    await page.get_by_label("Code", exact=True).fill("0")
    await page.get_by_role("button", name="Go on").click()
    await expect(page.get_by_role("alert")).to_contain_text("does not work")
    await holds_up(page, "Error: Type the code")
    code = code_in((await doors.service.stage.messages())[-1].text)
    await page.get_by_label("Code", exact=True).fill(code)
    await page.get_by_role("button", name="Go on").click()
    await expect(page.get_by_role("definition")).to_contain_text(["T1.U1", "66"])
    await holds_up(page, "Link two accounts")
    await page.get_by_role("button", name="Link both").click()
    await expect(page.get_by_role("status")).to_contain_text("is linked")
    await holds_up(page, "Your accounts")
    await page.get_by_role("button", name="Unlink Telegram 66").click()
    await expect(page.get_by_role("status")).to_contain_text("not yours here any more")


async def test_telegram_proves_an_account_with_a_keyboard_alone(doors: Doors, browser: Browser) -> None:
    doors.telegram.scene.create_user("Zed", user_id=66)
    doors.telegram.saying_who.person = 66
    page = await phone(browser)
    await doors.service.sign_in(page, to="/accounts")
    await page.get_by_role("button", name="Sign in with Telegram").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url("**/accounts/confirm?**")
    await expect(page.get_by_role("definition").nth(1)).to_contain_text("Zed 66")
    await page.get_by_role("button", name="Link both").focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("is linked")


@pytest.mark.slow  # the same pages by touch, and the same rule as tests/web asks of them
async def test_an_old_session_is_asked_to_sign_in_again(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await doors.service.sign_in(page, to="/accounts")
    doors.service.stage.clock.move(minutes=16)
    await page.reload()
    await holds_up(page, "Your accounts")
    assert await page.get_by_role("button").all_inner_texts() == ["Sign out"]
    await page.get_by_role("link", name="Sign in again").click()
    await page.wait_for_url("**/signin?again&next=/accounts")
