"""Suggested tasks: what could be created, picked in one control, and a button that creates it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from blocks.codec import Codec
from blocks.slack.controls import Choice, block_id, choose, control, press
from blocks.slack.limits import OPTION_DESCRIPTION, length
from blocks.slack.parts import Block, actions, plain, words
from blocks.slack.passages import Passage
from blocks.slack.prose import item, line, prose
from blocks.slack.sizes import SEVERAL, control_for, fits_control
from blocks.words import neutralise, one_line
from core.cards import Card
from core.controls import Action
from core.kinds.suggested_tasks import SuggestedTask, SuggestedTasks, initially_selected

CREATE = "Create tasks"
NONE = "None of these"


def why_review(payload: SuggestedTasks) -> str | None:
    """Why tasks cannot be picked in Slack whatever their length; None when they can."""
    if all(fits_control(task.title) for task in payload.tasks):
        return None
    return "A task's title is longer than Slack shows whole, so the tasks are on their own page."


def asked(payload: SuggestedTasks) -> list[Block]:
    """What the tasks say that cannot stand beside their boxes: everything, where there is a menu in place of boxes."""
    if _is_in_sight(payload):
        notes = [item(words(one_line(task.title), "bold"), words(f": {_said(payload, task)}"))
                 for task in payload.in_order() if not _fits_box(payload, task)]  # fmt: skip
        return prose(*notes)
    return prose(*(_listed(payload, task, "•", whole=True) for task in payload.in_order()))


def deciding(card: Card, codec: Codec, payload: SuggestedTasks) -> list[Block]:
    """The tasks to pick, parents above their children; create them, or none."""
    in_sight, ticked = _is_in_sight(payload), set(initially_selected(payload))
    places = {task.key: place for place, task in enumerate(payload.tasks)}
    in_order = payload.in_order()
    choices = [
        Choice(
            neutralise(task.title),
            places[task.key],
            _said(payload, task) if in_sight and _fits_box(payload, task) else "",
        )
        for task in in_order
    ]
    kind = control_for(len(choices), SEVERAL) or SEVERAL[-1].element
    element = choose(codec, kind, choices, control(card, Action.PICK))
    if not in_sight:
        element["placeholder"] = plain("Choose tasks")
    chosen = [one for one, task in zip(element["options"], in_order, strict=True) if task.key in ticked]
    if chosen:
        element["initial_options"] = chosen
    return [
        actions(block_id("pick", card), element),
        actions(
            block_id("decide", card),
            press(codec, CREATE, control(card, Action.SUBMIT), "primary"),
            press(codec, NONE, control(card, Action.REASON)),
        ),
    ]


def ended(payload: SuggestedTasks, answer: Any, *, whole: bool) -> list[Passage]:
    """What was created and what was not, as far as it was decided; `whole`: with what the tasks say."""
    created = _keys(answer.get("selected") if isinstance(answer, dict) else None)
    mark = "–" if isinstance(answer, dict) else "•"
    return [_listed(payload, task, "✓" if task.key in created else mark, whole=whole) for task in payload.in_order()]


def _keys(value: object) -> Collection[object]:
    return value if isinstance(value, list | tuple) else ()


def _is_in_sight(payload: SuggestedTasks) -> bool:
    """Whether the tasks are boxes, which show what is said below a label at all times."""
    return control_for(len(payload.tasks), SEVERAL) == SEVERAL[0].element


def _fits_box(payload: SuggestedTasks, task: SuggestedTask) -> bool:
    return length(_said(payload, task)) <= OPTION_DESCRIPTION.number


def _listed(payload: SuggestedTasks, task: SuggestedTask, mark: str, *, whole: bool) -> Passage:
    """A task as a line of the tree, where its place says what it is part of."""
    indent = "\u2003" * payload.depth_of(task.key)
    said = " · ".join(_facts(task)) if whole else ""
    return line(words(f"{indent}{mark} {one_line(task.title)}{': ' if said else ''}{said}"))


def _said(payload: SuggestedTasks, task: SuggestedTask) -> str:
    """What stands below a task's title, its parent first: it cannot be created without it."""
    parent = next((one_line(one.title) for one in payload.tasks if one.key == task.parent), None)
    part = [] if parent is None else [f"part of “{parent}”"]
    return " · ".join([*part, *_facts(task)])


def _facts(task: SuggestedTask) -> list[str]:
    """What a task says beyond its title."""
    parts = ["recommended"] if task.recommended else []
    parts += [one_line(part) for part in (task.assignee, task.priority) if part]
    described = neutralise(task.description or "").strip()
    return [*parts, described] if described else parts
