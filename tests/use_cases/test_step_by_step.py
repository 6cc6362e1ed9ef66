"""A form filled in one question at a time: forwards past what must be answered, back, words, ticks, and a summary."""

from __future__ import annotations

from typing import Any

from core.controls import Action
from core.drafts import HOLD, Prompt
from core.kinds import Kind
from core.outbox import AskWords, TakeBack
from core.replies import Quiet, Saved, Told, Wrong
from core.use_cases.drafting import lapse_holds
from core.use_cases.stepping import NOTHING_FOUND
from core.use_cases.write import FOR_NOTHING
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, GROUP, HERE, PRIVATE

TOWNS = [{"id": f"town {number}", "label": f"Town {number}"} for number in range(40)]
FORM = {
    "questions": [
        {"id": "ship", "prompt": "Ship?", "type": "boolean"},
        {"id": "why", "prompt": "Why?", "type": "text", "min_length": 5},
        {"id": "towns", "prompt": "Where?", "type": "choices", "custom": True, "required": False, "options": TOWNS},
        {"id": "when", "prompt": "When?", "type": "date", "required": False},
    ]
}  # fmt: skip
SUMMARY = 4
LAPSE = HOLD.total_seconds() + 1


async def _prompt(b: Bench) -> AskWords:
    (prompt,) = [one for one in await b.owed() if isinstance(one, AskWords)]
    return prompt


