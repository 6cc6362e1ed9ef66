"""The fields that questions become."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.web.parts import Area, Line, Pick
from tests.blocks.web.visits import asking, fields, options, page, picked, wrong

FEW, MANY = options("Yes", "No"), [{"id": f"o{number}", "label": f"Option {number}"} for number in range(128)]

CONTROLS: tuple[tuple[dict[str, Any], str, str], ...] = (
    ({"type": "text"}, "line text", "words are short unless the asker says otherwise"),
    ({"type": "text", "multiline": True}, "area 4", "several lines where the asker wants them"),
    ({"type": "text", "max_length": 100_000}, "area 12", "long answers get room"),
    ({"type": "text", "initial": "a\nb"}, "area 4", "a single line would lose the line end"),
    ({"type": "number"}, "line text", "a number may be negative, and number pads have no minus"),
    ({"type": "number", "min": 0}, "line decimal", "a number pad with a point"),
    ({"type": "number", "min": 0, "integer": True}, "line numeric", "a number pad"),
    ({"type": "date"}, "line date", "browsers have a calendar"),
    ({"type": "boolean"}, "radio 2", "yes or no"),
    ({"type": "boolean", "required": False}, "radio 3", "and the way back to no answer"),
    ({"type": "choice", "options": FEW}, "radio 2", "few options are seen at once"),
    ({"type": "choice", "options": FEW, "required": False}, "radio 3", "a pressed one cannot be let go otherwise"),
    ({"type": "choice", "options": MANY}, "select 128", "many short ones open as a list"),
    ({"type": "choice", "options": MANY[:15]}, "radio 15", "fifteen are still seen"),
    (
        {"type": "choice", "options": [*MANY[:20], {"id": "x", "label": "x" * 41}]},
        "radio 21",
        "a long label is read whole",
    ),
    (
        {"type": "choice", "options": [*MANY[:20], {"id": "x", "label": "x", "description": "why"}]},
        "radio 21",
        "a list that opens has no place for a description",
    ),
    ({"type": "choices", "options": MANY}, "checkbox 128", "several are ticked, however many there are"),
)


def _spelled(control: Line | Area | Pick) -> str:
    match control:
        case Line():
            return f"line {control.type if control.type == 'date' else control.keyboard}"
        case Area():
            return f"area {control.rows}"
        case Pick():
            return f"{control.kind} {len(control.choices)}"


@pytest.mark.parametrize(("question", "expected", "reason"), CONTROLS, ids=[reason for _, _, reason in CONTROLS])
def test_each_question_has_the_control_that_suits_it(question: dict[str, Any], expected: str, reason: str) -> None:
    control = fields(asking(question))[0].control
    assert isinstance(control, Line | Area | Pick)
    assert _spelled(control) == expected


HINTS: tuple[tuple[dict[str, Any], str], ...] = (
    ({"type": "text"}, ""),
    ({"type": "text", "max_length": 20}, "At most 20 characters."),
    ({"type": "text", "min_length": 5}, "At least 5 characters."),
    ({"type": "text", "min_length": 5, "max_length": 5000}, "From 5 to 5,000 characters."),
    ({"type": "text", "pattern": r"\d+"}, r"It must match the pattern \d+"),
    ({"type": "text", "pattern": r"\d+", "pattern_hint": "digits only"}, "Digits only."),
    ({"type": "text", "placeholder": "4.2"}, "For example: 4.2"),
    ({"type": "number", "integer": True, "min": 1, "max": 3}, "A whole number from 1 to 3."),
    ({"type": "number", "min": 0.5}, "A number, 0.5 or more."),
    ({"type": "number", "max": 1e20}, "A number, 100000000000000000000 or less."),
    ({"type": "choices", "options": FEW}, "Choose all that apply."),
    ({"type": "choices", "options": FEW, "min": 2}, "Choose exactly 2."),
    ({"type": "choices", "options": FEW, "required": False, "max": 1}, "Choose at most 1."),
    ({"type": "choices", "options": MANY, "min": 2}, "Choose at least 2."),
    ({"type": "choices", "options": MANY, "min": 2, "max": 4}, "Choose 2 to 4."),
    ({"type": "choice", "options": FEW}, ""),
    ({"type": "boolean"}, ""),
)


@pytest.mark.parametrize(("question", "hint"), HINTS)
def test_what_an_answer_must_be_is_said_before_it_is_written(question: dict[str, Any], hint: str) -> None:
    assert fields(asking(question))[0].hint == hint


def test_initial_answers_are_filled_in() -> None:
    text, number, whole, day, yes, one, some = fields(
        asking(
            {"type": "text", "initial": "  as it is "},
            {"type": "number", "initial": 2.5},
            {"type": "number", "initial": 3.0},
            {"type": "date", "initial": "2026-12-02"},
            {"type": "boolean", "initial": False},
            {"type": "choice", "options": FEW, "initial": "no"},
            {"type": "choices", "options": FEW, "initial": ["yes", "no"]},
        )
    )
    written = [one.control.value for one in (text, number, whole, day) if isinstance(one.control, Line)]
    assert written == ["  as it is ", "2.5", "3", "2026-12-02"]
    assert (picked(yes), picked(one), picked(some)) == (["false"], ["no"], ["yes", "no"])


def test_what_was_typed_stands_instead_of_what_was_suggested() -> None:
    card = asking(
        {"type": "text", "initial": "old"},
        {"type": "choice", "options": FEW, "initial": "no"},
        {"type": "choices", "options": FEW, "initial": ["yes"]},
        {"type": "boolean", "initial": True, "required": False},
    )
    text, one, some, yes = fields(card, filled={"q0": "", "q1": "yes", "q2": ()})
    assert isinstance(text.control, Line)
    assert (text.control.value, picked(one), picked(some), picked(yes)) == ("", ["yes"], [], [""])


def test_words_that_are_typed_with_line_ends_get_several_lines() -> None:
    control = fields(asking({"type": "text"}), filled={"q0": "a\nb"})[0].control
    assert control == Area("a\nb")


def test_options_say_what_is_recommended_and_what_was_suggested() -> None:
    card = asking({"type": "choice", "options": options("Yes", "No", recommended=True), "initial": "no"})
    control = fields(card)[0].control
    assert isinstance(control, Pick)
    assert [choice.marks for choice in control.choices] == [("recommended",), ("suggested",)]


OTHER: tuple[tuple[dict[str, Any], bool, list[str], str], ...] = (
    ({}, False, [], "nothing is chosen yet"),
    ({"q0.custom": "mine"}, True, [], "words alone stand for Other"),
    ({"q0.other": "yes"}, True, [], "Other stays chosen while its words are missing"),
    ({"q0": "yes", "q0.custom": "mine"}, False, ["yes"], "an option and words: the person must say which"),
)


@pytest.mark.parametrize(("filled", "chosen", "values", "reason"), OTHER, ids=[reason for *_, reason in OTHER])
def test_own_words_beside_options(filled: dict[str, Any], chosen: bool, values: list[str], reason: str) -> None:
    field = fields(asking({"type": "choice", "options": FEW, "custom": True}), filled=filled)[0]
    assert isinstance(field.control, Pick)
    assert field.control.own is not None
    assert (field.control.own.chosen, picked(field)) == (chosen, values)


def test_an_optional_choice_begins_with_no_answer() -> None:
    card = asking({"type": "choice", "options": FEW, "required": False, "custom": True})
    assert picked(fields(card)[0]) == [""]
    assert picked(fields(card, filled={"q0.custom": "mine"})[0]) == []


def test_several_questions_are_numbered_and_one_is_not() -> None:
    assert [one.place for one in fields(asking({"type": "text"}, {"type": "date"}))] == ["1 of 2", "2 of 2"]
    assert fields(asking({"type": "text"}))[0].place == ""


def test_faults_stand_at_their_fields_and_in_a_summary_that_leads_there() -> None:
    card = asking({"type": "text"}, {"type": "choice", "options": FEW, "custom": True}, {"type": "date"})
    faulty = page(card, wrong=wrong(q1__custom="too long", q0="an answer is required", nowhere="something else"))
    assert faulty.form is not None
    text, choice, day = faulty.form.fields
    assert isinstance(choice.control, Pick)
    assert choice.control.own is not None
    assert (text.faults, choice.faults, day.faults) == (("An answer is required.",), (), ())
    assert choice.control.own.faults == ("Too long.",)
    assert [(one.target, one.text) for one in faulty.form.complaints] == [
        ("q0", "Question 1: An answer is required."),
        ("q1.custom", "Question 2: Too long."),
        ("", "Something else."),
    ]


def test_everything_that_explains_a_field_is_named_for_screen_readers() -> None:
    field = fields(asking({"type": "text", "help": "why", "max_length": 9}), wrong=wrong(q0="no"))[0]
    assert field.described_by == "q0-help q0-hint q0-fault"
    assert fields(asking({"type": "text"}))[0].described_by == ""


def test_one_enter_does_not_send_a_form_of_several_fields() -> None:
    one, several = page(asking({"type": "text"})).form, page(asking({"type": "text"}, {"type": "text"})).form
    assert one is not None
    assert several is not None
    assert (one.guarded, several.guarded) == (False, True)


def test_a_form_that_could_outgrow_a_request_says_so_first() -> None:
    long = {"type": "text", "max_length": 100_000}
    small, large = page(asking({"type": "text"})).form, page(asking(long, long, long)).form
    assert small is not None
    assert large is not None
    assert (small.spacious, large.spacious) == ("", "All answers together may have about 250,000 characters.")
