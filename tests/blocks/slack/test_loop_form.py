"""The forms of a work order, and alerts."""

from __future__ import annotations

import json

import pytest

from blocks.slack.alert import render_alert
from blocks.slack.loop_form import loop_form
from blocks.slack.modal import Sight
from core.errors import Forged
from core.loops.controls import LoopAction, LoopControl
from core.loops.replies import OpenLoopForm
from core.sentences import FleetAlert, parse
from tests.blocks.slack.cards import ANA_ID, CODEC, expect_view, shown
from tests.blocks.slack.loops import ALERT_ID, LOOP_ID, PAGE, alert_card, expect_message, loop, pressed

SIGHT = Sight("C1", "sayso")
FORMS = [
    (LoopAction.DONE, "Done", "result:1", "What came of it"),
    (LoopAction.DECLINE, "Decline", "reason:1", "Why it is declined"),
    (LoopAction.NO_ACTION, "No action", "reason:1", "Why nothing needs to be done"),
]


@pytest.mark.parametrize(("action", "title", "block_id", "label"), FORMS, ids=[row[1] for row in FORMS])
def test_a_form_asks_for_the_words_of_its_end(action: LoopAction, title: str, block_id: str, label: str) -> None:
    control = LoopControl(LOOP_ID, action, 2)
    view = loop_form(OpenLoopForm(loop(title="Audit <!channel>"), control), CODEC, ANA_ID, SIGHT)
    expect_view(view)
    assert view["title"]["text"] == title
    (asked,) = [block for block in view["blocks"] if block["type"] == "input"]
    assert (asked["block_id"], asked["label"]["text"]) == (block_id, label)
    told = shown(view)
    assert "wo-1 (slot 2)" in told
    assert "Your words go to agent ci and will be shown in <#C1>." in told


def test_the_token_of_a_form_is_its_person_s_alone() -> None:
    control = LoopControl(LOOP_ID, LoopAction.DONE)
    view = loop_form(OpenLoopForm(loop(), control), CODEC, ANA_ID, SIGHT)
    kept = json.loads(view["private_metadata"])
    assert kept["channel"] == "C1"
    assert CODEC.unpack_any(kept["token"], str(ANA_ID)) == control
    with pytest.raises(Forged):
        CODEC.unpack_any(kept["token"])


def test_an_alert_says_what_happened_and_lets_an_order_be_opened() -> None:
    drawn = render_alert(alert_card(), CODEC)
    expect_message(drawn)
    told = shown(drawn.blocks)
    assert "Alert: CRITICAL" in told
    assert "Raised by agent ci" in told
    assert pressed(drawn) == {"Open a work order": LoopControl(ALERT_ID, LoopAction.ORDER)}
    (said,) = parse(drawn.text)
    assert isinstance(said, FleetAlert)
    assert said.severity == "CRITICAL"


def test_an_alert_with_an_order_leads_to_it() -> None:
    drawn = render_alert(alert_card(order="wo-1"), CODEC)
    assert pressed(drawn) == {"Open work order": PAGE}
    assert "Answered by work order wo-1" in shown(drawn.blocks)
    in_words = render_alert(alert_card(order="wo-1", link_ok=False), CODEC)
    assert pressed(in_words) == {}
    assert PAGE in shown(in_words.blocks)


@pytest.mark.parametrize(
    "message",
    ["m" * 3_000, "\n\n".join(f"```\n{n}\n```" for n in range(270))[:3_000], "文" * 3_000, "<!channel> <@U1>"],
    ids=["long", "of many blocks", "wide", "hostile"],
)
def test_slack_takes_every_alert_whole(message: str) -> None:
    drawn = render_alert(alert_card(message), CODEC)
    expect_message(drawn)
    assert "<!channel>" not in drawn.text
    assert sum(message.count(letter) for letter in "m文") <= sum(shown(drawn.blocks).count(letter) for letter in "m文")
