"""Cards that ended: the content stays, the controls go, and the outcome says who, what, when and through what."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import render
from core.kinds import EXAMPLES, Kind
from core.people import Via
from core.publications import Surface
from core.records import Status, Vote
from tests.blocks.telegram.cards import (
    ANA,
    BOB,
    CI,
    CODEC,
    NEXT_ID,
    NOW,
    TIMER,
    card,
    choice,
    choices,
    confirmation,
    expect_sendable,
    questions,
    seen,
    settled,
)

AT = "2 Dec 2026, 09:00 UTC"
TEXT = {"id": "q", "prompt": "What happened?", "type": "text"}
FACES: list[tuple[Status, dict[str, Any], str]] = [
    (Status.ANSWERED, {"answer": {"ship": {"value": "no"}}}, f"✅ Answered by Ana in Telegram, {AT}\nAnswer: No"),
    (Status.ANSWERED, {"answer": {}, "via": Via.REVIEW}, f"✅ Answered by Ana on the full form, {AT}\nAnswer: none"),
    (Status.ANSWERED, {"answer": {"ship": {"value": "yes"}}, "by": CI, "via": Via.API},
     f"✅ Answered by agent ci through the API, {AT}\nAnswer: Yes"),
    (Status.CANCELLED, {"reason": "moot", "via": Via.REVIEW},
     f"🚫 Cancelled by Ana on the full form, {AT}\nIt will not be answered.\nReason: moot"),
    (Status.SKIPPED, {"via": Via.REVIEW}, f"⏭ Skipped by Ana on the full form, {AT}\nNo answer was needed."),
    (Status.WITHDRAWN, {"by": CI, "via": Via.API},
     f"↩️ Withdrawn by agent ci through the API, {AT}\nWhoever asked took it back, so no answer is needed."),
    (Status.EXPIRED, {"by": TIMER, "via": Via.TIMER}, f"⌛ Expired, {AT}\nNobody answered in time."),
    (Status.EXPIRED, {"by": TIMER, "via": Via.TIMER, "default": {"ship": {"value": "no"}}},
     f"⌛ Expired, {AT}\nNobody answered in time.\nThe answer set beforehand for this case: No"),
    (Status.SUPERSEDED, {"by": CI, "via": Via.API, "successor": NEXT_ID},
     f"🔁 Replaced by a newer question, {AT}: https://sayso.example.com/review/{NEXT_ID}"),
    (Status.SUPERSEDED, {"reason": "ask <again> on Monday"},
     f"💬 Replaced by words of Ana in Telegram, {AT}\nTheir words: ask <again> on Monday"),
    (Status.UNDELIVERABLE, {"by": TIMER, "via": Via.TIMER, "reason": "there is no such chat"},
     f"⚠️ Could not be delivered, {AT}\nReason: there is no such chat"),
    (Status.COMPLETED, {}, f"✅ Completed by Ana in Telegram, {AT}"),
]  # fmt: skip


def test_every_ending_has_a_face() -> None:
    shown = {status for status, _, _ in FACES} | {Status.ACCEPTED, Status.REJECTED, Status.PENDING}
    assert shown == set(Status)


@pytest.mark.parametrize(("status", "outcome", "words"), FACES)
def test_the_outcome_stands_beneath_the_content_and_nothing_can_be_pressed(
    status: Status, outcome: dict[str, Any], words: str
) -> None:
    rendered = render(settled(EXAMPLES[Kind.QUESTIONS], status, **outcome), CODEC)
    assert rendered.keyboard == ()
    assert rendered.markup() == {"inline_keyboard": []}
    assert rendered.surface is Surface.NATIVE
    content = "Release 4.2\n\nThe canary has been clean for two hours.\n\nRecommendation: Ship it\n\nShip now?"
    assert seen(rendered).startswith(content)
    assert seen(rendered).endswith(words)
    expect_sendable(rendered)


@pytest.mark.parametrize(
    ("status", "outcome", "words"),
    [
        (Status.ACCEPTED, {}, f"✅ Accepted (“Delete it”) by Ana in Telegram, {AT}"),
        (
            Status.REJECTED,
            {"reason": "not <now>"},
            f"❌ Rejected (“Keep it”) by Ana in Telegram, {AT}\nReason: not <now>",
        ),
    ],
)
def test_a_confirmation_names_the_label_that_was_pressed(status: Status, outcome: dict[str, Any], words: str) -> None:
    rendered = render(settled(EXAMPLES[Kind.CONFIRMATION], status, **outcome), CODEC)
    assert "• Delete it\n• Keep it" in seen(rendered)
    assert seen(rendered).endswith(words)


def test_options_that_only_the_buttons_named_stay_readable() -> None:
    before = render(card(questions(choice("Red", "Green"))), CODEC)
    after = render(settled(questions(choice("Red", "Green")), Status.ANSWERED, answer={"q": {"value": "o0"}}), CODEC)
    assert "• Red" not in seen(before)
    assert "• Red\n• Green" in seen(after)
    assert "press Submit" not in seen(after)


def test_several_answers_and_own_words_are_told_in_full() -> None:
    asked = questions(choices("Red", "Green", custom=True))
    rendered = render(settled(asked, Status.ANSWERED, answer={"q": {"values": ["o0"], "custom": "teal"}}), CODEC)
    assert seen(rendered).endswith("Answer: Red, teal")


def test_a_vote_is_told_with_everyone_who_voted() -> None:
    votes = tuple(Vote(by=by, via=Via.TELEGRAM, accepted=True, at=NOW) for by in (ANA, BOB))
    rendered = render(settled(confirmation(), Status.ACCEPTED, votes=votes), CODEC)
    assert seen(rendered).endswith("Accepted by Ana and Bob.")


def test_an_answer_that_fits_is_shown_whole() -> None:
    rendered = render(settled(questions(TEXT), Status.ANSWERED, answer={"q": {"value": "w" * 3_000}}), CODEC)
    assert "w" * 3_000 in seen(rendered)


def test_an_answer_that_does_not_fit_is_where_the_address_says() -> None:
    asked = questions(TEXT, body="文" * 3_200)
    rendered = render(settled(asked, Status.ANSWERED, answer={"q": {"value": "w" * 3_000}}), CODEC)
    assert "文" * 3_200 in seen(rendered)
    assert "www" not in seen(rendered)
    assert "too long to show whole here; it is on the full form: https://sayso" in seen(rendered)
    expect_sendable(rendered)


def test_a_form_says_each_question_with_its_answer() -> None:
    asked = questions(choice("Red"), {**TEXT, "id": "q2"}, {**TEXT, "id": "q3", "required": False})
    answer = {"q": {"value": "o0"}, "q2": {"value": "all <well>"}}
    rendered = render(settled(asked, Status.ANSWERED, answer=answer, via=Via.REVIEW), CODEC)
    assert rendered.keyboard == ()
    assert seen(rendered).endswith("• Which? Red\n• What happened? all <well>\n• What happened? left unanswered")


def test_a_form_with_long_answers_keeps_its_prompts_and_its_short_answers() -> None:
    asked = questions(choice("Red"), {**TEXT, "id": "q2"}, {**TEXT, "id": "q3"})
    answer = {"q": {"value": "o0"}, "q2": {"value": "a" * 3_000}, "q3": {"value": "b" * 3_000}}
    rendered = render(settled(asked, Status.ANSWERED, answer=answer), CODEC)
    assert "• Which? Red\n• What happened? (too long to show here)" in seen(rendered)
    expect_sendable(rendered)


def test_a_form_of_the_review_page_ends_with_its_outcome_and_address() -> None:
    asked = questions(choice("Red"), {**TEXT, "id": "q2", "max_length": 3_001})
    answer = {"q": {"value": "o0"}, "q2": {"value": "all well"}}
    rendered = render(settled(asked, Status.ANSWERED, answer=answer, via=Via.REVIEW), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert rendered.keyboard == ()
    assert "• Which? Red\n• What happened? all well" in seen(rendered)
    assert "Full form: https://sayso.example.com/review/" in seen(rendered)


def test_the_fullest_possible_card_keeps_its_outcome() -> None:
    """Whatever fits when it is asked fits when it is settled, with long names and a long label."""
    longest = next(
        length for length in range(3_496, 2_000, -1) if render(card(_confirm(length)), CODEC).surface is Surface.NATIVE
    )
    by = ANA.model_copy(update={"name": "Maximiliane @someone " * 9})
    votes = tuple(
        Vote(by=by.model_copy(update={"id": f"p{n}"}), via=Via.SLACK, accepted=True, at=NOW) for n in range(30)
    )
    for status in (Status.ACCEPTED, Status.REJECTED):
        rendered = render(settled(_confirm(longest), status, by=by, votes=votes, reason="r" * 3_000), CODEC)
        assert "b" * longest in seen(rendered)
        assert "Maximiliane" in seen(rendered)
        expect_sendable(rendered)


def _confirm(length: int) -> dict[str, Any]:
    return {**confirmation(accept_label="丁" * 80, reject_label="丙" * 80), "body": "b" * length}
