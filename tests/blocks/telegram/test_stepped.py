"""A form of several questions: closed, one question at a time, a summary, and never a way on past a wrong answer."""

from __future__ import annotations

from typing import Any

import pytest

from blocks.telegram import Rendered, render
from core.controls import Action
from core.fields import Fields
from core.publications import Surface
from tests.blocks.telegram.cards import (
    CODEC,
    card,
    choice,
    choices,
    controls,
    expect_sendable,
    labels,
    pages,
    pressed,
    questions,
    seen,
)

EXTRAS = ["Reply in words…", "Open full form"]
TEXT = {"id": "note", "prompt": "Why <so>?", "type": "text", "required": False}
FORM = questions(
    choice("Red", "Green"),
    {**choices("A", "B", "C", min=2, custom=True), "id": "q2", "prompt": "Which two?"},
    TEXT,
    {"id": "yes", "prompt": "Sure?", "type": "boolean", "required": False},
    body="About *colours*.",
)
LAST = 4


def shown(step: int | None, draft: Fields | None = None, **more: Any) -> Rendered:
    """The form at this step."""
    return render(card(FORM, step=step, draft=draft, **more), CODEC)


def test_a_closed_form_shows_what_is_asked_and_one_way_in() -> None:
    rendered = shown(None)
    assert labels(rendered) == [["Answer"], EXTRAS, ["Later…"]]
    way_in = pressed(rendered, "Answer")
    assert (way_in.action, way_in.question) == (Action.STEP, 0)
    told = "1. Which?\n2. Which two?\n3. Why <so>? (optional)\n4. Sure? (optional)"
    assert told in seen(rendered)
    assert "About colours." in seen(rendered)
    expect_sendable(rendered)


def test_where_the_prompts_are_too_long_together_their_number_stands_for_them() -> None:
    many = questions(*({**TEXT, "id": f"q{n}", "prompt": f"{n} " + "p" * 400} for n in range(64)))
    rendered = render(card(many), CODEC)
    assert rendered.surface is Surface.NATIVE
    assert "64 questions" in seen(rendered)
    assert "ppp" not in seen(rendered)
    expect_sendable(rendered)


STEPS: list[tuple[int, Fields, list[list[str]], str]] = [
    # step, what is filled in, the buttons, why
    (0, {}, [["Red", "Green"], ["Close"]], "a required choice leads on by being made"),
    (0, {"q0": "o1"}, [["Red", "Green"], ["Close", "Next"]], "what is answered may stay"),
    (1, {}, [["☐ A", "☐ B", "☐ C"], ["Other…"], ["Back"]], "two are to be ticked"),
    (1, {"q1": ("o0",)}, [["☑ A", "☐ B", "☐ C"], ["Other…"], ["Back"]], "one is not enough"),
    (1, {"q1": ("o0",), "q1.custom": "D"}, [["☑ A", "☐ B", "☐ C"], ["Other…"], ["Back", "Next"]], "own words count"),
    (2, {}, [["Answer…"], ["Back", "Skip"]], "an optional text is skipped"),
    (2, {"q2": "w"}, [["Answer…"], ["Leave unanswered"], ["Back", "Next"]], "and can be taken back"),
    (3, {"q3": "true"}, [["Yes", "No"], ["Leave unanswered"], ["Back", "Next"]], "so can a yes"),
    (LAST, {}, [["Submit"], ["Back"]], "the summary sends"),
]


@pytest.mark.parametrize(("step", "draft", "rows", "why"), STEPS, ids=[case[3] for case in STEPS])
def test_each_step_has_its_controls_and_its_ways(step: int, draft: Fields, rows: list[list[str]], why: str) -> None:
    rendered = shown(step, draft)
    extras = EXTRAS if step != 1 else EXTRAS[1:]  # own words are an answer there
    assert labels(rendered) == [*rows, extras]
    expect_sendable(rendered)


