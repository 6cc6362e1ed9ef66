"""From a posted form to the fields that every surface speaks, and back to the spelling the form carries.

Option ids may hold anything, while a browser rewrites line ends and drops what it cannot show: so a form carries them
percent-encoded. Nothing but the form's own names is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never
from urllib.parse import quote, unquote

from core.errors import Fault
from core.fields import Fields
from core.forms import TASKS, TICKS, custom_name, edit_name, field_name, reason_name, verdict_name
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Questions,
    SuggestedTasks,
)
from core.kinds.base import pointer
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion
from core.kinds.suggested_tasks import initially_selected

OWN_WORDS = "%"
"""The value of the choice `Other`: no id is spelled like it."""
HAD = "had"
"""The field that says which items were ticked when the form was drawn."""
ALWAYS = ("comment", "note", "seen")
"""Fields that every form has: words that decide nothing, an operator's note, and what was shown (see `changes`)."""


def own_words_name(index: int) -> str:
    """The field that says `Other` was chosen for the question at `index`, whether or not words were typed."""
    return f"q{index}.other"


def spelled(id: str) -> str:
    """An option's id as the form carries it."""
    return quote(id, safe="", errors="surrogatepass")


def read_form(payload: AnyPayload, posted: Mapping[str, Sequence[str]]) -> dict[str, str | tuple[str, ...]]:
    """The fields of a posted form. Unknown names are left out; line ends are one character."""
    fields: dict[str, str | tuple[str, ...]] = {}
    for name in (*_written(payload), *ALWAYS):
        if posted.get(name):
            fields[name] = _unwound(posted[name][-1])
    match payload:
        case Questions():
            _read_choices(payload, posted, fields)
        case Checklist():
            for name in (TICKS, HAD):
                fields[name] = _ids(posted.get(name, ()), [item.id for item in payload.items])
        case SuggestedTasks():
            fields[TASKS] = _ids(posted.get(TASKS, ()), [task.key for task in payload.tasks])
        case ItemVerdicts():
            for name in map(verdict_name, range(len(payload.items))):
                if posted.get(name, ("",))[-1]:
                    fields[name] = unquote(posted[name][-1], errors="surrogatepass")
        case Confirmation() | ConnectionRequest():
            pass
        case _:
            assert_never(payload)
    return fields


def _read_choices(
    payload: Questions, posted: Mapping[str, Sequence[str]], fields: dict[str, str | tuple[str, ...]]
) -> None:
    for index, question in enumerate(payload.questions):
        name = field_name(index)
        values = posted.get(name, ())
        match question:
            case ChoicesQuestion():
                ids = tuple(unquote(value, errors="surrogatepass") for value in values if value != OWN_WORDS)
                fields[name] = tuple(dict.fromkeys(ids))
            case ChoiceQuestion():
                fields.pop(name, None)
                if values and values[-1] != OWN_WORDS:
                    fields[name] = unquote(values[-1], errors="surrogatepass")
            case _:
                continue
        if OWN_WORDS in values:
            fields[own_words_name(index)] = "yes"


def _ids(values: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Those of the ids that a form carries which are there, in the order of the card."""
    given = {unquote(value, errors="surrogatepass") for value in values}
    return tuple(id for id in known if id in given)


def _written(payload: AnyPayload) -> Iterator[str]:
    """The fields that carry one text each."""
    match payload:
        case Questions():
            for index, question in enumerate(payload.questions):
                yield field_name(index)
                if isinstance(question, ChoiceQuestion | ChoicesQuestion) and question.custom:
                    yield custom_name(index)
        case SuggestedTasks():
            for index in range(len(payload.tasks)):
                yield from (edit_name(index, what) for what in ("title", "assignee", "priority"))
            yield "reason"
        case ItemVerdicts():
            yield from map(reason_name, range(len(payload.items)))
        case Confirmation() | ConnectionRequest():
            yield "reason"
        case Checklist():
            pass
        case _:
            assert_never(payload)


def _unwound(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def ticked_ids(fields: Fields, name: str) -> tuple[str, ...]:
    """The ids in a field of several."""
    value = fields.get(name, ())
    return (value,) if isinstance(value, str) else tuple(value)


def is_blank(payload: AnyPayload, fields: Fields) -> bool:
    """Whether nothing was filled in: every field is empty, or as it was drawn."""
    drawn = _drawn(payload, fields)
    return all(value == drawn[name] if name in drawn else not value for name, value in fields.items() if name != "seen")


def _drawn(payload: AnyPayload, fields: Fields) -> Fields:
    match payload:
        case Checklist():
            return {HAD: fields.get(HAD, ()), TICKS: fields.get(HAD, ())}
        case SuggestedTasks():
            drawn: dict[str, str | tuple[str, ...]] = {TASKS: initially_selected(payload)}
            for index, task in enumerate(payload.tasks):
                for what, words in (("title", task.title), ("assignee", task.assignee), ("priority", task.priority)):
                    drawn[edit_name(index, what)] = words or ""
            return drawn
        case Questions() | Confirmation() | ItemVerdicts() | ConnectionRequest():
            return {}
        case _:
            assert_never(payload)


def form_faults(payload: AnyPayload, fields: Fields) -> tuple[Fault, ...]:
    """What only a form can have wrong: `Other` chosen and nothing written."""
    if not isinstance(payload, Questions):
        return ()
    return tuple(
        Fault(pointer("answers", question.id, "custom"), "write your own words, or choose something else")
        for index, question in enumerate(payload.questions)
        if fields.get(own_words_name(index)) and not str(fields.get(custom_name(index), "")).strip()
    )
