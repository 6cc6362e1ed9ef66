"""Suggested tasks on the page: a tree to tick, each with what it would be created with and fields to change that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from blocks.web.page import Visit
from blocks.web.parts import Asked, Button, Choice, Field, Line, Row, Rows, faults_at, shown, typed
from blocks.web.reading import is_blank, spelled
from blocks.web.reasons import reason_field
from blocks.words import isolate
from core.fields import Fields
from core.forms import TASKS, edit_name
from core.kinds.base import Reason
from core.kinds.suggested_tasks import SuggestedTask, SuggestedTasks, initially_selected
from core.records import Interaction, Status
from core.replies import Wrong
from core.tasks import Task

NONE_OF_THESE = "None of these"
LONGEST = {"title": 240, "assignee": 160, "priority": 160}
"""The most characters of what can be changed in a task."""


def fields(payload: SuggestedTasks, visit: Visit) -> Iterator[Field]:
    """The tree, and the reason for taking none of it."""
    chosen = chosen_keys(payload, visit.filled)
    places = {task.key: index for index, task in enumerate(payload.tasks)}
    rows = tuple(_row(payload, task, places[task.key], chosen, visit) for task in payload.in_order())
    nested = any(task.parent for task in payload.tasks)
    yield Field(
        name=TASKS,
        label="Tasks to create",
        control=Rows(rows),
        hint="A task that is part of another is created only together with it." if nested else "",
        faults=faults_at(visit.wrong, TASKS),
    )
    yield reason_field(Reason.OPTIONAL, "Reason", NONE_OF_THESE, visit)


def buttons() -> tuple[Button, ...]:
    """Create what is ticked, or nothing."""
    return (
        Button("accept", "Create tasks", main=True),
        Button("reject", NONE_OF_THESE),
        Button("draft", "Save draft"),
    )


def chosen_keys(payload: SuggestedTasks, filled: Fields | None) -> tuple[str, ...]:
    """What a form shows as chosen."""
    if filled is None or TASKS not in filled:
        return initially_selected(payload)
    value = filled[TASKS]
    return (value,) if isinstance(value, str) else tuple(value)


def asked(payload: SuggestedTasks, interaction: Interaction, tasks: tuple[Task, ...]) -> Iterator[Asked]:
    """The tree as it was suggested, or as it was created."""
    made = {task.key: task for task in tasks}
    yield Asked(
        label="Suggested tasks",
        choices=tuple(_told(payload, task, made, interaction) for task in payload.in_order()),
        word="created",
        folds=False,
    )


def unsent(payload: SuggestedTasks, filled: Fields) -> Iterator[tuple[str, str]]:
    """What was chosen and changed, and not sent."""
    if is_blank(payload, filled):
        return
    chosen = chosen_keys(payload, filled)
    labels = [isolate(task.title) for task in payload.tasks if task.key in chosen]
    if labels:
        yield "Tasks to create", "\n".join(labels)
    for index, task in enumerate(payload.tasks):
        for field in _edits(task, index, filled, None):
            if field.touched and isinstance(field.control, Line):
                yield f"{field.label} of “{isolate(task.title)}”", shown(field.control.value) or "(left blank)"


def _told(payload: SuggestedTasks, task: SuggestedTask, made: Mapping[str, Task], interaction: Interaction) -> Choice:
    created = made.get(task.key)
    told = _with(created.assignee, created.priority) if created else _with(task.assignee, task.priority)
    parts = [told] if told else []
    if created is not None and created.title != task.title:
        parts.append(f"suggested as “{isolate(task.title)}”")
    if created is not None:
        parts.append(f"created as {created.id}")
    elif interaction.status is Status.ACCEPTED:
        parts.append("skipped")
    return Choice(
        value="",
        label=shown(created.title if created else task.title) or "…",
        description=shown(task.description),
        marks=_marks(task),
        chosen=created is not None,
        note=_sentence("; ".join(parts)),
        depth=payload.depth_of(task.key),
    )


def _row(payload: SuggestedTasks, task: SuggestedTask, index: int, chosen: tuple[str, ...], visit: Visit) -> Row:
    parent = next((one for one in payload.tasks if one.key == task.parent), None)
    name = f"t{index}"
    return Row(
        name=name,
        choice=Choice(
            value=spelled(task.key),
            label=shown(task.title) or "…",
            description=shown(task.description),
            marks=_marks(task),
            chosen=task.key in chosen,
            depth=payload.depth_of(task.key),
        ),
        needs=isolate(parent.title) if parent else "",
        current=_sentence(_with(task.assignee, task.priority)),
        edits=tuple(_edits(task, index, visit.filled or {}, visit.wrong)),
        faults=faults_at(visit.wrong, name),
    )


def _edits(task: SuggestedTask, index: int, filled: Fields, wrong: Wrong | None) -> Iterator[Field]:
    now = {"title": task.title, "assignee": task.assignee or "", "priority": task.priority or ""}
    for what, words in now.items():
        name = edit_name(index, what)
        value = typed(filled, name) if name in filled else words
        yield Field(
            name=name,
            label=what.capitalize(),
            control=Line(value),
            required=what == "title",
            faults=faults_at(wrong, name),
            touched=value != words,
        )


def _marks(task: SuggestedTask) -> tuple[str, ...]:
    return ("recommended",) if task.recommended else ()


def _with(assignee: str | None, priority: str | None) -> str:
    parts = (f"for {isolate(assignee)}" if assignee else "", f"priority {isolate(priority)}" if priority else "")
    return ", ".join(part for part in parts if part)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""
