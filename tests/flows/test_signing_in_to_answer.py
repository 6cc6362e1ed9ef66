"""Where pressing is not enough: cards that demand a sign-in, and people who sign in as their chat lets them.

The whole service, with the chats' real clients against their stand-ins; browsers keep cookies and follow what they are
sent, and do by hand what a page's own script does.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2

from bot.sandbox.openid import Claims
from bot.startup import WORKSPACE
from core.people import Identity, Role
from core.use_cases.directory import add_person
from tests.blocks.slack.cards import labels, shown
from tests.flows.page import send_form
from tests.flows.rig import ANA, NOBODY, TG_ANA, Rig, confirmation, rig, sqlite_at
from tests.flows.trouble import PushedClock

REQUIRED = {"sign_in": "required"}
SITE = "https://sayso.example.com"
FORM = "Open full form"
QUARTER = 16 * 60.0


def browser(r: Rig, base: str) -> httpx2.AsyncClient:
    """Somebody's browser. At the public address, it reaches the service as the proxy in front would let it."""
    said = {"sec-fetch-site": "same-origin", "origin": base, "user-agent": "Mozilla/5.0 Firefox/145.0"}
    web = r.apps[0].web
    assert web is not None
    transport = httpx2.ASGITransport(web) if base == SITE else None
    return httpx2.AsyncClient(base_url=base, headers=said, timeout=30, verify=NOBODY, transport=transport)


async def elsewhere(location: str) -> str:
    """Be sent to a provider, and return where it sends its visitor back to."""
    async with httpx2.AsyncClient(verify=NOBODY) as http:
        answer = await http.get(location)
    assert answer.status_code == 302, answer.text
    back: str = answer.headers["location"]
    return back


def form_to(page: str, action: str) -> str:
    """The form of a page that goes there."""
    forms = (one.partition("</form>")[0] for one in page.split("<form")[1:])
    return next(one for one in forms if f'action="{action}"' in one)


async def press(http: httpx2.AsyncClient, id: str, button: str) -> httpx2.Response:
    """Open a card's page and press a button of its form."""
    page = (await http.get(f"/review/{id}")).text
    form = next(one for one in page.split("<form")[1:] if f'name="do" value="{button}"' in one)
    return await send_form(http, f"/review/{id}", {"do": button}, f"<form{form.partition('</form>')[0]}")


async def set_out(http: httpx2.AsyncClient, provider: str, id: str) -> str:
    """Sign in anew with a provider, from a card's page; where the browser is sent."""
    page = (await http.get(f"/signin?again&next=/review/{id}")).text
    hidden = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form_to(page, f"/signin/{provider}")))
    left = await http.post(f"/signin/{provider}", data=hidden)
    assert left.status_code == 303, left.text
    location: str = left.headers["location"]
    return location


async def with_slack(r: Rig, http: httpx2.AsyncClient, id: str, later: float = 0) -> httpx2.Response:
    """Sign in with Slack, as Ana, by whose clock it is `later` in seconds."""
    openid = r.slack.openid
    openid.person = ANA

    def postpone(claims: Claims) -> None:
        claims.update(iat=claims["iat"] + int(later), exp=claims["exp"] + int(later))

    openid.signer.spoil = postpone
    return await http.get(await elsewhere(await set_out(http, "slack", id)), follow_redirects=True)


async def with_telegram(r: Rig, http: httpx2.AsyncClient, id: str) -> httpx2.Response:
    """Sign in with Telegram, as Ana."""
    r.telegram.saying_who.person = TG_ANA
    back = urlsplit(await elsewhere(await set_out(http, "telegram", id)))
    page = await http.get(f"{back.path}?{back.query}")
    return await send_form(http, back.path, {"proof": back.fragment.removeprefix("tgAuthResult=")}, page.text)


