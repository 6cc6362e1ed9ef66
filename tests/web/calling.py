"""Calls to the API in short words, and people who answer as if from a chat."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
from fastapi import FastAPI

from bot.moment import SystemIds
from bot.startup import WORKSPACE
from bot.web.calls import ApiServices
from bot.web.keys import hash_key
from core.audience import Candidate
from core.kinds import EXAMPLES, Kind
from core.people import Agent, AgentRole, Identity, Membership, Person, Role, Standing, Via
from core.ports import Context
from core.store import Store
from core.use_cases.answer import Answering, Done, answer
from tests.web.places import Place

NOW = datetime(2026, 12, 2, 10, 0, 0, tzinfo=UTC)
SECRET = "whsec_" + "A" * 32
ROLES = {
    "builder": AgentRole.AGENT,
    "reviewer": AgentRole.AGENT,
    "stranger": AgentRole.AGENT,
    "boss": AgentRole.OPERATOR,
}
ANA = Person(
    id="per_ana",
    workspace=WORKSPACE,
    handle="ana",
    name="Ana",
    role=Role.OPERATOR,
    identities=(Identity(provider="slack", account="T1", user="U1"),),
)
BEN = Person(
    id="per_ben",
    workspace=WORKSPACE,
    handle="ben",
    name="Ben",
    identities=(Identity(provider="slack", account="T1", user="U2"),),
)
CHANNEL = "slack:T1.C0123"


class MovingClock:
    """A clock that moves a millisecond at each look, and further when told to."""

    def __init__(self) -> None:
        self._now = NOW

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now

    def move(self, **by: float) -> None:
        self._now += timedelta(**by)


def context_of(store: Store, clock: MovingClock) -> Context:
    return Context(work=store.work, clock=clock, ids=SystemIds(), review_base="https://sayso.example.com/review/")


def question(**changes: Any) -> dict[str, Any]:
    return {**EXAMPLES[Kind.QUESTIONS], "to": CHANNEL, **changes}


def confirmation(**changes: Any) -> dict[str, Any]:
    return {**EXAMPLES[Kind.CONFIRMATION], "to": CHANNEL, **changes}


def example(kind: Kind, **changes: Any) -> dict[str, Any]:
    """A request of this kind."""
    return {**EXAMPLES[kind], "to": CHANNEL, **changes}


def for_agent(name: str = "reviewer") -> dict[str, Any]:
    return {"audience": {"answerers": [f"agent:{name}"]}}


@dataclass
class Calling:
    """The API and what is behind it; `slack` says who is there. Calls are made by `builder` unless another is named."""

    http: httpx2.AsyncClient
    services: ApiServices
    store: Store
    clock: MovingClock
    slack: Place
    agents: dict[str, Agent] = field(default_factory=dict)

    @classmethod
    @asynccontextmanager
    async def over(
        cls, app: FastAPI, services: ApiServices, store: Store, clock: MovingClock, slack: Place
    ) -> AsyncIterator[Calling]:
        transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
        async with httpx2.AsyncClient(transport=transport, base_url="https://sayso.example.com") as http:
            yield cls(http, services, store, clock, slack)

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        by: str | None = "builder",
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> httpx2.Response:
        content = raw if raw is not None else (None if body is None else json.dumps(body).encode())
        authorization = {} if by is None else {"Authorization": f"Bearer {key_of(by)}"}
        return await self.http.request(
            method, f"/v1{path}", content=content, headers={**authorization, **(headers or {})}
        )

    async def get(self, path: str, *, by: str | None = "builder") -> httpx2.Response:
        return await self.call("GET", path, by=by)

    async def post(self, path: str, body: Any = None, *, by: str | None = "builder") -> httpx2.Response:
        return await self.call("POST", path, body, by=by)

    async def ask(self, body: Mapping[str, Any] | None = None, *, by: str = "builder") -> str:
        """Ask, and return the id."""
        response = await self.post("/interactions", dict(body or question()), by=by)
        assert response.status_code == 201, response.text
        id: str = response.json()["id"]
        return id

    async def answer_as(self, person: Person, id: str, act: Answering) -> Done:
        """Act as a person does in the channel where it was asked."""
        candidate = Candidate(person, person.identities[0], Standing(), {CHANNEL: Membership.YES})
        return await answer(self.services.context, WORKSPACE, id, act, candidate, Via.SLACK, "slack:evt")


def key_of(name: str) -> str:
    return f"sk_key-of-{name}"


async def furnish(calling: Calling) -> None:
    """Make the workspace with its agents and people."""
    async with calling.store.work() as work:
        await work.add_workspace(WORKSPACE, "sayso", NOW)
        for name, role in ROLES.items():
            agent = Agent(id=f"agt_{name}", workspace=WORKSPACE, name=name, role=role)
            await work.add_agent(agent, hash_key(key_of(name)), SECRET, NOW)
            calling.agents[name] = agent
        for person in (ANA, BEN):
            await work.add_person(person)
        await work.commit()
