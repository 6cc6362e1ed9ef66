"""Two tenants of one deployment, with the same things in both: whatever is asked with one's key or session, of every
route that there is, about the other's things is answered as if there were no such thing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from starlette.routing import BaseRoute

from bot.app import App, build
from bot.config import load
from bot.sandbox.serving import serving
from bot.startup import WORKSPACE
from bot.web.keys import hash_key
from bot.web.security import hashed
from core.access import Session
from core.people import AgentRole, Identity, Role
from core.use_cases.agents import add_agent
from core.use_cases.directory import add_person
from tests.flows.rig import KEY, NOBODY, SIGNING_KEY, free_port, sqlite_at

pytestmark = pytest.mark.asyncio(loop_scope="module")
OTHER = "wsp_other"
ANA = Identity(provider="slack", account="T0ACME", user="U1ANA")


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
Body = Callable[[Tenant], Any]


@dataclass(frozen=True)
class Item:
    """Is about one thing, which is in the path. With that of the other tenant the answer is `status`."""

    what: str
    body: Any = None
    status: int = 404
    own: tuple[int, ...] = (200, 201)


@dataclass(frozen=True)
class Listing:
    """Lists: what is the other's is not there. Where a cursor is a mere position (200), one of the other's may be given
    and shows nothing; else it is none (422)."""

    of: str
    cursor: int = 200


@dataclass(frozen=True)
class Naming:
    """Makes something, and names another thing on the way, which must be the caller's own."""

    body: Body
    status: int


@dataclass(frozen=True)
class Page:
    """Is opened by a person who is signed in. `what` is in the path, or empty for a list."""

    what: str = ""
    form: Mapping[str, str] | None = None
    shows: bool = True
    """Whether what the tenant has is on it by its title."""


@dataclass(frozen=True)
class Bare:
    """Has nothing of any tenant, for this reason."""

    why: str


