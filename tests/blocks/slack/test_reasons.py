"""Forms for reasons and comments: what a reason is for, and words that may be sent as the reason of a reject."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blocks.slack.modal import modal
from core.controls import Action, Control
from core.replies import OpenForm
from tests.blocks.slack.cards import (
    ANA_ID,
    CODEC,
    checklist,
    confirmation,
    connection,
    expect_view,
    interaction,
    judged,
    questions,
    shown,
    suggested,
)
from tests.blocks.slack.opened import IN_CHANNEL, form, inputs

TEXT = {"id": "q", "prompt": "Say what?", "type": "text"}
REJECTED: list[tuple[dict[str, Any], str]] = [
    (confirmation(reject_label="Keep it"), "Keep it"),
    (confirmation(reject_label="x" * 76), "Reject"),
    (suggested({"key": "a", "title": "Alert"}), "None of these"),
    (connection(), "Decline"),
]


@pytest.mark.parametrize(("content", "label"), REJECTED, ids=[row[1] for row in REJECTED])
def test_words_can_be_sent_as_the_reason_of_a_reject(content: dict[str, Any], label: str) -> None:
    view = form(content, Action.COMMENT)
    _, meant = inputs(view)
    assert meant["block_id"] == "as:1"
    element = meant["element"]
    assert [one["value"] for one in element["options"]] == ["comment", "reject"]
    assert [one["text"]["text"] for one in element["options"]] == ["A comment", label]
    assert element["initial_option"]["value"] == "comment"
    assert "shown in <#C1>, with the decision" in shown(view)
    again = form(content, Action.COMMENT, fields={"comment": "No.", "as": "reject"})
    typed, meant = inputs(again)
    assert typed["element"]["initial_value"] == "No."
    assert meant["element"]["initial_option"]["value"] == "reject"


@pytest.mark.parametrize("content", [questions(TEXT), checklist("a"), judged("a")], ids=["words", "boxes", "items"])
def test_words_reject_nothing_where_nothing_can_be_rejected(content: dict[str, Any]) -> None:
    assert len(inputs(form(content, Action.COMMENT))) == 1


@pytest.mark.parametrize(("taken", "optional"), [("optional", True), ("required", False)])
def test_a_reason_for_a_verdict_names_the_item_and_the_verdict(taken: str, optional: bool) -> None:
    verdicts = [{"id": "a", "label": "Approve"}, {"id": "r", "label": "Not <!here> yet", "reason": taken}]
    asked = interaction(judged("one", "two\nlines", verdicts=verdicts))
    control = Control(asked.id, 1, 1, asked.content.seen(), Action.JUDGE, 1, 1)
    view = modal(OpenForm(asked, control), CODEC, ANA_ID, IN_CHANNEL)
    expect_view(view)
    assert "Not <!here> yet: \ntwo lines" in shown(view)
    (block,) = inputs(view)
    assert block["block_id"] == "reason:1"
    assert block.get("optional", False) is optional
    assert "<#C1>" in shown(view)
    assert CODEC.unpack(json.loads(view["private_metadata"])["token"], str(ANA_ID)) == control


@pytest.mark.parametrize("content", [suggested({"key": "a", "title": "Alert"}), connection()], ids=["tasks", "access"])
def test_a_reject_of_any_kind_may_have_a_reason(content: dict[str, Any]) -> None:
    (block,) = inputs(form(content, Action.REASON))
    assert (block["block_id"], block["optional"]) == ("reason:1", True)
