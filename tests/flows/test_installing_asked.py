"""Before somebody is sent to Slack they are told whose their Slack workspace will be: Slack's own page does not say."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from adapters.slack.installing import _Cookies
from adapters.slack.manifest import POWERS
from bot.startup import WORKSPACE
from core.addresses import Provider
from tests.flows.installed import BEN, BETA, GAMMA, form_on, installable
from tests.flows.rig import sqlite_at

# slack_sdk 3.48 sends client credentials by a way that aiohttp 3.14 deprecates.
pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")
OTHER_KEY = "sk_" + "o" * 43
EVIL = '<b>Evil</b> & "Sons"'


async def test_whoever_is_sent_a_link_is_told_whose_it_is_and_what_it_gives_before_slack_is_near(
    tmp_path: Path,
) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        async with place.app.context.work() as work:
            await work.add_workspace("wsp_evil", EVIL, place.app.context.clock.now())
            await work.commit()
        await place.browser().install(await place.invite("wsp_evil", "first"), GAMMA)
        victim = place.browser()
        shown = await victim.go(await place.invite("wsp_evil", "second"))
        assert shown.status_code == 200
        assert "location" not in shown.headers  # nobody is sent on by having opened it
        assert "http-equiv" not in shown.text.lower()
        assert "Connect your Slack to <bdi>&lt;b&gt;Evil&lt;/b&gt; &amp; &#34;Sons&#34;</bdi>?" in shown.text
        assert "wsp_evil" in shown.text
        assert f"<bdi>Gamma</bdi> <code>{GAMMA}</code>" in shown.text
        for words, _ in POWERS:
            assert words in shown.text
        assert "frame-ancestors 'none'" in shown.headers["content-security-policy"]
        assert await place.app.store.records.installation_at(Provider.SLACK, BETA) is None
        done = await victim.install(await place.invite("wsp_evil", "third"), BETA)
        assert "is connected to <bdi>&lt;b&gt;Evil" in done.text
        assert "remove the app in Slack" in done.text


@pytest.mark.parametrize(
    ("headers", "forget", "status"),
    [
        ({}, "", 303),  # as the page sends it
        ({"Sec_Fetch_Site": "cross-site"}, "", 403),  # a form of another site that sends itself
        ({"Sec_Fetch_Site": "same-site"}, "", 403),  # one of a neighbour under the same domain
        ({}, "token", 403),  # a form that was never drawn here
        ({}, "cookie", 403),  # one that was drawn for another browser
    ],
)
async def test_only_the_button_of_that_very_page_leads_to_slack(
    tmp_path: Path, headers: dict[str, str], forget: str, status: int
) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        visitor, link = place.browser(), await place.invite()
        form = form_on(await visitor.go(link))
        if forget == "token":
            del form["token"]
        if forget == "cookie":
            visitor.cookies.clear()
        sent = await visitor.send(f"{place.url}/slack/install", form, **headers)
        assert sent.status_code == status
        assert ("location" in sent.headers) == (status == 303)
        assert ("oauth-state" in str(sent.headers)) == (status == 303)


async def test_a_link_that_is_used_between_looking_and_going_on_leads_nowhere(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path)) as place:
        slow, link = place.browser(), await place.invite()
        form = form_on(await slow.go(link))
        await place.browser().install(link, BETA)
        late = await slow.send(f"{place.url}/slack/install", form)
        assert late.status_code == 403
        assert "used already" in late.text


async def test_a_way_back_that_somebody_else_began_connects_nothing(tmp_path: Path) -> None:
    """Who begins and sends on the address of Slack's page, past ours, gets nothing by it."""
    async with installable(sqlite_at(tmp_path)) as place:
        other = await place.tenant("wsp_other", OTHER_KEY)
        attacker, victim = place.browser(), place.browser()
        sent = await attacker.leave(await place.invite(other))
        back = (await place.http.get(f"{sent.headers['location']}&team={BETA}")).headers["location"]
        assert (await victim.go(back)).status_code == 400
        await victim.leave(await place.invite(WORKSPACE, "own"))  # even with a state of its own
        assert (await victim.go(back)).status_code == 400
        assert await place.app.store.records.installation_at(Provider.SLACK, BETA) is None


async def test_what_an_address_says_besides_goes_neither_to_slack_nor_at_length_into_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    async with installable(sqlite_at(tmp_path), sayso_install="open") as place:
        visitor, odd = place.browser(), "T0%0d%0aSet-Cookie:%20a=b&scope=admin"
        shown = await visitor.go(f"{place.url}/slack/install?team={odd}")
        assert "Set-Cookie" not in shown.text
        form = form_on(shown) | {"team": "T0\r\nSet-Cookie: a=b"}
        sent = await visitor.send(f"{place.url}/slack/install", form)
        asked = parse_qs(urlsplit(sent.headers["location"]).query)
        assert "team" not in asked
        assert "admin" not in asked["scope"][0].split(",")
        state = asked["state"][0]
        back = await visitor.go(f"{place.url}/slack/oauth_redirect?state={state}&error={'x' * 5_000}")
        assert back.status_code == 400
    logged = f"{caplog.text}{capsys.readouterr()}"
    assert "x" * 100 in logged
    assert "x" * 101 not in logged


async def test_where_anybody_may_install_the_page_says_that_it_will_be_nobody_elses(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path), sayso_install="open") as place:
        visitor = place.browser()
        shown = await visitor.go(f"{place.url}/slack/install?team={GAMMA}")
        assert "To nobody else" in shown.text
        sent = await visitor.send(f"{place.url}/slack/install", form_on(shown))
        assert parse_qs(urlsplit(sent.headers["location"]).query)["team"] == [GAMMA]


async def test_where_anybody_may_install_a_new_workspace_is_a_tenant_of_its_own(tmp_path: Path) -> None:
    async with installable(sqlite_at(tmp_path), sayso_install="open") as place:
        assert (await place.browser().install(f"{place.url}/slack/install", BETA)).status_code == 200
        kept = await place.app.store.records.installation_at(Provider.SLACK, BETA)
        assert kept
        assert kept.workspace != WORKSPACE
        (person,) = await place.app.store.records.people(kept.workspace)
        assert (person.role.value, str(person.identities[0])) == ("operator", f"slack:{BETA}.{BEN}")
        assert await place.app.store.records.people(WORKSPACE) == ()


def test_over_https_no_neighbour_under_the_same_domain_can_give_a_browser_a_state() -> None:
    assert _Cookies(secure=True).build_set_cookie_for_new_state("s") == (
        "__Host-slack-app-oauth-state=s; Secure; HttpOnly; Path=/; Max-Age=600; SameSite=Lax"
    )
    assert _Cookies(secure=False).cookie_name == "slack-app-oauth-state"
