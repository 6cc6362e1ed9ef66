"""Sessions: how long one lasts, what it is tied to, and where it leads."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2
import pytest

from bot.startup import WORKSPACE
from bot.web.security import hashed
from core.people import Role, Standing
from core.store.tables import identities
from tests.web.visiting import CLEO, Browser, Stage, confirmation, fields_of, question, staged


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


def session_of(browser: Browser) -> str:
    return browser.http.cookies["__Host-sayso-session"]


async def test_opening_pages_sends_nothing_and_signs_nobody_in(stage: Stage) -> None:
    browser = stage.browser()
    attempt = (await browser.ask_code())["attempt"]
    code = await stage.latest_code()
    for method in ("GET", "HEAD"):
        for path in ("/signin?name=ana", f"/signin/code?attempt={attempt}&code={code}", "/signout", "/"):
            await browser.http.request(method, path, follow_redirects=True)
    assert "__Host-sayso-session" not in browser.http.cookies
    assert len(await stage.messages()) == 1
    assert (await browser.send("/signin/code", {"code": code})).status_code == 200, "the code was not used up"


NEXT: tuple[tuple[str, str], ...] = (
    ("/review/int_1?x=1&y=%20", "/review/int_1?x=1&y=%20"),
    ("", "/inbox"),
    ("review", "/inbox"),
    ("//evil.example", "/inbox"),
    ("/\\evil.example", "/inbox"),
    ("\\\\evil.example", "/inbox"),
    ("https://evil.example", "/inbox"),
    ("javascript:alert(1)", "/inbox"),
    ("/\t/evil.example", "/inbox"),
    ("/a//evil.example", "/inbox"),
    ("/@evil.example:80", "/inbox"),
    ("/inbox\r\nSet-Cookie: x=1", "/inbox"),
    ("/" + "a" * 2000, "/inbox"),
)


@pytest.mark.parametrize(("to", "path"), NEXT)
async def test_after_signing_in_one_stays_here(stage: Stage, to: str, path: str) -> None:
    browser = stage.browser()
    await browser.open(str(httpx2.URL("/signin", params={"next": to})))
    await browser.send("/signin", {"name": "ana"})
    hidden = dict(fields_of(browser.page.text)) if browser.page else {}
    # Whatever the page was made to carry, the last step looks at it again.
    last = await browser.http.post(
        "/signin/code", data={**hidden, "next": to, "code": await stage.latest_code()}, follow_redirects=False
    )
    assert (last.status_code, last.headers["location"]) == (303, path)


async def test_cookies_over_https_are_the_hosts_own(stage: Stage) -> None:
    browser = stage.browser()
    await browser.ask_code()
    last = await browser.send("/signin/code", {"code": await stage.latest_code()}, follow_redirects=False)
    (cookie,) = [one for one in last.headers.get_list("set-cookie") if "session" in one]
    name, *flags = cookie.split("; ")
    assert name.startswith("__Host-sayso-session=")
    assert sorted(flag.lower() for flag in flags) == ["httponly", "max-age=43200", "path=/", "samesite=lax", "secure"]


async def test_cookies_over_plain_http_are_taken_too(sqlite_store_url: str) -> None:
    async with staged(sqlite_store_url, "http://127.0.0.1:8080") as stage:
        browser = stage.browser("http://127.0.0.1:8080")
        await browser.ask_code()
        last = await browser.send("/signin/code", {"code": await stage.latest_code()}, follow_redirects=False)
        (cookie,) = [one for one in last.headers.get_list("set-cookie") if "session" in one]
        assert cookie.startswith("sayso-session=")
        assert "secure" not in cookie.lower()
        assert (await browser.open("/inbox")).status_code == 200


async def test_a_session_lasts_twelve_hours(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in()
    stage.clock.move(hours=11, minutes=59)
    assert "Sign out" in (await browser.open("/inbox")).text
    stage.clock.move(minutes=2)
    assert (await browser.http.get("/inbox")).headers["location"] == "/signin?next=/inbox"


async def test_signing_out_ends_the_session_itself(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in()
    cookie = session_of(browser)
    token = dict(fields_of((await browser.open("/inbox")).text))["token"]
    out = await browser.send("/signout", {"token": token}, follow_redirects=False)
    assert (out.status_code, out.headers["location"]) == (303, "/signin")
    assert "__Host-sayso-session" not in browser.http.cookies
    browser.http.cookies.set("__Host-sayso-session", cookie, domain="sayso.example.com")
    assert (await browser.http.get("/inbox")).status_code == 303


async def test_nobody_is_signed_out_by_another_sites_form(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in()
    for data, headers in (({}, {}), ({"token": "0" * 64}, {}), ({}, {"sec-fetch-site": "cross-site"})):
        refused = await browser.http.post("/signout", data={"x": "y", **data}, headers=headers)
        assert refused.status_code == 403
    assert (await browser.open("/inbox")).status_code == 200


async def test_signing_in_again_ends_the_browsers_old_session(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in()
    old = session_of(browser)
    attempt = await browser.http.post("/signin", data={**await _fresh(stage, browser), "name": "ben"})
    assert attempt.status_code == 303
    page = await browser.open(attempt.headers["location"])
    assert page.status_code == 200
    await browser.send("/signin/code", {"code": await stage.latest_code()})
    assert session_of(browser) != old
    assert await stage.store.records.session(hashed(old), stage.clock.now()) is None
    assert "Ben" in (await browser.open("/inbox")).text


async def _fresh(stage: Stage, browser: Browser) -> dict[str, str]:
    """The hidden fields of the sign-in page as a signed-out tab of the same browser has them."""
    tab = stage.browser()
    tab.http.cookies.set(
        "__Host-sayso-browser", browser.http.cookies["__Host-sayso-browser"], domain="sayso.example.com"
    )
    return dict(fields_of((await tab.open("/signin")).text))


async def test_whoever_is_signed_in_already_goes_on_at_once(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in()
    assert (await browser.http.get("/signin?next=/review/int_1")).headers["location"] == "/review/int_1"


async def test_a_role_is_the_one_of_this_moment(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in("ben")
    ben = await stage.store.records.person(WORKSPACE, "per_ben")
    assert ben is not None
    id = await stage.ask({**confirmation(), "audience": {"answerers": ["person:ana"]}})
    assert (await browser.open(f"/review/{id}")).status_code == 404
    async with stage.store.work() as work:
        await work.save_person(ben.model_copy(update={"role": Role.OPERATOR}))
        await work.commit()
    assert (await browser.open(f"/review/{id}")).status_code == 200


async def test_who_lost_the_account_that_signed_in_is_signed_out(stage: Stage) -> None:
    slack, telegram = stage.browser(), stage.browser()
    await slack.sign_in("slack:U3")
    await telegram.sign_in("telegram:42")
    async with stage.store.engine.begin() as connection:
        await connection.execute(identities.delete().where(identities.c.user == "42"))
    assert [(await one.http.get("/inbox")).status_code for one in (slack, telegram)] == [200, 303]


async def test_whose_account_was_deactivated_is_signed_out_and_closes_nothing(stage: Stage) -> None:
    id = await stage.ask(question(to="review", audience={"answerers": ["role:operator"]}))
    boss = stage.browser()
    await boss.sign_in("slack:U1")
    assert (await boss.open(f"/review/{id}")).status_code == 200
    stage.clock.move(minutes=6)
    stage.slack.profiles["U1"] = Standing(deleted=True)
    assert (await boss.send(f"/review/{id}", {"do": "cancel", "note": "mine"})).status_code == 401
    assert (await stage.card(id)).is_pending
    assert [(await boss.http.get(path)).status_code for path in ("/inbox", f"/review/{id}")] == [303, 303]


async def test_a_chat_that_cannot_say_signs_nobody_out(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in("slack:U1")
    stage.clock.move(minutes=6)
    stage.slack.away = True
    assert (await browser.http.get("/inbox")).status_code == 200


async def test_who_is_removed_is_signed_out(stage: Stage) -> None:
    browser = stage.browser()
    await browser.sign_in("cleo")
    async with stage.store.work() as work:
        await work.remove_person(WORKSPACE, CLEO.id)
        await work.commit()
    assert (await browser.http.get("/inbox")).status_code == 303
