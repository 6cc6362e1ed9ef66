"""The whole service against both stand-ins, over real sockets, driven as an agent and as people would."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx2

from bot.app import App, build
from bot.config import load
from bot.pace import DELETIONS, ENDLESS, PER_ACCOUNT, PER_CONVERSATION, PER_MESSAGE, Rates
from bot.sandbox.serving import serving
from bot.sandbox.slack.settings import StandInSettings as SlackStandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.sandbox.telegram.settings import StandInSettings as TelegramStandInSettings
from bot.sandbox.telegram.stand_in import TelegramStandIn
from core.ports import Clock
from tests.stores import make_tables

KEY = "sk_" + "k" * 43
SIGNING_KEY = "whsec_" + "c2F5c28tdGVzdC13ZWJob29rLXNlY3JldA=="
CHANNEL = "C0123"
NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts no certificate: everything here is plain HTTP on this machine, and reading those of the world takes long."""
ANA, BEA, CARL = "U1ANA", "U2BEA", "U3CARL"
TG_ANA, TG_BEA, TG_CARL = 42, 43, 44


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def eventually(look: Callable[[], Awaitable[Any]], seconds: float = 30.0, every: float = 0.03) -> Any:
    """Look until there is something, and return it."""
    async with asyncio.timeout(seconds):
        while True:
            found = await look()
            if found:
                return found
            await asyncio.sleep(every)


@dataclass
class Rig:
    """Everything a test drives. `api` carries the operator's key; `group` is a Telegram group with all three people."""

    slack: SlackStandIn
    telegram: TelegramStandIn
    api: httpx2.AsyncClient
    url: str
    group: int
    apps: list[App] = field(default_factory=list)

    async def ask(self, **changes: Any) -> dict[str, Any]:
        """Ask and return the 201's body."""
        answer = await self.api.post("/v1/interactions", json=question(**changes))
        assert answer.status_code == 201, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def get(self, id: str, wait: int | None = None) -> dict[str, Any]:
        """Read an interaction."""
        query = f"?wait={wait}" if wait is not None else ""
        answer = await self.api.get(f"/v1/interactions/{id}{query}")
        assert answer.status_code == 200, answer.text
        body: dict[str, Any] = answer.json()
        return body

    async def posted(self, id: str, seconds: float = 30.0) -> dict[str, Any]:
        """Wait until every copy is posted and return the interaction."""

        async def look() -> dict[str, Any] | None:
            now = await self.get(id)
            return now if all(one["state"] == "posted" for one in now["publications"]) else None

        found: dict[str, Any] = await eventually(look, seconds)
        return found

    async def shown_settled(self, id: str, seconds: float = 30.0) -> dict[str, Any]:
        """Wait until every copy that was posted shows the outcome, and return the interaction."""

        async def look() -> dict[str, Any] | None:
            now = await self.get(id)
            shown = [one for one in now["publications"] if one["message"]]
            return now if now["outcome"] and all(one["state"] == "settled" for one in shown) else None

        found: dict[str, Any] = await eventually(look, seconds)
        return found

    async def receipts(self, id: str) -> list[dict[str, Any]]:
        """The receipts of an interaction."""
        answer = await self.api.get(f"/v1/interactions/{id}/receipts")
        assert answer.status_code == 200, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    async def events(self, type_: str | None = None) -> list[dict[str, Any]]:
        """All events, or those of one type, in order."""
        found: list[dict[str, Any]] = []
        after = ""
        while True:
            answer = await self.api.get(f"/v1/events?limit=100{after}")
            page = answer.json()
            found += page["items"]
            if not page["next"]:
                return [one for one in found if type_ is None or one["type"] == type_]
            after = f"&after={page['next']}"

    def slack_message(self, publication: dict[str, Any]) -> Any:
        """A copy as Slack has it."""
        return self.slack.platform.world.messages[publication["channel"]][publication["message"]]

    def telegram_message(self, publication: dict[str, Any]) -> Any:
        """A copy as Telegram has it."""
        return self.telegram.world.messages[int(publication["channel"])][int(publication["message"])]


def question(**changes: Any) -> dict[str, Any]:
    """The body of a request for one short choice; `changes` replace its members."""
    return {
        "kind": "questions",
        "to": f"slack:{CHANNEL}",
        "title": "Release 4.2",
        "body": "The canary is **clean**.",
        "payload": {"questions": [choice("Yes", "No")]},
        **changes,
    }


def choice(*labels: str, **changes: Any) -> dict[str, Any]:
    """A choice question whose option ids are the labels in lower case."""
    options = [{"id": label.lower(), "label": label} for label in labels]
    return {"id": "q1", "prompt": "Ship now?", "type": "choice", "options": options, **changes}


def confirmation(**changes: Any) -> dict[str, Any]:
    """The body of a request for a confirmation."""
    payload = {"accept_label": "Deploy", "reject_label": "Hold", "reason": changes.pop("reason", "optional")}
    return question(kind="confirmation", payload=payload, **changes)