Case = Item | Listing | Naming | Page | Bare
A = "/v1/interactions/{id}"
KEYS_NEVER = (403,)
"""What only a person may do is refused to every key, its own tenant's too."""
ROUTES: dict[tuple[str, str], Case] = {
    ("POST", "/v1/interactions"): Naming(
        lambda of: {
            "kind": "confirmation",
            "to": "review",
            "title": "x",
            "audience": {"answerers": ["agent:worker"]},
            "payload": {},
            "supersedes": of.ids["confirmation"],
        },
        404,
    ),
    ("GET", "/v1/interactions"): Listing("questions"),
    ("GET", A): Item("questions"),
    ("PATCH", A): Item("questions", {"revision": 1, "title": "Changed"}),
    ("POST", f"{A}/respond"): Item("questions", {"answers": {"q1": {"value": True}}, "revision": 2}),
    ("POST", f"{A}/accept"): Item("confirmation", {"revision": 1}),
    ("POST", f"{A}/reject"): Item("suggested_tasks", {"revision": 1}),
    ("POST", f"{A}/ticks"): Item("checklist", {"tick": ["a"], "revision": 1}),
    ("POST", f"{A}/verdicts"): Item(
        "item_verdicts", {"verdicts": [{"item": "a", "verdict": "approve"}], "revision": 1}
    ),
    ("POST", f"{A}/withdraw"): Item("checklist"),
    ("POST", f"{A}/reply"): Item("questions", {"text": "Done"}),
    ("POST", f"{A}/connected"): Item("connection", {"state": "x"}, own=(200, 201, 422)),
    ("POST", f"{A}/resolve-from-comment"): Item(
        "confirmation", {"message": "slack:T0ACME.C1/1.1", "decision": "accept", "revision": 1}, own=(403, 409, 422)
    ),
    ("POST", f"{A}/cancel"): Item("questions", own=KEYS_NEVER),
    ("POST", f"{A}/skip"): Item("questions", own=KEYS_NEVER),
    ("POST", f"{A}/dismiss"): Item("questions", own=KEYS_NEVER),
    ("POST", f"{A}/reopen"): Item("questions", own=KEYS_NEVER),
    ("GET", f"{A}/receipts"): Item("questions"),
    ("GET", "/v1/tasks"): Listing("task"),
    ("POST", "/v1/loops"): Naming(
        lambda of: {"to": "agent:worker", "title": "x", "conversation": of.ids["conversation"]}, 404
    ),
    ("GET", "/v1/loops"): Listing("loop", 422),
    ("GET", "/v1/loops/{name}"): Item("loop"),
    ("GET", "/v1/loops/{name}/receipts"): Item("loop"),
    ("POST", "/v1/loops/{name}/ack"): Item("loop"),
    ("POST", "/v1/loops/{name}/claim"): Item("loop"),
    ("POST", "/v1/loops/{name}/result"): Item("loop", {"summary": "done"}),
    ("POST", "/v1/loops/{name}/decline"): Item("loop", {"reason": "no"}, own=(409,)),
    ("POST", "/v1/loops/{name}/no-action"): Item("loop", {"reason": "no"}, own=(409,)),
    ("POST", "/v1/loops/{name}/dispatch"): Item("loop", {}, own=(200, 201, 409, 422)),
    ("GET", "/v1/conversations"): Listing("conversation"),
    ("POST", "/v1/conversations/{id}/messages"): Item("conversation", {"text": "Hello"}),
    ("GET", "/v1/conversations/{id}/messages"): Item("conversation"),
    ("GET", "/v1/alerts"): Listing("alert"),
    ("POST", "/v1/alerts"): Naming(lambda of: {"to": of.ids["conversation"], "severity": "info", "message": "x"}, 422),
    ("POST", "/v1/alerts/{id}/order"): Item("alert"),
    ("GET", "/v1/events"): Listing("event", 422),
    ("GET", "/review/{id}"): Page("questions"),
    ("POST", "/review/{id}"): Page("questions", {"act": "answer", "q0": "yes", "revision": "1"}),
    ("GET", "/loops/{name}"): Page("loop"),
    ("GET", "/inbox"): Page(),
    ("POST", "/inbox"): Bare("keeps one person's own times"),
    ("GET", "/loops"): Page(),
    ("GET", "/status"): Page(shows=False),
    ("GET", "/.well-known/receipt-keys"): Bare("the deployment's public keys"),
    ("GET", "/"): Bare("leads to the inbox"),
    ("GET", "/signin"): Bare("says the same to everybody"),
    ("POST", "/signin"): Bare("answers the same whoever is named"),
    ("GET", "/signin/code"): Bare("says the same to everybody"),
    ("POST", "/signin/code"): Bare("takes a code of this browser alone; a session is of the workspace it was sent in"),
    ("POST", "/signout"): Bare("ends the session of this browser"),
    ("GET", "/static/{name}"): Bare("the style sheet"),
    ("GET", "/healthz"): Bare("says that it lives"),
    ("GET", "/readyz"): Bare("names the accounts that do not work, for whoever runs the service"),
    ("GET", "/metrics"): Bare("counts, for whoever runs the service"),
    ("GET", "/slack/install"): Bare("an invitation names its workspace; tried in test_installing"),
    ("GET", "/slack/oauth_redirect"): Bare("a state names its invitation; tried in test_installing"),
    ("POST", "/slack/events"): Bare("what arrives belongs to its installation's workspace; tried in test_installing"),
    ("POST", "/telegram/webhook"): Bare("what arrives belongs to its bot's workspace; tried in test_several_bots"),
    ("POST", "/telegram/webhook/{number:int}"): Bare("likewise"),
    ("GET", "/openapi.json"): Bare("the same for everybody"),
    ("GET", "/docs"): Bare("the same for everybody"),
    ("GET", "/docs/reference.css"): Bare("the style sheet"),
}


def routes_of(app: App) -> Iterator[tuple[str, str]]:
    """Every method and path that is served."""
    web: Any = app.web
    for route in (*_flat(web.routes), *_flat(web.router.default.routes)):
        handlers = getattr(getattr(route, "app", None), "_handlers", None) or getattr(
            getattr(route, "endpoint", None), "_handlers", None
        )
        for method in handlers or route.methods or ():
            if method != "HEAD":
                yield method, route.path


def _flat(routes: Any) -> Iterator[Any]:
    for route in routes:
        inner: list[BaseRoute] | None = getattr(getattr(route, "original_router", route), "routes", None)
        if inner:
            yield from _flat(inner)
        else:
            yield route


@dataclass
class Two:
    """The service and its tenants."""

    app: App
    ours: Tenant
    theirs: Tenant

    async def all_of_ours(self) -> str:
        """Everything that an operator of ours reads, as text."""
        found = [
            (await self.ours.call(self.ours.boss, method, fill(path, self.ours, case))).text
            for (method, path), case in ROUTES.items()
            if method == "GET" and isinstance(case, Item | Listing)
        ]
        return json.dumps(found)


