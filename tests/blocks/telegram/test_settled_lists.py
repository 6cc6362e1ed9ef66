"""Checklists, items, tasks and connections that ended: each part with what became of it, as far as there is room."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import render
from core.kinds import EXAMPLES, Kind
from core.kinds.checklist import Tick
from core.kinds.item_verdicts import Verdict
from core.people import Via
from core.publications import Surface
from core.records import Status
from tests.blocks.telegram.cards import (
    ANA,
    BOB,
    CODEC,
    NOW,
    TIMER,
    card,
    checklist,
    connection,
    expect_sendable,
    judged,
    questions,
    seen,
    settled,
    tasks,
)

AT = "2 Dec 2026, 09:00 UTC"


def ended(content: dict[str, Any], status: Status, outcome: dict[str, Any], **progress: Any) -> str:
    """What is read of a card that ended with this progress."""
    shown = settled(content, status, **outcome)
    interaction = shown.interaction.model_copy(update=progress)
    rendered = render(type(shown)(interaction, shown.publication, shown.review_url, shown.link_ok), CODEC)
    expect_sendable(rendered)
    assert rendered.keyboard == ()
    assert rendered.surface is Surface.NATIVE
    return seen(rendered)


def test_a_completed_checklist_says_each_item_and_who_ticked_it() -> None:
    ticks = (Tick(item="canary", on=True, by=BOB, via=Via.SLACK, at=NOW),)
    text = ended(EXAMPLES[Kind.CHECKLIST], Status.COMPLETED, {"answer": {"selected": ["notes", "canary"]}}, ticks=ticks)
    assert text.endswith(
        f"✅ Completed by Ana in Telegram, {AT}\n2 of 3 ticked.\n☑ Release notes reviewed\n"
        "☑ Canary is clean: two hours without an alert – Bob\n☐ On-call engineer knows"
    )


def test_a_checklist_that_expired_keeps_how_far_it_was() -> None:
    ticks = (Tick(item="i1", on=True, by=ANA, via=Via.SLACK, at=NOW),)
    out = {"by": TIMER, "via": Via.TIMER}
    text = ended(checklist("Red", "Green"), Status.EXPIRED, out, ticks=ticks)
    assert text.endswith("Nobody answered in time.\n1 of 2 ticked.\n☐ Red\n☑ Green – Ana")


def test_judged_items_say_verdict_who_and_reason() -> None:
    verdicts = (
        Verdict(item="i0", verdict="reject", reason="too <risky>", by=BOB, via=Via.SLACK, at=NOW),
        Verdict(item="i1", verdict="approve", by=ANA, via=Via.TELEGRAM, at=NOW),
    )
    text = ended(judged("one", "two", "three"), Status.CANCELLED, {}, verdicts=verdicts)
    assert "2 of 3 decided. 1 Approve, 1 Reject." in text
    assert "• one\n   Reject – Bob: too <risky>\n• two\n   Approve – Ana\n• three\n   No verdict" in text


def test_a_judged_item_has_its_address_behind_its_label() -> None:
    content = judged("one", "two")
    content["payload"]["items"][0]["href"] = "https://ci.example/1?a=1&b=2"
    content["payload"]["items"][1] |= {"href": "https://ci.example/" + "x" * 200, "description": "a <patch>"}
    rendered = render(settled(content, Status.CANCELLED), CODEC)
    assert "https://" not in seen(rendered)
    assert '<a href="https://ci.example/1?a=1&amp;b=2">one</a>' in rendered.text
    assert "• two: a <patch>\n   No verdict" in seen(rendered)
    expect_sendable(rendered)


def test_items_are_shortened_reason_first_then_counted() -> None:
    def text(count: int, width: int) -> str:
        given = tuple(
            Verdict(item=f"i{n}", verdict="reject", reason="r" * 300, by=BOB, via=Via.SLACK, at=NOW)
            for n in range(count)
        )
        content = judged(*(f"{n} {'x' * width}" for n in range(count)))
        return ended(content, Status.COMPLETED, {"answer": {"verdicts": {}}}, verdicts=given)

    whole, short, counted = text(3, 10), text(30, 30), text(200, 30)
    assert whole.count("r" * 300) == 3
    assert "rrr" not in short
    assert short.count("Reject – Bob") == 30
    assert "stands whole on the full form" not in whole
    assert "it is on the full form: https://sayso.example.com/review/" in short
    assert "xxx" not in counted
    assert "200 of 200 decided. 200 Reject." in counted
    assert "it is on the full form: https://sayso.example.com/review/" in counted


def test_tasks_say_which_of_them_were_created() -> None:
    answer = {"selected": ["k0"], "skipped": ["k1"], "created": [{"key": "k0", "id": "tsk_1"}]}
    text = ended(tasks("Alert", "Drill"), Status.ACCEPTED, {"answer": answer})
    assert text.endswith(f"✅ Tasks created by Ana in Telegram, {AT}\n1 task created, 1 skipped.\n☑ Alert\n☐ Drill")
    none = {"selected": [], "skipped": ["k0", "k1"], "created": []}
    text = ended(tasks("Alert", "Drill"), Status.REJECTED, {"answer": none, "reason": "not <now>"})
    assert text.endswith("No tasks created.\n☐ Alert\n☐ Drill\nReason: not <now>")
    assert ended(tasks("Alert"), Status.WITHDRAWN, {}).endswith("\n• Alert")


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [
        (Status.ACCEPTED, {"connected": True}, f"✅ Connected by Ana in Telegram, {AT}\ngithub connected"),
        (Status.REJECTED, {"connected": False}, f"❌ Declined by Ana in Telegram, {AT}\ngithub not connected"),
    ],
)
def test_a_connection_says_whether_it_was_made(status: Status, answer: dict[str, Any], words: str) -> None:
    text = ended(connection(scopes=["repo:read"]), status, {"answer": answer})
    assert "• repo:read" in text
    assert words in text


def test_the_default_of_a_form_is_told_question_by_question() -> None:
    yes = {"id": "a", "prompt": "Ship?", "type": "boolean"}
    content = questions(yes, {**yes, "id": "b", "prompt": "Tell?"})
    out = {"by": TIMER, "via": Via.TIMER, "default": {"a": {"value": True}, "b": {"value": False}}}
    lead = "The answer set beforehand for this case:"
    assert ended(content, Status.EXPIRED, out).endswith(f"{lead}\n• Ship? Yes\n• Tell? No")


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("status", [one for one in Status if one is not Status.PENDING])
def test_every_kind_has_every_face_and_says_when(kind: Kind, status: Status) -> None:
    text = ended(EXAMPLES[kind], status, {"reason": "said <so>"})
    assert text.startswith(EXAMPLES[kind]["title"])
    assert AT in text
    assert ("Their words: said <so>" if status is Status.SUPERSEDED else "Reason: said <so>") in text
    assert "show whole" not in text


def test_a_review_card_of_a_list_says_how_far_it_is() -> None:
    ticks = (Tick(item="i1", on=True, by=ANA, via=Via.SLACK, at=NOW),)
    rendered = render(card({**checklist("Red", "Green"), "body": "b" * 4_000}, ticks=ticks), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert "1 of 2 ticked." in seen(rendered)
