"""What can be done about a card's time in Slack: the menu on a card, its form, and what a widened card says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blocks.slack import render
from blocks.slack.check import budget
from blocks.slack.fit import MESSAGE
from blocks.slack.modal import Sight
from core.audience import Audience
from core.controls import DECIDES, Action
from core.kinds import EXAMPLES, Kind
from core.policy import Nudges, Policy
from core.publications import Surface
from core.records import Status
from core.reminding import Delegation, Reminding
from tests.blocks.slack.cards import (
    ANA,
    ANA_ID,
    CODEC,
    NOW,
    card,
    choice,
    confirmation,
    controls,
    elements,
    expect_sendable,
    labels,
    menu,
    questions,
    settled,
    shown,
)
from tests.blocks.slack.opened import form, inputs

MENU = {
    "Remind me in 15 minutes": (Action.SNOOZE, 0),
    "Remind me in 1 hour": (Action.SNOOZE, 1),
    "Remind me tomorrow at 9:00": (Action.SNOOZE, 2),
    "Another time or person…": (Action.PUT_OFF, 0),
    "Who is it waiting for?": (Action.AWAITED, 0),
}


def offered(blocks: list[dict[str, Any]]) -> dict[str, tuple[Action, int]]:
    return {label: (one.action, one.option) for label, one in menu(blocks).items()}


@pytest.mark.parametrize("link_ok", [True, False])
@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_the_menu_and_no_part_of_it_decides(kind: Kind, link_ok: bool) -> None:
    asked = card(EXAMPLES[kind], link_ok=link_ok)
    rendered = render(asked, CODEC)
    expect_sendable(rendered)
    assert offered(rendered.blocks) == MENU
    assert not {action for action, _ in MENU.values()} & DECIDES


def test_a_card_that_is_answered_on_its_page_has_the_menu_too() -> None:
    rendered = render(card(questions(choice("Yes"), body="x" * 15_000)), CODEC)
    assert rendered.surface is Surface.REVIEW
    assert offered(rendered.blocks) == MENU


def test_the_menu_takes_no_row_of_its_own_where_there_is_one() -> None:
    # Own words are an answer and the address is no link: the row below has nothing else to hold.
    rendered = render(card(questions(choice("Yes", "No", custom=True)), link_ok=False), CODEC)
    (row,) = (block for block in rendered.blocks if block["type"] == "actions")
    assert [one["type"] for one in row["elements"]] == ["button", "button", "button", "overflow"]


def test_a_card_without_room_for_the_menu_has_a_button_to_its_form_before_it_goes_to_its_page() -> None:
    seen = []
    for length in range(9_000, 11_500, 50):
        rendered = render(card(questions(choice("Yes", "No"), body="x" * length)), CODEC)
        expect_sendable(rendered)
        if rendered.surface is Surface.REVIEW:
            seen.append("page")
            continue
        assert budget(rendered.blocks) <= MESSAGE
        later = [one for one in controls(rendered.blocks) if one.action is Action.PUT_OFF]
        assert bool(later) == ("Later…" in labels(rendered.blocks))
        assert bool(later) != bool(elements(rendered.blocks, "overflow"))
        seen.append("button" if later else "menu")
    assert list(dict.fromkeys(seen)) == ["menu", "button", "page"]


def test_a_settled_card_has_no_menu() -> None:
    rendered = render(settled(confirmation(), Status.ACCEPTED, answer={"accepted": True}), CODEC)
    assert elements(rendered.blocks, "overflow") == []


def test_the_form_takes_a_time_or_a_person_and_has_a_token_for_each() -> None:
    view = form(confirmation(), Action.PUT_OFF, Sight("C1", "sayso"))
    moment, person = inputs(view)
    assert (moment["block_id"], moment["element"]["type"], moment["optional"]) == ("until:1", "datetimepicker", True)
    assert (person["block_id"], person["element"]["type"], person["optional"]) == ("to:1", "users_select", True)
    assert "Delete it?" in shown(view)
    assert "stays open in <#C1>" in shown(view)
    kept = json.loads(view["private_metadata"])
    sealed = {name: CODEC.unpack(kept[name], str(ANA_ID)).action for name in ("token", "to")}
    assert sealed == {"token": Action.PUT_OFF, "to": Action.DELEGATE}


def test_an_escalated_and_delegated_card_says_to_whom_and_that_they_may_answer() -> None:
    others = ("role:operator", "slack:T1.U7", "person:bob", "person:cid", "person:dan")
    asked = card(
        confirmation(),
        policy=Policy(nudges=Nudges(every="1h", escalate_to=others)),
        reminding=Reminding(escalated_at=NOW),
        delegations=(Delegation(by=ANA, to="person:bob", name="Bob <!channel>", at=NOW),),
        audience=Audience(answerers=("person:ana", *others)),
    )
    rendered = render(asked, CODEC)
    expect_sendable(rendered)
    told = shown(rendered.blocks)
    assert "Escalated to any operator, <@U7>, bob and 2 more" in told
    assert "Ana handed it to Bob <!channel>" in told
    plain = [one for one in elements(rendered.blocks, "plain_text") if "handed it" in one["text"]]
    assert len(plain) == 1, "a name from outside stands where Slack reads no markup"
    assert "May answer: ana, any operator" in told


def test_a_card_that_was_handed_on_too_often_to_tell_says_how_often() -> None:
    handed = tuple(Delegation(by=ANA, to=f"person:p{at}", name="N" * 60, at=NOW) for at in range(20))
    assert "Handed on 20 times" in shown(render(card(confirmation(), delegations=handed), CODEC).blocks)