@contextlib.asynccontextmanager
async def stand_ins(**settings: Any) -> AsyncIterator[tuple[SlackStandIn, TelegramStandIn, int]]:
    """Both stand-ins with a channel, a group and three people in each. Pace is off unless asked for."""
    pace, bot_to_bot = settings.pop("pace", False), settings.pop("bot_to_bot", False)
    slack = SlackStandIn(SlackStandInSettings(pace=pace, **settings))
    telegram = TelegramStandIn(TelegramStandInSettings(pace=pace, bot_to_bot=bot_to_bot))
    async with slack.serve(), telegram.serve():
        for id_, name in ((ANA, "ana"), (BEA, "bea"), (CARL, "carl")):
            slack.workspace.add_user(name, name.title(), user_id=id_)
        slack.workspace.add_channel("general", [ANA, BEA, CARL], channel_id=CHANNEL)
        for number, name in ((TG_ANA, "Ana"), (TG_BEA, "Bea"), (TG_CARL, "Carl")):
            telegram.scene.create_user(name, user_id=number, started=True)
        group = telegram.scene.create_group("Ops", [TG_ANA, TG_BEA, TG_CARL])
        yield slack, telegram, group.id


def settings_for(
    slack: SlackStandIn,
    telegram: TelegramStandIn,
    database: str,
    port: int,
    *,
    socket_mode: bool = False,
    slack_signs_in: bool = False,
    **more: Any,
) -> dict[str, Any]:
    """The settings of a service that talks to the stand-ins. `slack_signs_in`: people may sign in with Slack."""
    own = slack.platform.settings
    client = {"slack_client_id": own.client_id, "slack_client_secret": own.client_secret} if slack_signs_in else {}
    slack_in = {"slack_app_token": slack.app_token} if socket_mode else {"slack_signing_secret": slack.signing_secret}
    return {
        "slack_bot_token": slack.bot_token,
        "slack_api_url": slack.api_url,
        **slack_in,
        **client,
        "telegram_bot_token": telegram.bot_token,
        "telegram_api_url": telegram.api_url,
        "sayso_database_url": database,
        "sayso_secret_key": "s" * 64,
        "sayso_api_key": KEY,
        "sayso_webhook_secret": SIGNING_KEY,
        "sayso_webhook_allow": "127.0.0.0/8",
        "sayso_port": port,
        "sayso_drain": "0s",
        **more,
    }


@contextlib.asynccontextmanager
async def service(
    settings: dict[str, Any], rates: Rates | None = None, clock: Clock | None = None, *, waits: bool = True
) -> AsyncIterator[App]:
    """One process's worth of the service, in this one, connected to its chats unless that is not waited for."""
    app = build(load(settings), rates, clock)
    async with app.running() as web, serving(web, port=settings["sayso_port"]):

        async def connected() -> bool:
            return app.chats.is_connected

        if waits:
            await eventually(connected)
        try:
            yield app
        finally:
            await app.waiter.close()  # whoever waits is answered before the server ends


@contextlib.asynccontextmanager
async def rig(
    database: str, *, socket_mode: bool = False, processes: int = 1, clock: Clock | None = None, **more: Any
) -> AsyncIterator[Rig]:
    """The service, in `processes` copies on one database, with both chats connected.

    `ack_seconds`: how long Slack waits for an answer, three seconds unless said otherwise.
    """
    async with contextlib.AsyncExitStack() as stack:
        pace, bot_to_bot = more.pop("pace", False), more.pop("bot_to_bot", False)
        patience = {"ack_seconds": more.pop("ack_seconds")} if "ack_seconds" in more else {}
        chats = stand_ins(pace=pace, bot_to_bot=bot_to_bot, **patience)
        slack, telegram, group = await stack.enter_async_context(chats)
        apps, ports = [], [free_port() for _ in range(processes)]
        for port in ports:
            given = settings_for(slack, telegram, database, port, socket_mode=socket_mode, **more)
            apps.append(await stack.enter_async_context(service(given, None if pace else unpaced(), clock)))
        url = f"http://127.0.0.1:{ports[0]}"
        if not socket_mode:
            slack.request_url = f"{url}/slack/events"
        headers = {"Authorization": f"Bearer {KEY}"}
        calling = httpx2.AsyncClient(base_url=url, headers=headers, timeout=70, verify=NOBODY)
        api = await stack.enter_async_context(calling)
        yield Rig(slack, telegram, api, url, group, apps)


def unpaced() -> Rates:
    """No pace at all, for stand-ins that keep none."""
    return Rates(
        dict.fromkeys(PER_CONVERSATION, ENDLESS),
        dict.fromkeys(PER_ACCOUNT, ENDLESS),
        dict.fromkeys(PER_MESSAGE, ENDLESS),
        dict.fromkeys(DELETIONS, ENDLESS),
    )


def sqlite_at(folder: Path) -> str:
    """The address of an SQLite file with the tables, new where there is none."""
    path = folder / "sayso.sqlite3"
    if not path.exists():
        path.write_bytes(_tables())
    return f"sqlite+aiosqlite:///{path}"


@cache
def _tables() -> bytes:
    """An SQLite file with the tables, made once: the tests that start with an empty database are those on either."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(1) as elsewhere:  # a loop may be running here
        path = Path(folder) / "tables.sqlite3"
        elsewhere.submit(asyncio.run, make_tables(f"sqlite:///{path}")).result()
        return path.read_bytes()
