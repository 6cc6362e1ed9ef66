"""What people fill in and have not sent: whose it is, how others see it, and how it lapses."""

from __future__ import annotations

from core.acts import Patch, Withdraw
from core.controls import Action
from core.drafts import HOLD
from core.kinds import Kind
from core.outbox import AskWords
from core.records import Status
from core.replies import OpenForm, Quiet, Saved, Told, Wrong
from core.use_cases.change import change
from core.use_cases.drafting import lapse_holds
from core.use_cases.meaning import LAPSED
from core.use_cases.submit import CHANGED, close_form
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, PRIVATE, SLACK, identity_on

CHOICES = {"questions": [{"id": "q1", "prompt": "Which?", "type": "choices", "initial": ["green"], "options": [
    {"id": "red", "label": "Red"}, {"id": "green", "label": "Green"}, {"id": "blue", "label": "Blue"}]}]}  # fmt: skip
TEXT = {"questions": [{"id": "q1", "prompt": "What happened?", "type": "text"}]}
LAPSE = HOLD.total_seconds() + 1


async def _answer(b: Bench, id: str) -> object:
    outcome = (await b.get(id)).outcome
    return outcome.answer if outcome else None


async def test_in_a_group_one_person_holds_the_form_and_others_hear_who(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES, to=GROUP)
    assert await b.press(ANA, id, Action.TOGGLE, 0, 0) == Quiet()
    card = await b.card(id)
    assert (card.holder, card.draft, card.answering) == ("Ana", {"q0": ("green", "red")}, ("Ana",))
    for action, option in ((Action.TOGGLE, 2), (Action.SUBMIT, 1), (Action.CLEAR, 0), (Action.SEARCH, 1)):
        reply = await b.press(BEN, id, action, 0, option)
        assert isinstance(reply, Told)
        assert "Ana is filling this in" in reply.text
    assert (await b.card(id)).draft == {"q0": ("green", "red")}
    assert await b.press(ANA, id, Action.SUBMIT, 0, 1) == Saved("Saved: Red, Green")
    assert await _answer(b, id) == {"q1": {"values": ["red", "green"]}}


async def test_a_hold_lapses_and_the_form_is_free_and_empty_again(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES, to=[GROUP, SLACK])
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    assert await b.redraws(id) == {1, 2}
    b.clock.move(seconds=LAPSE - 2)
    assert await lapse_holds(b.context, b.store.records) == 0
    b.clock.move(seconds=2)
    assert await lapse_holds(b.context, b.store.records) == 1
    assert await b.redraws(id) == {1, 2}
    card = await b.card(id)
    assert (card.holder, card.draft, card.answering) == (None, None, ())
    await b.press(BEN, id, Action.TOGGLE, 0, 1)
    assert (await b.card(id)).draft == {"q0": ()}
    assert (await b.card(id, 2)).answering == ("Ben",)


