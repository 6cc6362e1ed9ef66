"""Suggested tasks: pick which of them are created; a child needs its parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Self

from pydantic import Field, JsonValue, StringConstraints, model_validator

from core.errors import Fault, Invalid
from core.kinds.base import Description, Id, Payload, check_unique, misplaced, pointer

TaskTitle = Annotated[str, StringConstraints(min_length=1, max_length=240, strip_whitespace=True)]
ShortText = Annotated[str, StringConstraints(min_length=1, max_length=160, strip_whitespace=True)]


class SuggestedTask(Payload):
    """One task that could be created. `assignee` and `priority` are words of the asker's own system."""

    key: Id
    title: TaskTitle
    description: Description | None = None
    parent: Id | None = None
    assignee: ShortText | None = None
    priority: ShortText | None = None
    recommended: bool = False


class SuggestedTasks(Payload):
    """The payload of kind `suggested_tasks`."""

    tasks: Annotated[tuple[SuggestedTask, ...], Field(min_length=1, max_length=50)]

    @model_validator(mode="after")
    def _parents_exist(self) -> Self:
        check_unique([task.key for task in self.tasks], "task", "tasks", "key")
        parents = {task.key: task.parent for task in self.tasks}
        for index, task in enumerate(self.tasks):
            if task.parent is not None and task.parent not in parents:
                raise misplaced("parent is not the key of a task", "tasks", index, "parent")
        for index, task in enumerate(self.tasks):
            if task.key in _above(parents, task.key):
                raise misplaced("a task cannot be above itself", "tasks", index, "parent")
        return self

    def parents_of(self, key: str) -> tuple[str, ...]:
        """The keys above a task, nearest first."""
        return _above({task.key: task.parent for task in self.tasks}, key)

    def children_of(self, key: str) -> tuple[str, ...]:
        """The keys of all tasks below a task."""
        return tuple(task.key for task in self.tasks if key in self.parents_of(task.key))

    def depth_of(self, key: str) -> int:
        """How many tasks are above it."""
        return len(self.parents_of(key))

    def in_order(self) -> tuple[SuggestedTask, ...]:
        """Every task after its parent, else as asked: how a tree is read from above."""
        below: dict[str | None, list[SuggestedTask]] = {}
        for task in self.tasks:
            below.setdefault(task.parent, []).append(task)

        def walk(parent: str | None) -> list[SuggestedTask]:
            return [one for task in below.get(parent, []) for one in (task, *walk(task.key))]

        return tuple(walk(None))


class Edit(Payload):
    """What a person changed in a task before accepting it. An empty text clears assignee or priority."""

    title: TaskTitle | None = None
    assignee: Annotated[str, StringConstraints(max_length=160, strip_whitespace=True)] | None = None
    priority: Annotated[str, StringConstraints(max_length=160, strip_whitespace=True)] | None = None


Edits = Mapping[str, Edit]


def _above(parents: Mapping[str, str | None], key: str) -> tuple[str, ...]:
    found: list[str] = []
    parent = parents.get(key)
    while parent is not None and parent not in found:
        found.append(parent)
        parent = parents.get(parent)
    return tuple(found)


def initially_selected(payload: SuggestedTasks) -> tuple[str, ...]:
    """What is ticked before anybody touches it: what the asker recommends, and what that needs."""
    wanted = {task.key for task in payload.tasks if task.recommended}
    wanted |= {above for key in tuple(wanted) for above in payload.parents_of(key)}
    return tuple(task.key for task in payload.tasks if task.key in wanted)


def toggled(payload: SuggestedTasks, chosen: Sequence[str], key: str) -> tuple[str, ...]:
    """The selection once `key` is ticked or unticked: a tick takes its parents along, an untick its children."""
    if key in chosen:
        gone = {key, *payload.children_of(key)}
        return tuple(one for one in chosen if one not in gone)
    wanted = {*chosen, key, *payload.parents_of(key)}
    return tuple(task.key for task in payload.tasks if task.key in wanted)


def check_selection(payload: SuggestedTasks, chosen: Sequence[str], edits: Edits) -> tuple[SuggestedTask, ...]:
    """Return the tasks to create as they were edited, parents before children; `Invalid` with a pointer per fault."""
    known = {task.key: task for task in payload.tasks}
    faults = [Fault(pointer("selected", index), "not the key of a task") for index, key in enumerate(chosen)
              if key not in known]  # fmt: skip
    if len(set(chosen)) != len(chosen):
        faults.append(Fault("/selected", "a task is chosen twice"))
    if not chosen:
        faults.append(Fault("/selected", "choose at least one task, or reject them all"))
    for index, key in enumerate(chosen):
        parent = known[key].parent if key in known else None
        if parent is not None and parent not in chosen:
            words = f"“{known[key].title}” needs “{known[parent].title}”: choose both"
            faults.append(Fault(pointer("selected", index), words))
    faults += [Fault(pointer("edits", key), "not the key of a chosen task") for key in edits if key not in set(chosen)]
    if faults:
        raise Invalid(faults)
    return tuple(_edited(task, edits.get(task.key)) for task in payload.in_order() if task.key in set(chosen))


def _edited(task: SuggestedTask, edit: Edit | None) -> SuggestedTask:
    if edit is None:
        return task
    changes: dict[str, str | None] = {}
    if edit.title is not None:
        changes["title"] = edit.title
    if edit.assignee is not None:
        changes["assignee"] = edit.assignee or None
    if edit.priority is not None:
        changes["priority"] = edit.priority or None
    return task.model_copy(update=changes)


def changes(payload: SuggestedTasks, edits: Edits) -> dict[str, dict[str, str | None]]:
    """What edits make of the tasks they name, by key; those that change nothing are left out."""
    made: dict[str, dict[str, str | None]] = {}
    for task in payload.tasks:
        edited = _edited(task, edits.get(task.key))
        if edited != task:
            made[task.key] = {"title": edited.title, "assignee": edited.assignee, "priority": edited.priority}
    return made


def wire(payload: SuggestedTasks, created: Mapping[str, str]) -> dict[str, JsonValue]:
    """The answer: `created` maps the key of each task that was created to its id."""
    made: list[JsonValue] = [
        {"key": task.key, "id": created[task.key]} for task in payload.tasks if task.key in created
    ]
    return {
        "selected": [task.key for task in payload.tasks if task.key in created],
        "skipped": [task.key for task in payload.tasks if task.key not in created],
        "created": made,
    }


EXAMPLE: dict[str, Any] = {
    "kind": "suggested_tasks",
    "title": "Follow-ups from the outage",
    "body": "From this morning's review. Pick what should become a task.",
    "payload": {
        "tasks": [
            {"key": "alerts", "title": "Alert on queue depth", "priority": "high", "recommended": True},
            {"key": "runbook", "title": "Write the runbook", "parent": "alerts", "assignee": "ana"},
            {"key": "drill", "title": "Rehearse a failover"},
        ]
    },
}
