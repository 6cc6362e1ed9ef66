"""A form of several questions in one modal: a field of its own type for each, and nothing that cannot be undone."""

from __future__ import annotations

from typing import Any

import pytest

from core.controls import Action
from core.forms import read_answer
from core.kinds.answers import Answer
from core.kinds.questions import Questions
from core.use_cases.picking import picked_fields
from tests.blocks.slack.cards import (
    ANA_ID,
    choice,
    choices,
    controls,
    interaction,
    numbered,
    options,
    questions,
    shown,
)
from tests.blocks.slack.opened import form, inputs

TEXT = {"id": "q", "prompt": "Say what?", "type": "text", "help": "Help."}
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


MEANT: list[tuple[str, dict[str, Any], str, str, Answer | None]] = [
    # what it shows, the question, what is chosen, what is written beside, the answer
    ("an option", choice("x", "y", custom=True), "y", "", Answer(value="o1")),
    ("own words", choice("x", "y", custom=True), "Other: my own words, below", "mine", Answer(custom="mine")),
    ("own words that are still to come", choice("x", custom=True), "Other: my own words, below", " ", None),
    ("none of the options", choice("x", "y", required=False), "No answer", "", None),
    ("the last of ten", choice(*numbered(10)), "Option 10", "", Answer(value="o9")),
]


@pytest.mark.parametrize(("why", "question", "chosen", "words", "answer"), MEANT, ids=[row[0] for row in MEANT])
def test_what_is_chosen_in_a_form_is_the_answer(
    why: str, question: dict[str, Any], chosen: str, words: str, answer: Answer | None
) -> None:
    content = questions(TEXT, {**question, "id": "q2"})
    view = form(content, Action.FORM)
    place = options(view).index(chosen)
    fields = {"q1.custom": words, **picked_fields(interaction(content), [controls(view, str(ANA_ID))[place]])}
    payload = interaction(content).content.payload
    assert isinstance(payload, Questions)
    assert read_answer(payload.questions[1], 1, fields) == answer, why
