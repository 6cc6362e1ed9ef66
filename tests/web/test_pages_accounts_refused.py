"""Accounts that are not linked: by another session, another person, an old one, a guess, or another site."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.linking import SLACK_ANA, Scene, scene
from tests.web.providers import follow
from tests.web.visiting import BASE, code_in, confirmation, fields_of

__all__ = ["scene"]


async def test_nothing_of_it_means_anything_in_another_persons_tab(scene: Scene) -> None:
    """Eve proves her own account and has Ana's browser confirm it, to answer as Ana from then on; and the other way."""
    eve, ana = await scene.signed_in("cleo"), await scene.signed_in()
    assert await scene.prove_by_code(eve) == 200
    at, hidden = str(eve.page.url if eve.page else ""), dict(fields_of(eve.text))
    assert (await ana.open(at.removeprefix(BASE))).status_code == 400
    await ana.open("/accounts")
    own = dict(fields_of(ana.text))["token"]
    for token, status in ((hidden["token"], 403), (own, 400)):
        data = {"token": token, "claim": hidden["claim"], "do": "link"}
        assert (await ana.http.post("/accounts/confirm", data=data)).status_code == status
    assert await scene.accounts("ana") == [SLACK_ANA]


async def test_a_new_session_of_the_same_person_confirms_nothing_of_the_one_before(scene: Scene) -> None:
    ana = await scene.signed_in()
    await scene.prove_by_code(ana)
    claim = dict(fields_of(ana.text))["claim"]
    await ana.open("/signin?again&next=/accounts")
    await ana.send("/signin", {"name": "ana"})
    await ana.send("/signin/code", {"code": await scene.stage.latest_code()})
    data = {"token": dict(fields_of(ana.text))["token"], "claim": claim, "do": "link"}
    assert (await ana.http.post("/accounts/confirm", data=data)).status_code == 400


async def test_a_way_back_of_a_session_leads_nowhere_else(scene: Scene) -> None:
    """Mallory sends Ana the way back of her own; Ana's session links nothing by it, and neither signs it anybody in."""
    scene.p.slack.openid.person = "U9"
    mallory, ana, nobody = await scene.signed_in("cleo"), await scene.signed_in(), scene.stage.browser()
    back = await scene.way_back(mallory, "slack")
    await nobody.open("/signin")
    for other in (ana, nobody):
        assert (await other.open(back)).status_code == 400
    assert "Are both yours?" in (await mallory.open(back)).text, "it is still Mallory's own"
    assert (await mallory.open(back)).status_code == 400, "once"


async def test_a_way_back_from_signing_in_links_nothing(scene: Scene) -> None:
    scene.p.slack.openid.person = "U9"
    ana = await scene.signed_in()
    await ana.open("/signin?again")
    left = await ana.send("/signin/slack", {"next": "/inbox"}, follow_redirects=False)
    page = await ana.open((await follow(left.headers["location"])).removeprefix(BASE))
    assert page.status_code == 403
    assert "sayso person add" in page.text
    assert await scene.accounts("ana") == [SLACK_ANA]


async def test_proving_by_a_session_is_for_the_account_alone_that_was_proved(scene: Scene) -> None:
    """Zed's account, proved by Ben and not yet confirmed, opens nothing as Ben, and Ben's nothing as Zed."""
    id = await scene.stage.ask(confirmation(audience={"answerers": ["telegram:66"]}))
    ben = await scene.signed_in("ben")
    await scene.prove_by_code(ben)
    assert (await ben.open(f"/review/{id}")).status_code == 404
    await ben.open("/accounts")
    await scene.prove_by_code(ben)
    await scene.link(ben)
    assert (await ben.open(f"/review/{id}")).status_code == 200


async def test_an_old_session_changes_nothing(scene: Scene) -> None:
    ana = await scene.signed_in("cleo")
    fresh = ana.page
    scene.stage.clock.move(minutes=16)
    await ana.open("/accounts")
    assert "/signin?again&amp;next=/accounts" in ana.text
    assert "Unlink" not in ana.text
    ana.page = fresh
    for action, button, fields in (
        ("/accounts", "code", {"name": "telegram:66"}),
        ("/accounts", "unlink", {}),
        ("/accounts/link/slack", "", {}),
    ):
        ana.page = fresh
        assert (await scene.press(ana, action, button, fields)).status_code == 403
    assert len(await scene.accounts("cleo")) == 2
    assert all("says at" not in one.text for one in await scene.stage.messages())


