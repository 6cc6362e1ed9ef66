"""People at the pages: a service with a real database, chats that answer as told, and browsers that keep cookies."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from html import unescape
from typing import Any, cast

import httpx2
from starlette.applications import Starlette

from bot.authority import Authority
from bot.listing import Listing
from bot.moment import SystemIds
from bot.openid import RelyingParty
from bot.place_names import PlaceNames
from bot.startup import WORKSPACE
from bot.web.bots import Bots, no_bots
from bot.web.pages import build_pages
from core.addresses import Provider
from core.asking import ASK
from core.channels import Channel
from core.outbox import Lane, Say
from core.people import Agent, Identity, Person, Role
from core.ports import Connection, Context
from core.records import Interaction
from core.store import Store
from core.use_cases.ask import ask
from tests.stores import opened
from tests.web.calling import ANA, BEN, NOW, MovingClock, confirmation, question
from tests.web.places import Place

BASE = "https://sayso.example.com"
KEY = b"k" * 32
CLEO = Person(
    id="per_cleo",
    workspace=WORKSPACE,
    handle="cleo",
    name="Cleo <b>",
    identities=(Identity(provider="telegram", user="42"), Identity(provider="slack", account="T1", user="U3")),
)
DAN = Person(id="per_dan", workspace=WORKSPACE, handle="dan", name="Dan", role=Role.MEMBER)
BUILDER = Agent(id="agt_builder", workspace=WORKSPACE, name="builder")
CONNECTIONS = (
    Connection("con_1", WORKSPACE, Provider.SLACK, "T1", "Acme", "UBOT"),
    Connection("con_2", WORKSPACE, Provider.TELEGRAM, "acme_bot", "Acme", "1"),
)
_ONLY = {one.provider: one.account for one in CONNECTIONS}
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')

__all__ = [
    "ANA", "BASE", "BEN", "BUILDER", "CLEO", "DAN", "NOW", "Browser", "Place", "Stage", "confirmation", "question",
    "staged",
]  # fmt: skip


@dataclass
class Stage:
    """The pages and what is behind them."""

    app: Starlette
    store: Store
    clock: MovingClock
    context: Context
    slack: Place
    telegram: Place
    accounts: dict[str, Connection]
    sent: list[Say] = field(default_factory=list)

    def browser(self, base: str = BASE, at: str = "127.0.0.1", **headers: str) -> Browser:
        """A browser of somebody's own at a network address, with empty cookies. It says of itself what a current
        browser says."""
        said = {"sec-fetch-site": "same-origin", "origin": base, "user-agent": FIREFOX, **headers}
        transport = httpx2.ASGITransport(self.app, raise_app_exceptions=True, client=(at, 4711))
        return Browser(httpx2.AsyncClient(transport=transport, base_url=base, headers=said), self)

    async def ask(self, body: Mapping[str, Any]) -> str:
        request = ASK.validate_python(dict(body), strict=False)
        asked = await ask(self.context, request, BUILDER)
        id: str = asked.snapshot["id"]
        return id

    async def card(self, id: str) -> Interaction:
        whole = await self.store.records.interaction(WORKSPACE, id, None)
        assert whole is not None
        return whole.interaction

    async def latest_code(self) -> str:
        """The code in the last message."""
        return code_in((await self.messages())[-1].text)

    async def messages(self) -> list[Say]:
        """Every message sent to a chat so far, as a relay would have sent them."""
        now = self.clock.now()
        while claimed := await self.store.outbox.claim([Lane.TALK], now, now + timedelta(minutes=1), "test", 100):
            async with self.store.work() as work:
                for one in claimed:
                    assert isinstance(one.delivery.task, Say)
                    self.sent.append(one.delivery.task)
                    await work.finish(one)
                await work.commit()
        return self.sent


FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"


@dataclass
class Browser:
    """One person's browser. It follows redirects like any."""

    http: httpx2.AsyncClient
    stage: Stage
    page: httpx2.Response | None = None

    async def open(self, path: str) -> httpx2.Response:
        self.page = await self.http.get(path, follow_redirects=True)
        return self.page

    async def send(self, path: str, fields: Mapping[str, Any], **options: Any) -> httpx2.Response:
        """Post a form, with the hidden fields of the page that is open."""
        hidden = {} if self.page is None else dict(fields_of(self.page.text))
        data = {name: value for name, value in {**hidden, **fields}.items() if value is not None}
        follow = options.pop("follow_redirects", True)
        response = await self.http.post(path, data=data, follow_redirects=follow, **options)
        if "text/html" in response.headers.get("content-type", ""):
            self.page = response
        return response

    @property
    def text(self) -> str:
        """The page that is open."""
        assert self.page is not None
        return self.page.text

    async def press(self, id: str, button: str, **fields: Any) -> int:
        """Open a card, fill it in and press a button."""
        await self.open(f"/review/{id}")
        return (await self.send(f"/review/{id}", {"do": button, **fields})).status_code

    async def ask_code(self, name: str = "ana") -> dict[str, str]:
        """Ask for a code and return the hidden fields of the page that takes it."""
        await self.open("/signin")
        page = await self.send("/signin", {"name": name})
        return dict(fields_of(page.text))

    async def sign_in(self, name: str = "ana", to: str = "/inbox") -> httpx2.Response:
        """The whole way: ask, read the code in the chat, type it."""
        await self.open(f"/signin?next={to}")
        await self.send("/signin", {"name": name})
        return await self.send("/signin/code", {"code": await self.stage.latest_code()})