async def test_a_form_is_filled_in_from_its_first_question_to_its_summary(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    assert await b.press(ANA, id, Action.STEP, 0) == Quiet()
    assert (await b.card(id)).step == 0
    assert await b.press(ANA, id, Action.ANSWER, 0, 1) == Quiet()
    assert (await b.card(id)).step == 1
    assert await b.reply_to_prompt(ANA, "not tested") == Quiet()
    assert (await b.card(id)).step == 2
    await b.press(ANA, id, Action.TOGGLE, 2, 7)
    await b.press(ANA, id, Action.TOGGLE, 2, 9)
    await b.owed()
    assert await b.press(ANA, id, Action.STEP, 3) == Quiet()
    assert (await _prompt(b)).question == 3
    assert await b.press(ANA, id, Action.STEP, SUMMARY) == Quiet()
    card = await b.card(id)
    assert (card.step, card.holder) == (SUMMARY, "Ana")
    assert card.draft == {"q0": "false", "q1": "not tested", "q2": ("town 7", "town 9")}
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert outcome.answer == {
        "ship": {"value": False},
        "why": {"value": "not tested"},
        "towns": {"values": ["town 7", "town 9"]},
    }
    assert await b.types(id) == ["created", "answered"]


async def test_nobody_steps_past_a_question_that_must_be_answered(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    for wanted in (1, 2, SUMMARY):
        reply = await b.press(ANA, id, Action.STEP, wanted)
        assert reply == Told("Question 1: an answer is required.")
        assert (await b.card(id)).step == 0
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    assert await b.press(ANA, id, Action.STEP, SUMMARY) == Told("Question 2: an answer is required.")
    reply = await b.press(ANA, id, Action.SUBMIT, 0, 1)
    assert isinstance(reply, Wrong)
    assert reply.fields == ("q1",)
    assert (await b.get(id)).is_pending


async def test_words_that_do_not_pass_are_told_and_the_question_stays(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    assert await b.reply_to_prompt(ANA, "hm") == Quiet()  # the next prompt says it
    assert (await b.card(id)).step == 1
    again = await _prompt(b)
    assert (again.fault, again.action, again.question) == ("write at least 5 characters (now 2)", Action.WRITE, 1)
    assert again.person == ANA.id
    assert again.reply_to not in (None, (await b.copy(id)).message), "it stands under the words that did not pass"
    assert await b.write(ANA, await b.copy(id), "long enough") == Quiet()
    assert (await b.card(id)).step == 2


async def test_every_prompt_that_is_refused_is_followed_by_one_that_can_be_answered(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "hm")
    assert await b.reply_to_prompt(ANA, "no") == Quiet()
    assert await b.reply_to_prompt(ANA, "long enough") == Quiet()
    assert (await b.card(id)).step == 2


async def test_going_back_keeps_what_was_answered_and_an_answer_again_replaces_it(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=PRIVATE)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "well tested")
    await b.press(ANA, id, Action.STEP, 0)
    card = await b.card(id)
    assert (card.step, card.draft) == (0, {"q0": "true", "q1": "well tested"})
    await b.press(ANA, id, Action.ANSWER, 0, 1)
    assert (await b.card(id)).draft == {"q0": "false", "q1": "well tested"}


async def test_a_form_closed_and_opened_again_begins_anew(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.press(ANA, id, Action.CLEAR)
    card = await b.card(id)
    assert (card.step, card.draft, card.answering) == (None, None, ())
    await b.press(BEN, id, Action.STEP, 0)
    card = await b.card(id)
    assert (card.step, card.draft, card.holder) == (0, {}, "Ben")


async def test_an_answer_after_a_lapse_leads_back_to_what_is_missing(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "well tested")
    b.clock.move(seconds=LAPSE)
    await lapse_holds(b.context, b.store.records)
    assert (await b.card(id)).step is None
    await b.press(ANA, id, Action.ANSWER, 0, 1)
    b.clock.move(seconds=LAPSE)
    await lapse_holds(b.context, b.store.records)
    assert isinstance(await b.write(ANA, await b.copy(id), "long enough"), Saved)  # a comment: the form is closed
    await b.press(ANA, id, Action.ANSWER, 0, 1)
    assert (await b.card(id)).step == 1


async def test_a_prompt_that_is_answered_after_a_lapse_leads_back_to_what_is_missing(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    b.clock.move(seconds=LAPSE)
    await lapse_holds(b.context, b.store.records)
    await b.reply_to_prompt(ANA, "well tested")
    card = await b.card(id)
    assert (card.step, card.draft) == (0, {"q1": "well tested"})


async def test_a_reply_to_a_prompt_that_nobody_knows_of_is_not_lost_in_silence(b: Bench) -> None:
    """The process that sent it may have died before it could note that."""
    copy = await b.copy(await b.open(Kind.QUESTIONS, FORM, to=GROUP))
    assert await b.write(ANA, copy, "It fell", reply_to="p99", to_us=True) == Told(FOR_NOTHING)
    assert await b.write(ANA, copy, "I said it fell", reply_to="p99", to_us=True) == Quiet()
    assert await b.write(BEN, copy, "It did", reply_to="p99", to_us=True) == Told(FOR_NOTHING)
    assert await b.write(BEN, copy, "Right, Ana?", reply_to="w1") == Quiet()  # people talk among themselves


async def test_words_for_a_form_that_someone_else_holds_are_not_taken(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    for reply in (
        await b.write(BEN, await b.copy(id), "long enough"),
        await b.press(BEN, id, Action.STEP, 0),
        await b.press(BEN, id, Action.ANSWER, 0, 1),
        await b.press(BEN, id, Action.WRITE, 1),
        await b.press(BEN, id, Action.SUBMIT, 0, 1),
    ):
        assert isinstance(reply, Told)
    assert (await b.card(id)).draft == {"q0": "true"}


async def test_own_words_beside_ticks_stay_on_their_question(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "well tested")
    await b.press(ANA, id, Action.OTHER, 2)
    await b.reply_to_prompt(ANA, "Atlantis")
    card = await b.card(id)
    assert (card.step, card.draft) == (2, {"q0": "true", "q1": "well tested", "q2.custom": "Atlantis"})


async def test_own_words_beside_ticks_that_could_never_be_sent_are_told_at_once(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.OTHER, 2)
    for words, told in (("x" * 3_001, "at most 3000"), ("\u200b", "at least one")):
        assert await b.reply_to_prompt(ANA, words) == Quiet()
        prompt = await _prompt(b)
        assert told in prompt.fault
        await b.press(ANA, id, Action.OTHER, 2)
    assert (await b.card(id)).draft is None


async def test_options_are_narrowed_by_typing_and_shown_whole_again(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "well tested")
    await b.press(ANA, id, Action.PAGE, 2, 3)
    await b.press(ANA, id, Action.SEARCH, 2)
    assert await b.reply_to_prompt(ANA, " TOWN 3 ") == Quiet()
    card = await b.card(id)
    assert (card.search, card.page, card.step) == ("TOWN 3", 0, 2)
    await b.press(ANA, id, Action.TOGGLE, 2, 33)
    assert (await b.card(id)).search == "TOWN 3"
    await b.owed()
    await b.press(ANA, id, Action.SEARCH, 2)
    assert await b.reply_to_prompt(ANA, "nowhere") == Told(NOTHING_FOUND)
    assert (await b.card(id)).search == ""
    await b.press(ANA, id, Action.SEARCH, 2)
    await b.reply_to_prompt(ANA, "town 3")
    assert await b.press(ANA, id, Action.SEARCH, 2, 1) == Quiet()
    assert (await b.card(id)).search == ""
    assert (await b.card(id)).draft == {"q0": "true", "q1": "well tested", "q2": ("town 33",)}


async def test_a_long_list_of_one_question_is_searched_and_answered(b: Bench) -> None:
    question = {"id": "q1", "prompt": "Where?", "type": "choice", "options": TOWNS}
    id = await b.open(Kind.QUESTIONS, {"questions": [question]}, to=GROUP)
    await b.press(ANA, id, Action.SEARCH)
    await b.reply_to_prompt(ANA, "39")
    card = await b.card(id)
    assert (card.search, card.holder) == ("39", "Ana")
    assert isinstance(await b.press(BEN, id, Action.ANSWER, 0, 39), Saved)  # a choice is made at once, by anybody


async def _prompted(b: Bench, id: str, *messages: str, **more: Any) -> None:
    """These messages of the group are prompts for Ana's words in the form, unless told otherwise."""
    known = {"provider": "telegram", "account": "sayso_bot", "channel": "-100", "workspace": HERE, "interaction": id,
             "publication": 1, "revision": 1, "action": Action.WRITE, "question": 1, "person": ANA.id}  # fmt: skip
    async with b.store.work() as work:
        for message in messages:
            await work.add_prompt(Prompt.model_validate({**known, "message": message, **more}))
        await work.commit()


async def _taken_back(b: Bench) -> list[tuple[str, ...]]:
    return [one.messages for one in await b.owed() if isinstance(one, TakeBack)]


async def test_a_form_that_is_closed_takes_its_prompts_back_and_no_others(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await _prompted(b, id, "1", "2")
    await _prompted(b, id, "3", action=Action.COMMENT)  # words about the card, for which no form is needed
    await _prompted(b, id, "4", person=BEN.id)
    await b.owed()
    await b.press(ANA, id, Action.CLEAR)
    assert await _taken_back(b) == [("1", "2")]
    assert await b.write(ANA, await b.copy(id), "too late for that", reply_to="1") == Quiet()
    assert (await b.card(id)).draft is None


async def test_a_form_that_lapses_in_a_group_takes_its_prompts_back(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await _prompted(b, id, "1")
    await b.owed()
    b.clock.move(seconds=LAPSE)
    await lapse_holds(b.context, b.store.records)
    assert await _taken_back(b) == [("1",)]


async def test_a_card_that_settles_takes_all_its_prompts_back_and_late_replies_are_told_what_stands(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, FORM, to=GROUP)
    await b.press(ANA, id, Action.ANSWER, 0, 0)
    await b.reply_to_prompt(ANA, "well tested")
    await _prompted(b, id, "1")
    await _prompted(b, id, "2", action=Action.COMMENT, person=BEN.id)
    await b.owed()
    await b.press(ANA, id, Action.STEP, SUMMARY)
    assert isinstance(await b.press(ANA, id, Action.SUBMIT, 0, 1), Saved)
    ((*taken,),) = await _taken_back(b)
    assert {"1", "2"} < set(taken), "and the one that was answered"
    late = await b.write(ANA, await b.copy(id), "once more", reply_to="1")
    assert isinstance(late, Told)
    assert "answered this" in late.text
