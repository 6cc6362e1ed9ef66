"""Checklists and items to judge in Slack: how far they are, who did what, and what is left to do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.slack import render
from core.controls import Action
from core.people import By
from core.publications import Surface
from tests.blocks.slack.cards import (
    BOB,
    CODEC,
    card,
    checklist,
    controls,
    elements,
    everything,
    expect_sendable,
    judged,
    labels,
    numbered,
    pages,
    remarks,
    shown,
    tick,
    verdict,
)

LONG = "d" * 76


def test_a_checklist_says_how_far_it_is_who_ticked_and_how_many_it_needs() -> None:
    asked = card(checklist(*numbered(3), min=2), ticks=(tick(0), tick(2, BOB), tick(1, on=False)))
    rendered = render(asked, CODEC)
    assert "2 of 3 ticked · by Ana and Bob · tick at least 2" in shown(rendered.blocks).replace("\n", "")
    assert rendered.text == "Before the release — Waiting for an answer: 2 of 3 ticked"
    (boxes,) = elements(rendered.blocks, "checkboxes")
    assert [one["text"]["text"] for one in boxes["initial_options"]] == ["Option 1", "Option 3"]
    assert labels(rendered.blocks) == ["Submit", "Reply in words…", "Open full form"]
    expect_sendable(rendered)


COUNTS: list[tuple[dict[str, int], str]] = [
    ({"min": 2, "max": 3}, "tick 2 to 3"),
    ({"min": 2, "max": 2}, "tick exactly 2"),
    ({"max": 2}, "tick at most 2"),
    ({"min": 1}, "tick at least 1"),
]


@pytest.mark.parametrize(("counts", "words"), COUNTS, ids=[row[1] for row in COUNTS])
def test_a_checklist_says_how_many_it_needs(counts: dict[str, int], words: str) -> None:
    assert words in shown(render(card(checklist(*numbered(3), **counts)), CODEC).blocks)


def test_many_people_who_ticked_are_counted() -> None:
    people = [By(type="person", id=str(number), handle="x", name=f"P{number}") for number in range(5)]
    asked = card(checklist(*numbered(5)), ticks=tuple(tick(number, by) for number, by in enumerate(people)))
    assert "by P0, P1, P2 and 2 more" in shown(render(asked, CODEC).blocks).replace("\n", "")


def test_what_an_item_says_stands_in_its_box_or_above_its_group() -> None:
    content = checklist("short", "long")
    content["payload"]["items"][0] |= {"description": "two hours", "recommended": True}
    content["payload"]["items"][1] |= {"description": LONG}
    rendered = render(card(content), CODEC)
    assert remarks(rendered.blocks) == ["recommended · two hours"]
    assert LONG in shown(rendered.blocks)
    kinds = [block["type"] for block in rendered.blocks]
    assert kinds[1:4] == ["rich_text", "rich_text", "actions"]
    expect_sendable(rendered)


def test_pages_of_a_checklist_are_turned_and_each_can_submit() -> None:
    first, second = pages(card(checklist(*numbered(31), accept_label="All done")))
    assert labels(first.blocks) == ["Next ›", "All done", "Reply in words…", "Open full form"]
    assert labels(second.blocks) == ["‹ Back", "All done", "Reply in words…", "Open full form"]
    assert "1–30 of 31" in shown(first.blocks)
    assert "31 of 31" in shown(second.blocks)


def test_a_page_beyond_the_last_shows_the_last() -> None:
    asked = card(checklist(*numbered(31)))
    assert render(replace(asked, page=9), CODEC) == render(replace(asked, page=1), CODEC)


def test_an_item_stands_above_its_buttons() -> None:
    content = judged("one", "two")
    content["payload"]["items"][0] |= {"description": "bug fixes", "href": "https://e.example/x", "recommended": True}
    rendered = render(card(content), CODEC)
    kinds = [(block["type"], block.get("block_id", "")) for block in rendered.blocks]
    assert kinds[1:6] == [
        ("rich_text", ""),
        ("rich_text", ""),
        ("actions", "item.0:1"),
        ("rich_text", ""),
        ("actions", "item.1:1"),
    ]
    assert [one["url"] for one in everything(rendered.blocks) if one.get("type") == "link"] == ["https://e.example/x"]
    assert "(recommended)" in shown(rendered.blocks)
    assert labels(rendered.blocks)[:3] == ["Approve", "Reject", "Defer"]
    acts = [(one.action, one.question, one.option) for one in controls(rendered.blocks)]
    assert acts[:4] == [
        (Action.VERDICT, 0, 0),
        (Action.JUDGE, 1, 0),
        (Action.VERDICT, 2, 0),
        (Action.VERDICT, 0, 1),
    ]


def test_what_was_decided_takes_the_place_of_the_buttons() -> None:
    asked = card(judged(*numbered(3)), verdicts=(verdict(1, "reject", "too <!here>\nearly"),))
    rendered = render(asked, CODEC)
    told = shown(rendered.blocks)
    assert "1 of 3 decided" in told
    for words in ("Option 2", "Reject", " · Ana", "too <!here>\nearly"):
        assert words in told
    judged_items = {one.option for one in controls(rendered.blocks) if one.action in (Action.VERDICT, Action.JUDGE)}
    assert judged_items == {0, 2}
    expect_sendable(rendered)


@pytest.mark.parametrize("length", [10, 3_000])
def test_reasons_that_do_not_fit_a_page_are_on_the_full_form(length: int) -> None:
    given = tuple(verdict(item, "reject", "w" * length) for item in range(9))
    rendered = render(card(judged(*numbered(10)), verdicts=given), CODEC)
    told = shown(rendered.blocks)
    assert rendered.surface is Surface.NATIVE
    assert ("w" * length in told.replace("\n", "")) is (length == 10)
    assert ("reason is too long to show" in told) is (length == 3_000)
    assert "9 of 10 decided" in told
    expect_sendable(rendered)


def test_the_last_undecided_item_of_a_hundred_is_found() -> None:
    given = tuple(verdict(item, "approve") for item in range(99))
    *_, last = pages(card(judged(*numbered(100)), verdicts=given))
    acts = [one for one in controls(last.blocks) if one.action in (Action.VERDICT, Action.JUDGE)]
    assert [one.option for one in acts] == [99, 99, 99]
    assert "99 of 100 decided · 91–100 of 100" in shown(last.blocks).replace("\n", "")


LONG_LABELS: list[tuple[str, dict[str, Any]]] = [
    ("an item of a checklist", checklist("x" * 76)),
    ("what completes a checklist", checklist("a", accept_label="x" * 76)),
    ("a verdict", judged("a", verdicts=[{"id": "a", "label": "x" * 76}, {"id": "b", "label": "b"}])),
    ("an item of blanks", checklist("   ")),
    ("an item of nothing that can be seen", checklist("\u2066")),
]


@pytest.mark.parametrize(("why", "content"), LONG_LABELS, ids=[row[0] for row in LONG_LABELS])
def test_a_label_that_no_control_shows_whole_is_on_the_review_page(why: str, content: dict[str, Any]) -> None:
    rendered = render(card(content), CODEC)
    assert rendered.surface is Surface.REVIEW, why
    assert " of 1 " in shown(rendered.blocks)
    assert "on its own page" in shown(rendered.blocks) or "on their own page" in shown(rendered.blocks)
    assert [one.action for one in controls(rendered.blocks)] == [Action.COMMENT]
