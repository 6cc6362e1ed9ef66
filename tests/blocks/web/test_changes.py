"""What a person is told about a card that changed under their hands, and where their words go."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.web.changes import Moves, carry, changed, seen
from core.content import Content
from core.kinds import Kind
from core.records import Interaction
from tests.blocks.web.visits import asking, options, with_content
from tests.rules.making import card

A: dict[str, Any] = {"id": "a", "type": "text", "prompt": "A?"}
B: dict[str, Any] = {"id": "b", "type": "choice", "prompt": "B?", "options": options("Yes", "No"), "custom": True}
C: dict[str, Any] = {"id": "c", "type": "date", "prompt": "C?"}


def _asked(*questions: dict[str, Any]) -> Content:
    return asking(*questions).content


CONFIRM = card(Kind.CONFIRMATION)
LABELS = {"accept_label": "Do it", "reject_label": "Keep it"}
CHANGES: tuple[tuple[Content, Content, tuple[str, ...]], ...] = (
    (_asked(A), _asked(A), ()),
    (_asked(A), with_content(asking(A), title="New").content, ("the title",)),
    (
        _asked(A),
        with_content(asking(A), body="New", recommendation="Wait").content,
        ("the text", "the recommendation"),
    ),
    (CONFIRM.content, with_content(CONFIRM, payload=LABELS).content, ("the labels of the buttons",)),
    (_asked(A, B), _asked(A, {**B, "prompt": "B, really?"}), ("question 2",)),
    (_asked(A), _asked(B, A), ("question 1 is new",)),
    (_asked(A, B, C), _asked(B), ("2 questions were taken out",)),
    (_asked(A, B), _asked(A, C), ("question 2 is new", "1 question was taken out")),
    (_asked(A, B), _asked(B, A), ("the order of the questions",)),
)


@pytest.mark.parametrize(("before", "after", "told"), CHANGES)
def test_what_changed_is_named(before: Content, after: Content, told: tuple[str, ...]) -> None:
    assert changed(seen(before), after) == told


NAMES = ("seen", "q0", "q1", "q1.custom", "q1.other", "note")


def test_fields_follow_their_question() -> None:
    moves = carry(NAMES, seen(_asked(A, B)), _asked(C, B, A))
    assert moves.to == {
        "seen": "seen",
        "q0": "q2",
        "q1": "q1",
        "q1.custom": "q1.custom",
        "q1.other": "q1.other",
        "note": "note",
    }
    assert moves.gone == ()


def test_words_whose_question_is_gone_are_named_and_choices_are_dropped() -> None:
    assert carry(NAMES, seen(_asked(A, B)), _asked(C)) == Moves({"seen": "seen", "note": "note"}, ("q0", "q1.custom"))


RETYPED: tuple[tuple[dict[str, Any], dict[str, Any], Moves, str], ...] = (
    (A, {**B, "id": "a"}, Moves({}, ("q0", "q0.custom")), "written words are no choice"),
    (B, {**A, "id": "b"}, Moves({}, ("q0.custom",)), "and a choice is no written words"),
    (B, {**B, "custom": False}, Moves({"q0": "q0"}, ("q0.custom",)), "own words that are not asked for any more"),
    (A, {**C, "id": "a"}, Moves({"q0": "q0"}, ("q0.custom",)), "words are looked at as a day"),
)


@pytest.mark.parametrize(("before", "after", "moves", "reason"), RETYPED, ids=[reason for *_, reason in RETYPED])
def test_a_question_of_another_type_takes_over_only_what_it_can(
    before: dict[str, Any], after: dict[str, Any], moves: Moves, reason: str
) -> None:
    assert carry(["q0", "q0.custom"], seen(_asked(before)), _asked(after)) == moves


def test_a_reason_stays_where_it_is() -> None:
    assert carry(["reason"], seen(CONFIRM.content), CONFIRM.content) == Moves({"reason": "reason"}, ())


MADE_UP = st.text(max_size=200) | st.just("00000000-" * 4)


@given(MADE_UP, st.sets(st.sampled_from(["q0", "q63", "q99.custom", "q1.other", "q100", "q0.x", "reason"])))
def test_a_made_up_fingerprint_breaks_nothing_and_loses_no_words(before: str, names: set[str]) -> None:
    moves = carry(names, before, _asked(A))
    assert changed(before, _asked(A)) == ()
    assert {*moves.to, *moves.gone} == names - {"q1.other"}
    assert set(moves.gone) <= {"q0", "q63", "q99.custom"}


def test_64_questions_have_a_readable_fingerprint() -> None:
    many: Interaction = asking(*[{"type": "text"}] * 64)
    assert changed(seen(many.content), with_content(many, title="New").content) == ("the title",)
