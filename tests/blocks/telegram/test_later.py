"""What a card offers to do about time, and what it says of those who were brought in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from blocks.telegram import render
from blocks.telegram.sizes import PAGE_ROWS, READABLE
from core.audience import Audience
from core.controls import DECIDES, Action
from core.kinds import EXAMPLES, Kind
from core.moments import SNOOZES
from core.people import Via
from core.policy import Nudges, Policy
from core.publications import Surface
from core.records import Status, Vote
from core.reminding import Delegation, Reminding
from tests.blocks.telegram.cards import (
    ANA,
    BOB,
    CODEC,
    IN_AN_HOUR,
    NOW,
    card,
    confirmation,
    controls,
    expect_sendable,
    labels,
    pressed,
    seen,
    settled,
)

ROWS = [
    ["15 minutes", "1 hour"],
    ["Tomorrow 9:00", "Another time…"],
    ["Hand it to…"],
    ["Who is it waiting for?"],
    ["Back"],
]
OTHERS = ("role:operator", "person:bob")


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_the_way_to_the_menu_and_the_menu_in_place_of_its_controls(kind: Kind) -> None:
    asked = card(EXAMPLES[kind])
    closed, menu = render(asked, CODEC), render(replace(asked, menu=True), CODEC)
    assert (pressed(closed, "Later…").action, pressed(closed, "Later…").option) == (Action.MENU, 0)
    assert labels(menu) == ROWS
    assert not {one.action for one in controls(menu)} & DECIDES
    assert (pressed(menu, "Back").action, pressed(menu, "Back").option) == (Action.MENU, 1)
    assert seen(menu).startswith(seen(closed))
    assert seen(menu).endswith("or hand it to somebody else. It stays open.")
    expect_sendable(menu)


def test_each_button_of_the_menu_is_its_own_control() -> None:
    menu = render(card(confirmation(), menu=True), CODEC)
    snoozes = [pressed(menu, label) for label, _ in SNOOZES]
    assert [(one.action, one.option) for one in snoozes] == [(Action.SNOOZE, option) for option in range(len(SNOOZES))]
    others = [pressed(menu, label).action for label in ("Another time…", "Hand it to…", "Who is it waiting for?")]
    assert others == [Action.PUT_OFF, Action.DELEGATE, Action.AWAITED]


def test_the_menu_is_read_on_a_telephone() -> None:
    menu = labels(render(card(confirmation(), menu=True), CODEC))
    assert len(menu) <= PAGE_ROWS.most
    assert max(len(label) for row in menu for label in row) <= READABLE.most


def test_a_card_that_is_too_long_for_the_chat_is_put_off_and_handed_on_all_the_same() -> None:
    long = {**confirmation(), "body": "b" * 12_000}
    assert render(card(long), CODEC).surface is Surface.REVIEW
    assert labels(render(card(long, menu=True), CODEC)) == ROWS
    expect_sendable(render(card(long, menu=True), CODEC))


def test_a_form_that_is_open_leaves_its_room_to_its_questions() -> None:
    asked = {"id": "q", "prompt": "Sure?", "type": "boolean"}
    form = {"kind": "questions", "title": "Form", "payload": {"questions": [asked, {**asked, "id": "q2"}]}}
    assert "Later…" in str(labels(render(card(form), CODEC)))
    assert "Later…" not in str(labels(render(card(form, step=0, draft={}), CODEC)))


def test_a_settled_card_has_no_menu() -> None:
    ended = replace(settled(confirmation(), Status.ACCEPTED), menu=True)
    assert labels(render(ended, CODEC)) == []
    assert "remind you" not in seen(render(ended, CODEC))


def _brought_in(**more: Any) -> dict[str, Any]:
    handed = Delegation(by=ANA, to="person:bob", name="Bob <b>", at=NOW)
    return {
        "policy": Policy(nudges=Nudges(every="1h", escalate_to=OTHERS)),
        "reminding": Reminding(escalated_at=NOW),
        "delegations": (handed,),
        "audience": Audience(answerers=("person:ana", *OTHERS), **more),
    }


def test_an_escalated_and_delegated_card_says_to_whom_and_that_they_may_answer() -> None:
    text = seen(render(card(confirmation(), **_brought_in()), CODEC))
    assert "May answer: ana, any operator or bob." in text
    assert "Escalated to any operator and bob.\nAna handed it to Bob <b>." in text


@pytest.mark.parametrize("surplus", range(0, 800, 20))
def test_nobody_who_is_brought_in_makes_a_card_another_one_that_does_not_fit(surplus: int) -> None:
    content = {**confirmation(), "body": "b" * (2_800 + surplus)}
    name = "𝕬" * 60
    votes = tuple(
        Vote(by=BOB.model_copy(update={"id": f"per_{at}", "name": name}), via=Via.SLACK, accepted=at < 4, at=NOW)
        for at in range(8)
    )
    plain = card(content, audience=Audience(answerers=("person:ana",)))
    handed = tuple(Delegation(by=ANA, to=f"person:{'x' * 60}{at}", name=name, at=NOW) for at in range(20))
    brought = _brought_in(quorum=5)
    brought["audience"] = brought["audience"].model_copy(
        update={"answerers": ("person:ana", *OTHERS, *(one.to for one in handed))}
    )
    later = card(
        content,
        **{**brought, "delegations": handed},
        votes=votes,
        expires_at=IN_AN_HOUR,
        dismissed_at=NOW,
        menu=True,
        answering=(name, name, name, name),
    )
    assert render(later, CODEC).surface is render(plain, CODEC).surface
    expect_sendable(render(later, CODEC))
