"""From posted fields to answers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blocks.web.parts import Pick
from blocks.web.reading import OWN_WORDS, form_faults, is_blank, read_form, spelled
from core.forms import read_answers
from core.kinds import Confirmation, Questions
from core.kinds.answers import Answer
from tests.blocks.web.visits import asking, fields, options

FEW = options("Yes", "No")


def _payload(*questions: dict[str, Any]) -> Questions:
    payload = asking(*questions).content.payload
    assert isinstance(payload, Questions)
    return payload


@given(st.text(min_size=1, max_size=160))
def test_any_option_id_survives_a_form(id: str) -> None:
    question = {"type": "choice", "options": [{"id": id, "label": "One"}, {"id": f"{id}'", "label": "Two"}]}
    control = fields(asking(question))[0].control
    assert isinstance(control, Pick)
    carried = control.choices[0].value
    assert carried.isascii()
    assert carried.isprintable()
    assert read_form(_payload(question), {"q0": (carried,)}) == {"q0": id}


def test_other_is_spelled_like_no_option() -> None:
    assert spelled(OWN_WORDS) != OWN_WORDS
    question = {"type": "choice", "options": [{"id": OWN_WORDS, "label": "Per cent"}], "custom": True}
    assert read_form(_payload(question), {"q0": (spelled(OWN_WORDS),)}) == {"q0": OWN_WORDS}


READ: tuple[tuple[dict[str, Any], dict[str, tuple[str, ...]], dict[str, Answer], str], ...] = (
    ({"type": "text"}, {"q0": ("a\r\nb\rc",)}, {"id0": Answer(value="a\nb\nc")}, "a line end is one character"),
    ({"type": "text"}, {"q0": ("first", "last")}, {"id0": Answer(value="last")}, "the last of two fields counts"),
    ({"type": "text", "required": False}, {"q0": ("",)}, {}, "a blank field is no answer"),
    ({"type": "number"}, {"q0": (" −5 ",)}, {"id0": Answer(value=-5)}, "a typed minus is a minus"),
    ({"type": "number"}, {"q0": ("1,5",)}, {"id0": Answer(value="1,5")}, "what is no number is told as it is"),
    ({"type": "boolean"}, {"q0": ("false",)}, {"id0": Answer(value=False)}, "no is an answer"),
    ({"type": "boolean", "required": False}, {"q0": ("",)}, {}, "no answer is none"),
    ({"type": "choices", "options": FEW}, {"q0": ("yes", "no", "yes")}, {"id0": Answer(values=("yes", "no"))}, "ticks"),
    ({"type": "choices", "options": FEW}, {}, {}, "no ticks are no answer"),
    (
        {"type": "choice", "options": FEW, "custom": True},
        {"q0": (OWN_WORDS,), "q0.custom": ("mine",)},
        {"id0": Answer(custom="mine")},
        "Other and its words",
    ),
    (
        {"type": "choice", "options": FEW, "custom": True},
        {"q0": ("yes",), "q0.custom": ("mine",)},
        {"id0": Answer(value="yes", custom="mine")},
        "an option and words are both told, and the rules refuse them",
    ),
    (
        {"type": "choice", "options": FEW},
        {"q0": ("yes",), "q0.custom": ("mine",)},
        {"id0": Answer(value="yes")},
        "words that the form has no field for are not read",
    ),
)


@pytest.mark.parametrize(("question", "posted", "answers", "reason"), READ, ids=[reason for *_, reason in READ])
def test_a_posted_form_is_read(
    question: dict[str, Any], posted: dict[str, tuple[str, ...]], answers: dict[str, Answer], reason: str
) -> None:
    payload = _payload(question)
    assert read_answers(payload, read_form(payload, posted)) == answers


def test_only_the_forms_own_names_are_read() -> None:
    posted = {"q0": ("a",), "q1": ("b",), "q99": ("c",), "reason": ("d",), "token": ("e",), "comment": ("f",)}
    assert read_form(_payload({"type": "text"}), posted) == {"q0": "a", "comment": "f"}
    assert read_form(Confirmation(), posted) == {"reason": "d", "comment": "f"}


def test_a_form_is_blank_when_nothing_was_typed_whatever_it_was_drawn_from() -> None:
    assert is_blank(_payload({"type": "text"}), {"seen": "x", "q0": "", "q1": ()})
    assert not is_blank(_payload({"type": "text"}), {"seen": "x", "q0": "0"})


def test_other_without_words_is_a_fault_of_the_form() -> None:
    payload = _payload({"type": "choice", "options": FEW, "custom": True, "required": False})
    faults = form_faults(payload, read_form(payload, {"q0": (OWN_WORDS,), "q0.custom": (" ",)}))
    assert [fault.pointer for fault in faults] == ["/answers/id0/custom"]
    assert form_faults(payload, read_form(payload, {"q0": (OWN_WORDS,), "q0.custom": ("x",)})) == ()
