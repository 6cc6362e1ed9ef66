"""Who may open a card on its page, who may close it, and what nobody can do to it there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.addresses import Provider
from core.people import Identity, Standing
from core.ports import Connection
from core.records import Status
from tests.web.visiting import ANA, CLEO, NOW, Browser, Stage, confirmation, question, staged

SHIP = {"payload": {"questions": [{"id": "q", "type": "text", "prompt": "Say?", "pattern": "[a-z]+"}]}}
TWO: dict[str, Any] = {
    "payload": {
        "questions": [
            {"id": "a", "type": "text", "prompt": "A?"},
            {"id": "b", "type": "choice", "prompt": "B?", "custom": True, "options": [{"id": "y", "label": "Yes"}]},
        ]
    }
}
ONLY_ANA = {"audience": {"answerers": ["person:ana"]}}
ONLY_BEN = {"audience": {"answerers": ["person:ben"]}}


@pytest.fixture
async def stage(sqlite_store_url: str) -> AsyncIterator[Stage]:
    async with staged(sqlite_store_url) as opened:
        yield opened


@pytest.fixture
async def ana(stage: Stage) -> Browser:
    """An operator."""
    browser = stage.browser()
    await browser.sign_in("ana")
    return browser


@pytest.fixture
async def ben(stage: Stage) -> Browser:
    """A member."""
    browser = stage.browser()
    await browser.sign_in("ben")
    return browser


CLOSED = (("cancel", Status.CANCELLED), ("skip", Status.SKIPPED), ("withdraw", Status.WITHDRAWN))


@pytest.mark.parametrize(("button", "status"), CLOSED)
async def test_an_operator_ends_a_card_without_an_answer(
    stage: Stage, ana: Browser, button: str, status: Status
) -> None:
    id = await stage.ask({**confirmation(), **ONLY_BEN})
    await ana.open(f"/review/{id}")
    assert "This question is for other people" in ana.text
    assert 'value="accept"' not in ana.text
    assert await ana.press(id, button, note="Not needed any more") == 200
    card = await stage.card(id)
    assert card.status is status
    assert card.outcome is not None
    assert card.outcome.reason == "Not needed any more"
    assert (card.outcome.by.id, card.outcome.by.identity) == ("per_ana", "slack:T1.U1")


async def test_an_operator_closes_only_what_they_saw(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    for button in ("cancel", "skip", "withdraw", "dismiss"):
        assert await ana.press(id, button, revision="2") == 409
    card = await stage.card(id)
    assert (card.is_pending, card.dismissed_at) == (True, None)


async def test_an_operator_sets_a_card_aside_and_brings_it_back(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    assert await ana.press(id, "dismiss", reason="my draft") == 200
    assert "Bring back" in ana.text
    assert "my draft</textarea>" in ana.text
    assert (await stage.card(id)).dismissed_at is not None
    assert await ana.press(id, "reopen") == 200
    assert (await stage.card(id)).dismissed_at is None


@pytest.mark.parametrize("button", ["cancel", "skip", "withdraw", "dismiss", "reopen"])
async def test_a_member_closes_nothing_even_with_a_form_of_their_own(stage: Stage, ben: Browser, button: str) -> None:
    id = await stage.ask(confirmation())
    assert await ben.press(id, button) == 403
    assert "Only operators can do this." in ben.text
    card = await stage.card(id)
    assert (card.is_pending, card.dismissed_at) == (True, None)


@pytest.mark.parametrize("button", ["", "submit", "explode"])
async def test_a_button_that_the_card_does_not_have_does_nothing(stage: Stage, ben: Browser, button: str) -> None:
    id = await stage.ask(confirmation())
    assert await ben.press(id, button, reason="kept") in (403, 422)
    assert "kept</textarea>" in ben.text
    assert (await stage.card(id)).is_pending


async def test_who_may_not_see_a_card_is_told_the_same_as_of_none(stage: Stage, ben: Browser) -> None:
    theirs = await stage.ask({**confirmation(), **ONLY_ANA})
    missing = theirs[:-1] + ("0" if theirs[-1] != "0" else "1")
    pages = [await ben.open(f"/review/{id}") for id in (theirs, missing, "x", "int_1", "%00", "x" * 3000)]
    pages += [await ben.http.post(f"/review/{id}", data={"do": "accept", "revision": "1"}) for id in (theirs, missing)]
    assert {page.status_code for page in pages} == {404}
    assert len({page.text for page in pages}) == 1
    assert len({tuple(sorted(page.headers)) for page in pages}) == 1
    assert (await stage.card(theirs)).is_pending


async def test_an_operator_of_another_workspace_sees_nothing(stage: Stage) -> None:
    id = await stage.ask(confirmation())
    theirs = Identity(provider="telegram", user="43")
    boss = ANA.model_copy(update={"id": "per_x", "workspace": "wsp_x", "handle": "x", "identities": (theirs,)})
    async with stage.store.work() as work:
        await work.add_workspace("wsp_x", "Other", NOW)
        await work.add_connection(Connection("con_x", "wsp_x", Provider.TELEGRAM, "x_bot", "Other", "1"), NOW)
        await work.add_person(boss)
        await work.commit()
    browser = stage.browser()
    assert (await browser.sign_in("telegram:x_bot.43")).url.path == "/inbox"
    assert (await browser.open(f"/review/{id}")).status_code == 404


async def test_who_acted_may_read_it_ever_after(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    assert await ben.press(id, "accept") == 200
    stage.slack.members.clear()
    assert (await ben.open(f"/review/{id}")).status_code == 200
    other = await stage.ask(confirmation())
    assert (await ben.open(f"/review/{other}")).status_code == 404


async def test_who_left_the_conversation_answers_no_more(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await ben.open(f"/review/{id}")
    stage.slack.members.clear()
    assert (await ben.send(f"/review/{id}", {"do": "accept"})).status_code == 404
    assert (await stage.card(id)).is_pending


async def test_a_guest_is_one_with_any_account(stage: Stage) -> None:
    stage.slack.members.add("U3")
    stage.slack.profiles["U3"] = Standing(guest=True)
    cleo = stage.browser()
    await cleo.sign_in("telegram:42")
    id = await stage.ask(confirmation())
    assert (await cleo.open(f"/review/{id}")).status_code == 404
    stage.slack.profiles["U3"] = Standing()
    async with stage.store.work() as work:
        await work.forget_standing(WORKSPACE, CLEO.identities[1])
        await work.commit()
    assert await cleo.press(id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


@pytest.mark.parametrize(("standing", "status"), [(Standing(deleted=True), 404), (Standing(known=False), 503)])
async def test_an_account_is_worth_what_it_is_now_whatever_account_signed_in(
    stage: Stage, standing: Standing, status: int
) -> None:
    stage.slack.members.add("U3")
    stage.slack.profiles["U3"] = standing
    cleo = stage.browser()
    await cleo.sign_in("telegram:42")
    id = await stage.ask(confirmation())
    assert (await cleo.open(f"/review/{id}")).status_code == status


async def test_when_the_chat_cannot_say_who_belongs_nothing_is_lost(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await ben.open(f"/review/{id}")
    stage.slack.away = True
    page = await ben.send(f"/review/{id}", {"do": "reject", "reason": "my <words>\nin two lines"})
    assert (page.status_code, page.headers["retry-after"]) == (503, "5")
    assert "staging" not in page.text, "who cannot be checked is shown nothing of the card"
    assert "my &lt;words&gt;" in page.text
    assert (await ben.http.get(f"/review/{id}")).status_code == 503
    assert (await stage.card(id)).is_pending
    stage.slack.away = False
    again = {"reason": "my <words>\r\nin two lines"}
    assert (await ben.send(f"/review/{id}", again)).status_code == 200
    outcome = (await stage.card(id)).outcome
    assert outcome is not None
    assert outcome.reason == "my <words>\nin two lines"


async def test_an_operator_reads_even_when_the_chat_cannot_say(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    stage.slack.away = True
    await ana.open(f"/review/{id}")
    assert "I could not check who you are just now" in ana.text
    assert 'value="accept"' not in ana.text
    assert 'value="cancel"' in ana.text
    stage.slack.away = False
    await ana.open(f"/review/{id}")
    stage.slack.away = True
    page = await ana.send(f"/review/{id}", {"do": "reject", "reason": "my words"})
    assert page.status_code == 503
    assert "my words</textarea>" in page.text


async def test_a_session_that_ends_while_writing_loses_nothing(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**TWO))
    await ben.open(f"/review/{id}")
    stage.clock.move(hours=13)
    page = await ben.send(f"/review/{id}", {"do": "submit", "q0": "my\nwords", "q1": "y"})
    assert page.status_code == 401
    assert "You are signed out" in page.text
    assert "my\nwords</textarea>" in page.text
    kept = {"do": "submit", "q0": "my\r\nwords", "q1": "y"}
    tab = Browser(ben.http, stage)
    await tab.sign_in("ben", f"/review/{id}")
    again = await ben.send(f"/review/{id}", kept)
    assert again.status_code == 403, "the old session's form is shown again, filled in"
    assert "my\nwords</textarea>" in again.text
    assert (await ben.send(f"/review/{id}", kept)).status_code == 200
    assert (await stage.card(id)).status is Status.ANSWERED


async def test_opening_previewing_or_mistaking_a_link_changes_nothing(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    before = await stage.card(id)
    for method in ("GET", "HEAD"):
        for query in ("", "?do=accept&revision=1", "?token=x&do=reject"):
            for browser in (ben, stage.browser(**{"user-agent": "Slackbot-LinkExpanding 1.0"})):
                await browser.http.request(method, f"/review/{id}{query}")
    assert await stage.card(id) == before
    assert len(await stage.store.records.receipts(WORKSPACE, id)) == 1


async def test_a_link_leads_through_sign_in_back_to_the_card(stage: Stage) -> None:
    id = await stage.ask(confirmation())
    browser = stage.browser()
    first = await browser.http.get(f"/review/{id}")
    assert (first.status_code, first.headers["location"]) == (303, f"/signin?next=/review/{id}")
    assert (await browser.sign_in("ben", f"/review/{id}")).url.path == f"/review/{id}"
