"""Signing in with Slack or with an operator's own provider, as browsers do it and as thieves would."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from bot.startup import WORKSPACE
from core.people import Identity, Person
from tests.web.providers import Providers, follow, providers
from tests.web.visiting import BASE, Browser, Stage, staged

ED = Person(id="per_ed", workspace=WORKSPACE, handle="ed", name="Ed")


@dataclass
class Both:
    """The pages, and whom they send people to."""

    stage: Stage
    p: Providers

    async def link_ed(self) -> None:
        """Ed has the account of the operator's provider."""
        identity = Identity(provider="oidc", account=self.p.own.issuer, user=self.p.own.person)
        async with self.stage.store.work() as work:
            await work.add_person(ED.model_copy(update={"identities": (identity,)}))
            await work.commit()


@pytest.fixture
async def both(sqlite_store_url: str) -> AsyncIterator[Both]:
    async with providers() as served, staged(sqlite_store_url, parties=served.parties) as stage:
        yield Both(stage, served)


async def set_out(browser: Browser, provider: str, to: str = "/inbox") -> str:
    """Press the button, sign in over there, and return the address that leads back."""
    await browser.open(f"/signin?{urlencode({'next': to})}")
    form = {"next": to} if to.startswith("/") else {}
    left = await browser.send(f"/signin/{provider}", form, follow_redirects=False)
    assert left.status_code == 303, left.text
    return await follow(left.headers["location"])


def path_of(back: str) -> str:
    return back.removeprefix(BASE)


