"""Settled cards in Slack: the same content, no controls, and who settled it, how and why."""

from __future__ import annotations

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
    choice,
    choices,
    confirmation,
    controls,
    elements,
    expect_sendable,
    questions,
    settled,
    shown,
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
