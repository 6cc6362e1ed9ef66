"""Somebody who links their accounts: the pages, whom they sign in with, and what they press."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from bot.sandbox.telegram.settings import StandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE
from bot.web.bots import ProvingBot
from core.audit import Changed
from core.people import Identity, Person, Standing
from core.use_cases.people import recognise
from core.use_cases.transact import transact
from tests.web.providers import Providers, follow, providers
from tests.web.visiting import ANA, BASE, Browser, Stage, code_in, fields_of, staged

ZED = Identity(provider="telegram", user="66")
"""An account of Telegram that nobody has."""
SLACK_ANA = str(ANA.identities[0])
_FORM = re.compile(r"<form.*?</form>", re.DOTALL)


@dataclass
class Scene:
    """The pages, and everybody that people sign in with."""

    stage: Stage
    p: Providers
    telegram: TelegramStandIn

    async def signed_in(self, name: str = "ana") -> Browser:
        browser = self.stage.browser()
        await browser.sign_in(name, "/accounts")
        return browser

    async def press(
        self, browser: Browser, action: str, button: str = "", fields: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """Press a button of the form that goes to `action`, on the page that is open."""
        forms = [one for one in _FORM.findall(browser.text) if f'action="{action}"' in one]
        form = next(one for one in forms if not button or f'value="{button}"' in one)
        data = {**dict(fields_of(form)), **(fields or {}), **({"do": button} if button else {})}
        answer = await browser.http.post(action, data=data, follow_redirects=not action.startswith("/accounts/link/"))
        if "text/html" in answer.headers.get("content-type", ""):
            browser.page = answer
        return answer

    async def prove_by_code(self, browser: Browser, name: str = "telegram:66") -> int:
        """Ask for a code for another account and type it; then both are shown."""
        await browser.open("/accounts")
        await self.press(browser, "/accounts", "code", {"name": name})
        code = code_in((await self.stage.messages())[-1].text)
        return (await self.press(browser, "/accounts/code", fields={"code": code})).status_code

    async def way_back(self, browser: Browser, provider: str) -> str:
        """Set out to sign in with another account; the path that leads back."""
        await browser.open("/accounts")
        left = await self.press(browser, f"/accounts/link/{provider}")
        assert left.status_code == 303, left.text
        return (await follow(left.headers["location"])).removeprefix(BASE)

    async def prove_with_telegram(self, browser: Browser, user: int) -> httpx2.Response:
        await browser.open("/accounts")
        left = await self.press(browser, "/accounts/link/telegram")
        back = urlsplit(parse_qs(urlsplit(left.headers["location"]).query)["return_to"][0])
        await browser.open(f"{back.path}?{back.query}")
        stamp = int(self.stage.clock.now().timestamp())
        proof = self.telegram.saying_who.login_result(user, auth_date=stamp)
        return await browser.send("/signin/telegram/return", {"proof": proof})

    async def link(self, browser: Browser) -> httpx2.Response:
        return await self.press(browser, "/accounts/confirm", "link")

    async def accounts(self, handle: str) -> list[str]:
        person = await self.stage.store.records.person_by_handle(WORKSPACE, handle)
        return [] if person is None else [str(one) for one in person.identities]

    async def audited(self) -> list[tuple[Changed, str, str | None]]:
        """What was done to people's accounts by people, oldest first."""
        lines = await self.stage.store.records.audited(WORKSPACE)
        return [(one.what, str(one.actor), one.actor.identity) for one in reversed(lines)]

    async def stranger(self, identity: Identity = ZED) -> Person:
        """Somebody whom nobody added, who acted with this account."""
        return await transact(
            self.stage.context,
            lambda work: recognise(work, self.stage.context, WORKSPACE, identity, Standing(name="Zed")),
        )


@pytest.fixture
async def scene(sqlite_store_url: str) -> AsyncIterator[Scene]:
    telegram = TelegramStandIn(StandInSettings())
    for number, name in ((42, "Cleo"), (66, "Zed"), (77, "Eve")):
        telegram.scene.create_user(name, user_id=number)
    bots = [ProvingBot(str(telegram.bot_id), WORKSPACE, telegram.bot_token, own=True)]
    site = "https://oauth.telegram.org"
    async with (
        providers() as served,
        staged(sqlite_store_url, parties=served.parties, bots=lambda: bots, telegram_site=site) as stage,
    ):
        yield Scene(stage, served, telegram)
