"""What people are told of a card that is settled."""

from __future__ import annotations

from typing import Any

import pytest

from core.kinds import Kind
from core.people import TIMER, Via
from core.records import Interaction, Outcome, Status
from core.telling import answer_lines, decision, outcome_sentence, saved_sentence
from tests.rules.making import NOW, by, card

TWO = [{"id": "a", "label": "Ann, Ltd"}, {"id": "b", "label": "B"}]


def settled(status: Status, kind: Kind = Kind.CONFIRMATION, **outcome: Any) -> Interaction:
    given = {"by": by(), "via": Via.SLACK, "at": NOW, "receipt": "rcp_1", **outcome}
    return card(kind, status=status, outcome=Outcome(status=status, **given))


@pytest.mark.parametrize(
    ("interaction", "sentence"),
    [
        (
            settled(Status.ANSWERED, Kind.QUESTIONS, answer={"ship": {"value": "no"}}),
            "Ana answered this on 2 Dec 2026, 14:05 UTC: No",
        ),
        (settled(Status.ACCEPTED), "Ana accepted this on 2 Dec 2026, 14:05 UTC: Delete it"),
        (settled(Status.REJECTED), "Ana rejected this on 2 Dec 2026, 14:05 UTC: Keep it"),
        (settled(Status.EXPIRED, by=TIMER), "The time to answer ended on 2 Dec 2026, 14:05 UTC."),
        (settled(Status.WITHDRAWN), "Ana took this question back on 2 Dec 2026, 14:05 UTC."),
        (settled(Status.SUPERSEDED), "Words of Ana took the place of this on 2 Dec 2026, 14:05 UTC."),
        (settled(Status.SUPERSEDED, successor="int_2"), "A newer question replaced this one on 2 Dec 2026, 14:05 UTC."),
        (settled(Status.CANCELLED), "Ana cancelled this on 2 Dec 2026, 14:05 UTC."),
        (settled(Status.SKIPPED), "Ana skipped this on 2 Dec 2026, 14:05 UTC: no answer was needed."),
        (settled(Status.UNDELIVERABLE, by=TIMER), "This could not be delivered (2 Dec 2026, 14:05 UTC)."),
        (card(), "This is still open."),
    ],
)
def test_each_end_has_its_sentence(interaction: Interaction, sentence: str) -> None:
    assert outcome_sentence(interaction) == sentence


def test_a_long_answer_is_left_out_whole_never_cut() -> None:
    options = [{"id": "a", "label": "x" * 300}]
    payload = {"questions": [{"id": "q", "prompt": "?", "type": "choice", "options": options}]}
    outcome = Outcome(status=Status.ANSWERED, by=by(), via=Via.SLACK, at=NOW, receipt="r", answer={"q": {"value": "a"}})
    long = card(payload=payload, status=Status.ANSWERED, outcome=outcome)
    assert outcome_sentence(long) == "Ana answered this on 2 Dec 2026, 14:05 UTC."
    assert saved_sentence(long) == "Your answer is saved."


@pytest.mark.parametrize(
    ("question", "answer", "words"),
    [
        ({"type": "boolean"}, {"value": True}, "Yes"),
        ({"type": "boolean"}, {"value": False}, "No"),  # false is an answer
        ({"type": "number"}, {"value": 3.0}, "3"),  # as people write it
        ({"type": "number"}, {"value": 0}, "0"),
        ({"type": "text"}, {"value": "as *written*"}, "as *written*"),
        ({"type": "date"}, {"value": "2026-12-24"}, "2026-12-24"),
        (
            {
                "type": "choices",
                "custom": True,
                "options": [{"id": "a", "label": "Ann, Ltd"}, {"id": "b", "label": "B"}],
            },
            {"values": ["a", "b"], "custom": "more"},
            "Ann, Ltd, B, more",
        ),
        ({"type": "choices", "min": 0, "options": [{"id": "a", "label": "A"}]}, {"values": []}, "none"),
    ],
)
def test_an_answer_is_told_in_the_words_it_was_chosen_by(
    question: dict[str, Any], answer: dict[str, Any], words: str
) -> None:
    asked = card(payload={"questions": [{"id": "q", "prompt": "Which?", **question}]})
    assert answer_lines(asked.content.payload, {"q": answer}) == [("Which?", words)]  # type: ignore[arg-type]  # questions


def test_a_form_of_several_questions_is_told_by_how_many_were_answered() -> None:
    questions = [{"id": f"q{n}", "prompt": "?", "type": "text", "required": False} for n in range(3)]
    outcome = Outcome(
        status=Status.ANSWERED, by=by(), via=Via.REVIEW, at=NOW, receipt="r", answer={"q0": {"value": "x"}}
    )
    whole = card(payload={"questions": questions}, status=Status.ANSWERED, outcome=outcome)
    assert decision(whole, outcome) == "1 of 3 questions"