async def test_an_account_of_another_person_who_was_added_stays_theirs(scene: Scene) -> None:
    ana = await scene.signed_in()
    assert await scene.prove_by_code(ana, "telegram:42") == 200
    assert "If you are one, an operator says so with `sayso person merge" in ana.text
    assert "Link both" not in ana.text
    data = {**dict(fields_of(ana.text)), "do": "link"}
    refused = await ana.http.post("/accounts/confirm", data=data)
    assert refused.status_code == 409
    assert await scene.accounts("ana") == [SLACK_ANA]
    assert "telegram:42" in await scene.accounts("cleo")


async def test_codes_are_guessed_five_times_and_sent_three_times_an_hour(scene: Scene) -> None:
    ana = await scene.signed_in()
    await ana.open("/accounts")
    await scene.press(ana, "/accounts", "code", {"name": "telegram:66"})
    right, asking = code_in((await scene.stage.messages())[-1].text), ana.page
    for _ in range(5):
        ana.page = asking
        assert (await scene.press(ana, "/accounts/code", fields={"code": "00000000"})).status_code == 422
    ana.page = asking
    assert (await scene.press(ana, "/accounts/code", fields={"code": right})).status_code == 422
    for name in ("telegram:66", "telegram:67", "telegram:68"):
        await ana.open("/accounts")
        page = await scene.press(ana, "/accounts", "code", {"name": name})
        assert "If the bot reaches that account" in page.text
    sent = [one for one in await scene.stage.messages() if "says at" in one.text]
    assert len(sent) == 3, "her own sign-in is not counted with them"


@pytest.mark.parametrize("name", ["nobody", "ana", "telegram:abc", "oidc:x", "slack:T9.U1", "slack:T1.U1", "slack:U1"])
async def test_what_is_no_other_account_in_a_chat_is_sent_nothing_and_looks_the_same(scene: Scene, name: str) -> None:
    ana = await scene.signed_in()
    before = len(await scene.stage.messages())
    await scene.press(ana, "/accounts", "code", {"name": name})
    assert "If the bot reaches that account" in ana.text
    assert len(await scene.stage.messages()) == before
    assert (await scene.press(ana, "/accounts/code", fields={"code": "12345678"})).status_code == 422
    assert (await scene.press(ana, "/accounts/code", fields={"code": ""})).status_code == 422


async def test_a_code_for_linking_signs_nobody_in_and_one_for_signing_in_links_nothing(scene: Scene) -> None:
    await scene.stranger()
    ana, thief = await scene.signed_in(), scene.stage.browser()
    await ana.open("/accounts")
    await scene.press(ana, "/accounts", "code", {"name": "telegram:66"})
    code, attempt = code_in((await scene.stage.messages())[-1].text), dict(fields_of(ana.text))["attempt"]
    await thief.open("/signin")
    assert (await thief.send("/signin/code", {"code": code, "attempt": attempt})).status_code == 422
    hidden = await ana.stage.browser().ask_code("telegram:66")
    code = code_in((await scene.stage.messages())[-1].text)
    fields = {"code": code, "attempt": hidden["attempt"]}
    await ana.open("/accounts/code?attempt=x")
    assert (await scene.press(ana, "/accounts/code", fields=fields)).status_code == 422


async def test_forms_are_taken_from_our_own_pages_of_that_session(scene: Scene) -> None:
    crossing = scene.stage.browser()
    await crossing.sign_in("ana", "/accounts")
    token = dict(fields_of(crossing.text))["token"]
    posts: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/accounts", {"do": "code", "name": "telegram:66"}),
        ("/accounts/code", {"attempt": "x", "code": "1"}),
        ("/accounts/confirm", {"claim": "x", "do": "link"}),
        ("/accounts/link/slack", {}),
    )
    for path, data in posts:
        for given, headers in ((token, {"sec-fetch-site": "cross-site"}), ("forged", {}), ("", {})):
            answer = await crossing.http.post(path, data={**data, "token": given}, headers=headers)
            assert answer.status_code == 403, path
        signed_out = await scene.stage.browser().http.post(path, data={**data, "token": token})
        assert signed_out.headers["location"].startswith("/signin"), path
    assert (await crossing.open("/accounts/confirm?claim=x")).status_code == 400
    for path in ("/accounts", "/accounts/code", "/accounts/confirm"):
        assert (await scene.stage.browser().http.get(path)).headers["location"] == "/signin?next=/accounts"
