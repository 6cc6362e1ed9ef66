"""What a person is told about a card that changed under their hands, and where their words go."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.web.changes import carry, changed, seen
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


def test_words_follow_their_question() -> None:
    filled = {"seen": seen(_asked(A, B)), "q0": "mine", "q1": "yes", "q1.custom": "own", "q1.other": "yes", "note": "n"}
    moved = carry(filled, _asked(C, B, A))
    assert moved.unplaced == ()
    assert {name: value for name, value in moved.fields.items() if name != "seen"} == {
        "q2": "mine",
        "q1": "yes",
        "q1.custom": "own",
        "q1.other": "yes",
        "note": "n",
    }


def test_words_whose_question_is_gone_are_kept_apart() -> None:
    filled = {"seen": seen(_asked(A, B)), "q0": "mine", "q1": "yes", "q1.other": "yes"}
    moved = carry(filled, _asked(B))
    assert moved.unplaced == ("mine",)
    assert {name: value for name, value in moved.fields.items() if name != "seen"} == {"q0": "yes", "q0.other": "yes"}


def test_a_reason_stays_where_it_is() -> None:
    assert carry({"reason": "no"}, CONFIRM.content).fields == {"reason": "no"}


MADE_UP = st.text(max_size=200) | st.just("00000000-" * 4)


@given(MADE_UP, st.dictionaries(st.sampled_from(["q0", "q63", "q99.custom"]), st.text()))
def test_a_made_up_fingerprint_breaks_nothing_and_loses_no_words(before: str, filled: dict[str, str]) -> None:
    moved = carry({"seen": before, **filled}, _asked(A))
    assert changed(before, _asked(A)) == ()
    assert sorted(moved.unplaced) == sorted(value for value in filled.values() if value)


def test_64_questions_have_a_readable_fingerprint() -> None:
    many: Interaction = asking(*[{"type": "text"}] * 64)
    assert changed(seen(many.content), with_content(many, title="New").content) == ("the title",)
