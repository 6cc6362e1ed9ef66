"""Every route of the service, and how it is tried with what belongs to another tenant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from starlette.routing import BaseRoute

from bot.app import App
from tests.flows.tenants import Tenant

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
    ("PATCH", A): Item("questions", {"revision": 1, "title": "Changed, but ours"}),
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
    ("POST", "/loops/{name}"): Page("loop", {"do": "acknowledge"}),
    ("GET", "/inbox"): Page(),
    ("POST", "/inbox"): Bare("keeps one person's own times"),
    ("GET", "/loops"): Page(),
    ("GET", "/audit"): Page(shows=False),
    ("GET", "/status"): Page(shows=False),
    ("GET", "/.well-known/receipt-keys"): Bare("the deployment's public keys"),
    ("GET", "/"): Bare("leads to the inbox"),
    ("GET", "/signin"): Bare("says the same to everybody"),
    ("POST", "/signin"): Bare("answers the same whoever is named"),
    ("GET", "/signin/code"): Bare("says the same to everybody"),
    ("POST", "/signin/code"): Bare("takes a code of this browser alone; a session is of the workspace it was sent in"),
    ("POST", "/signin/telegram"): Bare("sends this browser to Telegram"),
    ("GET", "/signin/telegram/return"): Bare("the page whose script hands on what Telegram said"),
    ("POST", "/signin/telegram/return"): Bare(
        "a bot lets in people of its own workspace; tried in test_pages_telegram"
    ),
    ("GET", "/telegram/app/{number:int}"): Bare("the page whose script hands on what Telegram said"),
    ("POST", "/telegram/app/{number:int}"): Bare("likewise"),
    ("POST", "/signin/{provider}"): Bare("sends this browser to the provider"),
    ("GET", "/signin/{provider}/return"): Bare("the account it proves is of the workspace that has it"),
    ("GET", "/accounts"): Page(shows=False),
    ("POST", "/accounts"): Bare("changes one person's own accounts"),
    ("GET", "/accounts/code"): Bare("says the same to everybody who is signed in"),
    ("POST", "/accounts/code"): Bare("takes a code of this session alone"),
    ("GET", "/accounts/confirm"): Bare("a claim is one session's; tried in test_pages_accounts"),
    ("POST", "/accounts/confirm"): Bare("likewise, and links in the workspace of that session"),
    ("POST", "/accounts/link/{provider}"): Bare("sends this session to the provider"),
    ("POST", "/signout"): Bare("ends the session of this browser"),
    ("GET", "/static/{name}"): Bare("the style sheet"),
    ("GET", "/healthz"): Bare("says that it lives"),
    ("GET", "/readyz"): Bare("says how many accounts of each provider do not work, and names none"),
    ("GET", "/metrics"): Bare("counts, for whoever runs the service"),
    ("GET", "/slack/install"): Bare("an invitation names its workspace; tried in test_installing"),
    ("POST", "/slack/install"): Bare("likewise"),
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