async def test_in_slack_a_press_is_not_enough_and_a_sign_in_with_slack_is(tmp_path: Path) -> None:
    async with in_slack(tmp_path) as (r, clock):
        asked = await r.posted((await r.ask(**confirmation(policy=REQUIRED, audience=of("person:ana"))))["id"])
        id, copy = asked["id"], r.slack_message(asked["publications"][0])
        assert "within 15 minutes of signing in there" in shown(list(copy.blocks))
        assert {"Deploy", "Hold"}.isdisjoint(labels(list(copy.blocks)))
        await r.slack.person(ANA).write("Deploy", thread_ts=copy.ts, channel=copy.channel)
        async with browser(r, r.url) as http:
            page = await with_slack(r, http, id)
            assert urlsplit(str(page.url)).path == f"/review/{id}"
            clock.push(QUARTER)
            late = await press(http, id, "accept")
            assert late.status_code == 403
            assert f"/signin?again&amp;next=/review/{id}" in late.text
            assert (await r.get(id))["status"] == "pending"
            await with_slack(r, http, id, later=QUARTER)
            assert (await press(http, id, "accept")).status_code == 200
        settled = await r.shown_settled(id)
        assert (settled["status"], settled["outcome"]["via"]) == ("accepted", "review")
        assert settled["outcome"]["by"]["identity"] == f"slack:{r.slack.platform.settings.team_id}.{ANA}"
        assert "Ana" in shown(list(r.slack_message(settled["publications"][0]).blocks))


async def test_in_telegram_the_form_opens_inside_and_a_sign_in_is_asked_for_there(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path), sayso_public_url=SITE) as r:
        await known(r, Identity(provider="telegram", user=str(TG_ANA)))
        body = confirmation(to=f"telegram:{TG_ANA}", policy=REQUIRED, audience=of("person:ana"))
        asked = await r.posted((await r.ask(**body))["id"])
        id, copy = asked["id"], r.telegram_message(asked["publications"][0])
        assert "within 15 minutes of signing in there" in copy.text
        assert {"Deploy", "Hold"}.isdisjoint(one["text"] for one in copy.content.buttons())
        async with browser(r, SITE) as http:
            page = await open_inside(r, http)
            assert urlsplit(str(page.url)).path == f"/review/{id}"
            assert f"/signin?again&amp;next=/review/{id}" in page.text
            assert (await press(http, id, "accept")).status_code == 403
            assert (await r.get(id))["status"] == "pending"
            await with_telegram(r, http, id)
            assert (await press(http, id, "accept")).status_code == 200
        settled = await r.shown_settled(id)
        assert (settled["status"], settled["outcome"]["via"]) == ("accepted", "review")
        assert settled["outcome"]["by"]["identity"] == f"telegram:{TG_ANA}"
        assert "Accepted" in r.telegram_message(settled["publications"][0]).text


async def test_elsewhere_a_tap_in_telegram_opens_the_form_and_answers_it(tmp_path: Path) -> None:
    async with rig(sqlite_at(tmp_path), sayso_public_url=SITE) as r:
        await known(r, Identity(provider="telegram", user=str(TG_ANA)))
        group = await r.posted((await r.ask(to=f"telegram:{r.group}"))["id"])
        buttons = r.telegram_message(group["publications"][0]).content.buttons()
        assert [one["url"] for one in buttons if one["text"] == FORM] == [f"{SITE}/review/{group['id']}"]
        asked = await r.posted((await r.ask(**confirmation(to=f"telegram:{TG_ANA}", audience=of("person:ana"))))["id"])
        async with browser(r, SITE) as http:
            await open_inside(r, http)
            assert (await press(http, asked["id"], "accept")).status_code == 200
        assert (await r.shown_settled(asked["id"]))["status"] == "accepted"


def of(*answerers: str) -> dict[str, Any]:
    return {"answerers": list(answerers)}


async def known(r: Rig, *identities: Identity) -> None:
    """Ana was added with these accounts."""
    await add_person(r.apps[0].context, WORKSPACE, "ana", "Ana", Role.MEMBER, identities)


@contextlib.asynccontextmanager
async def in_slack(folder: Path) -> AsyncIterator[tuple[Rig, PushedClock]]:
    """The service, whose people may sign in with Slack, with a clock to push."""
    clock = PushedClock()
    async with rig(sqlite_at(folder), clock=clock, socket_mode=True, slack_signs_in=True) as r:
        await known(r, Identity(provider="slack", account=r.slack.platform.settings.team_id, user=ANA))
        yield r, clock


async def open_inside(r: Rig, http: httpx2.AsyncClient) -> httpx2.Response:
    """Tap the button of the newest card, and hand on what Telegram says, as the page's script does."""
    opened = urlsplit(r.telegram.saying_who.open_app(TG_ANA, TG_ANA, FORM))
    assert f"{opened.scheme}://{opened.netloc}" == SITE
    page = await http.get(f"{opened.path}?{opened.query}")
    proof = parse_qs(opened.fragment)["tgWebAppData"][0]
    return await send_form(http, opened.path, {"proof": proof}, page.text)
