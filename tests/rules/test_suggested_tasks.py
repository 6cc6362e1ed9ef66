"""Suggested tasks: a child needs its parent, edits before accepting, and all are created or none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from core.acts import Accept, Act, Patch, Reject
from core.deciding import Decision
from core.errors import AlreadySettled, Invalid, StaleRevision
from core.interactions import decide
from core.kinds import Kind, SuggestedTasks
from core.kinds.suggested_tasks import Edit, initially_selected, toggled
from core.receipts import ReceiptType
from core.records import Interaction, Status
from tests.rules.making import by, card, content, stamp
from tests.rules.replaying import PEOPLE, Done, told

TREE = [
    {"key": "leaf", "title": "Leaf", "parent": "mid", "assignee": "ana", "priority": "low"},
    {"key": "root", "title": "Root", "description": "why"},
    {"key": "mid", "title": "Mid", "parent": "root", "recommended": True},
    {"key": "lone", "title": "Lone"},
]


def tree() -> Interaction:
    return card(Kind.SUGGESTED_TASKS, payload={"tasks": TREE})


def payload_of(interaction: Interaction) -> SuggestedTasks:
    payload = interaction.content.payload
    assert isinstance(payload, SuggestedTasks)
    return payload


def accept(interaction: Interaction, *keys: str, **edits: dict[str, str]) -> Decision:
    ids = tuple(f"tsk_{number}" for number in range(len(keys)))
    act = Accept(1, keys, {key: Edit(**edit) for key, edit in edits.items()})
    one = stamp()
    return decide(interaction, act, type(one)(**{**one.__dict__, "tasks": ids}))


def pointers(interaction: Interaction, act: Act) -> list[str]:
    with pytest.raises(Invalid) as refused:
        decide(interaction, act, stamp())
    return sorted(fault.pointer for fault in refused.value.faults)


@pytest.mark.parametrize(
    ("tasks", "reason"),
    [
        ([], "nothing is suggested"),
        ([TREE[3], TREE[3]], "a key twice"),
        ([{"key": "a", "title": "A", "parent": "b"}], "an unknown parent"),
        ([{"key": "a", "title": "A", "parent": "a"}], "its own parent"),
        (
            [{"key": "a", "title": "A", "parent": "b"}, {"key": "b", "title": "B", "parent": "a"}],
            "a ring of two",
        ),
        (
            [{"key": k, "title": k, "parent": p} for k, p in (("a", "c"), ("b", "a"), ("c", "b"), ("d", None))],
            "a ring of three beside a sound one",
        ),
        ([{"key": "a", "title": " "}], "a title without a word"),
        ([{"key": "a", "title": "x" * 241}], "a title too long"),
        ([{"key": str(n), "title": "x"} for n in range(51)], "one more than there may be"),
    ],
)
def test_what_is_no_forest_is_refused_when_asked(tasks: list[dict[str, Any]], reason: str) -> None:
    with pytest.raises(ValidationError):
        content(Kind.SUGGESTED_TASKS, tasks=tasks)


@pytest.mark.parametrize(
    ("act", "where", "reason"),
    [
        (Accept(1), ["/selected"], "say which"),
        (Accept(1, ()), ["/selected"], "none is a rejection"),
        (Accept(1, ("lone", "lone")), ["/selected"], "a task twice"),
        (Accept(1, ("lone", "nope")), ["/selected/1"], "an unknown key"),
        (Accept(1, ("leaf",)), ["/selected/0"], "its parent is missing"),
        (Accept(1, ("root", "leaf")), ["/selected/1"], "its parent's parent is no substitute"),
        (Accept(1, ("mid", "leaf")), ["/selected/0"], "the parent's own parent is missing"),
        (Accept(1, ("lone",), {"root": Edit(title="R")}), ["/edits/root"], "only chosen ones are edited"),
        (Accept(1, ("lone",), {"a/b": Edit()}), ["/edits/a~1b"], "an unknown one is escaped"),
        (Accept(1, ("nope", "leaf"), {"x": Edit()}), ["/edits/x", "/selected/0", "/selected/1"], "all at once"),
        (Reject(1, "x" * 3_001), ["/reason"], "a reason has its limit"),
    ],
)
def test_a_wrong_choice_is_pointed_at_and_nothing_is_created(act: Act, where: list[str], reason: str) -> None:
    assert pointers(tree(), act) == where, reason


def test_accepted_tasks_carry_what_was_suggested_and_name_their_parents() -> None:
    decision = accept(tree(), "leaf", "mid", "root")
    assert [(task.key, task.id, task.parent) for task in decision.tasks] == [
        ("root", "tsk_0", None),
        ("mid", "tsk_1", "tsk_0"),
        ("leaf", "tsk_2", "tsk_1"),
    ]
    root, leaf = decision.tasks[0], decision.tasks[2]
    assert (root.description, leaf.assignee, leaf.priority, leaf.by) == ("why", "ana", "low", by())
    assert decision.after.outcome is not None
    assert decision.after.outcome.answer == {
        "selected": ["leaf", "root", "mid"],
        "skipped": ["lone"],
        "created": [{"key": "leaf", "id": "tsk_2"}, {"key": "root", "id": "tsk_0"}, {"key": "mid", "id": "tsk_1"}],
    }
    assert decision.said == {"tasks": [task.said() for task in decision.tasks]}


@pytest.mark.parametrize(
    ("edit", "made"),
    [
        ({}, ("Leaf", "ana", "low")),  # nothing is changed
        ({"title": "Twig"}, ("Twig", "ana", "low")),
        ({"title": "  Twig "}, ("Twig", "ana", "low")),  # blanks around are no title
        ({"assignee": "ben", "priority": "high"}, ("Leaf", "ben", "high")),
        ({"assignee": "", "priority": " "}, ("Leaf", None, None)),  # cleared
    ],
)
def test_edits_are_made_before_the_task_and_kept_in_the_receipt(edit: dict[str, str], made: tuple[str, ...]) -> None:
    decision = accept(tree(), "root", "mid", "leaf", leaf=edit)
    leaf = decision.tasks[2]
    assert (leaf.title, leaf.assignee, leaf.priority) == made
    assert decision.receipts[0].data["edits"] == {"leaf": Edit(**edit).model_dump(exclude_none=True)}
    # What was suggested stays as it was shown.
    assert decision.after.content == tree().content


def test_the_same_edits_again_are_the_same_act() -> None:
    first = accept(tree(), "root", "mid", mid={"title": "Bough"}, root={"title": "Root"}).after
    again = {"mid": Edit(title="Bough")}  # what the other one changed was nothing
    assert decide(first, Accept(1, ("mid", "root"), again), stamp()).repeated
    with pytest.raises(AlreadySettled):
        decide(first, Accept(1, ("mid", "root")), stamp())


def test_tasks_are_created_once() -> None:
    first = accept(tree(), "root", "mid").after
    again = decide(first, Accept(1, ("mid", "root")), stamp())
    assert (again.repeated, again.tasks) == (True, ())
    for who, act in (
        (by("ana"), Accept(1, ("root",))),  # another choice
        (by("ben"), Accept(1, ("root", "mid"))),  # another person
        (by("ana"), Accept(1, ("root", "mid"), {"mid": Edit(title="Bough")})),  # another title
        (by("ana"), Reject(1)),
    ):
        with pytest.raises(AlreadySettled):
            decide(first, act, stamp(who))


def test_dismissing_them_is_recorded_with_its_reason_and_creates_none() -> None:
    decision = decide(tree(), Reject(1, "done already"), stamp())
    assert (decision.after.status, decision.tasks) == (Status.REJECTED, ())
    assert decision.after.outcome is not None
    assert decision.after.outcome.reason == "done already"
    assert decision.after.outcome.answer == {
        "selected": [],
        "skipped": ["leaf", "root", "mid", "lone"],
        "created": [],
    }


def test_what_was_chosen_before_a_patch_is_stale() -> None:
    after = decide(tree(), Patch(1, content(Kind.SUGGESTED_TASKS, tasks=TREE[1:])), stamp()).after
    with pytest.raises(StaleRevision):
        accept(after, "lone")


def test_what_is_recommended_is_ticked_from_the_start_with_what_it_needs() -> None:
    assert initially_selected(payload_of(tree())) == ("root", "mid")


@st.composite
def forests(draw: st.DrawFn) -> Interaction:
    """1 to 8 tasks in any order, each below one that was drawn before it, or below none."""
    count = draw(st.integers(1, 8))
    parents = [draw(st.none() | st.integers(0, number - 1)) if number else None for number in range(count)]
    tasks = [
        {
            "key": f"k{number}",
            "title": f"Task {number}",
            "parent": None if parent is None else f"k{parent}",
            "recommended": draw(st.booleans()),
        }
        for number, parent in enumerate(parents)
    ]
    return card(Kind.SUGGESTED_TASKS, payload={"tasks": draw(st.permutations(tasks))})


def is_whole(payload: SuggestedTasks, chosen: tuple[str, ...]) -> bool:
    return all(task.parent is None or task.parent in chosen for task in payload.tasks if task.key in chosen)


@given(forests(), st.data())
def test_all_are_created_or_none_and_parents_first(suggested: Interaction, data: st.DataObject) -> None:
    payload = payload_of(suggested)
    keys = [task.key for task in payload.tasks]
    chosen = tuple(data.draw(st.lists(st.sampled_from(keys), min_size=1, unique=True)))
    if not is_whole(payload, chosen):
        orphans = [
            f"/selected/{index}"
            for index, key in enumerate(chosen)
            if (above := payload.parents_of(key)) and above[0] not in chosen
        ]
        assert pointers(suggested, Accept(1, chosen)) == sorted(orphans)
        return
    made = accept(suggested, *chosen).tasks
    assert sorted(task.key for task in made) == sorted(chosen)
    ids: dict[str, str] = {}
    for task in made:
        above = payload.parents_of(task.key)
        # A parent has been made by then, so its id is known.
        assert task.parent == (ids[above[0]] if above else None)
        ids[task.key] = task.id
    assert len(set(ids.values())) == len(chosen)


@given(forests(), st.data())
def test_however_tasks_are_ticked_one_by_one_the_choice_can_be_accepted(
    suggested: Interaction, data: st.DataObject
) -> None:
    payload = payload_of(suggested)
    keys = [task.key for task in payload.tasks]
    chosen = initially_selected(payload)
    assert {task.key for task in payload.tasks if task.recommended} <= set(chosen)
    for key in data.draw(st.lists(st.sampled_from(keys), max_size=8)):
        before = chosen
        chosen = toggled(payload, chosen, key)
        assert (key in chosen) is (key not in before)
        assert is_whole(payload, chosen)
        touched = set(before) ^ set(chosen)
        assert touched <= {key, *payload.parents_of(key), *payload.children_of(key)}
    if chosen:
        assert accept(suggested, *chosen).after.status is Status.ACCEPTED


CHOICES = st.lists(st.sampled_from(["root", "mid", "leaf", "lone"]), unique=True).map(tuple)
ACTS = (
    st.builds(Accept, st.integers(1, 2), CHOICES)
    | st.builds(Reject, st.integers(1, 2), st.sampled_from([None, "no"]))
    | st.just(Patch(1, content(Kind.SUGGESTED_TASKS, tasks=TREE)))
)


@given(st.lists(st.tuples(PEOPLE, ACTS), max_size=10))
def test_state_and_receipts_agree_whatever_is_done(acts: list[Done]) -> None:
    story = told(tree(), acts)
    ends = story.of(ReceiptType.ACCEPTED, ReceiptType.REJECTED)
    assert len(ends) == (0 if story.card.is_pending else 1)
    if story.card.outcome is None:
        return
    answer: Any = story.card.outcome.answer
    assert answer == ends[0].data["answer"]
    assert sorted([*answer["selected"], *answer["skipped"]]) == ["leaf", "lone", "mid", "root"]
    assert [one["key"] for one in answer["created"]] == answer["selected"]
    assert bool(answer["created"]) is (story.card.status is Status.ACCEPTED)