def fields_of(html: str) -> list[tuple[str, str]]:
    """The hidden fields of the form that answers a card, else of the last one on a page, which does something there."""
    answering = html.find('<form class="answering"')
    form = html[answering if answering >= 0 else html.rfind("<form") :].partition("</form>")[0]
    return [(unescape(name), unescape(value)) for name, value in FIELD.findall(form)]


def code_in(text: str) -> str:
    found = re.search(r"\b(\d{4}) (\d{4})\b", text)
    assert found, text
    return found[1] + found[2]


@asynccontextmanager
async def staged(
    url: str,
    base: str = BASE,
    *,
    evenly: float = 0.0,
    furnish: bool = True,
    parties: Sequence[RelyingParty] = (),
    bots: Bots = no_bots,
    telegram_site: str | None = None,
) -> AsyncIterator[Stage]:
    """The pages over the database at `url`, with people in it and two chats."""
    async with opened(url) as store:
        clock = MovingClock()
        context = Context(work=store.work, clock=clock, ids=SystemIds(), review_base=f"{base}/review/")
        if furnish:
            await _furnish(store)
        slack, telegram = Place(Provider.SLACK, "T1"), Place(Provider.TELEGRAM, "acme_bot")
        channels = {one.provider: {one.account: cast("Channel", one)} for one in (slack, telegram)}
        authority = Authority(context, store.records, lambda _, provider: channels[provider])
        listing = Listing(context, store.records, authority, lambda *_: {}, link_ok=True)

        async def channel(_: str, provider: Provider, account: str) -> Channel:
            return channels[provider][account or _ONLY[provider]]

        names = PlaceNames(channel, clock)
        accounts = {one.id: one for one in CONNECTIONS}
        pages = build_pages(
            context,
            store.records,
            authority,
            listing,
            names,
            lambda workspace: [one for one in accounts.values() if one.workspace == workspace],
            base_url=base,
            key=KEY,
            parties=parties,
            bots=bots,
            telegram_site=telegram_site,
            evenly=evenly,
        )
        yield Stage(Starlette(routes=pages), store, clock, context, slack, telegram, accounts)


async def _furnish(store: Store) -> None:
    async with store.work() as work:
        await work.add_workspace(WORKSPACE, "sayso", NOW)
        await work.add_agent(BUILDER, "hash", "whsec_" + "A" * 32, NOW)
        for person in (ANA, BEN, CLEO, DAN):
            await work.add_person(person)
        for connection in CONNECTIONS:
            await work.add_connection(connection, NOW)
        await work.commit()
