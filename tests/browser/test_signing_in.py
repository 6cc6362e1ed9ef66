"""Signing in with Slack, with Telegram, with an operator's provider, and from inside Telegram, in a real browser."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from html import escape
from urllib.parse import quote

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect

from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE
from bot.web.bots import ProvingBot
from core.people import Identity
from core.use_cases.transact import transact
from tests.browser.judge import violations_in_both_schemes
from tests.browser.pages_served import Service, served
from tests.web.providers import Providers, providers
from tests.web.visiting import DAN

CLEO = 42
IN_TELEGRAM = "window.TelegramWebviewProxy = {postEvent() {}}"
"""What Telegram's own window has and no link can give to another."""


@dataclass
class Doors:
    """The pages, and everybody that people sign in with."""

    service: Service
    p: Providers
    telegram: TelegramStandIn

    def app(self, user: int = CLEO, to: str = "/loops") -> str:
        """The address at which Telegram opens a page for somebody now."""
        proof = quote(self.telegram.saying_who.init_data(user), safe="")
        at = f"{self.service.base}/telegram/app/{self.telegram.bot_id}?next={to}"
        return f"{at}#tgWebAppData={proof}&tgWebAppVersion=9.1&tgWebAppPlatform=ios&tgWebAppThemeParams=%7B%7D"


@pytest_asyncio.fixture(loop_scope="session")
async def doors(sqlite_store_url: str) -> AsyncIterator[Doors]:
    telegram = TelegramStandIn(StandInSettings())
    telegram.scene.create_user("Cleo", user_id=CLEO)
    bot = ProvingBot(str(telegram.bot_id), WORKSPACE, telegram.bot_token, own=True)
    async with contextlib.AsyncExitStack() as stack:
        found = await stack.enter_async_context(providers())
        await stack.enter_async_context(telegram.serve())
        site = f"{telegram.api_url}/login"
        service = await stack.enter_async_context(
            served(sqlite_store_url, parties=found.parties, bots=lambda: (bot,), telegram_site=site)
        )
        clock = service.stage.clock
        clock.move(seconds=(datetime.now(UTC) - clock.now()).total_seconds())
        yield Doors(service, found, telegram)


async def phone(browser: Browser) -> Page:
    return await (await browser.new_context(viewport={"width": 360, "height": 800})).new_page()


