"""Two tenants of one deployment, with the same things in both: whatever is asked with one's key or session, of every
route that there is, about the other's things is answered as if there were no such thing."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
import pytest_asyncio

from bot.app import App, build
from bot.config import load
from bot.sandbox.serving import serving
from bot.startup import WORKSPACE
from tests.flows.rig import KEY, NOBODY, SIGNING_KEY, free_port, sqlite_at
from tests.flows.tenant_routes import ROUTES, Case, Item, Listing, Naming, Page, routes_of
from tests.flows.tenants import SECRETS, Tenant, furnished

pytestmark = pytest.mark.asyncio(loop_scope="module")
OTHER = "wsp_other"


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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bot.app.LAST_FETCH", 0.05)  # nothing is fetched here
        async with _served(app, port) as two:
            yield two


@asynccontextmanager
async def _served(app: App, port: int) -> AsyncIterator[Two]:
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
