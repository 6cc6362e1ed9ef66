"""Every control on every kind: what its press does, and that a control which the kind does not have changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from core.controls import DECIDES, Action
from core.kinds import Kind
from core.records import Status
from core.replies import OpenForm, Quiet, Saved, Told, Wrong
from core.use_cases.deciding import ALREADY
from core.use_cases.meaning import LAPSED
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, GROUP, PRIVATE, SLACK

CHOICES = {"questions": [{"id": "q1", "prompt": "Which?", "type": "choices", "options": [
    {"id": "red", "label": "Red"}, {"id": "blue", "label": "Blue"}]}]}  # fmt: skip
OPTIONAL = {"questions": [{**CHOICES["questions"][0], "type": "choice", "required": False}]}
FORM = {"questions": [
    {"id": "q1", "prompt": "Ship?", "type": "boolean"},
    {"id": "q2", "prompt": "Why?", "type": "text"},
]}  # fmt: skip

OWN: dict[Kind, set[Action]] = {
    Kind.QUESTIONS: {Action.ANSWER},
    Kind.CONFIRMATION: {Action.ACCEPT, Action.REJECT},
    Kind.CHECKLIST: {Action.TICK, Action.UNTICK, Action.SUBMIT},
    Kind.ITEM_VERDICTS: {Action.VERDICT},
    Kind.SUGGESTED_TASKS: {Action.SUBMIT, Action.REJECT},
    Kind.CONNECTION: {Action.REJECT},
}
"""The controls that decide something on each kind's example. A SUBMIT of a required choice is none of them."""


@pytest.mark.parametrize("kind", list(Kind))
async def test_a_control_that_the_kind_does_not_have_changes_nothing(b: Bench, kind: Kind) -> None:
    id = await b.open(kind, to=[SLACK, GROUP])
    for action in DECIDES - OWN[kind]:
        for on in (1, 2):
            reply = await b.press(ANA, id, action, on=on)
            assert isinstance(reply, Told), action
            assert "does not belong" in reply.text
    assert (await b.get(id)).version == 1
    assert await b.types(id) == ["created"]


PAST_THE_END = [
    (Kind.QUESTIONS, Action.ANSWER, 1, 0, "no such question"),
    (Kind.QUESTIONS, Action.ANSWER, 0, 3, "no such option"),
    (Kind.QUESTIONS, Action.TOGGLE, 0, 9, "no such option to tick"),
    (Kind.QUESTIONS, Action.WRITE, 1, 0, "no such question to write about"),
    (Kind.QUESTIONS, Action.OTHER, 5, 0, "no such question to say something else on"),
    (Kind.QUESTIONS, Action.SEARCH, 5, 0, "no such question to search"),
    (Kind.CHECKLIST, Action.TICK, 0, 3, "no such item"),
    (Kind.CHECKLIST, Action.UNTICK, 0, 3, "no such item"),
    (Kind.ITEM_VERDICTS, Action.VERDICT, 0, 2, "no such item"),
    (Kind.ITEM_VERDICTS, Action.VERDICT, 3, 0, "no such verdict"),
    (Kind.ITEM_VERDICTS, Action.JUDGE, 1, 2, "no such item to judge"),
    (Kind.ITEM_VERDICTS, Action.JUDGE, 7, 0, "no such verdict to explain"),
    (Kind.SUGGESTED_TASKS, Action.TOGGLE, 0, 3, "no such task"),
    (Kind.CHECKLIST, Action.WRITE, 0, 0, "a checklist has no question"),
    (Kind.CONFIRMATION, Action.JUDGE, 0, 0, "a confirmation has no items"),
    (Kind.CHECKLIST, Action.REASON, 0, 0, "a checklist is not rejected"),
    (Kind.CHECKLIST, Action.FORM, 0, 0, "a checklist has no form in chat"),
    (Kind.CHECKLIST, Action.STEP, 0, 0, "a checklist has no steps"),
    (Kind.QUESTIONS, Action.STEP, 2, 0, "past the summary"),
]


async def test_a_control_that_points_past_the_end_is_refused_and_opens_nothing(b: Bench) -> None:
    cards = {kind: await b.open(kind, to=[SLACK, GROUP]) for kind in Kind}
    for kind, action, question, option, reason in PAST_THE_END:
        for on in (1, 2):
            reply = await b.press(ANA, cards[kind], action, question, option, on=on)
            assert isinstance(reply, Told), reason
            assert "does not belong" in reply.text, reason
    assert await b.owed() == []
    for id in cards.values():
        assert (await b.card(id)).answering == ()
        assert await b.types(id) == ["created"]


