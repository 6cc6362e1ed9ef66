"""Suggested tasks as a Telegram card: tasks that are ticked by a press, children below their parents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from blocks.telegram.asked import Asked, Entry
from blocks.telegram.choosing import TICKED, UNTICKED, Offer, Offers, offers
from blocks.telegram.keyboard import Controls
from blocks.telegram.text import escape
from blocks.words import isolate
from core.controls import Action
from core.forms import TASKS
from core.kinds.suggested_tasks import SuggestedTask, SuggestedTasks, initially_selected
from core.records import Interaction
from core.telling import decision

CREATE: Final = "Create tasks"
NONE: Final = "None of these"
NONE_SILENTLY: Final = "None of these (no reason)"
_CHILD: Final = "↳"
_DEEPEST: Final = 3


def asked(payload: SuggestedTasks, controls: Controls) -> Asked:
    """What the card shows."""
    tasks = payload.in_order()
    found, chosen = _offers(tasks), _chosen(payload, controls)
    places = {task.key: place for place, task in enumerate(payload.tasks)}
    entries = []
    for index, (task, text) in enumerate(zip(tasks, found.captions, strict=True)):
        sign, child = TICKED if task.key in chosen else UNTICKED, _child(payload, task)
        button = controls.button(f"{sign} {child}{text}", Action.TOGGLE, option=places[task.key])
        entries.append(Entry(((button,),), found.line(index, sign, _indent(payload, task))))
    return Asked(
        how=(" ".join(_how(payload)),),
        notes=(f"{len(chosen)} of {len(tasks)} ticked.",),
        entries=tuple(entries),
        per_row=found.per_row,
        listed=found.listed,
        submit=(
            (controls.submit(CREATE),),
            (controls.button(NONE, Action.REASON),),
            (controls.button(NONE_SILENTLY, Action.REJECT),),
        ),
    )


def _how(payload: SuggestedTasks) -> Iterator[str]:
    yield f"Tick what is to be created, then press “{CREATE}”."
    if any(task.parent is not None for task in payload.tasks):
        yield "A task takes those along that it is part of."
    yield "Titles, assignees and priorities are changed on the full form."


def ended(interaction: Interaction, payload: SuggestedTasks) -> Iterator[str]:
    """What became of each task, as HTML, fullest first."""
    outcome = interaction.outcome
    count = decision(interaction, outcome) if outcome is not None else ""
    lead = [f"{count}."] if count else []
    tasks = payload.in_order()
    found, made = _offers(tasks), _created(outcome.answer if outcome is not None else None)
    signs = [_sign(task, made) for task in tasks]
    full = (found.line(index, signs[index], _indent(payload, task)) for index, task in enumerate(tasks))
    yield "\n".join([*lead, *full])
    titles = (f"{_indent(payload, task)}{signs[index]} {escape(task.title)}" for index, task in enumerate(tasks))
    yield "\n".join([*lead, *titles])
    if lead:
        yield lead[0]


def _chosen(payload: SuggestedTasks, controls: Controls) -> set[str]:
    draft = controls.card.draft
    kept = initially_selected(payload) if draft is None else draft.get(TASKS, ())
    return {kept} if isinstance(kept, str) else set(kept)


def _offers(tasks: tuple[SuggestedTask, ...]) -> Offers:
    return offers([Offer(task.title, tuple(_marks(task)), task.description or "") for task in tasks])


def _marks(task: SuggestedTask) -> Iterator[str]:
    """What is said of a task in a word or two; what it is part of, its place below its parent says."""
    if task.recommended:
        yield "recommended"
    if task.assignee:
        yield f"for {isolate(task.assignee)}"
    if task.priority:
        yield f"priority {isolate(task.priority)}"


def _child(payload: SuggestedTasks, task: SuggestedTask) -> str:
    depth = min(payload.depth_of(task.key), _DEEPEST)
    return f"{_CHILD * depth} " if depth else ""


def _indent(payload: SuggestedTasks, task: SuggestedTask) -> str:
    return "\u2003" * min(payload.depth_of(task.key), _DEEPEST)


def _created(answer: dict[str, Any] | None) -> set[object] | None:
    """The keys of the tasks that were created; None when nothing was decided."""
    return None if answer is None else set(answer.get("selected") or ())


def _sign(task: SuggestedTask, made: set[object] | None) -> str:
    if made is None:
        return "•"
    return TICKED if task.key in made else UNTICKED
