"""Settled cards in Slack: the same content, no controls, and who settled it, how and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.slack import render
from blocks.slack.fit import MESSAGE
from core.people import TIMER, By, Via
from core.publications import Surface
from core.records import Status, Vote
from tests.blocks.slack.cards import (
    ANA,
    BOB,
    CI,
    CODEC,
    NEXT_ID,
    NOW,
    card,
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
        ["✓ Accepted by Ana", "1 task created, 1 skipped", "✓ Alert", "– Drill: ana"],
    ),
    (
        "tasks that nobody wanted",
        Status.REJECTED,
        suggested({"key": "a", "title": "Alert"}),
        {"answer": {"selected": [], "skipped": ["a"], "created": []}, "reason": "later"},
        ["✗ Rejected by Ana", "no tasks", "– Alert", "later"],
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
        ["Read it.", "example-org", "✓ Accepted by Ana on the review page", "github connected"],
    ),
    (
        "a connection that was declined",
        Status.REJECTED,
        connection(),
        {"answer": {"connected": False}, "reason": "not ours"},
        ["✗ Rejected by Ana", "github not connected", "not ours"],
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
    assert "Can answer" not in told


IN_SIGHT = [
    (choice("Yes", "No", custom=True), ["Yes", "No"], "what stood on buttons"),
    (choices(*numbered(10)), numbered(10), "what stood beside boxes"),
    (choice(*numbered(11)), [], "a menu, which nobody saw either"),
]


@pytest.mark.parametrize(("asked", "read", "reason"), IN_SIGHT, ids=[row[-1] for row in IN_SIGHT])
def test_what_was_offered_in_sight_stays_readable(asked: dict[str, Any], read: list[str], reason: str) -> None:
    told = shown(render(settled(questions(asked), Status.WITHDRAWN), CODEC).blocks).split("\n")
    assert [line for line in told if line in {"Yes", "No", *numbered(11)}] == read


ROOM = [(0, True, True), (7_900, False, True), (9_000, True, False), (11_500, False, False)]
"""How long the body is, whether the options are there beside it, and whether the whole answer is."""


@pytest.mark.parametrize(("length", "options", "answer"), ROOM)
def test_options_go_before_the_answer_does(length: int, options: bool, answer: bool) -> None:
    asked, told = choice("Yes", "ö" * 75, custom=True), {"answer": {"q": {"custom": "y" * 3_000}}}
    rendered = render(settled(questions(asked, body="b" * length), Status.ANSWERED, **told), CODEC)
    expect_sendable(rendered)
    words = shown(rendered.blocks)
    assert ("ö" in words, words.count("y") >= 3_000) == (options, answer)


def test_every_vote_is_told() -> None:
    votes = [
        Vote(by=ANA, via=Via.SLACK, accepted=True, at=NOW),
        Vote(by=BOB, via=Via.SLACK, accepted=False, at=NOW, reason="too risky"),
    ]
    outcome = {"answer": {"accepted": False}, "votes": votes, "by": BOB}
    told = shown(render(settled(confirmation(), Status.REJECTED, **outcome), CODEC).blocks)
    assert "Ana accepted" in told
    assert "Bob rejected: too risky" in told


@pytest.mark.parametrize("link_ok", [True, False])
def test_an_answer_that_does_not_fit_is_not_cut_but_linked(link_ok: bool) -> None:
    text = {"id": "q", "prompt": "Say what?", "type": "text"}
    content = questions(text, body="b" * (MESSAGE - 1_900))
    assert render(card(content, link_ok=link_ok), CODEC).surface is Surface.NATIVE
    done = settled(content, Status.ANSWERED, answer={"q": {"value": "a" * 3_000}})
    base = "https://sayso.example.com" if link_ok else "http://127.0.0.1:8080"
    url = f"{base}/review/{done.interaction.id}"
    rendered = render(type(done)(done.interaction, 1, url, link_ok), CODEC)
    told = shown(rendered.blocks)
    assert "aaaa" not in told
    assert told.replace("\n", "").count("b") >= MESSAGE - 1_900
    assert "too long to show whole" in told
    assert url in told
    assert rendered.surface is Surface.NATIVE
    expect_sendable(rendered)


def test_an_answer_of_3000_characters_is_shown_whole_where_it_fits() -> None:
    text = {"id": "q", "prompt": "Say what?", "type": "text"}
    rendered = render(settled(questions(text), Status.ANSWERED, answer={"q": {"value": "文" * 3_000}}), CODEC)
    assert shown(rendered.blocks).count("文") == 3_000
    expect_sendable(rendered)


def test_a_settled_review_card_stays_one() -> None:
    content = questions(choice("Yes"), choice("No") | {"id": "q2"}, body="x" * 15_000)
    rendered = render(settled(content, Status.ANSWERED, answer={"q": {"value": "o0"}, "q2": {"value": "o0"}}), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert "Answered by Ana" in shown(rendered.blocks)
    expect_sendable(rendered)


def test_a_name_cannot_turn_the_words_around_it() -> None:
    by = By(type="person", id="per_3", handle="x", name="\u202egnp.exe")
    told = shown(render(settled(ONE, Status.WITHDRAWN, by=by), CODEC).blocks)
    assert "\u202e" not in told
    assert f"gnp.exe in Slack, {AT}" in told


def test_the_text_for_notifications_says_who_settled_it() -> None:
    rendered = render(settled(ONE, Status.ANSWERED, answer={"q": {"value": "o0"}}), CODEC)
    assert rendered.text == f"Release 4.2 — ✓ Answered by Ana in Slack, {AT}"
