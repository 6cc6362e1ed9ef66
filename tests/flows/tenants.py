"""A tenant of a deployment with one of everything, and what calls with its keys and its session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2

from bot.app import App
from bot.web.keys import hash_key
from bot.web.security import hashed
from core.access import Session
from core.people import AgentRole, Identity, Role
from core.use_cases.agents import add_agent
from core.use_cases.directory import add_person

ANA = Identity(provider="slack", account="T0ACME", user="U1ANA")
SECRETS = ("secret", "order", "alert", "words")
ITEMS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]
ASKED: dict[str, dict[str, Any]] = {
    "questions": {"payload": {"questions": [{"id": "q1", "prompt": "?", "type": "boolean"}]}},
    "confirmation": {"payload": {}, "policy": {"resolve_from_comment": True}},
    "checklist": {"payload": {"items": ITEMS}},
    "item_verdicts": {"payload": {"items": ITEMS}},
    "suggested_tasks": {"payload": {"tasks": [{"key": "k1", "title": "Task"}]}},
    "connection": {
        "payload": {"service": "github", "purpose": "p", "scopes": [], "connect_url": "https://github.example/x"}
    },
}


@dataclass
class Tenant:
    """One workspace: keys of an operator and of two agents, a browser that an operator signed in with, and the ids of
    what it has."""

    http: httpx2.AsyncClient
    boss: str
    worker: str
    cookie: str
    ids: dict[str, str] = field(default_factory=dict)

    async def call(self, key: str, method: str, path: str, body: Any = None) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return await self.http.request(method, path, json=body, headers=headers)

    async def made(self, key: str, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        answer = await self.call(key, "POST", path, body)
        assert answer.status_code in (200, 201), answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def open(self, method: str, path: str, form: Mapping[str, str] | None = None) -> httpx2.Response:
        headers = {"Cookie": f"sayso-session={self.cookie}", "Origin": str(self.http.base_url).rstrip("/")}
        return await self.http.request(method, path, data=form, headers=headers)


async def furnished(app: App, http: httpx2.AsyncClient, workspace: str, name: str) -> Tenant:
    """A tenant with one of everything."""
    boss, worker, cookie = (f"sk_{name}{what}{'x' * 30}" for what in ("boss", "worker", "cookie"))
    for agent, role, key in (("boss", AgentRole.OPERATOR, boss), ("worker", AgentRole.AGENT, worker)):
        await add_agent(app.context, workspace, agent, role, hash_key(key), "whsec_" + "A" * 32)
    ana = await add_person(app.context, workspace, "ana", "Ana", Role.OPERATOR, [ANA])
    now = app.context.clock.now()
    async with app.context.work() as work:
        session = Session(hashed(cookie), workspace, ana.id, "c" * 64, now, now.replace(year=now.year + 1))
        await work.add_session(Session(**{**vars(session), "identity": str(ANA)}))
        await work.commit()
    tenant = Tenant(http, boss, worker, cookie)
    audience = {"answerers": ["agent:worker", "person:ana"]}
    for kind, body in ASKED.items():
        asked = {"kind": kind, "to": "review", "title": f"{name} secret", "audience": audience, **body}
        tenant.ids[kind] = (await tenant.made(boss, "/v1/interactions", asked))["id"]
    done = await tenant.made(
        boss,
        "/v1/interactions",
        {"kind": "suggested_tasks", "to": "review", "title": "Done", "audience": audience, **ASKED["suggested_tasks"]},
    )
    accepted = await tenant.made(worker, f"/v1/interactions/{done['id']}/accept", {"selected": ["k1"], "revision": 1})
    tenant.ids["task"] = accepted["outcome"]["answer"]["created"][0]["id"]
    order = await tenant.made(boss, "/v1/loops", {"to": "agent:worker", "title": f"{name} order", "id": f"wo-{name}"})
    tenant.ids |= {"loop": order["id"], "conversation": order["conversation"]["id"]}
    alert = {"to": "agent:worker", "severity": "info", "message": f"{name} alert"}
    tenant.ids["alert"] = (await tenant.made(boss, "/v1/alerts", alert))["id"]
    await tenant.made(boss, f"/v1/conversations/{tenant.ids['conversation']}/messages", {"text": f"{name} words"})
    events = (await tenant.call(boss, "GET", "/v1/events")).json()["items"]
    tenant.ids["event"] = events[0]["id"]
    return tenant
