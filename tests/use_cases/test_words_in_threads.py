"""What people write under a Slack card: an answer, a comment, or talk that is left alone, and one hint at most."""

from __future__ import annotations

from typing import Any

import pytest

from core.kinds import Kind
from core.people import Identity, Person, Standing
from core.publications import Publication, Surface
from core.records import Status
from core.replies import Quiet, Reply, Saved, Told, Wrong
from core.use_cases.deciding import PASSED_ON, TOOK_ITS_PLACE
from core.use_cases.write import BESIDE
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, GROUP, HERE, OPAL, SLACK

THREAD = "slack:T1.C1/1700000000.000100"
PARENT = "1700000000.000100"
TEXT = {"questions": [{"id": "q1", "prompt": "Why?", "type": "text", "min_length": 5}]}
CUSTOM = {"questions": [{"id": "q1", "prompt": "Which?", "type": "choice", "custom": True, "options": [
    {"id": "a", "label": "A"}]}]}  # fmt: skip
ANA_ONLY = {"answerers": ["person:ana"]}


async def _in_thread(b: Bench, who: Person, copy: Publication, text: str, **more: str) -> Reply:
    """Words in the thread that the card was posted into, rather than under the card."""
    return await b.write(who, copy, text, reply_to=PARENT, **more)


async def test_words_under_a_text_question_answer_it(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT)
    assert isinstance(await b.write(ANA, await b.copy(id), "It fell over"), Saved)
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert (outcome.answer, outcome.by.handle) == ({"q1": {"value": "It fell over"}}, "ana")


@pytest.mark.parametrize("payload", [TEXT, CUSTOM], ids=["text", "own words"])
@pytest.mark.parametrize("to", [SLACK, GROUP])
async def test_words_under_what_was_not_shown_whole_are_no_answer(b: Bench, to: str, payload: dict[str, Any]) -> None:
    id = await b.open(Kind.QUESTIONS, payload, to=to)
    async with b.store.work() as work:
        copy = (await work.publications(id))[0].model_copy(update={"surface": Surface.REVIEW})
        await work.save_publication(copy)
        await work.commit()
    assert await b.write(ANA, copy, "It fell over") == Saved(PASSED_ON, unseen=True)
    assert (await b.get(id)).is_pending
    assert await b.types(id) == ["created", "commented"]


async def test_words_that_do_not_pass_are_told_once_and_then_left_alone(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT)
    copy = await b.copy(id)
    assert isinstance(await b.write(ANA, copy, "hm"), Wrong)
    assert await b.write(ANA, copy, "ok") == Quiet()
    assert isinstance(await b.write(BEN, copy, "so"), Wrong)
    assert isinstance(await b.write(ANA, copy, "It fell over"), Saved)
    assert (await b.get(id)).status is Status.ANSWERED


async def test_words_under_any_other_card_reach_the_asker_and_that_is_said_once(b: Bench) -> None:
    for kind, payload in ((Kind.CONFIRMATION, None), (Kind.ITEM_VERDICTS, None), (Kind.QUESTIONS, CUSTOM)):
        id = await b.open(kind, payload)
        copy = await b.copy(id)
        assert await b.write(ANA, copy, "Which one?") == Saved(PASSED_ON, unseen=True)
        assert await b.write(ANA, copy, "And when?") == Quiet()
        assert await b.write(BEN, copy, "Yes, when?") == Saved(PASSED_ON, unseen=True)
        assert (await b.get(id)).is_pending
        said = [one.data for one in await b.receipts(id) if one.type.value == "commented"]
        assert [one["text"] for one in said] == ["Which one?", "And when?", "Yes, when?"]
        assert all(str(one["message"]).startswith("slack:T1.C1/w") for one in said)


