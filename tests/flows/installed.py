"""A service that people install the Slack app from, and a browser with cookies that does so."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import httpx2

from bot.app import App
from bot.sandbox.slack.settings import StandInSettings
from bot.sandbox.slack.stand_in import SlackStandIn
from bot.startup import WORKSPACE
from bot.web.keys import hash_key
from bot.web.security import hashed
from core.people import AgentRole
from core.use_cases import installing
from core.use_cases.agents import add_agent
from tests.flows.rig import KEY, NOBODY, SIGNING_KEY, Rig, free_port, service, unpaced

OF_SLACK = ("token_rotation", "token_seconds", "bot_token", "app_token")
BETA, GAMMA, ORG = "T0BETA", "T0GAMMA", "E0ORG"
BEN, CID = "U0BEN", "U0CID"


@dataclass
class Browser:
    """One browser at the service, which follows nothing by itself."""

    http: httpx2.AsyncClient
    cookies: dict[str, str] = field(default_factory=dict)

    async def go(self, address: str) -> httpx2.Response:
        """Open an address of the service or of Slack."""
        return self._keep(await self.http.get(address, headers=self._headers()))

    async def send(self, address: str, form: Mapping[str, str], **headers: str) -> httpx2.Response:
        """Send a form, from a page of the same site where no header says otherwise."""
        said = {"Sec-Fetch-Site": "same-origin", **{name.replace("_", "-"): one for name, one in headers.items()}}
        return self._keep(await self.http.post(address, data=dict(form), headers={**self._headers(), **said}))

    async def leave(self, link: str) -> httpx2.Response:
        """Open a link to install, and go on to Slack as its page offers."""
        shown = await self.go(link)
        assert shown.status_code == 200, shown.text
        return await self.send(link.partition("?")[0], form_on(shown))

    async def install(self, link: str, team: str = "") -> httpx2.Response:
        """Go to Slack by a link, allow the app there for `team`, and come back; what the service says then."""
        sent = await self.leave(link)
        assert sent.status_code == 303, sent.text
        to = sent.headers["location"]
        allowed = await self.http.get(f"{to}&team={team}" if team else to)
        assert allowed.status_code == 302, allowed.text
        return await self.go(allowed.headers["location"])

    def _headers(self) -> dict[str, str]:
        kept = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {"Cookie": kept} if kept else {}

    def _keep(self, answer: httpx2.Response) -> httpx2.Response:
        for line in answer.headers.get_list("set-cookie"):
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
        self.http.cookies.clear()  # what all browsers of a test share must not remember for any
        return answer


def form_on(page: httpx2.Response) -> dict[str, str]:
    """The hidden fields of the one form of a page."""
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in found}


@dataclass
class Place:
    """The service, the Slack it is in, and what operators do."""

    slack: SlackStandIn
    url: str
    apps: list[App]
    http: httpx2.AsyncClient
    database: str

    @property
    def app(self) -> App:
        """The first process."""
        return self.apps[0]

    def browser(self) -> Browser:
        """Somebody's."""
        return Browser(self.http)

    async def invite(self, workspace: str = WORKSPACE, code: str = "an-operators-code") -> str:
        """An operator's link to install."""
        await installing.invite(self.app.context, workspace, hashed(code))
        return f"{self.url}/slack/install?invite={code}"

    async def tenant(self, id: str, key: str) -> str:
        """Make a workspace of ours with an operator's key, and return its id."""
        async with self.app.context.work() as work:
            await work.add_workspace(id, id, self.app.context.clock.now())
            await work.commit()
        await add_agent(self.app.context, id, "boss", AgentRole.OPERATOR, hash_key(key), "whsec_" + "A" * 32)
        return id

    def room(self, team: str, channel: str, *users: str) -> None:
        """A channel of a workspace with these people in it, and the app if it is installed there."""
        world = self.slack.platform.world
        bots = [one.bot_user_id for one in world.installations.values() if world.covers(one, team) and one.active]
        made = self.slack.workspace.add_channel(channel.lower(), users, with_app=False, channel_id=channel)
        world.put_channel(replace(made, team_id=team, members=frozenset({*users, *bots})))

    def rig(self, key: str = KEY) -> Rig:
        """What an agent with this key drives."""
        headers = {"Authorization": f"Bearer {key}"}
        api = httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=70, verify=NOBODY)
        return Rig(self.slack, None, api, self.url, 0, self.apps)  # type: ignore[arg-type]  # no Telegram here


@contextlib.asynccontextmanager
async def installable(database: str, *, processes: int = 1, waits: bool = True, **more: Any) -> AsyncIterator[Place]:
    """The service with a client id, and a Slack with workspaces in which nobody installed the app yet."""
    ours = {name: more.pop(name) for name in OF_SLACK if name in more}
    slack = SlackStandIn(StandInSettings(pace=False, **ours))
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(slack.serve())
        slack.workspace.add_organisation("Org", ORG)
        for team, name, user in ((BETA, "Beta", BEN), (GAMMA, "Gamma", CID)):
            slack.workspace.add_team(name, team)
            slack.workspace.add_user(name.lower(), user_id=user, team_id=team, is_stranger=False)
        apps, ports = [], [free_port() for _ in range(processes)]
        for port in ports:
            given = {
                "slack_client_id": slack.settings.client_id,
                "slack_client_secret": slack.settings.client_secret,
                "slack_signing_secret": slack.signing_secret,
                "slack_api_url": slack.api_url,
                "sayso_database_url": database,
                "sayso_secret_key": "s" * 64,
                "sayso_api_key": KEY,
                "sayso_webhook_secret": SIGNING_KEY,
                "sayso_public_url": f"http://127.0.0.1:{ports[0]}",
                "sayso_port": port,
                **more,
            }
            apps.append(await stack.enter_async_context(service(given, unpaced(), waits=waits)))
        url = f"http://127.0.0.1:{ports[0]}"
        slack.request_url = f"{url}/slack/events"
        http = await stack.enter_async_context(httpx2.AsyncClient(verify=NOBODY, follow_redirects=False, timeout=70))
        yield Place(slack, url, apps, http, database)


def raw_bytes(database: str) -> bytes:
    """Everything that is in the files of an SQLite database."""
    path = Path(database.partition(":///")[2])
    return b"".join(one.read_bytes() for one in sorted(path.parent.glob(f"{path.name}*")))
