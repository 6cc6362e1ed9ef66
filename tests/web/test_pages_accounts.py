"""Linking one person's accounts, by proof of both in one session and a last look at both; and unlinking."""

from __future__ import annotations

import asyncio
from urllib.parse import urlsplit

import pytest

from bot.startup import WORKSPACE
from core.audit import Changed
from core.people import Identity, Role
from tests.web.linking import SLACK_ANA, ZED, Scene, scene
from tests.web.visiting import ANA, Browser, confirmation, fields_of

__all__ = ["scene"]


async def test_a_code_links_an_account_after_a_last_look_at_both(scene: Scene) -> None:
    ana = await scene.signed_in()
    assert await scene.prove_by_code(ana) == 200
    for shown in ("Slack", "T1.U1", "Telegram", "66", "Ana"):
        assert shown in ana.text
    assert await scene.accounts("ana") == [SLACK_ANA], "nothing is linked by proving alone"
    await scene.link(ana)
    assert "The account is linked" in ana.text
    assert await scene.accounts("ana") == [SLACK_ANA, "telegram:66"]
    both = [Changed.ACCOUNT_PROVED, Changed.ACCOUNT_ADDED]
    assert await scene.audited() == [(what, "person ana", SLACK_ANA) for what in both]
    other = scene.stage.browser()
    await other.sign_in("telegram:66")
    assert "Ana" in other.text


@pytest.mark.parametrize("provider", ["oidc", "telegram", "slack"])
async def test_a_sign_in_elsewhere_links_the_account_it_proves(scene: Scene, provider: str) -> None:
    person = await scene.signed_in("cleo" if provider == "slack" else "ana")
    if provider == "telegram":
        assert (await scene.prove_with_telegram(person, 66)).status_code == 200
        expected = "telegram:66"
    else:
        scene.p.slack.openid.person = "U9"
        await person.open(await scene.way_back(person, provider))
        expected = f"oidc:{scene.p.own.issuer}.{scene.p.own.person}" if provider == "oidc" else "slack:T1.U9"
    assert "Are both yours?" in person.text
    await scene.link(person)
    handle = "cleo" if provider == "slack" else "ana"
    assert (await scene.accounts(handle))[-1] == expected
    assert "Sign out" in person.text


async def test_the_account_that_was_there_is_told_and_so_is_whoever_is_asked_for_a_code(scene: Scene) -> None:
    ana = await scene.signed_in()
    await scene.prove_by_code(ana)
    asked = (await scene.stage.messages())[-1]
    assert (asked.provider, asked.channel, asked.secret) == ("telegram", "66", True)
    assert f"Ana (ana, signed in with {SLACK_ANA}) says at sayso.example.com" in asked.text
    assert "do not pass it on" in asked.text
    await scene.link(ana)
    told = (await scene.stage.messages())[-1]
    assert (told.provider, told.channel) == ("slack", "U1")
    assert "The account telegram:66 was linked to yours" in told.text
    assert "tell an operator" in told.text


async def test_leaving_it_links_nothing_and_uses_the_proof_up(scene: Scene) -> None:
    ana = await scene.signed_in()
    await scene.prove_by_code(ana)
    both = ana.page
    await scene.press(ana, "/accounts/confirm", "leave")
    assert "Nothing was linked" in ana.text
    ana.page = both
    assert (await scene.link(ana)).status_code == 400
    assert await scene.accounts("ana") == [SLACK_ANA]


async def test_two_tabs_that_confirm_at_once_link_once(scene: Scene) -> None:
    ana = await scene.signed_in()
    await scene.prove_by_code(ana)
    data = {**dict(fields_of(ana.text)), "do": "link"}

    async def confirm() -> int:
        return (await ana.http.post("/accounts/confirm", data=data, follow_redirects=True)).status_code

    assert sorted(await asyncio.gather(*(confirm() for _ in range(4)))) == [200, 400, 400, 400]
    assert await scene.accounts("ana") == [SLACK_ANA, "telegram:66"]
    assert [what for what, _, _ in await scene.audited()].count(Changed.ACCOUNT_ADDED) == 1


async def test_whoever_an_account_was_by_itself_becomes_the_person_and_receipts_stay_as_they_are(scene: Scene) -> None:
    zed = await scene.stranger()
    id = await scene.stage.ask(confirmation(audience={"answerers": ["telegram:66"]}))
    other = scene.stage.browser()
    await other.sign_in("telegram:66")
    assert await other.press(id, "accept") == 200
    records = scene.stage.store.records
    before = await records.receipts(WORKSPACE, id)
    assert [one.by.id for one in before if one.by.type == "person"] == [zed.id]
    ana = await scene.signed_in()
    await scene.prove_by_code(ana)
    assert f"It answered here before, as {zed.handle}" in ana.text
    await scene.link(ana)
    assert await records.receipts(WORKSPACE, id) == before
    assert await records.person(WORKSPACE, zed.id) is None
    assert await scene.accounts("ana") == [SLACK_ANA, "telegram:66"]
    noted = {what for what, _, _ in await scene.audited()}
    assert noted == {Changed.ACCOUNT_PROVED, Changed.PERSON_MERGED, Changed.ACCOUNT_ADDED}
    await other.open("/inbox")
    assert urlsplit(str(other.page.url if other.page else "")).path == "/signin", "who they were is no more"


