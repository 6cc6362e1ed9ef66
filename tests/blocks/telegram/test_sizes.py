"""One below, at and above every size at which a Telegram card changes its rows, its pages or its surface."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import render
from blocks.telegram.sizes import (
    LAYOUTS,
    LISTED_BUTTONS,
    ON_BUTTON,
    PAGE_BUTTONS,
    PAGE_ROWS,
    PAGE_UNSEARCHED,
    READABLE,
    Layout,
    page_buttons,
    per_row,
)
from core.controls import DECIDES, Action
from core.kinds import EXAMPLES, Kind
from core.publications import Surface
from tests.blocks.telegram.cards import (
    CODEC,
    buttons,
    card,
    checklist,
    choice,
    choices,
    controls,
    expect_sendable,
    judged,
    labels,
    pages,
    questions,
    seen,
    tasks,
)

COUNTS = [1, 5, 6, 8, 9, 10, 11, 100, 101, 128]
MOST_ITEMS = 200
ITEMS = [1, 7, 8, 9, 10, 30, 31, 100, MOST_ITEMS]


def numbered(count: int, width: int = 24) -> list[str]:
    """So many labels of this width, all different."""
    return [f"{'Option':<{width - 4}} {number:03}" for number in range(count)]


@pytest.mark.parametrize("row", LAYOUTS, ids=lambda row: str(row.longest))
def test_a_row_holds_as_many_as_its_labels_leave_room_for(row: Layout) -> None:
    assert row.reason
    narrower = [other.per_row for other in LAYOUTS if other.longest > row.longest]
    assert per_row(["x" * (row.longest - 1), "x"]) >= row.per_row
    assert per_row(["x" * row.longest, "x"]) == row.per_row
    assert per_row(["x" * (row.longest + 1), "x"]) == (narrower[0] if narrower else 1)


def test_every_size_has_its_reason_and_the_most_that_a_page_holds_is_kept() -> None:
    for size in (PAGE_ROWS, PAGE_BUTTONS, READABLE, ON_BUTTON, PAGE_UNSEARCHED, LISTED_BUTTONS):
        assert size.reason
        assert size.most >= 1
    for row in (1, *(layout.per_row for layout in LAYOUTS)):
        assert page_buttons(row) <= PAGE_BUTTONS.most
        assert page_buttons(row) // row <= PAGE_ROWS.most


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("ask", [choice, choices])
@pytest.mark.parametrize("width", [5, 24, 61])
def test_options_of_any_number_are_all_here_once_and_searched_when_they_need_pages(
    ask: Any, count: int, width: int
) -> None:
    shown = pages(card(questions(ask(*numbered(count, width)))))
    action = Action.ANSWER if ask is choice else Action.TOGGLE
    found = [one.option for page in shown for one in controls(page) if one.action is action]
    assert found == list(range(count))
    for page in shown:
        assert page.surface is Surface.NATIVE
        assert ("Search…" in [button.text for button in buttons(page)]) is (len(shown) > PAGE_UNSEARCHED.most)
        expect_sendable(page)


@pytest.mark.parametrize("count", ITEMS)
def test_a_checklist_of_any_length_is_ticked_here_in_pages_of_eight(count: int) -> None:
    shown = pages(card(checklist(*numbered(count))))
    assert len(shown) == -(-count // PAGE_ROWS.most)
    found = [one.option for page in shown for one in controls(page) if one.action is Action.TICK]
    assert found == list(range(count))
    for page in shown:
        assert all(len(row) == LISTED_BUTTONS.most for row in labels(page)[: -3 if len(shown) == 1 else -4])
        assert [one.action for one in controls(page)].count(Action.SUBMIT) == 1
        expect_sendable(page)


@pytest.mark.parametrize("page", [0, 1, 99, MOST_ITEMS - 1])
def test_each_of_the_most_items_has_its_page(page: int) -> None:
    shown = render(card(judged(*numbered(MOST_ITEMS)), page=page), CODEC)
    acts = [one for one in controls(shown) if one.action in (Action.VERDICT, Action.JUDGE)]
    assert shown.page_count == MOST_ITEMS
    assert [(one.option, one.question) for one in acts] == [(page, verdict) for verdict in range(3)]
    assert numbered(MOST_ITEMS)[page] in seen(shown)
    expect_sendable(shown)


@pytest.mark.parametrize("count", [*ITEMS[:-1], pytest.param(MOST_ITEMS, marks=pytest.mark.slow)])
def test_items_of_any_number_are_judged_here_one_by_one(count: int) -> None:
    shown = pages(card(judged(*numbered(count))))
    assert len(shown) == count
    for index, page in enumerate(shown):
        acts = [one for one in controls(page) if one.action in (Action.VERDICT, Action.JUDGE)]
        assert [(one.option, one.question) for one in acts] == [(index, verdict) for verdict in range(3)]
        assert numbered(count)[index] in seen(page)
        expect_sendable(page)


@pytest.mark.parametrize("count", [1, 7, 8, 9, 49, 50])
def test_tasks_of_any_number_are_picked_here(count: int) -> None:
    shown = pages(card(tasks(*numbered(count))))
    found = [one.option for page in shown for one in controls(page) if one.action is Action.TOGGLE]
    assert found == list(range(count))
    for page in shown:
        expect_sendable(page)


LABELS = [1, 29, 30, 31, 59, 60, 61, 75, 76, 150, 151, 1_000]
LETTERS = {"latin": "x", "cjk": "文", "rtl": "ש", "emoji": "🦆"}


@pytest.mark.parametrize("length", LABELS)
@pytest.mark.parametrize("script", list(LETTERS))
def test_a_label_of_any_length_is_read_whole_where_it_is_chosen(length: int, script: str) -> None:
    label = LETTERS[script] * length
    units = length * (2 if script == "emoji" else 1)
    for content in (
        questions(choice(label, "No")),
        questions(choices(label, "No")),
        questions(choice("Yes"), {**choice(label, "No"), "id": "q2"}),
        checklist(label, "No"),
        tasks(label[:240], "No"),
    ):
        step = 1 if len(content["payload"].get("questions", ())) > 1 else None
        whole = label[:240] if content["kind"] == "suggested_tasks" else label
        width = min(units, 240 * units // length) if content["kind"] == "suggested_tasks" else units
        rendered = render(card(content, step=step), CODEC)
        on_buttons = [button.text for button in buttons(rendered)]
        assert rendered.surface is Surface.NATIVE
        assert any(whole in text for text in on_buttons) is (width <= ON_BUTTON.most)
        assert (whole in seen(rendered)) or width <= READABLE.most
        expect_sendable(rendered)


@pytest.mark.parametrize("length", [1, 75, 76, 150, 151, 1_000])
def test_an_item_to_judge_may_be_long_as_it_stands_above_its_buttons(length: int) -> None:
    for label in ("x" * length, "文" * length, "🦆" * length):
        rendered = render(card(judged(label)), CODEC)
        assert rendered.surface is Surface.NATIVE
        assert label in seen(rendered)
        expect_sendable(rendered)


BODIES = [0, 2_999, 3_000, 3_001, 3_400, 4_096, 12_000, 20_000]
SCRIPTS = {"latin": "word ", "cjk": "文", "emoji": "👩\u200d👧", "rtl": "שלום "}


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("length", BODIES)
@pytest.mark.parametrize("script", list(SCRIPTS))
def test_a_body_of_any_length_is_whole_or_nothing_is_decided(kind: Kind, length: int, script: str) -> None:
    body = (SCRIPTS[script] * length)[:length].strip()
    rendered = render(card({**EXAMPLES[kind], "body": body}), CODEC)
    expect_sendable(rendered)
    if rendered.surface is Surface.NATIVE:
        assert "".join(body.split()) in "".join(seen(rendered).split())
        assert any(one.action in DECIDES for one in controls(rendered))
    else:
        assert [one.action for one in controls(rendered)] == [Action.COMMENT, Action.MENU]
        assert "show whole here" in seen(rendered)
    assert length > 0 or rendered.surface is Surface.NATIVE
    assert length < 4_096 or rendered.surface is Surface.REVIEW


def test_a_long_body_leaves_fewer_options_on_a_page() -> None:
    short, long = (
        pages(card({**questions(choice(*numbered(20, 200))), "body": "b" * length})) for length in (0, 2_400)
    )
    assert len(short) < len(long)
    for page in long:
        assert "b" * 2_400 in seen(page)
        expect_sendable(page)
