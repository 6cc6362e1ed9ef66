"""The whole product on one machine with no account: the service, both stand-ins, a page, and an agent that asks.

Only the base addresses differ from a real deployment; the service is the same `App`.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.answers import Answer
from bot.app import App, build
from bot.client import Client
from bot.config import LogStyle, load
from bot.listening import listener
from bot.log import set_up
from bot.sandbox.demo_cards import REPLIES, ROUNDS, DemoCard
from bot.sandbox.demo_gallery import DemoGallery
from bot.sandbox.demo_page import demo_page
from bot.sandbox.framed import framed
from bot.sandbox.serving import serving
from bot.sandbox.slack.settings import StandInSettings as SlackStandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.settings import StandInSettings as TelegramStandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from bot.startup import WORKSPACE
from bot.web.keys import hash_key, make_key, make_webhook_secret
from core.errors import Misconfigured
from core.people import AgentRole, Identity, Person, Role
from core.telling import when
from core.use_cases.agents import add_agent
from core.use_cases.directory import add_person

HOST = "127.0.0.1"
CHANNEL = "C0RELEASES"
AGENT = "release-bot"
SLACK_PEOPLE = {"U0ANA": "Ana", "U0BEA": "Bea"}
TELEGRAM_PEOPLE = {42: "Ana", 43: "Bea"}


@dataclass
class Asked:
    """One thing the agent asked, and what it heard."""

    card: DemoCard
    where: str
    id: str
    heard: Answer | None = None
    receipt: Mapping[str, Any] | None = None

    def entry(self) -> dict[str, Any]:
        """As the page shows it."""
        answer, receipt = self.heard, self.receipt or {}
        shown: dict[str, Any] = {
            "title": self.card.title,
            "where": self.where,
            "status": "waits for a person" if answer is None else answer.status,
            "settled": answer is not None,
            "heard": None,
            "receipt": [["interaction", self.id]],
        }
        if answer is not None:
            by = answer.by.handle if answer.by else None
            words = self.card.words(answer)
            shown["heard"] = f"The agent heard: {words}"
            shown["receipt"] += [
                ["receipt", receipt.get("id")],
                ["by", f"{by} ({answer.by.identity})" if answer.by else None],
                ["via", answer.via],
                ["at", when(answer.at) if answer.at else None],
                ["hash", str(receipt.get("hash", ""))[:23] + "…"],
            ]
        return shown


@dataclass
class Demo:
    """What runs, and what was asked so far (newest first)."""

    app: App
    client: Client
    gallery: DemoGallery
    places: Mapping[str, str]
    frames: Mapping[str, str]
    asked: list[Asked] = field(default_factory=list)
    rounds: int = 0
    stopping: threading.Event = field(default_factory=threading.Event)
    waits: set[asyncio.Task[None]] = field(default_factory=set)

    async def state(self) -> dict[str, Any]:
        """What the agent's page shows."""
        return {**self.frames, "asked": [one.entry() for one in self.asked]}

    async def ask(self) -> None:
        """Let the agent ask the next round in both chats, and wait for each answer beside the others."""
        cards = ROUNDS[self.rounds % len(ROUNDS)]
        self.rounds += 1
        for name, place in self.places.items():
            for card in cards:
                started = await asyncio.to_thread(self.client.start, card.title, to=place, **card.request)
                one = Asked(card, name, started.id)
                self.asked.insert(0, one)
                wait = asyncio.create_task(self._hear(one))
                self.waits.add(wait)
                wait.add_done_callback(self.waits.discard)

    async def _hear(self, one: Asked) -> None:
        answer = await asyncio.to_thread(self.client.wait, one.id, stop=self.stopping)
        if not answer.settled:
            return
        receipts = await self.app.store.records.receipts(WORKSPACE, one.id)
        one.receipt = next((line.wire() for line in receipts if line.id == answer.receipt), None)
        one.heard = answer
        said = REPLIES.get(one.card.words(answer))
        if said is not None:
            await asyncio.to_thread(self.client.reply, one.id, said)


def run(port: int = 8080) -> None:
    """Run the demo until SIGTERM or SIGINT, with its page at `port`. Raises `Misconfigured`."""
    set_up(LogStyle.CONSOLE, quiet=True)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(port))


