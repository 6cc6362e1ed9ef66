"""Signing in: the way in, and everybody who should not find one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator

import httpx2
import pytest

from bot.startup import WORKSPACE
from bot.web.security import hashed
from core.addresses import Provider
from core.people import Identity
from core.ports import Connection
from tests.web.visiting import ANA, NOW, Browser, Stage, staged


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


def session_of(browser: Browser) -> str:
    return browser.http.cookies["__Host-sayso-session"]


async def test_a_code_from_ones_own_chat_signs_in(stage: Stage) -> None:
    browser = stage.browser()
    page = await browser.sign_in("ana")
    assert (page.status_code, page.url.path) == (200, "/inbox")
    assert "Ana" in page.text


NAMES: tuple[tuple[str, str, str, str], ...] = (
    ("ana", "slack", "U1", "a handle"),
    ("  @ANA ", "slack", "U1", "a handle as people write it"),
    ("person:ana", "slack", "U1", "a handle as addresses write it"),
    ("slack:U1", "slack", "U1", "an account, of the only team"),
    ("slack:T1.U1", "slack", "U1", "an account and its team"),
    ("cleo", "telegram", "42", "the account that was proved first is preferred"),
    ("slack:U3", "slack", "U3", "the account that was named is used"),
    ("telegram:42", "telegram", "42", "a Telegram account"),
    ("telegram:acme_bot.42", "telegram", "42", "and its bot"),
)


@pytest.mark.parametrize(("name", "provider", "user", "reason"), NAMES, ids=[reason for *_, reason in NAMES])
async def test_the_code_goes_to_the_chat_of_whoever_is_meant(
    stage: Stage, name: str, provider: str, user: str, reason: str
) -> None:
    browser = stage.browser()
    await browser.sign_in(name)
    (message,) = await stage.messages()
    assert (message.provider, message.channel, message.thread) == (provider, user, None)
    session = await stage.store.records.session(hashed(session_of(browser)), stage.clock.now())
    assert session is not None
    account = "T1." if provider == "slack" else ""
    assert session.identity == f"{provider}:{account}{user}"


async def test_the_message_names_the_browser_and_says_to_keep_the_code(stage: Stage) -> None:
    await stage.browser(**{"user-agent": "Mozilla/5.0 (iPhone) Version/18.0 Safari/605 <!channel>"}).ask_code()
    (message,) = await stage.messages()
    assert re.fullmatch(
        r"Your code to sign in at sayso\.example\.com is \d{4} \d{4}\n"
        r"Safari on an iPhone asked for it\. Type it there within 10 minutes\. Do not pass it on to anyone: .*",
        message.text,
    )
    assert message.secret


async def test_of_codes_and_cookies_only_hashes_are_stored(stage: Stage) -> None:
    browser = stage.browser()
    attempt = await browser.ask_code()
    code = await stage.latest_code()
    async with stage.store.work() as work:
        signin = await work.signin(attempt["attempt"])
    assert signin is not None
    assert code not in (signin.code, signin.browser)
    assert browser.http.cookies["__Host-sayso-browser"] != signin.browser
    assert await stage.store.records.session("", stage.clock.now()) is None


def _without_secrets(response: httpx2.Response) -> str:
    return re.sub(r"sgn_[0-9a-z]{26}|[0-9a-f]{64}", "…", response.text)


STRANGERS = (
    "nobody",
    "slack:U999",
    "telegram:999",
    "slack:T9.U1",
    "dan",
    "x y z",
    "role:operator",
    "review",
    "a" * 5000,
)


@pytest.mark.parametrize("name", STRANGERS)
async def test_a_stranger_is_told_the_same_as_everybody(stage: Stage, name: str) -> None:
    known, unknown = stage.browser(), stage.browser()
    for browser, typed in ((known, "ana"), (unknown, name)):
        await browser.open("/signin")
        await browser.send("/signin", {"name": typed})
    assert known.page is not None
    assert unknown.page is not None
    assert unknown.page.status_code == known.page.status_code == 200
    assert _without_secrets(unknown.page) == _without_secrets(known.page)
    for header in ("set-cookie", "content-length"):
        assert len(unknown.page.headers[header]) == len(known.page.headers[header])
    assert [message.channel for message in await stage.messages()] == ["U1"]
    wrong = [await browser.send("/signin/code", {"code": "00000000"}) for browser in (known, unknown)]
    assert _without_secrets(wrong[0]) == _without_secrets(wrong[1])


async def test_a_strangers_attempt_takes_no_code_at_all(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.web.codes.secrets.randbelow", lambda _: 12345678)
    known, unknown = stage.browser(), stage.browser()
    await known.ask_code()
    await unknown.ask_code("nobody")
    assert (await known.send("/signin/code", {"code": "1234-5678"}, follow_redirects=False)).status_code == 303
    assert (await unknown.send("/signin/code", {"code": "12345678"}, follow_redirects=False)).status_code == 422


async def test_asking_takes_as_long_for_a_stranger(sqlite_store_url: str) -> None:
    loop = asyncio.get_running_loop()
    async with staged(sqlite_store_url, evenly=0.3) as stage:
        for name in ("ana", "nobody"):
            browser = stage.browser()
            await browser.open("/signin")
            began = loop.time()
            await browser.send("/signin", {"name": name}, follow_redirects=False)
            assert 0.3 <= loop.time() - began < 0.6


async def test_a_person_gets_three_messages_an_hour_and_hears_the_same_after_that(stage: Stage) -> None:
    pages = []
    for n in range(5):
        browser = stage.browser(at=f"203.0.113.{n}")
        await browser.open("/signin")
        pages.append(_without_secrets(await browser.send("/signin", {"name": "ana"})))
    assert len(await stage.messages()) == 3
    assert len(set(pages)) == 1
    stage.clock.move(minutes=61)
    await stage.browser().ask_code("slack:U1")
    assert len(await stage.messages()) == 4


async def test_one_address_cannot_ask_on_and_on(stage: Stage) -> None:
    browser = stage.browser()
    statuses = []
    for number in range(32):
        await browser.open("/signin")
        statuses.append((await browser.send("/signin", {"name": f"nobody{number}"})).status_code)
    assert statuses == [200] * 30 + [429] * 2
    assert browser.page is not None
    assert 0 < int(browser.page.headers["retry-after"]) <= 600


async def test_one_address_cannot_try_codes_on_and_on(stage: Stage) -> None:
    browser = stage.browser()
    await browser.ask_code("nobody")
    statuses = [(await browser.send("/signin/code", {"code": "1"})).status_code for _ in range(101)]
    assert statuses == [422] * 100 + [429]


async def test_a_code_does_nothing_in_another_browser(stage: Stage) -> None:
    mine, other = stage.browser(), stage.browser()
    attempt = await mine.ask_code()
    await other.open(f"/signin/code?attempt={attempt['attempt']}&next=/inbox")
    code = await stage.latest_code()
    stolen = await other.send("/signin/code", {"code": code})
    assert stolen.status_code == 422
    assert "This code does not work." in stolen.text
    assert "__Host-sayso-session" not in other.http.cookies
    assert (await mine.send("/signin/code", {"code": code})).status_code == 200


async def test_another_browsers_tries_do_not_use_up_mine(stage: Stage) -> None:
    mine, other = stage.browser(), stage.browser()
    attempt = await mine.ask_code()
    await other.open(f"/signin/code?attempt={attempt['attempt']}")
    for _ in range(5):
        assert (await other.send("/signin/code", {"code": "1"})).status_code == 422
    assert (await mine.send("/signin/code", {"code": await stage.latest_code()})).status_code == 200


async def test_a_code_works_once(stage: Stage) -> None:
    browser = stage.browser()
    attempt = await browser.ask_code()
    code = await stage.latest_code()
    await browser.send("/signin/code", {"code": code})
    again = await browser.http.post("/signin/code", data={**attempt, "code": code})
    assert again.status_code == 422


async def test_the_sixth_try_fails_even_with_the_right_code(stage: Stage) -> None:
    browser = stage.browser()
    await browser.ask_code()
    code = await stage.latest_code()
    for _ in range(5):
        assert (
            await browser.send("/signin/code", {"code": "99999999" if code != "99999999" else "0"})
        ).status_code == 422
    assert (await browser.send("/signin/code", {"code": code})).status_code == 422


async def test_the_fifth_try_may_still_be_the_right_one(stage: Stage) -> None:
    browser = stage.browser()
    await browser.ask_code()
    code = await stage.latest_code()
    for _ in range(4):
        await browser.send("/signin/code", {"code": "1"})
    assert (await browser.send("/signin/code", {"code": code})).status_code == 200


async def test_a_code_is_good_for_ten_minutes(stage: Stage) -> None:
    for minutes, status in ((9, 200), (11, 422)):
        browser = stage.browser()
        await browser.ask_code()
        code = await stage.latest_code()
        stage.clock.move(minutes=minutes)
        assert (await browser.send("/signin/code", {"code": code})).status_code == status


async def test_many_tries_at_the_same_moment_are_counted_one_by_one(stage: Stage) -> None:
    browser = stage.browser()
    attempt = await browser.ask_code()
    code = await stage.latest_code()
    await asyncio.gather(*(browser.http.post("/signin/code", data={**attempt, "code": "1"}) for _ in range(8)))
    assert (await browser.send("/signin/code", {"code": code})).status_code == 422


async def test_a_handle_in_two_workspaces_means_nobody_and_an_account_does(stage: Stage) -> None:
    async with stage.store.work() as work:
        await work.add_workspace("wsp_other", "Other", NOW)
        await work.add_connection(Connection("con_3", "wsp_other", Provider.SLACK, "T2", "Other", "UBOT"), NOW)
        twin = Identity(provider="slack", account="T2", user="U1")
        namesake = ANA.model_copy(update={"id": "per_twin", "workspace": "wsp_other", "name": "Twin"})
        await work.add_person(namesake.model_copy(update={"identities": (twin,)}))
        await work.commit()
    for name in ("ana", "slack:U1"):
        await stage.browser().ask_code(name)
    assert await stage.messages() == []
    browser = stage.browser()
    await browser.sign_in("slack:T2.U1")
    assert [(message.account, message.channel) for message in await stage.messages()] == [("T2", "U1")]
    assert "Twin" in (await browser.open("/inbox")).text


async def test_a_chat_that_stopped_working_is_the_last_resort(stage: Stage) -> None:
    async with stage.store.work() as work:
        telegram = next(one for one in await work.connections(WORKSPACE) if one.provider is Provider.TELEGRAM)
        await work.save_connection(Connection(**{**vars(telegram), "problem": "the token was revoked"}))
        await work.commit()
    await stage.browser().ask_code("cleo")
    assert [message.provider for message in await stage.messages()] == ["slack"]


async def test_a_form_without_its_browsers_cookie_is_shown_again(stage: Stage) -> None:
    browser = stage.browser()
    await browser.open("/signin?next=/review/int_1")
    browser.http.cookies.clear()
    page = await browser.send("/signin", {"name": "ana"})
    assert page.status_code == 403
    assert 'value="ana"' in page.text
    assert "open for too long" in page.text
    assert await stage.messages() == []
    again = await browser.send("/signin", {"name": "ana"})
    assert (again.status_code, len(await stage.messages())) == (200, 1)


async def test_a_name_is_needed(stage: Stage) -> None:
    browser = stage.browser()
    await browser.open("/signin")
    page = await browser.send("/signin", {"name": " "})
    assert page.status_code == 422
    assert "Type your handle or a chat account." in page.text


async def test_a_message_that_comes_late_is_of_no_use_to_anyone(stage: Stage) -> None:
    browser = stage.browser()
    await browser.ask_code()
    stage.clock.move(minutes=10)
    assert (await browser.send("/signin/code", {"code": await stage.latest_code()})).status_code == 422
