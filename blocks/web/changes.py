"""What changed between the card a form was drawn from and the card as it is now.

The form carries a fingerprint of what it showed: a few digits per part, made of the content alone. It proves nothing
and decides nothing; it only tells a person what to look at again, and lets their words follow their question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, assert_never

from core.canonical import digest
from core.content import Content
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Kind, Questions, SuggestedTasks
from core.kinds.questions import BooleanQuestion, ChoiceQuestion, ChoicesQuestion

_SHAPE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{8}){3}(?:\.[0-9a-f]{8}-[0-9a-f]{8}[wp]){0,200}")
_WHOLE = ("the title", "the text", "the recommendation")
_OWN = {
    Kind.QUESTIONS: "the questions",
    Kind.CONFIRMATION: "the labels of the buttons",
    Kind.CHECKLIST: "how many items must be ticked, or the label of the button",
    Kind.ITEM_VERDICTS: "the verdicts to choose from",
    Kind.SUGGESTED_TASKS: "the tasks",
    Kind.CONNECTION: "what would be connected",
}
"""What a card has besides its parts, by kind."""
_PART = {Kind.CHECKLIST: "item", Kind.ITEM_VERDICTS: "item", Kind.SUGGESTED_TASKS: "task"}
"""What the parts of a card are called, if not questions."""
_PICKED, _WRITTEN = "p", "w"
"""Whether the answer to a question is chosen or written: what was chosen has no meaning without its options."""
_FIELD = re.compile(
    r"(q)(\d{1,2})((?:\.custom|\.other)?)|(v)(\d{1,3})((?:\.reason)?)|(t)(\d{1,2})(\.(?:title|assignee|priority))"
)


@dataclass(frozen=True)
class Moves:
    """Where fields belong on the card as it is: `to` by their name so far; `gone` are names of words whose question is
    not there any more. What was only chosen there is in neither."""

    to: Mapping[str, str]
    gone: tuple[str, ...]


def seen(content: Content) -> str:
    """The fingerprint of what a form shows."""
    whole = "-".join(_mark(part) for part in (content.title, content.body, content.recommendation, _own(content)))
    return ".".join((whole, *(f"{id}-{mark}" for id, mark in _parts(content))))


def changed(before: str, content: Content) -> tuple[str, ...]:
    """What is different now, in a few words each; nothing when the fingerprint is unreadable."""
    if not _SHAPE.fullmatch(before):
        return ()
    (old_whole, *old_rest), (new_whole, *new_rest) = before.split("."), seen(content).split(".")
    names = (*_WHOLE, _OWN[content.kind])
    parts = [
        part for part, old, new in zip(names, old_whole.split("-"), new_whole.split("-"), strict=True) if old != new
    ]
    return (*parts, *_changed_parts(old_rest, new_rest, _PART.get(content.kind, "question")))


def _changed_parts(before: list[str], after: list[str], part: str) -> Iterator[str]:
    known = dict(_pair(mark) for mark in before)
    ids = [_pair(mark)[0] for mark in after]
    for number, mark in enumerate(after, start=1):
        id, content = _pair(mark)
        if id not in known:
            yield f"{part} {number} is new"
        elif known[id] != content:
            yield f"{part} {number}"
    gone = sum(id not in ids for id in known)
    if gone:
        yield f"1 {part} was taken out" if gone == 1 else f"{gone} {part}s were taken out"
    elif len(known) == len(ids) and any(old != new for old, new in zip_longest(known, ids)):
        yield f"the order of the {part}s"


def carry(names: Iterable[str], before: str, content: Content) -> Moves:
    """Find where each field stands now, by the fingerprint of what they were filled in on."""
    known = before.split(".")[1:] if _SHAPE.fullmatch(before) else []
    now = {_pair(mark)[0]: (index, mark) for index, mark in enumerate(seen(content).split(".")[1:])}
    with_own_words = _with_own_words(content)
    to: dict[str, str] = {}
    gone: list[str] = []
    for name in names:
        found = _FIELD.fullmatch(name)
        if found is None:
            to[name] = name
            continue
        letter, number, part = (group for group in found.groups() if group is not None)
        old = int(number)
        mark = known[old] if old < len(known) else ""
        index, current = now.get(_pair(mark)[0], (-1, ""))
        same = mark[-1:] == current[-1:] and (part != ".custom" or index in with_own_words)
        if index >= 0 and same:
            to[name] = f"{letter}{index}{part}"
        elif part not in ("", ".other") or (part == "" and not mark.endswith(_PICKED)):
            gone.append(name)
    return Moves(to, tuple(gone))


def _with_own_words(content: Content) -> set[int]:
    questions = content.payload.questions if isinstance(content.payload, Questions) else ()
    return {
        index
        for index, question in enumerate(questions)
        if isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom
    }


def _own(content: Content) -> dict[str, Any]:
    """What a card has besides its parts."""
    payload = content.payload
    match payload:
        case Confirmation() | ConnectionRequest():
            return payload.model_dump(mode="json")
        case Checklist() | ItemVerdicts():
            return payload.model_dump(mode="json", exclude={"items"})
        case Questions() | SuggestedTasks():
            return {}
        case _:
            assert_never(payload)


def _parts(asked: Content) -> Iterator[tuple[str, str]]:
    """The questions, items or tasks: a mark of each id and one of its content."""
    payload = asked.payload
    match payload:
        case Questions():
            for question in payload.questions:
                picked = isinstance(question, ChoiceQuestion | ChoicesQuestion | BooleanQuestion)
                content = _mark(question.model_dump(mode="json"))
                yield _mark(question.id), content + (_PICKED if picked else _WRITTEN)
        case Checklist() | ItemVerdicts():
            for item in payload.items:
                yield _mark(item.id), _mark(item.model_dump(mode="json")) + _PICKED
        case SuggestedTasks():
            for task in payload.tasks:
                yield _mark(task.key), _mark(task.model_dump(mode="json")) + _PICKED
        case Confirmation() | ConnectionRequest():
            pass
        case _:
            assert_never(payload)


def _mark(value: Any) -> str:
    return digest(value).removeprefix("sha256:")[:8]


def _pair(mark: str) -> tuple[str, str]:
    id, _, content = mark.partition("-")
    return id, content
