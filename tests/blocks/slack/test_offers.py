"""Suggested tasks, connections, forms of several questions and questions that may stay open: what their cards offer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.slack import render
from core.controls import Action
from core.kinds.connection import Connecting
from core.publications import Surface
from tests.blocks.slack.cards import (
    ANA,
    CODEC,
    NOW,
    card,
    choice,
    choices,
    confirmation,
    connection,
    controls,
    elements,
    expect_sendable,
    labels,
    numbered,
    options,
    questions,
    remarks,
    shown,
    suggested,
)

TEXT = {"id": "q", "prompt": "Say what?", "type": "text"}
ALERTS = {"key": "alerts", "title": "Alert on queue depth", "priority": "high", "recommended": True}
RUNBOOK = {"key": "runbook", "title": "Write the runbook", "parent": "alerts", "assignee": "ana"}
DRILL = {"key": "drill", "title": "Rehearse a failover"}


def test_tasks_are_boxes_below_their_parents_with_what_they_say() -> None:
    rendered = render(card(suggested(DRILL, RUNBOOK, ALERTS)), CODEC)
    assert options(rendered.blocks) == ["Rehearse a failover", "Alert on queue depth", "Write the runbook"]
    assert remarks(rendered.blocks) == ["recommended · high", "part of “Alert on queue depth” · ana"]
    picks = [one.option for one in controls(rendered.blocks) if one.action is Action.PICK]
    assert picks == [0, 2, 1]
    assert labels(rendered.blocks) == ["Create tasks", "None of these", "Reply in words…", "Open full form"]
    acts = [one.action for one in controls(rendered.blocks) if one.action is not Action.PICK]
    assert acts == [Action.SUBMIT, Action.REASON, Action.COMMENT]
    expect_sendable(rendered)


def test_what_is_recommended_is_ticked_with_what_it_needs() -> None:
    rendered = render(card(suggested({**ALERTS, "recommended": False}, {**RUNBOOK, "recommended": True}, DRILL)), CODEC)
    (boxes,) = elements(rendered.blocks, "checkboxes")
    assert [one["text"]["text"] for one in boxes["initial_options"]] == ["Alert on queue depth", "Write the runbook"]


def test_what_a_task_says_beyond_its_box_is_printed_whole() -> None:
    rendered = render(card(suggested({**DRILL, "description": "d" * 4_000})), CODEC)
    assert shown(rendered.blocks).replace("\n", "").count("d") >= 4_000
    assert remarks(rendered.blocks) == []
    expect_sendable(rendered)


def test_tasks_in_a_menu_are_printed_as_the_tree_they_are() -> None:
    tasks = [{"key": str(number), "title": f"Task {number}"} for number in range(11)]
    tasks[1] |= {"parent": "0", "assignee": "ana"}
    told = shown(render(card(suggested(*tasks)), CODEC).blocks)
    assert "• Task 0\n\u2003• Task 1: ana\n• Task 2" in told


def test_a_connection_says_everything_and_can_be_declined() -> None:
    content = connection(scopes=["repo:read", "releases:write"], account="example-org", purpose="Read <!here>.")
    rendered = render(card(content), CODEC)
    told = shown(rendered.blocks)
    for words in ("github", "Read <!here>.", "repo:read", "releases:write", "example-org", "agent.example"):
        assert words in told
    assert "An operator grants it on the full form" in told
    assert labels(rendered.blocks) == ["Decline", "Reply in words…", "Open full form"]
    assert [one.action for one in controls(rendered.blocks)] == [Action.REASON, Action.COMMENT]
    expect_sendable(rendered)


def test_a_connection_says_who_set_out_to_grant_it() -> None:
    connecting = Connecting(by=ANA, at=NOW, state="sha256:0")
    told = shown(render(card(connection(), connecting=connecting), CODEC).blocks)
    assert "Ana set out to grant it, 2 Dec 2026, 09:00 UTC" in told
    assert "sha256" not in told


def test_scopes_that_do_not_fit_leave_nothing_to_decline() -> None:
    rendered = render(card(connection(scopes=["s" * 300] * 50)), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert [one.action for one in controls(rendered.blocks)] == [Action.COMMENT]


def test_a_form_of_several_questions_lists_them_and_opens_at_one_press() -> None:
    content = questions(TEXT, {**choice(*numbered(3)), "id": "q2", "required": False})
    rendered = render(card(content), CODEC)
    told = shown(rendered.blocks).replace("\n", "")
    assert "2 questions1. Say what?2. Which? (optional)" in told
    assert labels(rendered.blocks) == ["Answer…", "Reply in words…", "Open full form"]
    assert [one.action for one in controls(rendered.blocks)] == [Action.FORM, Action.COMMENT]


FORMS: list[tuple[str, list[dict[str, Any]], bool]] = [
    # what it shows, the questions, whether one modal takes them
    ("64 short questions", [{**TEXT, "id": str(n)} for n in range(64)], True),
    ("49 choices with own words beside", [{**choice("a", custom=True), "id": str(n)} for n in range(49)], True),
    ("50 choices with own words beside", [{**choice("a", custom=True), "id": str(n)} for n in range(50)], False),
    ("25 menus of a hundred", [{**choice(*numbered(100)), "id": str(n)} for n in range(25)], True),
    ("28 menus of a hundred", [{**choice(*numbered(100)), "id": str(n)} for n in range(28)], False),
    ("32 menus of a hundred", [{**choice(*numbered(100)), "id": str(n)} for n in range(32)], False),
    ("one menu of 101", [TEXT, {**choice(*numbered(101)), "id": "q2"}], False),
    ("one answer of 3,001 characters", [TEXT, {**TEXT, "id": "q2", "max_length": 3_001}], False),
    ("prompts that the card has no room for", [{**TEXT, "id": str(n), "prompt": "p" * 4_000} for n in range(3)], False),
]


@pytest.mark.parametrize(("why", "asked", "fits"), FORMS, ids=[row[0] for row in FORMS])
def test_a_form_opens_here_when_every_part_fits_one_modal(why: str, asked: list[dict[str, Any]], fits: bool) -> None:
    rendered = render(card(questions(*asked)), CODEC)
    assert rendered.surface is (Surface.NATIVE if fits else Surface.REVIEW), why
    assert (Action.FORM in [one.action for one in controls(rendered.blocks)]) is fits
    expect_sendable(rendered)


OPTIONAL: list[tuple[dict[str, Any], list[str]]] = [
    (TEXT, ["Answer…", "Leave unanswered"]),
    ({"id": "q", "prompt": "?", "type": "number"}, ["Answer…", "Leave unanswered"]),
    ({"id": "q", "prompt": "?", "type": "date"}, ["Answer…", "Leave unanswered"]),
    ({"id": "q", "prompt": "?", "type": "boolean"}, ["Yes", "No", "Leave unanswered"]),
    (choice("a", "b"), ["a", "b", "Leave unanswered"]),
    (choice("a", custom=True), ["a", "Other…", "Leave unanswered"]),
    (choice(*numbered(11)), ["Leave unanswered"]),
    (choices("a", "b"), ["Submit"]),
]


@pytest.mark.parametrize(("question", "wanted"), OPTIONAL, ids=[str(row[1]) for row in OPTIONAL])
def test_one_question_that_needs_no_answer_can_be_left_open(question: dict[str, Any], wanted: list[str]) -> None:
    rendered = render(card(questions({**question, "required": False})), CODEC)
    assert labels(rendered.blocks)[: len(wanted)] == wanted
    assert [one.option for one in controls(rendered.blocks) if one.action is Action.SUBMIT] == [0]
    expect_sendable(rendered)
    needed = render(card(questions({**question, "required": True})), CODEC)
    assert "Leave unanswered" not in labels(needed.blocks)


BUSY: list[tuple[tuple[str, ...], str]] = [
    (("Ana",), "Ana is answering…"),
    (("Ana", "Ben"), "Ana and Ben are answering…"),
    (("Ana", "Ben", "Cy"), "Ana, Ben and Cy are answering…"),
    (tuple(f"Somebody {n}" for n in range(30)), "30 people are answering…"),
]


@pytest.mark.parametrize(("names", "words"), BUSY, ids=[row[1] for row in BUSY])
def test_a_card_says_gently_who_is_answering(names: tuple[str, ...], words: str) -> None:
    rendered = render(replace(card(confirmation(), holder="Ana"), answering=names), CODEC)
    assert words in shown(rendered.blocks)
    assert rendered.blocks[-1]["type"] == "context"
    assert labels(rendered.blocks)[:2] == ["Accept", "Reject"]
    expect_sendable(rendered)