async def test_the_ways_in_fit_a_phone_and_nobody_stumbles(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await page.goto(f"{doors.service.base}/signin?next=/loops")
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []
    buttons = await page.get_by_role("button").all_inner_texts()
    own = doors.p.own.issuer.partition("://")[2]
    assert buttons == [
        "Sign in with Slack", f"Sign in with {own}", "Sign in with Telegram", "Send me a code",
    ]  # fmt: skip
    await page.goto(doors.app())
    await page.get_by_role("button", name="Go on as Cleo").wait_for()
    assert await page.evaluate("document.documentElement.scrollWidth") == 360
    assert await violations_in_both_schemes(page) == []


async def test_with_a_keyboard_alone_slack_leads_in(doors: Doors, browser: Browser) -> None:
    doors.p.slack.openid.person = "U1"
    page = await phone(browser)
    await page.goto(f"{doors.service.base}/signin?next=/loops")
    for name in ("Skip to the content", "sayso", "Sign in with Slack"):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent.trim()") == name
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{doors.service.base}/loops")
    await expect(page.get_by_role("form", name="You")).to_contain_text("Ana")


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_the_operators_own_provider_leads_in(doors: Doors, browser: Browser) -> None:
    own = doors.p.own
    identity = Identity(provider="oidc", account=own.issuer, user=own.person)
    stage = doors.service.stage
    await transact(stage.context, lambda work: work.add_identity(DAN.id, WORKSPACE, identity))
    page = await phone(browser)
    await page.goto(f"{doors.service.base}/signin?next=/loops")
    await page.get_by_role("button", name=f"Sign in with {own.issuer.partition('://')[2]}").click()
    await page.wait_for_url(f"{doors.service.base}/loops")
    await expect(page.get_by_role("form", name="You")).to_contain_text("Dan")


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_telegram_leads_in_and_nothing_of_it_stays_in_the_address(doors: Doors, browser: Browser) -> None:
    doors.telegram.saying_who.person = CLEO
    page = await phone(browser)
    await page.goto(f"{doors.service.base}/signin?next=/loops")
    await page.get_by_role("button", name="Sign in with Telegram").click()
    await page.wait_for_url(f"{doors.service.base}/loops")
    await expect(page.get_by_role("form", name="You")).to_contain_text("Cleo")
    await page.go_back()
    assert "tgAuthResult" not in page.url


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_whoever_says_no_at_telegram_is_told_so(doors: Doors, browser: Browser) -> None:
    doors.telegram.saying_who.person = 0
    page = await phone(browser)
    await page.goto(f"{doors.service.base}/signin")
    await page.get_by_role("button", name="Sign in with Telegram").click()
    await expect(page.get_by_role("status")).to_contain_text("nobody was signed in")
    await page.get_by_role("link", name="Sign in another way").click()
    await page.wait_for_url(f"{doors.service.base}/signin")


async def test_inside_telegram_the_page_opens_by_itself(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await page.add_init_script(IN_TELEGRAM)
    await page.goto(doors.app())
    await page.wait_for_url(f"{doors.service.base}/loops")
    await expect(page.get_by_role("form", name="You")).to_contain_text("Cleo")


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_a_link_with_somebodys_proof_says_as_whom_and_waits(doors: Doors, browser: Browser) -> None:
    """Whoever made it would read what is typed there."""
    page = await phone(browser)
    await page.goto(doors.app())
    await page.get_by_role("button", name="Go on as Cleo").wait_for()
    assert "tgWebAppData" not in page.url
    await expect(page.get_by_role("status")).to_contain_text("Go on only if that is you")
    await page.get_by_role("link", name="sayso").click()
    await page.wait_for_url("**/signin**")  # nobody was signed in
    await page.goto(doors.app())
    await page.get_by_role("button", name="Go on as Cleo").click()
    await page.wait_for_url(f"{doors.service.base}/loops")
    await expect(page.get_by_role("form", name="You")).to_contain_text("Cleo")


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_without_a_proof_the_page_says_what_to_do(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await page.add_init_script(IN_TELEGRAM)
    await page.goto(doors.app().partition("#")[0])
    await expect(page.get_by_role("status")).to_contain_text("Open this page once more")


@pytest.mark.slow  # every way in is walked in tests/web; here one with a keyboard and one by script
async def test_in_telegrams_frame_it_only_leads_out(doors: Doors, browser: Browser) -> None:
    page = await phone(browser)
    await page.route(f"{doors.service.base}/**", _passed_on)
    for site, shown in (("https://web.telegram.org/", True), ("https://evil.example.com/", False)):
        await page.route(site, partial(_framing, doors.app()))
        await page.goto(site)
        frame = page.frame_locator("iframe")
        if shown:
            await expect(frame.get_by_role("status")).to_contain_text("inside another page")
            assert await frame.get_by_role("button").count() == 0
            link = frame.get_by_role("link", name="Open it in a browser")
            assert await link.get_attribute("target") == "_blank"
        else:
            assert "Open your page" not in await page.frames[1].content()


async def _framing(address: str, route: Route) -> None:
    """A page of another site that shows ours in a frame."""
    html = f'<!doctype html><iframe src="{escape(address)}"></iframe>'
    await route.fulfill(body=html, content_type="text/html")


async def _passed_on(route: Route) -> None:
    """Browsers let no public site reach into this machine: what is framed comes by way of the test."""
    await route.fulfill(response=await route.fetch())