async def test_a_touch_keeps_the_hold(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    for _ in range(3):
        b.clock.move(seconds=LAPSE - 2)
        assert await lapse_holds(b.context, b.store.records) == 0
        assert await b.press(ANA, id, Action.TOGGLE, 0, 2) == Quiet()
    assert (await b.card(id)).draft == {"q0": ("green", "red", "blue")}


async def test_ticks_whose_hold_is_over_are_submitted_by_nobody(b: Bench) -> None:
    """The card still shows them until it is drawn again, and they may not be cleared yet."""
    id = await b.open(Kind.QUESTIONS, CHOICES, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    b.clock.move(seconds=LAPSE)
    for cleared in (False, True):
        if cleared:
            await lapse_holds(b.context, b.store.records)
        for who in (ANA, BEN):
            reply = await b.press(who, id, Action.SUBMIT, 0, 1)
            assert not isinstance(reply, Saved)
            assert LAPSED in str(reply)
    assert (await b.get(id)).is_pending
    assert isinstance(await b.press(BEN, id, Action.SUBMIT, 0, 0), Saved)
    assert await _answer(b, id) == {"q1": {"values": ["green"]}}


async def test_a_card_drawn_without_ticks_answers_as_it_was_asked(b: Bench) -> None:
    """A lapsed form that is not cleared yet is not on the card, so it is not what is submitted."""
    id = await b.open(Kind.QUESTIONS, CHOICES, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    b.clock.move(seconds=LAPSE)
    assert (await b.card(id)).draft is None
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 0), Saved)
    assert await _answer(b, id) == {"q1": {"values": ["green"]}}


async def test_in_a_private_chat_what_was_filled_in_stays_however_long_it_takes(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES, to=[PRIVATE, SLACK])
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    assert ((await b.card(id)).answering, (await b.card(id, 2)).answering) == ((), ("Ana",))
    b.clock.move(hours=5)
    await lapse_holds(b.context, b.store.records)
    assert (await b.card(id, 2)).answering == ()
    assert (await b.card(id)).draft == {"q0": ("green", "red")}
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    assert await _answer(b, id) == {"q1": {"values": ["red", "green"]}}


async def test_a_form_is_closed_however_long_it_was_left_alone(b: Bench) -> None:
    for hours in (0, 5):
        id = await b.open(Kind.QUESTIONS, CHOICES, to=[PRIVATE, SLACK])
        await b.press(ANA, id, Action.TOGGLE, 0, 0)
        b.clock.move(hours=hours)
        await lapse_holds(b.context, b.store.records)
        await b.owed()
        assert await b.press(ANA, id, Action.CLEAR) == Quiet()
        assert (await b.card(id)).draft is None
        assert await b.redraws(id) == ({1} if hours else {1, 2})


async def test_several_people_answer_in_forms_of_their_own_and_each_is_shown_once(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES, to=[SLACK, GROUP])
    assert isinstance(await b.press(ANA, id, Action.FORM), OpenForm)
    await b.press(ANA, id, Action.FORM)
    await b.press(ANA, id, Action.TOGGLE, 0, 0, on=2)
    await b.press(BEN, id, Action.FORM)
    assert (await b.card(id)).answering == ("Ana", "Ben")
    assert (await b.card(id)).draft is None


async def test_a_closed_form_shows_nobody_and_gives_back_what_was_filled_in(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, CHOICES)
    control = await b.control(id, Action.FORM)
    await b.press(ANA, id, Action.FORM, picked=((Action.PICK, 2),))
    await b.owed()
    await close_form(b.context, HERE, control, identity_on(ANA, (await b.copy(id)).provider))
    assert (await b.card(id)).answering == ()
    assert await b.redraws(id) == {1}
    again = await b.press(ANA, id, Action.FORM)
    assert isinstance(again, OpenForm)
    assert again.fields == {"q0": ("blue",)}
    other = await b.press(BEN, id, Action.FORM)
    assert isinstance(other, OpenForm)
    assert other.fields == {"q0": ("green",)}


async def test_what_did_not_pass_is_kept_for_its_person(b: Bench) -> None:
    payload = {"questions": [{"id": "q1", "prompt": "Why?", "type": "text", "min_length": 10}]}
    id = await b.open(Kind.QUESTIONS, payload)
    control = await b.control(id, Action.WRITE)
    await b.press(ANA, id, Action.WRITE)
    await b.submit(ANA, control, {"q0": "short"})
    again = await b.press(ANA, id, Action.WRITE)
    assert isinstance(again, OpenForm)
    assert again.fields == {"q0": "short"}
    assert isinstance(await b.submit(ANA, control, {"q0": "long enough"}), Saved)
    assert await b.draft(id, "slack:T1.U1") is None


async def test_a_form_of_what_was_changed_meanwhile_is_not_sent_and_stays_with_what_was_typed(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT)
    opened = await b.control(id, Action.WRITE)
    content = (await b.get(id)).content.model_copy(update={"title": "Another matter"})
    await change(b.context, HERE, id, Patch(1, content), BUILDER)
    await b.owed()
    reply = await b.submit(ANA, opened, {"q0": "It fell over"})
    assert isinstance(reply, Wrong)
    assert [one.detail for one in reply.faults] == [CHANGED]
    assert (await b.get(id)).is_pending
    assert await b.redraws(id) == {1}


async def test_nothing_filled_in_outlives_its_card_or_its_revision(b: Bench) -> None:
    id = await b.open(Kind.SUGGESTED_TASKS, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 2)
    before = await b.get(id)
    content = before.content.model_copy(update={"title": "Other follow-ups"})
    await change(b.context, HERE, id, Patch(1, content), BUILDER)
    card = await b.card(id)
    assert (card.draft, card.holder) == (None, None)
    await b.press(BEN, id, Action.TOGGLE, 0, 0)
    assert (await b.card(id)).draft == {"tasks": ()}
    await change(b.context, HERE, id, Withdraw(), BUILDER)
    assert await b.draft(id, GROUP) is None
    assert (await b.card(id)).answering == ()
    assert (await b.get(id)).status is Status.WITHDRAWN


async def test_a_tick_takes_its_parents_along_and_an_untick_its_children(b: Bench) -> None:
    id = await b.open(Kind.SUGGESTED_TASKS, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    assert (await b.card(id)).draft == {"tasks": ()}
    await b.press(ANA, id, Action.TOGGLE, 0, 1)
    assert (await b.card(id)).draft == {"tasks": ("alerts", "runbook")}
    await b.press(ANA, id, Action.TOGGLE, 0, 2)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    assert (await b.card(id)).draft == {"tasks": ("drill",)}
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    answer = await _answer(b, id)
    assert isinstance(answer, dict)
    assert (answer["selected"], answer["skipped"]) == (["drill"], ["alerts", "runbook"])
    assert len(answer["created"]) == 1


async def test_own_words_join_the_ticks_in_a_group_and_wait_for_submit(b: Bench) -> None:
    payload = {"questions": [{**CHOICES["questions"][0], "custom": True}]}
    id = await b.open(Kind.QUESTIONS, payload, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    await b.owed()
    await b.press(ANA, id, Action.OTHER)
    assert await b.reply_to_prompt(ANA, "teal") == Quiet()
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    assert await _answer(b, id) == {"q1": {"values": ["red", "green"], "custom": "teal"}}


async def test_a_prompt_is_answered_by_whom_it_was_sent_to(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, to=GROUP)
    await b.press(ANA, id, Action.REASON)
    assert (await b.card(id)).answering == ("Ana",)
    reply = await b.reply_to_prompt(BEN, "because")
    assert isinstance(reply, Told)
    assert "someone else's words" in reply.text
    await b.press(ANA, id, Action.REASON)
    assert isinstance(await b.reply_to_prompt(ANA, "because"), Saved)
    assert (await b.get(id)).status is Status.REJECTED


async def test_whoever_cannot_have_the_form_of_a_group_is_not_asked_for_words_for_it(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, {"questions": [{**CHOICES["questions"][0], "custom": True}]}, to=GROUP)
    await b.press(ANA, id, Action.TOGGLE, 0, 0)
    await b.owed()
    reply = await b.press(BEN, id, Action.OTHER)
    assert isinstance(reply, Told)
    assert "Ana is filling this in" in reply.text
    assert not any(isinstance(one, AskWords) for one in await b.owed())
    assert (await b.card(id)).answering == ("Ana",)


async def test_a_comment_leaves_what_was_filled_in_beside_it(b: Bench) -> None:
    """It is sent from a form of its own, and in a thread from none."""
    id = await b.open(Kind.QUESTIONS, CHOICES)
    for said in ("in a form", "in a thread"):
        await b.press(ANA, id, Action.FORM, picked=((Action.PICK, 2),))
        if said == "in a form":
            reply = await b.submit(ANA, await b.control(id, Action.COMMENT), {"comment": "Why these?"})
        else:
            reply = await b.write(ANA, await b.copy(id), "Why these?")
        assert isinstance(reply, Saved)
        assert (await b.card(id)).answering == ("Ana",), said
        again = await b.press(ANA, id, Action.FORM)
        assert isinstance(again, OpenForm)
        assert again.fields == {"q0": ("blue",)}, said
