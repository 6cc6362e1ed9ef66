"""Suggested tasks on the page: a tree to pick from, with fields to change what is created."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from blocks.web.parts import Area, Line, Row, Rows
from blocks.web.reading import is_blank, read_form
from core.acts import Accept, Reject
from core.interactions import decide
from core.kinds import Kind
from core.kinds.suggested_tasks import Edit
from core.records import Interaction
from tests.blocks.web.test_page import settled
from tests.blocks.web.visits import fields, page, wrong
from tests.rules.making import by, card, stamp

TASKS: list[dict[str, Any]] = [
    {"key": "child", "title": "Write it", "parent": "top", "assignee": "ana"},
    {"key": "top", "title": "Plan it", "priority": "high"},
    {"key": "deep", "title": "Review it", "parent": "child", "recommended": True},
    {"key": "other", "title": "Rest"},
]
CARD = card(Kind.SUGGESTED_TASKS, payload={"tasks": TASKS})


def rows(interaction: Interaction = CARD, **changes: Any) -> tuple[Row, ...]:
    tree, _ = fields(interaction, **changes)
    assert isinstance(tree.control, Rows)
    return tree.control.rows


def chosen(**changes: Any) -> list[str]:
    return [row.choice.value for row in rows(**changes) if row.choice.chosen]


def test_each_task_stands_below_the_one_it_is_part_of_and_says_so() -> None:
    told = [(row.name, row.choice.label, row.choice.depth, row.needs, row.current) for row in rows()]
    assert told == [
        ("t1", "Plan it", 0, "", "Priority high."),
        ("t0", "Write it", 1, "Plan it", "For ana."),
        ("t2", "Review it", 2, "Write it", ""),
        ("t3", "Rest", 0, "", ""),
    ]


def test_what_is_recommended_is_ticked_with_what_it_needs_until_somebody_chooses() -> None:
    assert chosen() == ["top", "child", "deep"]
    assert chosen(filled={"tasks": ()}) == []
    assert chosen(filled={"tasks": ("other",)}) == ["other"]


def test_title_assignee_and_priority_can_be_changed() -> None:
    top = rows(filled={"tasks": ("top",), "t1.title": "Plan it well"})[0]
    assert [(one.name, one.control, one.required, one.touched) for one in top.edits] == [
        ("t1.title", Line("Plan it well"), True, True),
        ("t1.assignee", Line(""), False, False),
        ("t1.priority", Line("high"), False, False),
    ]
    assert top.is_open
    assert not rows()[0].is_open


def test_faults_stand_beside_the_task_they_are_about() -> None:
    found = wrong(
        t0="“Write it” needs “Plan it”: choose both", t1__title="write from 1 to 240 characters", tasks="none"
    )
    form = page(CARD, wrong=found).form
    assert form is not None
    assert [(one.target, one.text) for one in form.complaints] == [
        ("t1", "None."),
        ("t1.title", "Title of “Plan it”: Write from 1 to 240 characters."),
        ("t0", "“Write it” needs “Plan it”: choose both."),
    ]
    assert rows(wrong=found)[0].is_open


def test_none_of_these_takes_a_reason_and_so_do_words() -> None:
    form = page(CARD, filled={"tasks": (), "reason": "we\nhave them"}).form
    assert form is not None
    assert [one.label for one in form.buttons] == ["Create tasks", "None of these", "Save draft"]
    assert form.fields[1].control == Area("we\nhave them")
    assert form.rejects == "None of these"


def test_an_untouched_form_is_blank() -> None:
    payload = CARD.content.payload
    drawn = {
        "tasks": ("top", "child", "deep"),
        "t1.title": ("Plan it",),
        "t1.priority": ("high",),
        "t0.assignee": ("ana",),
    }
    assert is_blank(payload, read_form(payload, drawn))
    assert not is_blank(payload, read_form(payload, {**drawn, "tasks": ()}))
    assert not is_blank(payload, read_form(payload, {**drawn, "t1.priority": ("",)}))


def test_created_tasks_are_shown_as_they_were_created_and_the_rest_as_skipped() -> None:
    act = Accept(1, ("top", "child"), {"child": Edit(title="Write all of it", assignee="ben")})
    made = decide(CARD, act, replace(stamp(by("ben")), tasks=("tsk_1", "tsk_2")))
    shown = page(made.after, tasks=made.tasks)
    assert shown.ending is not None
    assert shown.ending.decided == ("2 tasks created, 2 skipped",)
    (tree,) = shown.asked
    assert [(one.label, one.chosen, one.note, one.depth) for one in tree.choices] == [
        ("Plan it", True, "Priority high; created as tsk_1.", 0),
        ("Write all of it", True, "For ben; suggested as “Write it”; created as tsk_2.", 1),
        ("Review it", False, "Skipped.", 2),
        ("Rest", False, "Skipped.", 0),
    ]
    assert (tree.word, tree.folds) == ("created", False)


def test_tasks_that_nobody_wanted_are_shown_with_the_reason() -> None:
    shown = page(settled(CARD, Reject(1, "we have them")))
    assert shown.ending is not None
    assert (shown.ending.decided, shown.ending.reason) == (("No tasks created",), "we have them")
    assert [one.chosen for one in shown.asked[0].choices] == [False] * 4


def test_a_choice_that_came_too_late_is_shown_back() -> None:
    done = settled(CARD, Reject(1, None))
    filled = {"tasks": ("top",), "t1.title": "Plan it well", "t1.priority": ""}
    assert page(done, filled=filled).unsent == (
        ("Tasks to create", "Plan it"),
        ("Title of “Plan it”", "Plan it well"),
        ("Priority of “Plan it”", "(left blank)"),
    )
    assert page(done, filled={"tasks": ("child", "top", "deep")}).unsent == (), "nobody touched it"
