"""Cards that are answered only on their page, soon after signing in: what chats refuse, and when a sign-in is fresh."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.acts import Accept, Reject
from core.addresses import Provider
from core.asking import ASK, check_ask
from core.audience import Candidate
from core.controls import ANSWERS, ASIDE, Action
from core.errors import AlreadySettled, Invalid, SignInRequired
from core.kinds import Kind
from core.people import Membership, Standing, Via
from core.policy import Policy
from core.records import Status
from core.replies import Told
from core.signed_in import spelled
from core.use_cases.answer import answer
from tests.rules.making import NOW
from tests.use_cases.bench import Bench
from tests.use_cases.cast import ANA, BEN, BUILDER, GROUP, HERE, SLACK, identity_on

REQUIRED = {"sign_in": "required"}
TEXT = {"questions": [{"id": "q1", "prompt": "Why?", "type": "text"}]}
ONLY_THERE = "answered only on its own page, within 15 minutes of signing in there"


def at_page(minutes_ago: float | None) -> Candidate:
    """Ana, who signed in so long ago."""
    return Candidate(
        person=ANA,
        identity=identity_on(ANA, Provider.SLACK),
        standing=Standing(name="Ana"),
        memberships={SLACK: Membership.YES},
        signed_in_at=None if minutes_ago is None else NOW - timedelta(minutes=minutes_ago),
    )


@pytest.mark.parametrize("kind", list(Kind))
async def test_no_control_of_any_kind_answers_from_a_chat(b: Bench, kind: Kind) -> None:
    id = await b.open(kind, to=[SLACK, GROUP], policy=REQUIRED)
    for action in ANSWERS:
        for on in (1, 2):
            assert isinstance(await b.press(ANA, id, action, on=on), Told), action
    assert (await b.get(id)).version == 1
    assert await b.types(id) == ["created"]
    assert await b.owed() == []


OLD_CONTROLS = [
    (Kind.CONFIRMATION, Action.ACCEPT, "decides at once"),
    (Kind.CONFIRMATION, Action.REASON, "would open a form whose words decide"),
    (Kind.QUESTIONS, Action.ANSWER, "decides at once"),
    (Kind.QUESTIONS, Action.WRITE, "would ask for words that answer"),
    (Kind.QUESTIONS, Action.TOGGLE, "would fill in a draft that nothing sends"),
    (Kind.CHECKLIST, Action.TICK, "a tick is kept as somebody's"),
    (Kind.ITEM_VERDICTS, Action.VERDICT, "a verdict stands once given"),
    (Kind.SUGGESTED_TASKS, Action.REJECT, "decides at once"),
    (Kind.CONNECTION, Action.REJECT, "decides at once"),
]


@pytest.mark.parametrize(("kind", "action", "reason"), OLD_CONTROLS)
async def test_a_control_that_answers_says_where_it_is_answered(
    b: Bench, kind: Kind, action: Action, reason: str
) -> None:
    id = await b.open(kind, policy=REQUIRED)
    told = await b.press(ANA, id, action)
    assert isinstance(told, Told), reason
    assert ONLY_THERE in told.text
    assert len(told.text) <= 200, "Telegram shows no more in an alert"


async def test_a_form_that_was_opened_somehow_and_a_reply_in_words_do_not_answer(b: Bench) -> None:
    id = await b.open(Kind.QUESTIONS, TEXT, to=[SLACK, GROUP], policy=REQUIRED)
    told = await b.submit(ANA, await b.control(id, Action.WRITE), {"q0": "because"})
    assert isinstance(told, Told)
    assert ONLY_THERE in told.text
    await b.write(ANA, await b.copy(id, 2), "because")
    assert (await b.get(id)).status is Status.PENDING


async def test_words_that_decide_nothing_still_reach_the_asker(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, policy=REQUIRED)
    await b.submit(ANA, await b.control(id, Action.COMMENT), {"comment": "which database?"})
    assert await b.types(id) == ["created", "commented"]
    assert Action.COMMENT in ASIDE


FRESHNESS = [
    (0, {}, True, "just now"),
    (15, {}, True, "the usual quarter of an hour, to the moment"),
    (15.1, {}, False, "a little longer than that"),
    (15.1, {"sign_in_within": "1h"}, True, "the asker gives more time"),
    (2, {"sign_in_within": "1m"}, False, "the asker gives less"),
    (None, {}, False, "no sign-in at all: a chat"),
]


@pytest.mark.parametrize(("ago", "more", "counts", "reason"), FRESHNESS)
async def test_an_answer_counts_while_the_sign_in_is_fresh(
    b: Bench, ago: float | None, more: dict[str, Any], counts: bool, reason: str
) -> None:
    id = await b.open(Kind.CONFIRMATION, policy={**REQUIRED, **more})
    if counts:
        done = await answer(b.context, HERE, id, Accept(1), at_page(ago), Via.REVIEW)
        assert done.interaction.status is Status.ACCEPTED, reason
        return
    with pytest.raises(SignInRequired):
        await answer(b.context, HERE, id, Accept(1), at_page(ago), Via.REVIEW)
    assert (await b.get(id)).is_pending, reason


async def test_a_key_that_the_audience_names_needs_no_sign_in(b: Bench) -> None:
    named = {"answerers": [f"agent:{BUILDER.name}"]}
    id = await b.open(Kind.CONFIRMATION, policy=REQUIRED, audience=named)
    assert (await answer(b.context, HERE, id, Accept(1), BUILDER, Via.API)).interaction.status is Status.ACCEPTED


async def test_whoever_is_late_is_told_what_stands_and_not_to_sign_in(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, policy=REQUIRED)
    await answer(b.context, HERE, id, Accept(1), at_page(1), Via.REVIEW)
    late = replace(at_page(99), person=BEN, identity=identity_on(BEN, Provider.SLACK))
    with pytest.raises(AlreadySettled):
        await answer(b.context, HERE, id, Reject(1), late, Via.REVIEW)


async def test_the_timer_ends_it_whoever_presses_then(b: Bench) -> None:
    id = await b.open(Kind.CONFIRMATION, policy={**REQUIRED, "expires_in": "1h", "starts": "asked"})
    b.clock.move(hours=2)
    told = await b.press(ANA, id, Action.ACCEPT)
    assert isinstance(told, Told)
    assert "expired" in told.text.lower() or "time to answer" in told.text
    assert (await b.get(id)).status is Status.EXPIRED


BAD = [
    ({**REQUIRED, "supersede_on_comment": True}, "/policy/supersede_on_comment", "words in a chat would end it"),
    ({**REQUIRED, "resolve_from_comment": True}, "/policy/resolve_from_comment", "words in a chat would decide it"),
    ({"sign_in_within": "5m"}, "/policy/sign_in_within", "it says how fresh, and not that it is needed"),
]


@pytest.mark.parametrize(("policy", "pointer", "reason"), BAD)
def test_a_policy_that_contradicts_itself_is_refused(policy: dict[str, Any], pointer: str, reason: str) -> None:
    body = {"kind": "confirmation", "to": SLACK, "title": "Delete it?", "policy": policy}
    with pytest.raises(Invalid) as refused:
        check_ask(ASK.validate_python(body))
    assert [one.pointer for one in refused.value.faults] == [pointer], reason


def test_what_nobody_asked_for_is_not_stored_and_is_shown_all_the_same() -> None:
    assert not {"sign_in", "sign_in_within"} & Policy().model_dump().keys(), "an older process reads it"
    assert (Policy().wire()["sign_in"], Policy().wire()["sign_in_within"]) == (None, "15m")


def test_lengths_are_spelled_in_full() -> None:
    lengths = [
        timedelta(seconds=90),
        timedelta(minutes=1),
        timedelta(minutes=15),
        timedelta(hours=1),
        timedelta(days=2),
    ]
    assert [spelled(one) for one in lengths] == ["90 seconds", "1 minute", "15 minutes", "1 hour", "2 days"]
