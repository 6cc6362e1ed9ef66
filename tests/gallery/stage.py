"""What the gallery plays on: the whole service, both stand-ins, a browser, Ana who answers, Bea who looks on."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from playwright.async_api import Browser, BrowserContext, Page, ViewportSize, async_playwright

from bot.sandbox.gallery import Format
from bot.startup import WORKSPACE
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.people import AgentRole, Identity, Role
from core.use_cases.agents import add_agent
from core.use_cases.directory import add_person
from tests.browser import chromium
from tests.browser.trouble import troubles
from tests.flows.rig import ANA, BEA, TG_ANA, TG_BEA, TG_CARL, Rig, eventually, rig, sqlite_at

WIDTH, HEIGHT = 720, 800
"""Of the windows, in CSS pixels: the Slack client shows one conversation and no list of them."""
SHARPNESS = 1.5
PUBLIC = "https://sayso.acme.example"
"""With a public address, cards carry the button that leads to the review page. Nobody follows it here."""
ASKER, CHECKER = "release-bot", "checker"


@dataclass
class Stage:
    """Everything the gallery drives."""

    rig: Rig
    browser: Browser
    asker: httpx2.AsyncClient
    checker: httpx2.AsyncClient
    windows: dict[str, BrowserContext] = field(default_factory=dict)
    noticed: list[list[str]] = field(default_factory=list)
    rooms: dict[str, tuple[str, int]] = field(default_factory=dict)

    async def page(self, person: str) -> Page:
        """A new page in a person's browser. What goes wrong on it unseen is noticed."""
        if person not in self.windows:
            size = ViewportSize(width=WIDTH, height=HEIGHT)
            self.windows[person] = await self.browser.new_context(viewport=size, device_scale_factor=SHARPNESS)
        page = await self.windows[person].new_page()
        self.noticed.append(troubles(page))
        return page

    def room(self, one: Format) -> tuple[str, int]:
        """The Slack channel and the Telegram group in which a format is asked."""
        if one.room not in self.rooms:
            channel = self.rig.slack.workspace.add_channel(one.room, [ANA, BEA])
            title = one.room.replace("-", " ").capitalize()
            group = self.rig.telegram.scene.create_group(title, [TG_CARL, TG_ANA, TG_BEA])
            self.rooms[one.room] = channel.id, group.id
        return self.rooms[one.room]

    async def ask(self, one: Format, to: str, answerer: str = "conversation") -> dict[str, Any]:
        """Ask, and return the interaction once its card is up."""
        request = {**one.request, "to": to, "audience": {"answerers": [answerer]}}
        said = await self.asker.post("/v1/interactions", json=request)
        assert said.status_code == 201, said.text
        return await self.rig.posted(said.json()["id"])

    async def sign_in(self) -> None:
        """As Ana does: the name, the code from her chat with the bot, the code typed."""
        page = await self.page("ana")
        await page.goto(f"{self.rig.url}/signin")
        await page.get_by_label("Your handle or chat account").fill(f"telegram:{TG_ANA}")
        await page.get_by_role("button", name="Send me a code").click()
        await page.get_by_label("Code", exact=True).fill(await eventually(self._code))
        await page.get_by_role("button", name="Sign in").click()
        await page.wait_for_url("**/inbox")
        await page.close()

    async def _code(self) -> str | None:
        texts = [message.text for message in self.rig.telegram.world.history(TG_ANA)]
        found = re.search(r"\b(\d{4}) (\d{4})\b", texts[-1]) if texts else None
        return found[1] + found[2] if found else None


@contextlib.asynccontextmanager
async def stage(folder: Path) -> AsyncIterator[Stage]:
    """Everything running, with a database in `folder`, and Ana signed in at the review pages."""
    path = chromium.find()
    if path is None:
        raise SystemExit("The gallery needs a Chromium: python tests/browser/chromium.py installs one.")
    async with contextlib.AsyncExitStack() as stack:
        running = await stack.enter_async_context(rig(sqlite_at(folder), sayso_public_url=PUBLIC))
        playwright = await stack.enter_async_context(async_playwright())
        asker = await stack.enter_async_context(await _agent(running, ASKER))
        checker = await stack.enter_async_context(await _agent(running, CHECKER))
        team = running.slack.platform.settings.team_id
        accounts = Identity(provider="slack", account=team, user=ANA), Identity(provider="telegram", user=str(TG_ANA))
        await add_person(running.apps[0].context, WORKSPACE, "ana", "Ana", Role.MEMBER, accounts)
        boss = (Identity(provider="slack", account=team, user=BEA), Identity(provider="telegram", user=str(TG_BEA)))
        await add_person(running.apps[0].context, WORKSPACE, "bea", "Bea", Role.OPERATOR, boss)
        browser = await playwright.chromium.launch(executable_path=path, args=list(chromium.FLAGS))
        made = Stage(running, browser, asker, checker)
        try:
            await made.sign_in()
            yield made
        finally:
            await browser.close()


async def _agent(running: Rig, name: str) -> httpx2.AsyncClient:
    """A new agent's way to the API."""
    key = make_key()
    context = running.apps[0].context
    await add_agent(context, WORKSPACE, name, AgentRole.AGENT, hash_key(key), make_webhook_secret())
    return httpx2.AsyncClient(base_url=running.url, headers={"Authorization": f"Bearer {key}"}, timeout=30)