def test_ways_lead_where_they_say() -> None:
    first, third = shown(0, {"q0": "o1"}), shown(2, {"q2": "w"})
    assert pressed(first, "Close").action is Action.CLEAR
    assert (pressed(first, "Next").action, pressed(first, "Next").question) == (Action.STEP, 1)
    assert (pressed(third, "Back").question, pressed(third, "Next").question) == (1, 3)
    assert pressed(shown(3, {}), "Skip").question == LAST
    assert pressed(shown(LAST, {}), "Back").question == LAST - 1


def test_every_control_of_a_step_names_its_question() -> None:
    for step, actions in ((0, {Action.ANSWER}), (1, {Action.TOGGLE, Action.OTHER}), (2, {Action.WRITE})):
        own = [one for one in controls(shown(step, {})) if one.action in actions]
        assert {one.question for one in own} == {step}
    nothing = pressed(shown(2, {"q2": "w"}), "Leave unanswered")
    assert (nothing.action, nothing.question, nothing.option) == (Action.ANSWER, 2, 0)
    assert pressed(shown(3, {"q3": "true"}), "Leave unanswered").option == 2


def test_a_step_shows_its_place_and_what_is_filled_in() -> None:
    text = seen(shown(2, {"q2": "because <b>"}, answering=("Ana",)))
    assert "Question 3 of 4\n\nWhy <so>?" in text
    assert "Filled in: because <b>" in text
    assert "Ana is answering…" in text
    assert "Filled in: Green" in seen(shown(0, {"q0": "o1"}))
    assert "Filled in: No" in seen(shown(3, {"q3": "false"}))
    assert "then press Next." in seen(shown(1, {}))


def test_the_summary_shows_every_question_with_its_answer_and_says_it_is_not_sent() -> None:
    rendered = shown(LAST, {"q0": "o1", "q1": ("o0",), "q1.custom": "D", "q3": "false"})
    assert "1. Which?\nGreen\n2. Which two?\nA, D\n3. Why <so>?\nleft unanswered\n4. Sure?\nNo" in seen(rendered)
    assert "Nothing is sent yet" in seen(rendered)
    submit = pressed(rendered, "Submit")
    assert (submit.action, submit.question, submit.option) == (Action.SUBMIT, 0, 1)
    assert pressed(shown(LAST), "Submit").option == 0


def test_a_summary_longer_than_a_message_is_turned_and_never_changes_the_surface() -> None:
    many = questions(*({**TEXT, "id": f"q{n}", "prompt": f"{n} " + "p" * 300} for n in range(30)))
    draft = {f"q{n}": f"answer {n} " + "w" * 600 for n in range(30)}
    turned = pages(card(many, step=30, draft=draft))
    assert len(turned) > 1
    text = "\n".join(seen(page) for page in turned)
    for n in range(30):
        assert f"answer {n} www" in text
    for page in turned:
        assert page.surface is Surface.NATIVE
        assert pressed(page, "Submit").action is Action.SUBMIT
        expect_sendable(page)


def test_a_body_that_leaves_no_room_for_a_question_stands_on_the_closed_card_alone() -> None:
    long = questions({**TEXT, "prompt": "p" * 2_000}, {**TEXT, "id": "b"}, body="b" * 2_500)
    assert "b" * 2_500 in seen(render(card(long), CODEC))
    first, second = (seen(render(card(long, step=step), CODEC)) for step in (0, 1))
    assert "bbb" not in first
    assert "p" * 2_000 in first
    assert "b" * 2_500 in second


def test_a_long_list_in_a_form_is_searched_at_its_step() -> None:
    names = [f"A city that needs a row {number:03}" for number in range(20)]
    form = questions(choice("Red"), {**choice(*names), "id": "q2"})
    rendered = render(card(form, step=1, draft={"q0": "o0"}, search="01"), CODEC)
    assert (pressed(rendered, "Search…").question, pressed(rendered, "Show all").option) == (1, 1)
    assert "11 of 20 options contain “01”." in seen(rendered)
    found = [one.option for one in controls(rendered) if one.action is Action.ANSWER]
    assert found == [1, 10, 11, 12, 13, 14, 15, 16]
    assert rendered.page_count == 2