@pytest.mark.parametrize("kind", list(Kind))
async def test_a_control_of_an_earlier_revision_is_refused_and_the_card_drawn_again(b: Bench, kind: Kind) -> None:
    id = await b.open(kind)
    for stale in ({"revision": 2}, {"seen": "00000000"}):
        reply = await b.press(ANA, id, min(OWN[kind]), **stale)
        assert isinstance(reply, Told)
        assert "changed" in reply.text
        assert await b.redraws(id) == {1}
    assert await b.types(id) == ["created"]


@pytest.mark.parametrize("kind", list(Kind))
async def test_a_press_after_the_time_to_answer_settles_the_card_as_expired(b: Bench, kind: Kind) -> None:
    id = await b.open(kind, policy={"expires_in": "10m", "starts": "asked"})
    b.clock.move(minutes=10)
    for action in (min(OWN[kind]), Action.COMMENT):
        reply = await b.press(ANA, id, action)
        assert isinstance(reply, Told)
        assert "The time to answer ended" in reply.text
    assert (await b.get(id)).status is Status.EXPIRED
    assert (await b.types(id))[:2] == ["created", "expired"]


ENDS: dict[Kind, tuple[Any, ...]] = {
    Kind.QUESTIONS: (Action.ANSWER,),
    Kind.CONFIRMATION: (Action.ACCEPT,),
    Kind.SUGGESTED_TASKS: (Action.SUBMIT,),
    Kind.CONNECTION: (Action.REJECT,),
}


@pytest.mark.parametrize("place", [SLACK, GROUP], ids=["slack", "telegram"])
@pytest.mark.parametrize("kind", list(ENDS))
async def test_who_settled_it_is_told_that_it_is_saved_and_others_who_did(b: Bench, kind: Kind, place: str) -> None:
    id = await b.open(kind, to=place)
    more: dict[str, Any] = {"picked": ((Action.PICK, 0),)} if kind is Kind.SUGGESTED_TASKS and place == SLACK else {}
    first = await b.press(ANA, id, *ENDS[kind], **more)
    assert isinstance(first, Saved)
    assert not first.unseen
    again = await b.press(ANA, id, *ENDS[kind], **more)
    assert isinstance(again, Saved)
    assert again.unseen
    assert again.text.endswith(ALREADY)
    late = await b.press(BEN, id, *ENDS[kind], **more)
    assert isinstance(late, Told)
    assert "Ana" in late.text
    assert (await b.types(id)).count("late_answer") == 1
    await b.press(BEN, id, *ENDS[kind], **more)
    await b.press(BEN, id, Action.COMMENT)
    assert (await b.types(id)).count("late_answer") == 1


@pytest.mark.parametrize(("payload", "kind"), [(CHOICES, Kind.QUESTIONS), (None, Kind.SUGGESTED_TASKS)])
async def test_a_second_submit_of_ticks_is_told_that_it_is_saved(
    b: Bench, payload: dict[str, Any] | None, kind: Kind
) -> None:
    """Once it is submitted, nothing that was filled in is left; the card may still be drawn with it."""
    id = await b.open(kind, payload, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 1)
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    again = await b.press(ANA, id, Action.SUBMIT, 0, 1)
    assert isinstance(again, Saved)
    assert again.text.endswith(ALREADY)
    late = await b.press(BEN, id, Action.SUBMIT, 0, 1)
    assert isinstance(late, Told)
    assert late.text != LAPSED
    assert "Ana" in late.text
    assert (await b.types(id)).count("late_answer") == 1


async def test_an_optional_choice_may_be_left_unanswered_but_a_required_one_not(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, OPTIONAL)
    assert isinstance(await b.press(ANA, id, Action.SUBMIT), Saved)
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert outcome.answer == {}
    required = await b.open(Kind.QUESTIONS, {"questions": [{**CHOICES["questions"][0], "type": "choice"}]})
    assert isinstance(await b.press(ANA, required, Action.SUBMIT), Told)
    assert (await b.get(required)).is_pending


async def test_boxes_and_button_of_different_cards_are_not_taken_together(b: Bench) -> None:
    one, two = await b.open(Kind.QUESTIONS, CHOICES), await b.open(Kind.QUESTIONS, CHOICES)
    foreign = await b.control(two, Action.PICK, 0, 1)
    control = await b.control(one, Action.FORM)
    reply = await b.submit(ANA, control, {}, picked=(foreign,))
    assert isinstance(reply, Told)
    assert (await b.get(one)).is_pending


async def test_a_box_that_is_ticked_already_keeps_who_ticked_it(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST, to=[SLACK, GROUP])
    await b.press(BEN, id, Action.TICK, 0, 1, on=2)
    reply = await b.press(ANA, id, Action.TICK, 0, 1)
    assert isinstance(reply, Saved)
    assert [one.by.handle for one in (await b.get(id)).ticks] == ["ben"]
    assert await b.types(id) == ["created", "ticked"]