async def test_people_whom_the_card_is_not_for_talk_under_it_unheard(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT, audience=ANA_ONLY)
    copy = await b.copy(id)
    stranger = Person(id="", workspace=HERE, handle="", name="Zoe", identities=(
        Identity(provider="slack", account="T1", user="U99"),))  # fmt: skip
    for who in (BEN, stranger):
        assert await b.write(who, copy, "I would say no") == Quiet()
    assert await b.write(ANA, copy, "a bot's words", standing=Standing(bot=True)) == Quiet()
    assert await b.types(id) == ["created"]
    assert isinstance(await b.write(ANA, copy, "I say yes"), Saved)


async def test_words_after_the_card_is_settled_are_left_alone(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT)
    copy = await b.copy(id)
    await b.write(ANA, copy, "It fell over")
    assert await b.write(BEN, copy, "Thanks for that") == Quiet()
    assert await b.types(id) == ["created", "answered"]


async def test_a_text_question_in_a_thread_is_answered_there(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT, to=THREAD)
    assert isinstance(await _in_thread(b, ANA, await b.copy(id), "It fell over"), Saved)
    assert (await b.get(id)).status is Status.ANSWERED


async def test_of_two_cards_open_in_a_thread_words_are_for_neither(b: Bench) -> None:
    one, two = await b.open(Kind.QUESTIONS, TEXT, to=THREAD), await b.open(Kind.QUESTIONS, TEXT, to=THREAD)
    assert await _in_thread(b, ANA, await b.copy(one), "It fell over") == Quiet()
    assert (await b.types(one), await b.types(two)) == (["created"], ["created"])
    await b.write(ANA, await b.copy(one), "It fell over")  # under the card itself it is plain
    assert isinstance(await _in_thread(b, ANA, await b.copy(two), "That one too"), Saved)
    assert (await b.get(two)).status is Status.ANSWERED


async def test_talk_in_a_thread_is_no_comment_on_a_card_in_it_and_how_to_answer_is_said_once(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, to=THREAD)
    copy = await b.copy(id)
    assert await _in_thread(b, ANA, copy, "Who is on call?") == Told(BESIDE)
    assert await _in_thread(b, ANA, copy, "I am") == Quiet()
    assert await b.types(id) == ["created"]


async def test_where_the_asker_reads_the_thread_talk_in_it_is_heard(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, to=THREAD, policy={"resolve_from_comment": True})
    assert await _in_thread(b, ANA, await b.copy(id), "Go ahead") == Saved(PASSED_ON, unseen=True)
    assert await b.types(id) == ["created", "commented"]


async def test_words_that_are_not_their_senders_own_answer_nothing(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT)
    copy = await b.copy(id)
    assert await b.write(ANA, copy, "It fell over", own=False) == Quiet()
    assert isinstance(await b.write(ANA, copy, "", attached=True), Told)
    assert (await b.get(id)).is_pending


async def test_a_comment_ends_a_card_only_where_it_is_asked_to_and_only_a_persons(b: Bench) -> None:
    id = await b.open(Kind.CHECKLIST, policy={"supersede_on_comment": True}, audience=ANA_ONLY)
    copy = await b.copy(id)
    assert await b.write(BEN, copy, "Stop, the plan changed") == Quiet()
    assert (await b.get(id)).is_pending
    assert await b.write(ANA, copy, "Stop, the plan changed") == Saved(TOOK_ITS_PLACE, unseen=True)
    after = await b.get(id)
    assert after.status is Status.SUPERSEDED
    assert after.outcome is not None
    assert (after.outcome.successor, after.outcome.reason) == (None, "Stop, the plan changed")
    assert after.outcome.by.handle == "ana"
    assert await b.types(id) == ["created", "superseded"]
    assert await b.redraws(id) == {1}


async def test_a_message_delivered_again_is_heard_once(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION)
    copy = await b.copy(id)
    for _ in range(3):
        assert await b.write(OPAL, copy, "Why?", key="event 1") == Saved(PASSED_ON, unseen=True)
    assert await b.types(id) == ["created", "commented"]
