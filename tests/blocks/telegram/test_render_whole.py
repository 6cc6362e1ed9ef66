"""What is asked for in words, and what does not fit in a message: said whole, or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import render
from core.controls import Action
from core.publications import Surface
from tests.blocks.telegram.cards import (
    CODEC,
    IN_AN_HOUR,
    card,
    checklist,
    choice,
    connection,
    controls,
    expect_sendable,
    judged,
    labels,
    pressed,
    questions,
    seen,
    tasks,
)

TEXT = {"id": "q", "prompt": "What happened?", "type": "text"}
WORDS: list[tuple[dict[str, Any], str]] = [
    ({**TEXT, "min_length": 3, "max_length": 20}, "The answer has 3 to 20 characters."),
    ({**TEXT, "min_length": 3}, "The answer has at least 3 characters."),
    ({**TEXT, "max_length": 20}, "The answer has at most 20 characters."),
    ({**TEXT, "pattern": "[A-Z]+", "pattern_hint": "Capitals only"}, "Capitals only"),
    ({**TEXT, "pattern": "[A-Z]+<"}, "The answer matches the pattern [A-Z]+<"),
    ({**TEXT, "placeholder": "a & b"}, "For example: a & b"),
    ({**TEXT, "initial": "all of it"}, "Suggested answer: all of it"),
    ({**TEXT, "help": "In <one> line"}, "In <one> line"),
    ({**TEXT, "required": False}, "An answer is optional."),
    ({"id": "q", "prompt": "How many?", "type": "number"}, "The answer is a number."),
    (
        {"id": "q", "prompt": "?", "type": "number", "integer": True, "min": 0, "max": 10},
        "The answer is a whole number from 0 to 10.",
    ),
    ({"id": "q", "prompt": "?", "type": "number", "min": 0.5, "initial": 3}, "The answer is a number, 0.5 or more."),
    ({"id": "q", "prompt": "?", "type": "number", "max": 1}, "The answer is a number, 1 or less."),
    ({"id": "q", "prompt": "?", "type": "date", "initial": "2026-12-24"}, "The answer is a day, written YYYY-MM-DD."),
]


@pytest.mark.parametrize(("question", "line"), WORDS)
def test_words_are_asked_for_with_everything_they_must_be(question: dict[str, Any], line: str) -> None:
    rendered = render(card(questions(question)), CODEC)
    assert line in seen(rendered)
    assert "Reply to this message with your answer." in seen(rendered)
    assert pressed(rendered, "Answer…").action is Action.WRITE
    expect_sendable(rendered)


def test_a_suggested_answer_is_copied_by_a_tap_exactly_as_it_was_given() -> None:
    rendered = render(card(questions({**TEXT, "initial": "@everyone <now>"})), CODEC)
    assert "<code>@everyone &lt;now&gt;</code>" in rendered.text


# What a chat cannot carry whole goes to the review page as a whole.
TOO_MUCH: list[tuple[str, dict[str, Any]]] = [
    ("a form with a text longer than a chat brings back", questions(
        choice("Red"), {**TEXT, "id": "q2", "max_length": 3_001}
    )),
    ("a form with a prompt that fills the message", questions(
        choice("Red"), {**TEXT, "id": "q2", "prompt": "p" * 4_000}
    )),
    ("a text longer than a chat brings back", questions({**TEXT, "max_length": 3_001})),
    ("a body of 4,000 CJK characters", questions(choice("Red"), body="文" * 4_000)),
    ("a prompt that fills the message", questions({**TEXT, "prompt": "p" * 4_000})),
    ("an option that leaves no room", questions(choice("l" * 1_000, "No"), body="b" * 2_600)),
    ("an item to tick that leaves no room", {**checklist("l" * 1_000, "No"), "body": "b" * 2_600}),
    ("an item to judge that leaves no room", {**judged("l" * 1_000, "No"), "body": "b" * 2_600}),
    ("a task that leaves no room", {**tasks("l" * 240, "No"), "body": "b" * 3_200}),
    ("a connection that leaves no room", connection(purpose="p" * 3_500)),
    ("descriptions that fill the message", questions(
        {**choice("Red"), "options": [{"id": "r", "label": "Red", "description": "d" * 4_000}]}
    )),
]  # fmt: skip


@pytest.mark.parametrize("asked", [pytest.param(asked, id=name) for name, asked in TOO_MUCH])
@pytest.mark.parametrize("link_ok", [True, False])
def test_what_does_not_fit_whole_goes_to_the_full_form_and_decides_nothing(
    asked: dict[str, Any], link_ok: bool
) -> None:
    rendered = render(card(asked, link_ok=link_ok, expires_at=IN_AN_HOUR), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert [control.action for control in controls(rendered)] == [Action.COMMENT, Action.MENU]
    assert seen(rendered).startswith(asked["title"])
    assert "show whole here" in seen(rendered)
    assert "May answer: anyone in this conversation." in seen(rendered)
    own = [["Reply in words…", "Open full form"], ["Later…"]] if link_ok else [["Reply in words…", "Later…"]]
    assert labels(rendered) == own
    assert ("/review/int_" in seen(rendered)) is not link_ok
    expect_sendable(rendered)


def test_one_character_decides_between_whole_and_the_full_form() -> None:
    def surface(length: int) -> Surface:
        return render(card(questions(choice("Red"), body="文" * length)), CODEC).surface

    fits = max(length for length in range(3_300, 3_500) if surface(length) is Surface.NATIVE)
    assert surface(fits + 1) is Surface.REVIEW
    rendered = render(card(questions(choice("Red"), body="文" * fits)), CODEC)
    assert "文" * fits in seen(rendered)
    assert len(seen(rendered)) == 4_096 - 600


def test_an_optional_text_of_the_longest_allowed_length_stays_in_the_chat() -> None:
    assert render(card(questions({**TEXT, "max_length": 3_000})), CODEC).surface is Surface.NATIVE