async def test_a_checklist_is_submitted_once_as_many_are_ticked_as_it_asks_for(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    reply = await b.press(ANA, id, Action.SUBMIT)
    assert isinstance(reply, Wrong)
    assert reply.faults[0].detail == "tick at least 2 (now 1)"
    await b.press(BEN, id, Action.TICK, 0, 2)
    assert isinstance(await b.press(ANA, id, Action.SUBMIT), Saved)
    after = await b.get(id)
    assert after.status is Status.COMPLETED
    assert after.outcome is not None
    assert (after.outcome.answer or {})["selected"] == ["notes", "oncall"]


async def test_the_first_verdict_of_an_item_stands_whoever_comes_second(b: Bench) -> None:
    id = await b.open(Kind.ITEM_VERDICTS, to=[SLACK, GROUP])
    assert isinstance(await b.press(ANA, id, Action.VERDICT, 0, 0), Saved)
    late = await b.press(BEN, id, Action.VERDICT, 2, 0, on=2)
    assert isinstance(late, Told)
    assert late.text.startswith("Ana has decided this item already: Approve.")
    assert [(one.item, one.verdict) for one in (await b.get(id)).verdicts] == [("pydantic", "approve")]
    assert isinstance(await b.press(BEN, id, Action.VERDICT, 2, 1, on=2), Saved)
    assert (await b.get(id)).status is Status.COMPLETED
    assert await b.types(id) == ["created", "judged", "judged", "completed"]


async def test_a_verdict_shows_the_next_item_without_one_where_one_is_shown_at_a_time(b: Bench) -> None:
    items = [{"id": f"i{number}", "label": f"Item {number}"} for number in range(4)]
    id = await b.open(Kind.ITEM_VERDICTS, {"items": items}, to=[GROUP, SLACK])
    await b.press(ANA, id, Action.VERDICT, 0, 1)
    assert (await b.copy(id)).page == 2
    await b.press(ANA, id, Action.VERDICT, 0, 3)
    assert (await b.copy(id)).page == 0
    await b.owed()
    await b.press(ANA, id, Action.JUDGE, 1, 0)
    assert isinstance(await b.reply_to_prompt(ANA, "it broke the build"), Saved)
    assert (await b.copy(id)).page == 2
    assert (await b.copy(id, 2)).page == 0


async def test_a_reason_that_is_asked_for_in_a_form_belongs_to_its_own_item(b: Bench) -> None:
    id = await b.open(Kind.ITEM_VERDICTS)
    control = await b.control(id, Action.JUDGE, 1, 0)
    assert isinstance(await b.press(ANA, id, Action.JUDGE, 1, 0), OpenForm)
    wrong = await b.submit(ANA, control, {"reason": "x" * 3_001})
    assert isinstance(wrong, Wrong)
    assert wrong.fields == ("reason",)
    other = await b.press(ANA, id, Action.JUDGE, 1, 1)
    assert isinstance(other, OpenForm)
    assert other.fields == {}


async def test_a_blank_comment_is_refused_beside_its_field(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    reply = await b.submit(ANA, await b.control(id, Action.COMMENT), {"comment": "  "})
    assert isinstance(reply, Wrong)
    assert reply.fields == ("comment",)
    assert await b.types(id) == ["created"]


async def test_words_of_a_comment_may_be_the_reason_of_a_reject(b: Bench) -> None:
    for kind in (Kind.CONFIRMATION, Kind.SUGGESTED_TASKS, Kind.CONNECTION):
        id = await b.open(kind)
        control = await b.control(id, Action.COMMENT)
        assert isinstance(await b.submit(BEN, control, {"comment": "Which one?", "as": "comment"}), Saved)
        assert isinstance(await b.submit(ANA, control, {"comment": "Not today", "as": "reject"}), Saved)
        outcome = (await b.get(id)).outcome
        assert outcome is not None
        assert (outcome.status, outcome.reason) == (Status.REJECTED, "Not today")
        assert await b.types(id) == ["created", "commented", "rejected"]


async def test_a_page_is_turned_on_the_copy_that_was_pressed_alone(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST, to=[GROUP, PRIVATE])
    assert await b.press(ANA, id, Action.PAGE, 0, 3, on=2) == Quiet()
    assert [one.page for one in await b.copies(id)] == [0, 3]
    assert await b.redraws(id) == {2}


async def test_a_delivery_again_of_a_press_is_told_the_same_and_done_once(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST)
    first = await b.press(ANA, id, Action.TICK, 0, 1, key="same")
    assert await b.press(ANA, id, Action.TICK, 0, 1, key="same") == first
    assert await b.types(id) == ["created", "ticked"]
