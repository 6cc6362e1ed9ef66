"""What changed between the card a form was drawn from and the card as it is now.

The form carries a fingerprint of what it showed: a few digits per part, made of the content alone. It proves nothing
and decides nothing; it only tells a person what to look at again, and lets their words follow their question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from blocks.web.parts import typed
from core.canonical import digest
from core.content import Content
from core.fields import Fields
from core.kinds import Confirmation, Questions

_SHAPE = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{8}){3}(?:\.[0-9a-f]{8}-[0-9a-f]{8}){0,64}")
_WHOLE = ("the title", "the text", "the recommendation", "the labels of the buttons")
_FIELD = re.compile(r"q(\d{1,2})((?:\.custom|\.other)?)")


@dataclass(frozen=True)
class Carried:
    """`fields` for the card as it is; `unplaced` are words typed for questions that are not there any more."""

    fields: Fields
    unplaced: tuple[str, ...]


def seen(content: Content) -> str:
    """The fingerprint of what a form shows."""
    payload = content.payload
    own = payload.model_dump(mode="json") if isinstance(payload, Confirmation) else {}
    whole = "-".join(_mark(part) for part in (content.title, content.body, content.recommendation, own))
    return ".".join((whole, *(f"{id}-{mark}" for id, mark in _questions(content))))


def changed(before: str, content: Content) -> tuple[str, ...]:
    """What is different now, in a few words each; nothing when the fingerprint is unreadable."""
    if not _SHAPE.fullmatch(before):
        return ()
    (old_whole, *old_rest), (new_whole, *new_rest) = before.split("."), seen(content).split(".")
    parts = [
        part for part, old, new in zip(_WHOLE, old_whole.split("-"), new_whole.split("-"), strict=True) if old != new
    ]
    return (*parts, *_changed_questions(old_rest, new_rest))


def _changed_questions(before: list[str], after: list[str]) -> Iterator[str]:
    known = dict(_pair(mark) for mark in before)
    ids = [_pair(mark)[0] for mark in after]
    for number, mark in enumerate(after, start=1):
        id, content = _pair(mark)
        if id not in known:
            yield f"question {number} is new"
        elif known[id] != content:
            yield f"question {number}"
    gone = sum(id not in ids for id in known)
    if gone:
        yield "1 question was taken out" if gone == 1 else f"{gone} questions were taken out"
    elif len(known) == len(ids) and any(old != new for old, new in zip_longest(known, ids)):
        yield "the order of the questions"


def carry(fields: Fields, content: Content) -> Carried:
    """Move what was typed to where its question stands now. Words without a place are kept apart, not lost."""
    before = typed(fields, "seen")
    if not isinstance(content.payload, Questions):
        return Carried(fields, ())
    known = before.split(".")[1:] if _SHAPE.fullmatch(before) else []
    now = {id: index for index, (id, _) in enumerate(_questions(content))}
    moved: dict[str, str | tuple[str, ...]] = {}
    unplaced: list[str] = []
    for name, value in fields.items():
        found = _FIELD.fullmatch(name)
        if found is None:
            moved[name] = value
            continue
        old = int(found[1])
        index = now.get(_pair(known[old])[0]) if old < len(known) else None
        if index is not None:
            moved[f"q{index}{found[2]}"] = value
        elif value and found[2] != ".other":
            unplaced.append(typed(fields, name))
    return Carried(moved, tuple(unplaced))


def _questions(content: Content) -> Iterator[tuple[str, str]]:
    if isinstance(content.payload, Questions):
        for question in content.payload.questions:
            yield _mark(question.id), _mark(question.model_dump(mode="json"))


def _mark(value: Any) -> str:
    return digest(value).removeprefix("sha256:")[:8]


def _pair(mark: str) -> tuple[str, str]:
    id, _, content = mark.partition("-")
    return id, content
