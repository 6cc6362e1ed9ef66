"""Which answers count, and where a wrong one is pointed at."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.errors import Invalid
from core.form_faults import name_fields
from core.forms import initial_fields, parse_number, read_answers
from core.kinds import Questions
from core.kinds.answers import Answer, check_answers

OPTIONS = [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}, {"id": "c/d", "label": "C"}]


def asked(*questions: dict[str, Any]) -> Questions:
    whole = [{"id": f"q{number}", "prompt": "?", **question} for number, question in enumerate(questions, start=1)]
    return Questions.model_validate({"questions": whole}, strict=False)


def faults(payload: Questions, answers: dict[str, dict[str, Any]]) -> list[str]:
    try:
        check_answers(payload, {key: Answer.model_validate(one, strict=False) for key, one in answers.items()})
    except Invalid as invalid:
        return [fault.pointer for fault in invalid.faults]
    return []


TEXT: dict[str, Any] = {"type": "text"}
CHOICE: dict[str, Any] = {"type": "choice", "options": OPTIONS}
CHOICES: dict[str, Any] = {"type": "choices", "options": OPTIONS}
NUMBER: dict[str, Any] = {"type": "number"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (TEXT, {"value": "x"}),
        ({**TEXT, "min_length": 0}, {"value": ""}),  # the empty text is a value where it is allowed
        ({**TEXT, "required": False}, {"value": ""}),
        ({**TEXT, "pattern": "[a-z]+"}, {"value": "abc"}),
        ({**TEXT, "max_length": 3}, {"value": "日本語"}),  # characters, not bytes
        (CHOICE, {"value": "c/d"}),
        ({**CHOICE, "custom": True}, {"custom": "neither"}),
        (CHOICES, {"values": ["b", "a"]}),
        ({**CHOICES, "custom": True}, {"values": [], "custom": "own"}),
        ({**CHOICES, "min": 0}, {"values": []}),  # none of them is an answer where none is allowed
        (NUMBER, {"value": 0}),  # zero is a value
        (NUMBER, {"value": -1.5}),
        (NUMBER, {"value": -(2**63)}),
        (NUMBER, {"value": 1e300}),
        ({**NUMBER, "integer": True}, {"value": 2.0}),
        ({"type": "date"}, {"value": "2026-02-28"}),
        ({"type": "boolean"}, {"value": False}),  # false is a value
    ],
)
def test_a_fitting_answer_counts(question: dict[str, Any], answer: dict[str, Any]) -> None:
    assert faults(asked(question), {"q1": answer}) == []


@pytest.mark.parametrize(
    ("question", "answer", "pointers"),
    [
        (TEXT, {"value": ""}, ["/answers/q1/value"]),  # required means one character
        (TEXT, {"value": " \n"}, ["/answers/q1/value"]),  # that can be seen
        (TEXT, {"value": "\u200b\u2060\u2800"}, ["/answers/q1/value"]),  # nor is what nobody can see
        (TEXT, {"value": 5}, ["/answers/q1/value"]),
        (TEXT, {"value": "x" * 3001}, ["/answers/q1/value"]),  # the default maximum
        (TEXT, {"values": ["x"]}, ["/answers/q1/values"]),
        (TEXT, {"value": "x", "custom": "y"}, ["/answers/q1/custom"]),
        ({**TEXT, "min_length": 3}, {"value": "ab"}, ["/answers/q1/value"]),
        ({**TEXT, "pattern": "[a-z]+"}, {"value": "abc1"}, ["/answers/q1/value"]),  # the whole value must match
        ({**TEXT, "pattern": "[a-z]+"}, {"value": "abc\n"}, ["/answers/q1/value"]),
        (CHOICE, {"value": "z"}, ["/answers/q1/value"]),  # not an option
        (CHOICE, {"value": "A"}, ["/answers/q1/value"]),  # the label is not the id
        (CHOICE, {"value": True}, ["/answers/q1/value"]),
        (CHOICE, {"custom": "x"}, ["/answers/q1/custom"]),  # no own words here
        ({**CHOICE, "custom": True}, {"value": "a", "custom": "x"}, ["/answers/q1"]),  # both
        (CHOICE, {"values": ["a"]}, ["/answers/q1/values"]),
        (CHOICES, {"values": []}, ["/answers/q1/values"]),  # required means one
        (CHOICES, {"values": ["a", "a"]}, ["/answers/q1/values"]),  # twice
        (CHOICES, {"values": ["a", "z"]}, ["/answers/q1/values/1"]),
        ({**CHOICES, "max": 1}, {"values": ["a", "b"]}, ["/answers/q1/values"]),
        ({**CHOICES, "min": 2, "custom": True}, {"values": ["a"]}, ["/answers/q1/values"]),
        (CHOICES, {"value": "a"}, ["/answers/q1/value"]),
        (NUMBER, {"value": "5"}, ["/answers/q1/value"]),
        (NUMBER, {"value": True}, ["/answers/q1/value"]),  # true is no number
        ({**NUMBER, "integer": True}, {"value": 1.5}, ["/answers/q1/value"]),
        ({**NUMBER, "min": 1}, {"value": 0}, ["/answers/q1/value"]),
        ({**NUMBER, "max": 1}, {"value": 2}, ["/answers/q1/value"]),
        ({"type": "date"}, {"value": "2026-02-29"}, ["/answers/q1/value"]),  # no such day
        ({"type": "date"}, {"value": "20260228"}, ["/answers/q1/value"]),
        ({"type": "date"}, {"value": "2026-W09-6"}, ["/answers/q1/value"]),  # Python would read it: a week's day
        (NUMBER, {"value": 2**63}, ["/answers/q1/value"]),  # readers of JSON would not agree on it
        (NUMBER, {"value": -(2**63) - 1}, ["/answers/q1/value"]),
        ({**TEXT, "pattern": ".*"}, {"value": "half \ud800"}, ["/answers/q1/value"]),  # half a character has no UTF-8
        ({"type": "boolean"}, {"value": "true"}, ["/answers/q1/value"]),
        ({"type": "boolean"}, {"value": 1}, ["/answers/q1/value"]),
    ],
)
def test_a_wrong_answer_is_pointed_at(question: dict[str, Any], answer: dict[str, Any], pointers: list[str]) -> None:
    assert faults(asked(question), {"q1": answer}) == pointers


def test_every_fault_is_named_at_once_and_each_at_its_own_question() -> None:
    payload = asked(TEXT, CHOICE, {**NUMBER, "required": False})
    assert faults(payload, {"q2": {"value": "z"}, "nope": {"value": 1}}) == [
        "/answers/nope",
        "/answers/q1",
        "/answers/q2/value",
    ]


def test_an_id_with_a_slash_is_escaped_in_the_pointer() -> None:
    payload = Questions.model_validate({"questions": [{"id": "a/b~c", "prompt": "?", "type": "text"}]}, strict=False)
    assert faults(payload, {}) == ["/answers/a~1b~0c"]


def test_an_unanswered_optional_question_is_absent() -> None:
    payload = asked({**TEXT, "required": False}, {**CHOICES, "required": False})
    assert check_answers(payload, {"q1": Answer()}) == {}


@pytest.mark.parametrize(
    "question",
    [
        {**TEXT, "pattern": "(?=x)"},  # RE2 has no look-ahead
        {**TEXT, "pattern": r"(a)\1"},  # nor back-references
        {**TEXT, "pattern": "("},
        {**TEXT, "min_length": 5, "max_length": 4},
        {**TEXT, "max_length": 100_001},
        {**CHOICE, "options": []},
        {**CHOICE, "options": [*OPTIONS, OPTIONS[0]]},  # an id twice
        {**CHOICE, "initial": "z"},
        {**CHOICES, "min": 4},  # more than there is
        {**CHOICES, "min": 2, "max": 1},
        {**CHOICES, "initial": ["a", "a"]},
        {**NUMBER, "min": 2, "max": 1},
        {**NUMBER, "integer": True, "initial": 1.5},
        {"type": "date", "initial": "tomorrow"},
        {"type": "date", "initial": "2026-W09-6"},
        {**TEXT, "prompt": ""},
        {**TEXT, "prompt": "x" * 4001},
        {**TEXT, "surprise": 1},
        {"type": "colour"},
    ],
)
def test_a_question_that_makes_no_sense_is_refused_when_asked(question: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        asked(question)


def test_a_pattern_that_would_hang_another_engine_answers_at_once() -> None:
    payload = asked({**TEXT, "pattern": "(a+)+$"})
    assert faults(payload, {"q1": {"value": "a" * 2_900 + "b"}}) == ["/answers/q1/value"]


def test_64_questions_are_the_most() -> None:
    asked(*[TEXT] * 64)
    with pytest.raises(ValidationError):
        asked(*[TEXT] * 65)


ids = st.text(st.characters(codec="utf-8"), min_size=1, max_size=8)


@given(st.lists(ids, min_size=1, max_size=6, unique=True), st.data())
def test_what_a_form_shows_can_be_read_back_from_it(names: list[str], data: st.DataObject) -> None:
    options = [{"id": name, "label": name} for name in names]
    payload = asked({**CHOICES, "options": options, "min": 0}, {**CHOICE, "options": options, "required": False})
    picked = data.draw(st.lists(st.sampled_from(names), unique=True))
    one = data.draw(st.sampled_from(names))
    answers = read_answers(payload, {"q0": tuple(picked), "q1": one})
    checked = check_answers(payload, answers)
    # Whatever was ticked first, it is kept in the order asked, and so the same from everywhere.
    assert checked["q1"].values == tuple(name for name in names if name in picked)
    assert checked["q2"].value == one


@given(st.text(max_size=80))
def test_any_typed_number_is_read_or_kept_as_text(text: str) -> None:
    read = parse_number(text)
    assert isinstance(read, int | float) or read == text


@pytest.mark.parametrize(
    ("text", "number"),
    [("5", 5), (" -2 ", -2), ("2.50", 2.5), ("\N{MINUS SIGN}3", -3), ("nan", "nan"), ("1e999", "1e999")],
)
def test_numbers_are_read_as_people_type_them(text: str, number: object) -> None:
    assert parse_number(text) == number


def test_a_bound_is_told_with_all_its_digits() -> None:
    payload = asked({**NUMBER, "min": 1_234_567, "max": 12_345_678.5})
    for value, words in ((1, "the least is 1234567"), (1e9, "the most is 12345678.5")):
        with pytest.raises(Invalid, match=words):
            check_answers(payload, {"q1": Answer(value=value)})


@pytest.mark.parametrize("initial", [1e300, -1e300, 2.0**63, 9_007_199_254_740_992, 0.1, -0.0])
def test_a_suggested_number_left_as_it_is_can_be_sent(initial: float) -> None:
    payload = asked({**NUMBER, "initial": initial})
    assert check_answers(payload, read_answers(payload, initial_fields(payload)))["q1"].value == initial


def test_a_fault_says_which_form_field_it_belongs_to() -> None:
    payload = asked(TEXT, {**CHOICE, "custom": True})
    answers = {"q1": Answer(value=""), "q2": Answer(custom="x" * 3_001)}
    with pytest.raises(Invalid) as refused:
        check_answers(payload, answers)
    assert name_fields(payload, refused.value.faults).fields == ("q0", "q1.custom")


def test_own_words_that_nobody_can_see_are_none() -> None:
    payload = asked({**CHOICE, "custom": True})
    assert read_answers(payload, {"q0.custom": "\u200b\u2060"}) == {}
    with pytest.raises(ValidationError):
        Answer(custom="\u200b")


def test_a_blank_field_is_no_answer_except_where_the_empty_text_is_one() -> None:
    payload = asked(TEXT, {**TEXT, "min_length": 0}, {**TEXT, "required": False})
    assert set(read_answers(payload, {"q0": "", "q1": "", "q2": ""})) == {"q2"}
