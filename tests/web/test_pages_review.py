"""The page of a card over a real database: answering, refusing, changing, ending."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.startup import WORKSPACE
from core.acts import Accept, Patch, Respond, Withdraw
from core.audience import Candidate
from core.kinds.answers import Answer
from core.people import Membership, Person, Standing, Via
from core.records import Interaction, Status
from core.upkeep import Attempt
from core.use_cases.answer import answer
from core.use_cases.change import change
from tests.blocks.web.visits import with_content
from tests.web.visiting import ANA, BEN, BUILDER, NOW, Browser, Stage, confirmation, question, staged

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
    assert await ben.press(id, "submit", q0="no") == 200
    assert "Saved: No" in ben.text
    outcome = (await stage.card(id)).outcome
    assert outcome is not None
    assert (outcome.answer, outcome.via) == ({"ship": {"value": "no"}}, Via.REVIEW)
    assert (outcome.by.id, outcome.by.identity) == ("per_ben", "slack:T1.U2")


async def test_the_whole_way_on_either_database(store_url: str) -> None:
    async with staged(store_url) as stage:
        id = await stage.ask(question(**TWO))
        ana = stage.browser()
        await ana.sign_in("slack:U1", f"/review/{id}")
        assert await ana.press(id, "draft", q0="half") == 200
        assert 'value="half"' in ana.text
        assert await ana.press(id, "submit", q0="half") == 422
        assert await ana.press(id, "comment", comment="hm\0", q0="whole") == 200
        assert await ana.press(id, "submit", q0="whole", q1="y") == 200
        assert f"/review/{id}" in (await ana.open("/inbox")).text
        assert (await stage.card(id)).status is Status.ANSWERED


async def test_everything_a_form_can_hold_arrives_as_it_was_typed(stage: Stage, ben: Browser) -> None:
    hostile = "<!channel> </textarea><b>\r\n\u202e*_[](x) 漢字 \U0001f600\r\n  end "
    id = await stage.ask(
        question(payload={"questions": [{"id": "q/1", "type": "text", "prompt": "?", "multiline": True}]})
    )
    assert await ben.press(id, "draft", q0=hostile) == 200
    assert "</textarea><b>" not in ben.text
    assert await ben.press(id, "submit", q0=hostile) == 200
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
    assert "Ben answered this" in ana.text
    assert "You had filled in this; it was not sent" in ana.text
    assert "my &lt;words&gt;" in ana.text
    assert "<textarea" not in ana.text


async def test_a_card_settled_elsewhere_shows_its_outcome_instead_of_a_form(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await in_chat(stage, id, Accept(1), ANA)
    await ben.open(f"/review/{id}")
    assert "Ana accepted this" in ben.text
    assert "in Slack." in ben.text
    assert 'name="do"' not in ben.text


async def test_faults_come_back_beside_their_fields_with_everything_that_was_typed(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**TWO))
    assert await ben.press(id, "submit", q0=" ", q1="%") == 422
    text = ben.text
    assert "<title>Error: Release 4.2 · sayso</title>" in text
    assert '<a href="#q0">Question 1: Write at least one character.</a>' in text
    assert '<a href="#q1.custom">Question 2: Write your own words, or choose something else.</a>' in text
    assert 'id="q1-other" name="q1" value="%" checked' in text
    assert 'aria-describedby="q1.custom-fault" aria-invalid="true"' in text
    assert (await stage.card(id)).is_pending


async def test_the_askers_pattern_hint_is_the_fault(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**SHIP))
    assert await ben.press(id, "submit", q0="NO") == 422
    assert 'value="NO"' in ben.text
    assert "The answer must match [a-z]+." in ben.text


async def test_a_reason_that_is_needed_is_asked_for(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation(payload={"reason": "required"}))
    assert await ben.press(id, "reject", reason="  ") == 422
    assert '<a href="#reason">A reason is required.</a>' in ben.text
    assert await ben.press(id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


async def test_a_changed_card_is_not_answered_but_shown_with_what_changed(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(**TWO))
    await ben.open(f"/review/{id}")
    new = {"questions": [{"id": "c", "type": "date", "prompt": "C?"}, {**TWO["payload"]["questions"][0], "help": "!"}]}
    await patch(stage, id, title="Release 4.3", payload=new)
    assert (
        await ben.send(f"/review/{id}", {"do": "submit", "q0": "kept", "q1": "%", "q1.custom": "mine"})
    ).status_code == 409
    text = ben.text
    for line in ("the title", "question 1 is new", "question 2", "1 question was taken out"):
        assert f"<li>{line}</li>" in text
    assert 'id="q1" name="q1" type="text" value="kept"' in text
    assert '<p class="answer" dir="auto">mine</p>' in text, "words for a question that is gone are shown, not lost"
    assert (await stage.card(id)).is_pending
    sent = await ben.send(f"/review/{id}", {"do": "submit", "q0": "2026-12-02", "q1": "kept"})
    assert (sent.status_code, (await stage.card(id)).status) == (200, Status.ANSWERED)


@pytest.mark.parametrize("revision", ["0", "2", "x", "", "9" * 5000, "-1"])
async def test_only_the_revision_that_was_seen_is_answered(stage: Stage, ben: Browser, revision: str) -> None:
    id = await stage.ask(confirmation())
    for button in ("accept", "reject"):
        assert await ben.press(id, button, revision=revision) == 409
    assert (await stage.card(id)).is_pending


async def test_time_runs_out_while_the_form_is_open(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(policy={"expires_in": "30s", "starts": "asked"}))
    await ben.open(f"/review/{id}")
    stage.clock.move(seconds=31)
    assert (await ben.send(f"/review/{id}", {"do": "submit", "q0": "yes"})).status_code == 409
    assert "The time to answer" in ben.text
    assert (await stage.card(id)).status is Status.EXPIRED


async def test_opening_a_card_past_its_time_settles_nothing(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(question(policy={"expires_in": "30s", "starts": "asked"}))
    stage.clock.move(seconds=31)
    await ben.open(f"/review/{id}")
    assert "The time is over" in ben.text
    assert 'name="do"' not in ben.text
    assert (await stage.card(id)).is_pending


async def test_a_withdrawn_card_says_why(stage: Stage, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    await change(stage.context, WORKSPACE, id, Withdraw("Solved <otherwise>"), BUILDER)
    await ben.open(f"/review/{id}")
    assert "took this question back" in ben.text
    assert "Solved &lt;otherwise&gt;" in ben.text


async def test_a_replaced_card_leads_to_the_newer_one(stage: Stage, ben: Browser) -> None:
    old = await stage.ask(confirmation(supersede_key="k"))
    new = await stage.ask(confirmation(supersede_key="k"))
    await ben.open(f"/review/{old}")
    assert f'<a href="/review/{new}">Open the newer question</a>' in ben.text


async def test_votes_are_confirmed_and_can_be_changed_until_it_is_settled(
    stage: Stage, ana: Browser, ben: Browser
) -> None:
    id = await stage.ask(
        confirmation(audience={"answerers": ["conversation"], "quorum": 2}, policy={"reject": "majority"})
    )
    assert await ben.press(id, "accept") == 200
    assert "Your vote is saved: Delete it." in ben.text
    assert "1 of 2 have accepted" in ben.text
    assert await ben.press(id, "reject") == 200
    assert "Your vote is saved: Keep it." in ben.text
    assert await ben.press(id, "accept") == 200
    assert await ana.press(id, "accept") == 200
    assert (await stage.card(id)).status is Status.ACCEPTED


async def test_words_that_decide_nothing_are_passed_on_and_listed(stage: Stage, ana: Browser, ben: Browser) -> None:
    id = await stage.ask(confirmation())
    assert await ben.press(id, "comment", comment="What about <b>Monday?", reason="kept for later") == 200
    assert "What about &lt;b&gt;Monday?</p>" in ben.text
    assert "kept for later</textarea>" in ben.text
    assert (await stage.card(id)).is_pending
    await ana.open(f"/review/{id}")
    assert "Monday?" not in ana.text, "they are between Ben and the asker"
    assert await ben.press(id, "comment", comment=" ") == 422
    assert '<a href="#comment">' in ben.text
    assert await ben.press(id, "comment", comment="x" * 3_001) == 422
    assert "At most 3,000 characters (now 3,001)." in ben.text


async def test_the_page_tells_what_happened_what_the_asker_heard_and_where_it_is_shown(
    stage: Stage, ana: Browser, ben: Browser
) -> None:
    id = await stage.ask(confirmation(continuation={"webhook": "https://agent.example/hook", "state": "secret"}))
    await ben.press(id, "reject", reason="not <now>")
    *_, event = await stage.store.records.announced(WORKSPACE, id)
    async with stage.store.work() as work:
        for number, status in ((1, None), (2, 204)):
            await work.note_attempt(Attempt(event.id, number, NOW, status))
        await work.commit()
    await ana.open(f"/review/{id}")
    for line in (
        "Agent builder asked this through the API.",
        "Ben rejected on this page: not &lt;now&gt;.",
        "What agent builder was told",
        "It was asked.",
        "It was rejected. The webhook was delivered.",
        "Slack (C0123): waits to be sent",
    ):
        assert line in ana.text
    assert "secret" not in ana.text
    assert "agent.example" not in ana.text
