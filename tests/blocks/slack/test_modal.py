"""Forms in Slack: what each asks, who will see it, and whose token it carries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blocks.slack.modal import Sight
from core.controls import Action
from core.errors import Forged
from tests.blocks.slack.cards import (
    ANA_ID,
    CODEC,
    choice,
    choices,
    confirmation,
    controls,
    numbered,
    options,
    questions,
    shown,
)
from tests.blocks.slack.opened import form, inputs

TEXT = {"id": "q", "prompt": "Say what?", "type": "text", "help": "Help."}

FORMS: list[tuple[str, dict[str, Any], Action, str, dict[str, Any]]] = [
    # what it proves, the content, the control, the field, what its element has
    (
        "words, with every bound and help there is",
        questions({**TEXT, "multiline": True, "min_length": 2, "max_length": 9, "initial": "abc", "placeholder": "p"}),
        Action.WRITE,
        "q0:1",
        {
            "type": "plain_text_input",
            "multiline": True,
            "min_length": 2,
            "max_length": 9,
            "initial_value": "abc",
            "placeholder": {"type": "plain_text", "text": "p"},
        },
    ),
    (
        "the longest answer a modal takes",
        questions({**TEXT, "initial": "x" * 3_000}),
        Action.WRITE,
        "q0:1",
        {"type": "plain_text_input", "multiline": False, "max_length": 3_000, "initial_value": "x" * 3_000},
    ),
    (
        "text of several lines gets a field of several",
        questions({**TEXT, "initial": "a\nb"}),
        Action.WRITE,
        "q0:1",
        {"type": "plain_text_input", "multiline": True, "max_length": 3_000, "initial_value": "a\nb"},
    ),
    (
        "a number within its bounds, as Slack spells numbers",
        questions({"id": "q", "prompt": "?", "type": "number", "min": -1, "max": 1e-7, "initial": 0.5}),
        Action.WRITE,
        "q0:1",
        {
            "type": "number_input",
            "is_decimal_allowed": True,
            "min_value": "-1",
            "max_value": "0.0000001",
            "initial_value": "0.5",
        },
    ),
    (
        "a whole number",
        questions({"id": "q", "prompt": "?", "type": "number", "integer": True}),
        Action.WRITE,
        "q0:1",
        {"type": "number_input", "is_decimal_allowed": False},
    ),
    (
        "a day",
        questions({"id": "q", "prompt": "?", "type": "date", "initial": "2026-12-31"}),
        Action.WRITE,
        "q0:1",
        {"type": "datepicker", "initial_date": "2026-12-31"},
    ),
    (
        "own words instead of an option",
        questions(choice("a", custom=True)),
        Action.OTHER,
        "q0.custom:1",
        {"type": "plain_text_input", "multiline": True, "max_length": 3_000},
    ),
    (
        "a reason",
        confirmation(reason="required", reason_label="Why not?"),
        Action.REASON,
        "reason:1",
        {"type": "plain_text_input", "multiline": True, "max_length": 3_000},
    ),
    (
        "words that decide nothing",
        confirmation(reason="none"),
        Action.COMMENT,
        "comment:1",
        {"type": "plain_text_input", "multiline": True, "max_length": 3_000},
    ),
]


@pytest.mark.parametrize(("why", "content", "action", "field", "wanted"), FORMS, ids=[row[0] for row in FORMS])
def test_a_form_has_the_field_its_control_asks_for(
    why: str, content: dict[str, Any], action: Action, field: str, wanted: dict[str, Any]
) -> None:
    (block,) = inputs(form(content, action))
    assert block["block_id"] == field, why
    assert {name: value for name, value in block["element"].items() if name != "action_id"} == wanted


def test_a_form_shows_what_is_asked_whole() -> None:
    content = questions({**TEXT, "prompt": "p" * 4_000, "help": "h" * 4_000, "pattern": "a+", "pattern_hint": "only a"})
    view = form(content, Action.WRITE)
    told = shown(view).replace("\n", "")
    assert "Release 4.2" in told
    assert "p" * 4_000 in told
    assert told.count("h") >= 4_000
    assert inputs(view)[0]["hint"]["text"] == "only a"
    assert "only a" not in told, "the field says it"


def test_a_long_placeholder_is_shown_above_its_field() -> None:
    view = form(questions({**TEXT, "placeholder": "e" * 1_000}), Action.WRITE)
    assert "For example: " + "e" * 1_000 in shown(view)
    assert "placeholder" not in inputs(view)[0]["element"]


def test_an_answer_that_may_be_empty_can_be_sent_empty() -> None:
    def may_be_empty(**more: Any) -> bool:
        return bool(inputs(form(questions({**TEXT, **more}), Action.WRITE))[0].get("optional"))

    assert may_be_empty(min_length=0)
    assert may_be_empty(required=False)
    assert not may_be_empty()


def test_a_reason_is_optional_where_the_card_says_so() -> None:
    assert inputs(form(confirmation(reason="optional"), Action.REASON))[0]["optional"] is True
    assert "optional" not in inputs(form(confirmation(reason="required"), Action.REASON))[0]


SIGHTS: list[tuple[Sight, str]] = [
    (Sight("C1", "sayso"), "Your answer will be shown in <#C1>."),
    (Sight("G1", "sayso"), "Your answer will be shown in <#G1>."),
    (Sight("D1", "sayso"), "Your answer will be shown in your direct message with sayso."),
    (Sight("D1", "<!here>"), "Your answer will be shown in your direct message with &lt;!here&gt;."),
]


@pytest.mark.parametrize(("sight", "words"), SIGHTS, ids=[row[0].channel + row[0].app for row in SIGHTS])
def test_a_form_names_the_conversation_that_will_see_the_answer(sight: Sight, words: str) -> None:
    assert words in shown(form(questions(TEXT), Action.WRITE, sight))


def test_a_form_says_when_other_conversations_will_see_it_too() -> None:
    view = form(questions(TEXT), Action.WRITE, to=("slack:C1", "telegram:42"))
    assert "<#C1> and wherever else this was asked" in shown(view)


def test_a_comment_goes_to_the_asker() -> None:
    told = shown(form(confirmation(reason="none"), Action.COMMENT))
    assert "Your words go to agent ci and decide nothing. The question stays open in <#C1>." in told


@pytest.mark.parametrize("action", [Action.COMMENT, Action.REASON])
def test_closing_a_form_is_told(action: Action) -> None:
    assert form(confirmation(), action)["notify_on_close"] is True


def test_a_form_is_for_one_person_alone() -> None:
    kept = json.loads(form(questions(TEXT), Action.WRITE)["private_metadata"])
    assert kept["channel"] == "C1"
    assert CODEC.unpack(kept["token"], str(ANA_ID)).action is Action.WRITE
    with pytest.raises(Forged):
        CODEC.unpack(kept["token"], "slack:T1.U2")
    with pytest.raises(Forged):
        CODEC.unpack(kept["token"])


@pytest.mark.parametrize(
    ("count", "element"), [(10, "checkboxes"), (11, "multi_static_select"), (100, "multi_static_select")]
)
def test_own_words_besides_options_keep_what_was_ticked(count: int, element: str) -> None:
    content = questions(choices(*numbered(count), custom=True, initial=["o3"]))
    view = form(content, Action.OTHER, fields={"q0": ("o0", "o2")})
    beside, typed = inputs(view)
    assert beside["block_id"] == "q0:1"
    assert typed["block_id"] == "q0.custom:1"
    assert beside["element"]["type"] == element
    assert [one["text"]["text"] for one in beside["element"]["initial_options"]] == ["Option 1", "Option 3"]
    assert len(options(view)) == count
    assert {one.action for one in controls(view, str(ANA_ID))} == {Action.PICK}


def test_nothing_ticked_yet_leaves_what_was_suggested() -> None:
    beside, _ = inputs(form(questions(choices("a", "b", custom=True, initial=["o1"])), Action.OTHER))
    assert [one["text"]["text"] for one in beside["element"]["initial_options"]] == ["b"]


@pytest.mark.parametrize(
    ("question", "element"),
    [
        (choice(*numbered(10), initial="o1"), "radio_buttons"),
        (choice(*numbered(11), initial="o1"), "static_select"),
        ({"id": "q", "prompt": "Now?", "type": "boolean", "initial": True}, "radio_buttons"),
    ],
)
def test_a_form_can_hold_any_type_of_question(question: dict[str, Any], element: str) -> None:
    (block,) = inputs(form(questions(question), Action.WRITE))
    assert block["element"]["type"] == element
    assert block["element"]["initial_option"] in block["element"]["options"]


def test_fields_are_new_with_every_revision() -> None:
    first, second = (inputs(form(questions(TEXT), Action.WRITE, revision=number))[0]["block_id"] for number in (1, 2))
    assert first != second


def test_titles_and_buttons_fit() -> None:
    for action in (Action.COMMENT, Action.REASON):
        view = form(confirmation(reason_label="r" * 150), action)
        assert len(view["title"]["text"]) <= 24
        assert view["submit"]["text"] == "Submit"