def fill(path: str, of: Tenant, case: Case) -> str:
    """A path with the id of a tenant's thing in it."""
    what = of.ids.get(getattr(case, "what", ""), "")
    return path.replace("{id}", what).replace("{name}", what)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def two(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Two]:
    folder: Path = tmp_path_factory.mktemp("tenants")
    port = free_port()
    given = {
        "slack_client_id": "1.2",
        "slack_client_secret": "secret",
        "slack_signing_secret": "s" * 32,
        "slack_api_url": "http://127.0.0.1:9/api/",
        "telegram_bot_token": "7:" + "x" * 35,
        "telegram_webhook_secret": "w" * 32,
        "telegram_api_url": "http://127.0.0.1:9",
        "sayso_public_url": f"http://127.0.0.1:{port}",
        "sayso_database_url": sqlite_at(folder),
        "sayso_secret_key": "s" * 64,
        "sayso_api_key": KEY,
        "sayso_webhook_secret": SIGNING_KEY,
        "sayso_port": port,
    }
    app = build(load(given))
    async with (
        app.running() as web,
        serving(web, port=port),
        httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", verify=NOBODY) as http,
    ):
        async with app.context.work() as work:
            await work.add_workspace(OTHER, "other", app.context.clock.now())
            await work.commit()
        ours, theirs = await furnished(app, http, WORKSPACE, "ours"), await furnished(app, http, OTHER, "theirs")
        yield Two(app, ours, theirs)


async def test_every_route_that_is_served_is_in_the_table(two: Two) -> None:
    assert set(routes_of(two.app)) == set(ROUTES)


async def test_the_other_tenants_things_are_not_there(two: Two) -> None:
    before = await two.all_of_ours()
    wrong: list[str] = []
    for (method, path), case in ROUTES.items():
        for key in (two.theirs.boss, two.theirs.worker):
            match case:
                case Item():
                    answer = await two.theirs.call(key, method, fill(path, two.ours, case), case.body)
                    expected = case.status
                case Naming():
                    answer = await two.theirs.call(key, method, path, case.body(two.ours))
                    expected = case.status
                case Listing():
                    answer = await two.theirs.call(key, method, f"{path}?after={two.ours.ids[case.of]}")
                    expected = case.cursor
                case _:
                    continue
            if answer.status_code != expected or any(f"ours {what}" in answer.text for what in SECRETS):
                wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
    assert not wrong, "\n".join(wrong)
    assert await two.all_of_ours() == before


async def test_lists_hold_a_tenants_own_things_alone(two: Two) -> None:
    for (method, path), case in ROUTES.items():
        if isinstance(case, Listing):
            for own, other in ((two.ours, two.theirs), (two.theirs, two.ours)):
                text = (await own.call(own.boss, method, f"{path}?limit=100")).text
                assert own.ids[case.of] in text, path
                assert not [id for id in other.ids.values() if id in text], path


async def test_pages_show_a_persons_own_tenant_alone(two: Two) -> None:
    for (method, path), case in ROUTES.items():
        if not isinstance(case, Page):
            continue
        theirs = await two.theirs.open(method, fill(path, two.ours, case), case.form)
        assert theirs.status_code == (404 if case.what else 200), path
        assert "ours secret" not in theirs.text
        assert "ours order" not in theirs.text
        if method == "GET":
            own = await two.ours.open(method, fill(path, two.ours, case))
            assert own.status_code == 200, path
            assert "ours" in own.text or not case.shows, path


async def test_what_is_refused_to_others_is_done_for_its_own(two: Two) -> None:
    """Else the refusals above would prove nothing. It comes last, as it changes things."""
    wrong: list[str] = []
    for (method, path), case in ROUTES.items():
        if isinstance(case, Item):
            key = two.ours.worker if case.what in WORKERS and path.rpartition("/")[2] in ACTS else two.ours.boss
            answer = await two.ours.call(key, method, fill(path, two.ours, case), case.body)
            if answer.status_code not in case.own:
                wrong.append(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
    assert wrong == []


WORKERS = ("questions", "confirmation", "suggested_tasks", "checklist", "item_verdicts", "loop")
ACTS = ("respond", "accept", "reject", "ticks", "verdicts", "ack", "claim", "result", "decline", "no-action")
