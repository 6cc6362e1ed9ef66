"""A reply to a reminder is a reply to its card: it answers, or reaches the asker, as it would there."""

from __future__ import annotations

from typing import Any

import pytest

from core.kinds import Kind
from core.records import Status
from core.replies import Quiet, Saved, Told
from core.use_cases.deciding import PASSED_ON
from core.use_cases.write import FOR_NOTHING, HINT
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, GROUP, PRIVATE, SLACK
from tests.use_cases.clockwork import Clockwork, asked

TEXT: dict[str, Any] = {"questions": [{"id": "q1", "prompt": "Why?", "type": "text", "min_length": 5}]}
FORM = {"questions": [TEXT["questions"][0], {"id": "q2", "prompt": "When?", "type": "date"}]}
ANA_ONLY = {"answerers": ["person:ana"]}


async def _reminded(b: Bench, to: str, kind: Kind = Kind.QUESTIONS, **more: Any) -> tuple[str, Clockwork]:
    """A card whose reminder is the message `r1` of its conversation."""
    clockwork = Clockwork(b)
    id = await asked(b, {"every": "10m", "max": 2}, kind=kind, to=to, audience=ANA_ONLY, **more)
    assert await clockwork.tick(minutes=10) == 1
    return id, clockwork


@pytest.mark.parametrize("to", [GROUP, PRIVATE])
async def test_words_in_reply_to_a_reminder_answer_what_asks_for_words(b: Bench, to: str) -> None:
    id, clockwork = await _reminded(b, to, payload=TEXT)
    copy = await b.copy(id)
    await b.write(ANA, copy, "no", reply_to="r1")
    assert (await b.get(id)).is_pending, "too short, as it would be in reply to the card"
    reply = await b.write(ANA, copy, "It fell over", reply_to="r1")
    assert isinstance(reply, Saved)
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert (outcome.answer, outcome.by.handle, outcome.via.value) == (
        {"q1": {"value": "It fell over"}}, "ana", "telegram",
    )  # fmt: skip
    await clockwork.send()
    assert [one.card.interaction.status for one in clockwork.ended] == [Status.ANSWERED]


async def test_in_slack_a_reminder_is_in_the_thread_of_its_card_and_so_are_replies_to_it(b: Bench) -> None:
    id, _ = await _reminded(b, SLACK, payload=TEXT)
    # Slack names the message that the thread begins with, whichever one somebody replies to.
    assert isinstance(await b.write(ANA, await b.copy(id), "It fell over"), Saved)
    assert (await b.get(id)).status is Status.ANSWERED


@pytest.mark.parametrize(("kind", "payload"), [(Kind.CONFIRMATION, None), (Kind.QUESTIONS, FORM)])
async def test_a_reply_to_a_reminder_of_what_has_buttons_reaches_the_asker_and_says_what_answers(
    b: Bench, kind: Kind, payload: dict[str, Any] | None
) -> None:
    id, _ = await _reminded(b, GROUP, kind, payload=payload)
    assert await b.write(ANA, await b.copy(id), "Which one?", reply_to="r1") == Saved(PASSED_ON, unseen=True)
    assert (await b.get(id)).is_pending
    assert await b.types(id) == ["created", "nudged", "commented"]


async def test_a_reply_to_a_reminder_by_whom_it_is_not_for_is_refused_as_under_the_card(b: Bench) -> None:
    id, _ = await _reminded(b, GROUP, payload=TEXT)
    copy = await b.copy(id)
    told = await b.write(BEN, copy, "It fell over", reply_to="r1")
    assert isinstance(told, Told)
    assert told == await b.write(BEN, copy, "It fell over")
    assert (await b.get(id)).is_pending


async def test_a_reply_to_a_reminder_of_what_is_settled_is_told_so(b: Bench) -> None:
    id, clockwork = await _reminded(b, GROUP, payload=TEXT)
    copy = await b.copy(id)
    await b.write(ANA, copy, "It fell over")
    await clockwork.send()
    told = await b.write(ANA, copy, "It stood up", reply_to="r1")
    assert isinstance(told, Told | Saved)
    assert told == await b.write(ANA, copy, "It stood up")
    outcome = (await b.get(id)).outcome
    assert outcome is not None
    assert outcome.answer == {"q1": {"value": "It fell over"}}


async def test_a_reminder_of_another_chat_or_bot_is_not_meant(b: Bench) -> None:
    id, _ = await _reminded(b, GROUP, payload=TEXT)
    copy = await b.copy(id)
    elsewhere = copy.model_copy(update={"channel": "-200"})
    assert await b.write(ANA, elsewhere, "It fell over", reply_to="r1") == Quiet()
    assert await b.write(ANA, copy, "It fell over", reply_to="r1", account="another_bot") == Quiet()
    assert (await b.get(id)).is_pending


async def test_a_reply_to_a_list_is_told_to_reply_to_the_card_that_is_meant(b: Bench) -> None:
    id, _ = await _reminded(b, PRIVATE, payload=TEXT)
    copy = await b.copy(id)
    assert await b.write(ANA, copy, "It fell over", reply_to="the list") == Told(HINT)
    assert (await b.get(id)).is_pending
    group = copy.model_copy(update={"channel": "-100", "conversation": GROUP, "place": "-100"})
    told = await b.write(ANA, group, "It fell over", reply_to="the list", to_us=True, private=False)
    assert told == Told(FOR_NOTHING)


async def test_in_a_slack_direct_message_words_under_a_list_are_not_lost_in_silence(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT, to="slack:T1.U1", audience=ANA_ONLY)
    copy = await b.copy(id)
    assert await b.write(ANA, copy, "It fell over", reply_to="the list", private=True) == Told(HINT)
    assert (await b.get(id)).is_pending
