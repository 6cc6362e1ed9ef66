"""Settled cards in Slack: the same content, no controls, and who settled it, how and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.slack import render
from core.people import TIMER, Via
from core.publications import Surface
from core.records import Status
from tests.blocks.slack.cards import (
    BOB,
    CI,
    CODEC,
    NEXT_ID,
    checklist,
    choice,
    choices,
    confirmation,
    connection,
    controls,
    elements,
    expect_sendable,
    judged,
    numbered,
    questions,
    settled,
    shown,
    suggested,
    tick,
    verdict,
)

AT = "2 Dec 2026, 09:00 UTC"
ONE = questions(choice("Yes", "No", custom=True), body="The body stays.")

FACES: list[tuple[Status, dict[str, Any], dict[str, Any], list[str]]] = [
    # how it ended, the content, the outcome, what is read
    (Status.ANSWERED, ONE, {"answer": {"q": {"value": "o0"}}}, [f"✓ Answered by Ana in Slack, {AT}", "Yes"]),
    (
        Status.ANSWERED,
        ONE,
        {"answer": {"q": {"custom": "*mine*"}}, "via": Via.REVIEW},
        ["on the review page", "*mine*"],
    ),
    (
        Status.ANSWERED,
        questions(choices("a", "b", "c")),
        {"answer": {"q": {"values": ["o0", "o2"]}}, "via": Via.TELEGRAM},
        ["in Telegram", "a, c"],
    ),
    (
        Status.ANSWERED,
        questions(choice("Yes"), {"id": "n", "prompt": "How many?", "type": "number"}),
        {"answer": {"q": {"value": "o0"}, "n": {"value": 3.0}}},
        ["Which?", "Yes", "How many?", "3"],
    ),
    (
        Status.ANSWERED,
        questions({"id": "q", "prompt": "Now?", "type": "boolean", "required": False}),
        {"answer": {}},
        ["No answer to any question"],
    ),
    (
        Status.ACCEPTED,
        confirmation(accept_label="Delete it"),
        {"answer": {"accepted": True}, "by": CI, "via": Via.API},
        ["✓ Accepted by agent ci through the API", "Delete it"],
    ),
    (
        Status.REJECTED,
        confirmation(reject_label="Keep it"),
        {"answer": {"accepted": False}, "reason": "<!here> still\nused"},
        ["✗ Rejected by Ana", "Keep it", "Reason:", "<!here> still\nused"],
    ),
    (Status.WITHDRAWN, ONE, {"by": CI, "via": Via.API}, ["Withdrawn by agent ci", "no answer is needed"]),
    (
        Status.CANCELLED,
        ONE,
        {"via": Via.REVIEW, "reason": "not now"},
        ["Cancelled by Ana", "will not be answered", "not now"],
    ),
    (Status.SKIPPED, ONE, {"via": Via.REVIEW}, ["Skipped by Ana", "No answer was needed"]),
    (Status.EXPIRED, ONE, {"by": TIMER, "via": Via.TIMER}, [f"Expired, {AT}", "Nobody answered in time"]),
    (
        Status.EXPIRED,
        ONE,
        {"by": TIMER, "via": Via.TIMER, "default": {"q": {"value": "o1"}}},
        ["The answer set beforehand", "No"],
    ),
    (
        Status.SUPERSEDED,
        ONE,
        {"by": CI, "via": Via.API, "successor": NEXT_ID},
        ["Replaced by a newer question", f"https://sayso.example.com/review/{NEXT_ID}"],
    ),
    (
        Status.UNDELIVERABLE,
        ONE,
        {"by": TIMER, "via": Via.TIMER, "reason": "no such channel"},
        ["Could not be delivered", "no such channel"],
    ),
]


LISTS: list[tuple[str, Status, dict[str, Any], dict[str, Any], list[str]]] = [
    # what it shows, how it ended, the content, the outcome and progress, what is read in this order
    (
        "a completed checklist",
        Status.COMPLETED,
        checklist("notes", "canary", "call"),
        {"ticks": (tick(0), tick(2, BOB))},
        ["✓ Completed by Ana", "2 of 3 ticked", "☑ notes · Ana", "☐ canary", "☑ call · Bob"],
    ),
    (
        "a checklist that ended halfway",
        Status.EXPIRED,
        checklist("notes", "canary"),
        {"ticks": (tick(0),), "by": TIMER, "via": Via.TIMER},
        ["Expired", "Nobody answered in time", "1 of 2 ticked", "☑ notes · Ana", "☐ canary"],
    ),
    (
        "items that are all decided",
        Status.COMPLETED,
        judged("one", "two"),
        {"verdicts": (verdict(0, "approve"), verdict(1, "reject", "too early", BOB))},
        ["2 of 2 decided · 1 Approve, 1 Reject", "one — Approve · Ana", "two — Reject · Bob", "too early"],
    ),
    (
        "items that were withdrawn halfway",
        Status.WITHDRAWN,
        judged("one", "two"),
        {"verdicts": (verdict(0, "approve"),), "by": CI, "via": Via.API},
        ["Withdrawn by agent ci", "1 of 2 decided · 1 Approve", "one — Approve · Ana", "two"],
    ),
    (
        "tasks of which some were created",
        Status.ACCEPTED,
        suggested({"key": "a", "title": "Alert"}, {"key": "b", "title": "Drill", "assignee": "ana"}),
        {"answer": {"selected": ["a"], "skipped": ["b"], "created": [{"key": "a", "id": "tsk_1"}]}},
        ["✓ Tasks created by Ana", "1 task created, 1 skipped", "✓ Alert", "– Drill: ana"],
    ),
    (
        "tasks that nobody wanted",
        Status.REJECTED,
        suggested({"key": "a", "title": "Alert"}),
        {"answer": {"selected": [], "skipped": ["a"], "created": []}, "reason": "later"},
        ["✗ Tasks declined by Ana", "No tasks created", "– Alert", "later"],
    ),
    (
        "tasks that were cancelled",
        Status.CANCELLED,
        suggested({"key": "a", "title": "Alert"}),
        {},
        ["Cancelled by Ana", "• Alert"],
    ),
    (
        "a connection that was granted",
        Status.ACCEPTED,
        connection(account="example-org"),
        {"answer": {"connected": True}, "via": Via.REVIEW},
        ["Read it.", "example-org", "✓ Connected by Ana on the review page", "github connected"],
    ),
    (
        "a connection that was declined",
        Status.REJECTED,
        connection(),
        {"answer": {"connected": False}, "reason": "not ours"},
        ["✗ Declined by Ana", "github not connected", "not ours"],
    ),
    (
        "words in the place of a question",
        Status.SUPERSEDED,
        confirmation(),
        {"reason": "Ask me *tomorrow*"},
        ["Replaced by words of Ana in Slack", "Ask me *tomorrow*"],
    ),
]


@pytest.mark.parametrize(("why", "status", "asked", "ended", "read"), LISTS, ids=[row[0] for row in LISTS])
def test_a_settled_card_says_what_was_decided_item_by_item(
    why: str, status: Status, asked: dict[str, Any], ended: dict[str, Any], read: list[str]
) -> None:
    state: dict[str, Any] = {name: ended[name] for name in ("ticks", "verdicts") if name in ended}
    outcome = {name: value for name, value in ended.items() if name not in state}
    done = settled(asked, status, **outcome)
    done = replace(done, interaction=done.interaction.model_copy(update=state))
    rendered = render(done, CODEC)
    told = shown(rendered.blocks).replace("\n", "")
    places = [told.find(words, 0) for words in (asked["title"], *read)]
    assert -1 not in places, (why, told)
    assert places == sorted(places)
    assert controls(rendered.blocks) == []
    expect_sendable(rendered)


@pytest.mark.parametrize("count", [10, 30, 100, 200])
@pytest.mark.parametrize("reason", [None, "r" * 1_000])
def test_a_long_list_ends_with_as_much_as_fits(count: int, reason: str | None) -> None:
    given = tuple(verdict(item, "reject", reason) for item in range(count))
    done = settled(judged(*(f"Item {number}" for number in range(count))), Status.COMPLETED, answer={"verdicts": {}})
    done = replace(done, interaction=done.interaction.model_copy(update={"verdicts": given}))
    rendered = render(done, CODEC)
    told = shown(rendered.blocks)
    assert f"{count} Reject" in told
    listed = all(f"Item {number}" in told for number in range(count))
    assert listed
    assert (("r" * 1_000) in told.replace("\n", "")) or reason is None or "too long to show whole" in told
    assert rendered.surface is Surface.NATIVE
    expect_sendable(rendered)


@pytest.mark.parametrize(
    ("status", "asked", "outcome", "read"), FACES, ids=[f"{row[0]}: {row[3][-1]}" for row in FACES]
)
def test_a_settled_card_says_how_it_ended(
    status: Status, asked: dict[str, Any], outcome: dict[str, Any], read: list[str]
) -> None:
    rendered = render(settled(asked, status, **outcome), CODEC)
    told = shown(rendered.blocks)
    for words in (asked["title"], *read):
        assert words in told
    assert elements(rendered.blocks, "actions", "button") == []
    assert controls(rendered.blocks) == []
    expect_sendable(rendered)


def test_the_content_stays() -> None:
    told = shown(render(settled(ONE, Status.ANSWERED, answer={"q": {"value": "o0"}}), CODEC).blocks)
    assert "The body stays." in told
    assert "Which?" in told
    assert "May answer" not in told


IN_SIGHT = [
    (choice("Yes", "No", custom=True), ["Yes", "No"], "what stood on buttons"),
    (choices(*numbered(10)), numbered(10), "what stood beside boxes"),
    (choice(*numbered(11)), [], "a menu, which nobody saw either"),
]


@pytest.mark.parametrize(("asked", "read", "reason"), IN_SIGHT, ids=[row[-1] for row in IN_SIGHT])
def test_what_was_offered_in_sight_stays_readable(asked: dict[str, Any], read: list[str], reason: str) -> None:
    told = shown(render(settled(questions(asked), Status.WITHDRAWN), CODEC).blocks).split("\n")
    assert [line for line in told if line in {"Yes", "No", *numbered(11)}] == read
