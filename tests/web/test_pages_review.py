"""The page of a card over a real database: answering, refusing, changing, ending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Accept, Patch, Respond, Withdraw
from core.addresses import Provider
from core.audience import Candidate
from core.kinds.answers import Answer
from core.people import Identity, Membership, Person, Standing, Via
from core.ports import Connection
from core.records import Interaction, Status
from core.use_cases.answer import answer
from core.use_cases.change import change
from tests.blocks.web.visits import with_content
from tests.web.visiting import ANA, BEN, BUILDER, CLEO, NOW, Browser, Stage, confirmation, question, staged

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


async def press(browser: Browser, id: str, button: str, **fields: Any) -> int:
    """Open a card, fill it in and press a button."""
    await browser.open(f"/review/{id}")
    return (await browser.send(f"/review/{id}", {"do": button, **fields})).status_code


def shown(browser: Browser) -> str:
    assert browser.page is not None
    return browser.page.text


async def in_chat(stage: Stage, id: str, act: Respond | Accept, who: Person = BEN) -> None:
    """Somebody answers in the channel meanwhile."""
    place = {"slack:T1.C0123": Membership.YES}
    candidate = Candidate(who, who.identities[0], Standing(), place)
    await answer(stage.context, WORKSPACE, id, act, candidate, Via.SLACK, "slack:evt")


async def patch(stage: Stage, id: str, **content: Any) -> Interaction:
    before = await stage.card(id)
    after = with_content(before, **content).content
    return (await change(stage.context, WORKSPACE, id, Patch(before.revision, after), BUILDER)).interaction


async def test_an_answer_is_recorded_with_the_account_that_signed_in(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question())
    assert await press(ben, id, "submit", q0="no") == 200
    assert "Saved: No" in shown(ben)
    outcome = (await stage.card(id)).outcome
    assert outcome is not None
    assert (outcome.answer, outcome.via) == ({"ship": {"value": "no"}}, Via.REVIEW)
    assert (outcome.by.id, outcome.by.identity) == ("per_ben", "slack:T1.U2")


async def test_everything_a_form_can_hold_arrives_as_it_was_typed(stage: Stage, ben: Browser) -> None:
    hostile = "<!channel> </textarea><b>\r\n\u202e*_[](x) 漢字 \U0001f600\r\n  end "
    id = await stage.ask(
        question(payload={"questions": [{"id": "q/1", "type": "text", "prompt": "?", "multiline": True}]})
    )
    assert await press(ben, id, "draft", q0=hostile) == 200
    assert "</textarea><b>" not in shown(ben)
    assert await press(ben, id, "submit", q0=hostile) == 200
    outcome = (await stage.card(id)).outcome
    assert outcome is not None
    assert outcome.answer == {"q/1": {"value": hostile.replace("\r\n", "\n")}}


async def test_a_second_click_shows_the_same_outcome(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await ben.open(f"/review/{id}")
    form = {"do": "reject", "reason": "not today"}
    first, second = [await ben.send(f"/review/{id}", form, follow_redirects=False) for _ in range(2)]
    assert (first.status_code, second.status_code) == (303, 303)
    assert len(await stage.store.records.receipts(WORKSPACE, id)) == 2


async def test_two_clicks_at_the_same_moment_are_one_answer(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await ben.open(f"/review/{id}")
    answers = await asyncio.gather(
        *(ben.send(f"/review/{id}", {"do": "accept"}, follow_redirects=False) for _ in range(4))
    )
    assert {one.status_code for one in answers} == {303}
    assert [one.type.value for one in await stage.store.records.receipts(WORKSPACE, id)] == ["created", "accepted"]


async def test_a_late_answer_is_told_who_was_first_and_gets_its_words_back(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(question(**TWO))
    await ana.open(f"/review/{id}")
    await in_chat(stage, id, Respond({"a": Answer(value="x"), "b": Answer(value="y")}, 1))
    assert (await ana.send(f"/review/{id}", {"do": "submit", "q0": "my <words>", "q1": "y"})).status_code == 409
    assert "Ben answered this" in shown(ana)
    assert "You had filled in this; it was not sent" in shown(ana)
    assert "my &lt;words&gt;" in shown(ana)
    assert "<textarea" not in shown(ana)


async def test_a_card_settled_elsewhere_shows_its_outcome_instead_of_a_form(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await in_chat(stage, id, Accept(1), ANA)
    await ben.open(f"/review/{id}")
    assert "Ana accepted this" in shown(ben)
    assert "in Slack." in shown(ben)
    assert 'name="do"' not in shown(ben)


async def test_faults_come_back_beside_their_fields_with_everything_that_was_typed(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**TWO))
    assert await press(ben, id, "submit", q0=" ", q1="%") == 422
    text = shown(ben)
    assert "<title>Error: Release 4.2 · sayso</title>" in text
    assert '<a href="#q0">Question 1: Write at least one character.</a>' in text
    assert '<a href="#q1.custom">Question 2: Write your own words, or choose something else.</a>' in text
    assert 'id="q1-other" name="q1" value="%" checked' in text
    assert 'aria-describedby="q1.custom-fault" aria-invalid="true"' in text
    assert (await stage.card(id)).is_pending


async def test_the_askers_pattern_hint_is_the_fault(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**SHIP))
    assert await press(ben, id, "submit", q0="NO") == 422
    assert 'value="NO"' in shown(ben)
    assert "The answer must match [a-z]+." in shown(ben)


async def test_a_reason_that_is_needed_is_asked_for(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation(payload={"reason": "required"}))
    assert await press(ben, id, "reject", reason="  ") == 422
    assert '<a href="#reason">A reason is required.</a>' in shown(ben)
    assert await press(ben, id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


async def test_a_changed_card_is_not_answered_but_shown_with_what_changed(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**TWO))
    await ben.open(f"/review/{id}")
    new = {"questions": [{"id": "c", "type": "date", "prompt": "C?"}, {**TWO["payload"]["questions"][0], "help": "!"}]}
    await patch(stage, id, title="Release 4.3", payload=new)
    assert (await ben.send(f"/review/{id}", {"do": "submit", "q0": "kept", "q1": "y"})).status_code == 409
    text = shown(ben)
    for line in ("the title", "question 1 is new", "question 2", "1 question was taken out"):
        assert f"<li>{line}</li>" in text
    assert 'id="q1" name="q1" type="text" value="kept"' in text
    assert '<p class="answer" dir="auto">y</p>' in text, "words for a question that is gone are shown, not lost"
    assert (await stage.card(id)).is_pending
    sent = await ben.send(f"/review/{id}", {"do": "submit", "q0": "2026-12-02", "q1": "kept"})
    assert (sent.status_code, (await stage.card(id)).status) == (200, Status.ANSWERED)


@pytest.mark.parametrize("revision", ["0", "2", "x", "", "9" * 5000, "-1"])
async def test_only_the_revision_that_was_seen_is_answered(stage: Stage, ben: Browser, revision: str) -> None:
    id = await stage.ask(confirmation())
    for button in ("accept", "reject"):
        assert await press(ben, id, button, revision=revision) == 409
    assert (await stage.card(id)).is_pending


async def test_time_runs_out_while_the_form_is_open(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(policy={"expires_in": "30s", "starts": "asked"}))
    await ben.open(f"/review/{id}")
    stage.clock.move(seconds=31)
    assert (await ben.send(f"/review/{id}", {"do": "submit", "q0": "yes"})).status_code == 409
    assert "The time to answer" in shown(ben)
    assert (await stage.card(id)).status is Status.EXPIRED


async def test_opening_a_card_past_its_time_settles_nothing(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(policy={"expires_in": "30s", "starts": "asked"}))
    stage.clock.move(seconds=31)
    await ben.open(f"/review/{id}")
    assert "The time is over" in shown(ben)
    assert 'name="do"' not in shown(ben)
    assert (await stage.card(id)).is_pending


async def test_a_withdrawn_card_says_why(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await change(stage.context, WORKSPACE, id, Withdraw("Solved <otherwise>"), BUILDER)
    await ben.open(f"/review/{id}")
    assert "took this question back" in shown(ben)
    assert "Solved &lt;otherwise&gt;" in shown(ben)


async def test_a_replaced_card_leads_to_the_newer_one(stage: Stage, ben: Browser) -> None:
    old = await stage.ask(confirmation(supersede_key="k"))
    new = await stage.ask(confirmation(supersede_key="k"))
    await ben.open(f"/review/{old}")
    assert f'<a href="/review/{new}">Open the newer question</a>' in shown(ben)


async def test_votes_are_confirmed_and_can_be_changed_until_it_is_settled(
    stage: Stage, ana: Browser, ben: Browser
) -> None:
    id = await stage.ask(
        confirmation(audience={"answerers": ["conversation"], "quorum": 2}, policy={"reject": "majority"})
    )
    assert await press(ben, id, "accept") == 200
    assert "Your vote is saved: Delete it." in shown(ben)
    assert "1 of 2 have accepted" in shown(ben)
    assert await press(ben, id, "reject") == 200
    assert "Your vote is saved: Keep it." in shown(ben)
    assert await press(ben, id, "accept") == 200
    assert await press(ana, id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


async def test_words_that_decide_nothing_are_passed_on_and_listed(stage: Stage, ana: Browser, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    assert await press(ben, id, "comment", comment="What about <b>Monday?", reason="kept for later") == 200
    assert "What about &lt;b&gt;Monday?</p>" in shown(ben)
    assert "kept for later</textarea>" in shown(ben)
    assert (await stage.card(id)).is_pending
    await ana.open(f"/review/{id}")
    assert "Monday?" not in shown(ana), "they are between Ben and the asker"
    assert await press(ben, id, "comment", comment=" ") == 422
    assert '<a href="#comment">' in shown(ben)
    assert await press(ben, id, "comment", comment="x" * 3_001) == 422
    assert "At most 3,000 characters (now 3,001)." in shown(ben)


CLOSED = (("cancel", Status.CANCELLED), ("skip", Status.SKIPPED), ("withdraw", Status.WITHDRAWN))


@pytest.mark.parametrize(("button", "status"), CLOSED)
async def test_an_operator_ends_a_card_without_an_answer(
    stage: Stage, ana: Browser, button: str, status: Status
) -> None:
    id = await stage.ask({**confirmation(), **ONLY_BEN})
    await ana.open(f"/review/{id}")
    assert "This question is for other people" in shown(ana)
    assert 'value="accept"' not in shown(ana)
    assert await press(ana, id, button, note="Not needed any more") == 200
    card = await stage.card(id)
    assert card.status is status
    assert card.outcome is not None
    assert (card.outcome.reason, card.outcome.by.id) == ("Not needed any more", "per_ana")


async def test_an_operator_sets_a_card_aside_and_brings_it_back(stage: Stage, ana: Browser) -> None:
    id = await stage.ask(confirmation())
    assert await press(ana, id, "dismiss", reason="my draft") == 200
    assert "Bring back" in shown(ana)
    assert "my draft</textarea>" in shown(ana)
    assert (await stage.card(id)).dismissed_at is not None
    assert await press(ana, id, "reopen") == 200
    assert (await stage.card(id)).dismissed_at is None


@pytest.mark.parametrize("button", ["cancel", "skip", "withdraw", "dismiss", "reopen"])
async def test_a_member_closes_nothing_even_with_a_form_of_their_own(stage: Stage, ben: Browser, button: str) -> None:
    id = await stage.ask(confirmation())
    assert await press(ben, id, button) == 403
    assert "Only operators can do this." in shown(ben)
    card = await stage.card(id)
    assert (card.is_pending, card.dismissed_at) == (True, None)


@pytest.mark.parametrize("button", ["", "submit", "explode"])
async def test_a_button_that_the_card_does_not_have_does_nothing(stage: Stage, ben: Browser, button: str) -> None:
    id = await stage.ask(confirmation())
    assert await press(ben, id, button, reason="kept") in (403, 422)
    assert "kept</textarea>" in shown(ben)
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
    assert await press(ben, id, "accept") == 200
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
    assert await press(cleo, id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


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
    assert "I could not check who you are just now" in shown(ana)
    assert 'value="accept"' not in shown(ana)
    assert 'value="cancel"' in shown(ana)


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