async def test_what_waits_for_whoever_an_account_was_by_itself_waits_for_the_person(scene: Scene) -> None:
    zed = await scene.stranger()
    id = await scene.stage.ask(confirmation(audience={"answerers": [f"person:{zed.handle}"]}))
    ben = await scene.signed_in("ben")
    assert (await ben.open(f"/review/{id}")).status_code == 404
    await ben.open("/accounts")
    await scene.prove_by_code(ben)
    await scene.link(ben)
    assert await ben.press(id, "accept") == 200
    outcome = (await scene.stage.card(id)).outcome
    assert outcome is not None
    assert (outcome.by.handle, outcome.by.identity) == ("ben", "slack:T1.U2")


async def test_who_was_nobody_becomes_the_person_they_prove_to_be(scene: Scene) -> None:
    await scene.stranger()
    somebody = await scene.signed_in("telegram:66")
    assert await scene.prove_by_code(somebody, "slack:U1") == 200
    assert "so you will be ana here from now on" in somebody.text
    await scene.link(somebody)
    assert "The account is linked" in somebody.text
    assert "Ana" in somebody.text
    assert await scene.accounts("ana") == [SLACK_ANA, "telegram:66"]


async def test_two_accounts_that_nobody_added_become_one_and_come_along_together(scene: Scene) -> None:
    await scene.stranger()
    await scene.stranger(Identity(provider="slack", account="T1", user="U9"))
    somebody = await scene.signed_in("telegram:66")
    await scene.prove_by_code(somebody, "slack:U9")
    await scene.link(somebody)
    assert await scene.accounts("telegram-66") == ["telegram:66", "slack:T1.U9"]
    ana = await scene.signed_in()
    await scene.prove_by_code(ana, "slack:U9")
    await scene.link(ana)
    assert await scene.accounts("ana") == [SLACK_ANA, "telegram:66", "slack:T1.U9"]


async def test_unlinking_takes_one_away_and_never_the_last(scene: Scene) -> None:
    cleo = await scene.signed_in("cleo")  # with telegram:42, which is her first
    twin = await scene.signed_in("slack:U3")
    twins = twin.page
    await scene.press(cleo, "/accounts", "unlink")
    assert "not yours here any more" in cleo.text
    assert await scene.accounts("cleo") == ["telegram:42"]
    assert [what for what, _, _ in await scene.audited()] == [Changed.ACCOUNT_REMOVED]
    told = (await scene.stage.messages())[-2:]
    assert {one.provider for one in told} == {"slack", "telegram"}
    assert all("slack:T1.U3 was unlinked" in one.text for one in told)
    twin.page = twins
    refused = await scene.press(twin, "/accounts", "unlink")
    assert urlsplit(str(refused.url)).path == "/signin", "the account that its session began with is gone"
    hidden = dict(fields_of(cleo.text))
    own = {"token": hidden["token"], "account": "telegram:42", "do": "unlink"}
    assert (await cleo.http.post("/accounts", data=own)).status_code == 409
    others = {**own, "account": SLACK_ANA}
    assert (await cleo.http.post("/accounts", data=others)).status_code == 404
    assert await scene.accounts("cleo") == ["telegram:42"]


async def test_of_two_sessions_that_unlink_each_others_account_at_once_one_stays(scene: Scene) -> None:
    cleo, twin = await scene.signed_in("telegram:42"), await scene.signed_in("slack:U3")

    async def unlink(browser: Browser, account: str) -> int:
        data = {"token": dict(fields_of(browser.text))["token"], "account": account, "do": "unlink"}
        return (await browser.http.post("/accounts", data=data)).status_code

    done = await asyncio.gather(unlink(cleo, "slack:T1.U3"), unlink(twin, "telegram:42"))
    assert min(done) == 303
    assert len(await scene.accounts("cleo")) == 1


async def test_an_operators_claim_is_worth_no_more_than_anybodys(scene: Scene) -> None:
    """Signed in as an operator's other account, one is the operator: the role is the person's."""
    ana = await scene.signed_in()
    assert (await scene.stage.store.records.person_by_handle(WORKSPACE, "ana")) is not None
    await scene.prove_by_code(ana)
    await scene.link(ana)
    found = await scene.stage.store.records.person_by_identity(WORKSPACE, ZED)
    assert found is not None
    assert (found.handle, found.role) == ("ana", ANA.role)
    assert ANA.role is Role.OPERATOR