async def _run(port: int) -> None:
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    _check_free(port)
    with tempfile.TemporaryDirectory(prefix="sayso-demo-") as folder:
        async with opened(Path(folder), port) as url:
            sys.stdout.write(f"The demo runs. Open {url} in a browser; end it with Ctrl+C.\n")
            sys.stdout.flush()
            await stop.wait()


@contextlib.asynccontextmanager
async def opened(folder: Path, port: int) -> AsyncIterator[str]:
    """The demo running, with something asked: the address of its page, at `port` (0 takes a free one)."""
    port = port or _free_port()
    async with _started(folder, f"http://{HOST}:{port}") as demo:
        gallery = demo.gallery
        frames = (gallery.slack.url, gallery.telegram.api_url, demo.app.settings.base_url)
        page = demo_page(demo.state, demo.ask, gallery.state, gallery.ask, frames)
        async with serving(page, HOST, port) as address:
            await demo.ask()
            yield address.url


def _check_free(port: int) -> None:
    try:
        listener(HOST, port).close()
    except OSError as error:
        raise Misconfigured(
            f"Port {port} cannot be listened on ({error.strerror}); choose another: "
            f"`make demo PORT={port + 1}` or `sayso demo --port {port + 1}`."
        ) from None


def _free_port() -> int:
    with listener(HOST, 0) as bound:
        port: int = bound.getsockname()[1]
        return port


@contextlib.asynccontextmanager
async def _started(folder: Path, page: str) -> AsyncIterator[Demo]:
    slack = SlackStandIn(SlackStandInSettings())
    telegram = TelegramStandIn(TelegramStandInSettings())
    async with slack.serve(), telegram.serve():
        group = _people(slack, telegram)
        app = build(
            load(
                {
                    "slack_bot_token": slack.bot_token,
                    "slack_app_token": slack.app_token,
                    "slack_api_url": slack.api_url,
                    "telegram_bot_token": telegram.bot_token,
                    "telegram_api_url": telegram.api_url,
                    "sayso_database_url": f"sqlite:///{folder / 'sayso.sqlite3'}",
                    "sayso_secret_key": make_key(),
                    "sayso_host": HOST,
                    "sayso_port": _free_port(),
                }
            )
        )
        async with contextlib.AsyncExitStack() as stack:
            web = await stack.enter_async_context(app.running())
            ana, account = await _ana(app, slack)
            await stack.enter_async_context(
                serving(framed(app, web, page, ana, account), HOST, app.settings.sayso_port)
            )
            key = make_key()
            await add_agent(app.context, WORKSPACE, AGENT, AgentRole.AGENT, hash_key(key), make_webhook_secret())
            client = Client(app.settings.base_url, key)
            demo = Demo(
                app,
                client,
                DemoGallery(app, client, slack, telegram, tuple(SLACK_PEOPLE), tuple(TELEGRAM_PEOPLE)),
                places={"Slack, #releases": f"slack:{CHANNEL}", "Telegram, Releases": f"telegram:{group}"},
                frames={
                    "slack": f"{slack.url}/client/?user={next(iter(SLACK_PEOPLE))}&channel={CHANNEL}",
                    "telegram": f"{telegram.api_url}/client?as=42&chat={group}",
                },
            )
            try:
                await app.chats.all_connected()
                yield demo
            finally:
                demo.stopping.set()
                await app.waiter.close()
                await asyncio.gather(*demo.waits, return_exceptions=True)


def _people(slack: SlackStandIn, telegram: TelegramStandIn) -> int:
    for id_, name in SLACK_PEOPLE.items():
        slack.workspace.add_user(name.lower(), name, user_id=id_)
    slack.workspace.add_channel("releases", SLACK_PEOPLE, channel_id=CHANNEL)
    for number, name in TELEGRAM_PEOPLE.items():
        telegram.scene.create_user(name, user_id=number)
        telegram.human.start(number)
    return telegram.scene.create_group("Releases", list(reversed(TELEGRAM_PEOPLE))).id


async def _ana(app: App, slack: SlackStandIn) -> tuple[Person, Identity]:
    """Ana, known by both her accounts, and the one she is signed in with at her pages."""
    accounts = (
        Identity(provider="slack", account=slack.platform.settings.team_id, user="U0ANA"),
        Identity(provider="telegram", user="42"),
    )
    return await add_person(app.context, WORKSPACE, "ana", "Ana", Role.MEMBER, accounts), accounts[0]
