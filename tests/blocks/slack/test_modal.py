"""Forms in Slack: what each asks, who will see it, and whose token it carries."""

from __future__ import annotations

import json
from typing import Any

import pytest

from blocks.slack.modal import Sight, modal
from core.controls import Action, Control
from core.errors import Forged
from core.replies import OpenForm
from tests.blocks.slack.cards import (
    ANA_ID,
    CODEC,
    checklist,
    choice,
    choices,
    confirmation,
    connection,
    controls,
    expect_view,
    interaction,
    judged,
    numbered,
    options,
    questions,
    shown,
    suggested,
)

IN_CHANNEL = Sight("C1", "sayso")
TEXT = {"id": "q", "prompt": "Say what?", "type": "text", "help": "Help."}


def form(content: dict[str, Any], action: Action, sight: Sight = IN_CHANNEL, **more: Any) -> dict[str, Any]:
    asked = interaction(content, **{name: more.pop(name) for name in ("to", "revision") if name in more})
    control = Control(asked.id, 1, asked.revision, asked.content.seen(), action)
    view = modal(OpenForm(asked, control, more.get("fields", {})), CODEC, ANA_ID, sight)
    expect_view(view)
    return view


def inputs(view: dict[str, Any]) -> list[dict[str, Any]]:
    return [block for block in view["blocks"] if block["type"] == "input"]


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


MIXED = questions(
    {"id": "a", "prompt": "Say what?", "type": "text", "help": "In short.", "max_length": 20, "pattern": "a+",
     "pattern_hint": "only a"},
    {**choice("x", "y", initial="o1"), "id": "b"},
    {**choice(*numbered(11)), "id": "c", "required": False},
    {**choice("x", "y", custom=True), "id": "d"},
    {**choices("x", "y", initial=["o0"]), "id": "e"},
    {**choices(*numbered(11), max=3), "id": "f", "custom": True},
    {"id": "g", "prompt": "How many?", "type": "number", "min": 1, "integer": True},
    {"id": "h", "prompt": "When?", "type": "date", "required": False},
    {"id": "i", "prompt": "Now?", "type": "boolean", "initial": True},
)  # fmt: skip
FIELDS = [
    # the field, its element, whether it may stay empty
    ("q0:1", "plain_text_input", False),
    ("q1:1", "radio_buttons", False),
    ("q2:1", "static_select", True),
    ("q3:1", "radio_buttons", True),
    ("q3.custom:1", "plain_text_input", True),
    ("q4:1", "checkboxes", False),
    ("q5:1", "multi_static_select", True),
    ("q5.custom:1", "plain_text_input", True),
    ("q6:1", "number_input", False),
    ("q7:1", "datepicker", True),
    ("q8:1", "radio_buttons", False),
]


def test_a_form_of_several_questions_has_a_field_of_its_own_type_for_each() -> None:
    view = form(MIXED, Action.FORM)
    found = [(one["block_id"], one["element"]["type"], one.get("optional", False)) for one in inputs(view)]
    assert found == FIELDS
    first = inputs(view)[0]
    assert first["label"]["text"] == "Say what?"
    assert first["hint"]["text"] == "In short.\nAt most 20 characters.\nonly a"
    assert view["title"]["text"] == "Answer"
    assert "Your answer will be shown in <#C1>." in shown(view)
    picks = {(one.question, one.option) for one in controls(view, str(ANA_ID))}
    assert {(question, 0) for question in (1, 2, 3, 4, 5)} <= picks


def test_a_form_holds_what_was_suggested_and_what_was_filled_in() -> None:
    by_id = {one["block_id"]: one["element"] for one in inputs(form(MIXED, Action.FORM))}
    assert by_id["q1:1"]["initial_option"]["text"]["text"] == "y"
    assert [one["text"]["text"] for one in by_id["q4:1"]["initial_options"]] == ["x"]
    assert by_id["q8:1"]["initial_option"]["value"] == "true"
    filled = {"q0": "aaa", "q1": ("o0",), "q4": (), "q3.custom": "mine", "q3": ("",), "q8": "false", "q6": "7"}
    by_id = {one["block_id"]: one["element"] for one in inputs(form(MIXED, Action.FORM, fields=filled))}
    assert by_id["q0:1"]["initial_value"] == "aaa"
    assert by_id["q1:1"]["initial_option"]["text"]["text"] == "x"
    assert "initial_options" not in by_id["q4:1"]
    assert by_id["q3.custom:1"]["initial_value"] == "mine"
    assert by_id["q3:1"]["initial_option"]["text"]["text"] == "Other: my own words, below"
    assert by_id["q8:1"]["initial_option"]["value"] == "false"
    assert by_id["q6:1"]["initial_value"] == "7"


NONE: list[tuple[str, dict[str, Any], list[str]]] = [
    ("an option must be chosen", choice("x", "y"), []),
    ("own words count in place of one", choice("x", "y", custom=True), ["Other: my own words, below"]),
    ("none is an answer", choice("x", "y", required=False), ["No answer"]),
    ("several can be unticked anyway", choices("x", "y", custom=True), []),
    ("a menu of a hundred has no room for it", choice(*numbered(100), custom=True), []),
]


@pytest.mark.parametrize(("why", "question", "more"), NONE, ids=[row[0] for row in NONE])
def test_what_was_chosen_can_be_taken_back(why: str, question: dict[str, Any], more: list[str]) -> None:
    view = form(questions(TEXT, {**question, "id": "q2"}), Action.FORM)
    count = len(question["options"])
    assert options(view)[count:] == more, why
    places = [one.option for one in controls(view, str(ANA_ID))]
    assert places == list(range(count + len(more)))


def test_what_does_not_fit_a_label_stands_above_its_field() -> None:
    long = {"id": "a", "prompt": "p" * 301, "type": "text", "help": "h" * 4_000}
    described = choice("x", custom=True) | {"id": "b"}
    described["options"][0] |= {"description": "d" * 76}
    view = form(questions(long, described), Action.FORM)
    told = shown(view).replace("\n", "")
    assert "p" * 301 in told
    assert "h" * 3_000 in told
    assert "d" * 76 in told
    assert [one["label"]["text"] for one in inputs(view)] == [
        "Answer to question 1",
        "Answer to question 2",
        "Other answer to question 2",
    ]


def test_a_form_too_full_for_slack_begins_anew() -> None:
    content = questions(*({**TEXT, "id": str(number)} for number in range(40)))
    typed = {f"q{number}": "文" * 3_000 for number in range(40)}
    kept = inputs(form(content, Action.FORM, fields=dict(list(typed.items())[:20])))
    assert kept[0]["element"]["initial_value"] == "文" * 3_000
    assert all("initial_value" not in one["element"] for one in inputs(form(content, Action.FORM, fields=typed)))


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