async def test_slack_signs_in_whoever_has_the_account_and_leads_to_where_they_wanted(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    ana = both.stage.browser()
    page = await ana.open("/signin")
    assert "Sign in with Slack" in page.text
    assert "form-action 'self' https: http://127.0.0.1:" in page.headers["content-security-policy"]
    back = await set_out(ana, "slack", "/loops")
    page = await ana.open(path_of(back))
    assert urlsplit(str(page.url)).path == "/loops"
    assert "Ana" in ana.text


async def test_the_operators_provider_signs_in_whoever_is_linked(both: Both) -> None:
    await both.link_ed()
    ed = both.stage.browser()
    await ed.open(path_of(await set_out(ed, "oidc")))
    assert "Ed" in ed.text
    assert "Sign out" in ed.text


async def test_an_account_that_is_nobodys_is_told_what_to_do_and_is_not_let_in(both: Both) -> None:
    for provider, person, words in (
        ("slack", "U9", "sayso person add HANDLE --slack T1.U9"),
        ("oidc", "248289761001", "sayso person add HANDLE --oidc 248289761001"),
    ):
        both.p.slack.openid.person = person if provider == "slack" else ""
        somebody = both.stage.browser()
        page = await somebody.open(path_of(await set_out(somebody, provider)))
        assert page.status_code == 403
        assert words in page.text
        assert "Sign out" not in page.text
        assert (await somebody.open("/inbox")).url.path == "/signin"


async def test_a_name_or_an_address_is_nobodys_account(both: Both) -> None:
    """Zed calls himself Ana in Slack, and his provider says that his address is hers."""
    both.p.slack.workspace.add_user("ana2", "Ana", user_id="U8")
    both.p.slack.openid.person = "U8"
    zed = both.stage.browser()
    assert (await zed.open(path_of(await set_out(zed, "slack")))).status_code == 403


async def test_a_way_back_leads_in_once(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    ana = both.stage.browser()
    back = path_of(await set_out(ana, "slack"))
    assert (await ana.open(back)).status_code == 200
    again = await ana.open(back)
    assert again.status_code == 400
    assert "used already" in again.text


async def test_a_stolen_way_back_leads_nowhere_in_another_browser_and_is_still_its_owners(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    ana, thief = both.stage.browser(), both.stage.browser()
    back = path_of(await set_out(ana, "slack"))
    await thief.open("/signin")
    assert (await thief.open(back)).status_code == 400
    assert (await thief.open("/inbox")).url.path == "/signin"
    assert "Ana" in (await ana.open(back)).text


async def test_nobody_is_signed_in_to_an_account_by_a_link_that_somebody_else_made(both: Both) -> None:
    """Mallory sends Ana a way back of her own, to have what Ana types there."""
    both.p.slack.openid.person = "U9"
    mallory, ana = both.stage.browser(), both.stage.browser()
    back = path_of(await set_out(mallory, "slack"))
    assert (await ana.open(back)).status_code == 400, "Ana's browser set out nowhere"


async def test_a_way_back_is_too_old_after_ten_minutes(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    ana = both.stage.browser()
    back = path_of(await set_out(ana, "slack"))
    both.stage.clock.move(minutes=11)
    assert (await ana.open(back)).status_code == 400


async def test_a_way_back_that_was_changed_leads_nowhere(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    for spelled in ("{0}.L3N0YXR1cw", "{0}", "{0}.{1}.{1}", "", "\0" * 3_000):
        ana = both.stage.browser()
        back = urlsplit(path_of(await set_out(ana, "slack")))
        query = dict(parse_qsl(back.query))
        changed = {**query, "state": spelled.format(*query["state"].split("."))}
        assert (await ana.open(f"{back.path}?{urlencode(changed)}")).status_code == 400
        other = back.path.replace("slack", "oidc")
        assert (await ana.open(f"{other}?{back.query}")).status_code == 400, "it is the way back of another provider"


async def test_somebody_who_says_no_over_there_is_not_in(both: Both) -> None:
    both.p.slack.openid.person = ""
    ana = both.stage.browser()
    page = await ana.open(path_of(await set_out(ana, "slack")))
    assert "It was not allowed there" in page.text


@pytest.mark.parametrize(
    "to", ["https://evil.example.com", "//evil.example.com", "/\\evil.example.com", "javascript:1"]
)
async def test_nobody_is_led_away_from_here(both: Both, to: str) -> None:
    both.p.slack.openid.person = "U1"
    ana = both.stage.browser()
    await ana.open("/signin")
    left = await ana.send("/signin/slack", {"next": to}, follow_redirects=False)
    back = await ana.open(path_of(await follow(left.headers["location"])))
    assert str(back.url) == f"{BASE}/inbox"


async def test_setting_out_takes_a_form_of_this_browser(both: Both) -> None:
    ana, other = both.stage.browser(), both.stage.browser()
    await other.open("/signin")
    assert (await ana.send("/signin/slack", {"next": "/inbox"}, follow_redirects=False)).status_code == 403
    ana.page = other.page
    assert (await ana.send("/signin/slack", {"next": "/inbox"}, follow_redirects=False)).status_code == 403
    crossing = both.stage.browser(**{"sec-fetch-site": "cross-site"})
    await crossing.open("/signin")
    assert (await crossing.send("/signin/slack", {}, follow_redirects=False)).status_code == 403


async def test_there_are_no_other_providers(both: Both) -> None:
    ana = both.stage.browser()
    await ana.open("/signin")
    assert (await ana.send("/signin/google", {}, follow_redirects=False)).status_code == 404
    assert (await ana.open("/signin/google/return?code=1&state=2")).status_code == 404


async def test_a_sign_in_elsewhere_is_a_fresh_one(both: Both) -> None:
    both.p.slack.openid.person = "U1"
    ana = both.stage.browser()
    await ana.open(path_of(await set_out(ana, "slack")))
    both.stage.clock.move(hours=1)
    await ana.open("/signin?again&next=/inbox")
    left = await ana.send("/signin/slack", {}, follow_redirects=False)
    await ana.open(path_of(await follow(left.headers["location"])))
    both.stage.clock.move(hours=11, minutes=30)
    assert (await ana.open("/inbox")).url.path == "/inbox", "the first session would be over by now"
