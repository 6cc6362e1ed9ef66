"""One below, at and above every size at which a card changes its control, its pages or its surface."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from blocks.slack import render
from blocks.slack.sizes import JUDGED_PAGE, ONE_IN_A_FORM, ONE_ON_A_CARD, SEVERAL, TICKED_PAGE, Size, control_for
from core.controls import Action
from core.kinds import EXAMPLES, Kind
from core.publications import Surface
from tests.blocks.slack.cards import (
    CODEC,
    card,
    checklist,
    choice,
    choices,
    controls,
    deciding,
    elements,
    expect_sendable,
    judged,
    labels,
    numbered,
    options,
    pages,
    questions,
    read,
    shown,
)

TABLES = [ONE_ON_A_CARD, ONE_IN_A_FORM, SEVERAL]
COUNTS = [1, 5, 6, 10, 11, 100, 101, 128]
ITEMS = [1, 9, 10, 11, 29, 30, 31, 100, 200]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table[-1].element)
def test_a_control_takes_as_many_as_its_row_says_and_no_more(table: Sequence[Size]) -> None:
    for row, after in zip(table, (*table[1:], None), strict=True):
        assert row.reason
        assert control_for(row.most, table) == row.element
        assert control_for(row.most + 1, table) == (after.element if after else None)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("ask", [choice, choices])
def test_every_number_of_options_has_its_control_or_the_review_page(ask: Any, count: int) -> None:
    rendered = render(card(questions(ask(*numbered(count)))), CODEC)
    expect_sendable(rendered)
    table = ONE_ON_A_CARD if ask is choice else SEVERAL
    element = control_for(count, table)
    if element is None:
        assert rendered.surface is Surface.REVIEW
        assert deciding(rendered.blocks) == []
        assert f"There are {count} options" in shown(rendered.blocks)
        return
    assert rendered.surface is Surface.NATIVE
    assert elements(rendered.blocks, element)
    offered = labels(rendered.blocks) if element == "button" else options(rendered.blocks)
    assert offered[:count] == numbered(count)


@pytest.mark.parametrize("count", ITEMS)
def test_a_checklist_of_any_length_is_ticked_here_each_item_once(count: int) -> None:
    rendered = pages(card(checklist(*numbered(count))))
    assert len(rendered) == -(-count // TICKED_PAGE.most)
    found = [one.option for page in rendered for one in controls(page.blocks) if one.action is Action.TICK]
    assert found == list(range(count))
    for page in rendered:
        assert page.surface is Surface.NATIVE
        assert [one.action for one in controls(page.blocks)].count(Action.SUBMIT) == 1
        assert all(len(boxes["options"]) <= 10 for boxes in elements(page.blocks, "checkboxes"))
        expect_sendable(page)


@pytest.mark.parametrize("count", ITEMS)
def test_items_of_any_number_are_judged_here_each_with_every_verdict(count: int) -> None:
    rendered = pages(card(judged(*numbered(count))))
    assert len(rendered) == -(-count // JUDGED_PAGE.most)
    acts = [one for page in rendered for one in controls(page.blocks) if one.action in (Action.VERDICT, Action.JUDGE)]
    assert [(one.option, one.question) for one in acts] == [
        (item, verdict) for item in range(count) for verdict in range(3)
    ]
    for page in rendered:
        assert page.surface is Surface.NATIVE
        expect_sendable(page)


@pytest.mark.parametrize("count", [1, 9, 10, 11, 49, 50])
def test_tasks_of_any_number_are_picked_here(count: int) -> None:
    tasks = [{"key": str(index), "title": label} for index, label in enumerate(numbered(count))]
    rendered = render(card({"kind": "suggested_tasks", "title": "Follow-ups", "payload": {"tasks": tasks}}), CODEC)
    assert rendered.surface is Surface.NATIVE
    assert len(elements(rendered.blocks, "checkboxes" if count <= 10 else "multi_static_select")) == 1
    picks = [one.option for one in controls(rendered.blocks) if one.action is Action.PICK]
    assert picks == list(range(count))
    expect_sendable(rendered)


LABELS = {1: True, 74: True, 75: True, 76: False, 150: False, 151: False, 1_000: False}
"""How long a label is, and whether a control of Slack's shows it whole."""


@pytest.mark.parametrize(("length", "fits"), list(LABELS.items()))
@pytest.mark.parametrize("letter", ["x", "文", "ש"])
def test_a_label_of_a_control_is_whole_or_on_the_review_page(length: int, fits: bool, letter: str) -> None:
    label = letter * length
    tasks = [{"key": "a", "title": label[:240]}]
    for content in (
        questions(choice(label, "No")),
        questions(choices(label, "No")),
        questions(choice(label, "No"), choice("a") | {"id": "q2"}),
        checklist(label),
        {"kind": "suggested_tasks", "title": "Follow-ups", "payload": {"tasks": tasks}},
    ):
        rendered = render(card(content), CODEC)
        assert rendered.surface is (Surface.NATIVE if fits else Surface.REVIEW)
        assert bool(deciding(rendered.blocks)) is fits
        expect_sendable(rendered)


@pytest.mark.parametrize("length", [1, 75, 76, 150, 151, 1_000])
def test_an_item_to_judge_may_be_long_as_it_stands_above_its_buttons(length: int) -> None:
    rendered = render(card(judged("x" * length, "文" * length)), CODEC)
    assert rendered.surface is Surface.NATIVE
    told = shown(rendered.blocks)
    assert "x" * length in told
    assert "文" * length in told
    expect_sendable(rendered)


BODIES = [0, 2_999, 3_000, 3_001, 4_096, 9_000, 12_000, 20_000]
SCRIPTS = {"latin": "word ", "cjk": "文", "emoji": "👩\u200d👧", "rtl": "שלום "}


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("length", BODIES)
@pytest.mark.parametrize("script", list(SCRIPTS))
def test_a_body_of_any_length_is_whole_or_nothing_is_decided(kind: Kind, length: int, script: str) -> None:
    body = (SCRIPTS[script] * length)[:length].strip()
    rendered = render(card({**EXAMPLES[kind], "body": body}), CODEC)
    expect_sendable(rendered)
    whole = "".join(body.split()) in "".join(read(rendered.blocks).split())
    if rendered.surface is Surface.NATIVE:
        assert whole
        assert deciding(rendered.blocks)
    else:
        assert deciding(rendered.blocks) == []
        assert whole or "too long to show whole" in shown(rendered.blocks)
    assert (length <= 9_000) or script == "latin" or rendered.surface is Surface.REVIEW


def test_a_long_body_leaves_fewer_items_on_a_page() -> None:
    short, long = (pages(card({**judged(*numbered(30)), "body": "b" * length})) for length in (0, 7_000))
    assert len(short) == 3
    assert len(long) > 3
    for page in long:
        assert "b" * 3_000 in shown(page.blocks).replace("\n", "")
        expect_sendable(page)


def test_items_beside_which_a_body_leaves_no_room_are_on_the_review_page() -> None:
    for content in (judged("one"), checklist("one")):
        rendered = render(card({**content, "body": "b" * 11_000}), CODEC)
        assert rendered.surface is Surface.REVIEW
        assert deciding(rendered.blocks) == []
        expect_sendable(rendered)
