"""What a person may do with a card: the fields and buttons that answer, words that decide nothing, and closing it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from blocks.web import checklist, confirmation, connection, item_verdicts, questions, suggested_tasks
from blocks.web.changes import seen
from blocks.web.facts import places
from blocks.web.later import later
from blocks.web.page import Form, Visit
from blocks.web.parts import (
    LONGEST_WORDS,
    Button,
    Complaint,
    Field,
    Judging,
    Pick,
    Rows,
    faults_at,
    line_or_area,
    sentence,
    shown,
    typed,
)
from blocks.words import isolate, who
from core.kinds import Checklist, Confirmation, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.base import Reason
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion
from core.records import Interaction

LONG = 8
"""With more items than that, the buttons stay in sight."""


def form_for(interaction: Interaction, visit: Visit) -> Form | None:
    """The form of a card that is open, or None when this person may neither answer nor close it."""
    may_answer = visit.refusal is None
    if not may_answer and not visit.operator:
        return None
    fields, buttons = _answering(interaction, visit)
    comment = _comment(interaction, visit) if may_answer else None
    note = _note(visit) if visit.operator else None
    aside = later(visit) if may_answer else None
    besides = (aside.until, aside.to) if aside else ()
    payload = interaction.content.payload
    confirmed = isinstance(payload, Confirmation)
    several = isinstance(payload, Questions) and len(payload.questions) > 1
    goes_to = f"Your answer goes to {who(interaction.creator)} and is shown where this was asked"
    return Form(
        revision=interaction.revision,
        seen=seen(interaction.content),
        fields=fields,
        buttons=buttons,
        visible_to=f"{goes_to}: {places(interaction, visit.names)}." if may_answer else "",
        comment=comment,
        closing=_closing(interaction) if visit.operator else (),
        note=note,
        guarded=several or not (confirmed or isinstance(payload, Questions)),
        complaints=_complaints([*fields, *(one for one in (comment, note, *besides) if one)], visit),
        drafted_at=visit.drafted_at,
        spacious=questions.spacious(payload) if isinstance(payload, Questions) else "",
        had=checklist.had(payload, interaction) if isinstance(payload, Checklist) else (),
        rejects=_rejects(interaction) if may_answer else "",
        aside=tuple(connection.aside(payload, interaction, visit)) if isinstance(payload, ConnectionRequest) else (),
        long=isinstance(payload, Checklist | ItemVerdicts) and len(payload.items) > LONG,
        shared=isinstance(payload, Checklist),
        leaves=any(button.act == connection.CONNECT for button in buttons),
        later=aside,
    )


def _answering(interaction: Interaction, visit: Visit) -> tuple[tuple[Field, ...], tuple[Button, ...]]:
    """What decides. An operator may grant a connection without being among those asked."""
    payload, may_answer = interaction.content.payload, visit.refusal is None
    if isinstance(payload, ConnectionRequest):
        fields = tuple(connection.fields(visit)) if may_answer else ()
        keep = (Button("draft", "Save draft"),) if may_answer else ()
        return fields, (*connection.buttons(payload, visit), *keep)
    return _asking(interaction, payload, visit) if may_answer else ((), ())


def _asking(
    interaction: Interaction,
    payload: Questions | Confirmation | Checklist | ItemVerdicts | SuggestedTasks,
    visit: Visit,
) -> tuple[tuple[Field, ...], tuple[Button, ...]]:
    keep = Button("draft", "Save draft")
    match payload:
        case Questions():
            return tuple(questions.fields(payload, visit)), (Button("submit", "Submit", main=True), keep)
        case Confirmation():
            fields = tuple(confirmation.fields(payload, visit))
            return fields, (*confirmation.buttons(payload), *((keep,) if fields else ()))
        case Checklist():
            return tuple(checklist.fields(payload, interaction, visit)), checklist.buttons(payload)
        case ItemVerdicts():
            return tuple(item_verdicts.fields(payload, interaction, visit)), item_verdicts.buttons()
        case SuggestedTasks():
            return tuple(suggested_tasks.fields(payload, visit)), suggested_tasks.buttons()
        case _:
            assert_never(payload)


def _rejects(interaction: Interaction) -> str:
    """The label under which a card can be rejected with words as the reason, if it can."""
    payload = interaction.content.payload
    match payload:
        case Confirmation():
            return "" if payload.reason is Reason.NONE else shown(payload.reject_label) or "Reject"
        case SuggestedTasks():
            return suggested_tasks.NONE_OF_THESE
        case ConnectionRequest():
            return connection.DECLINE
        case Questions() | Checklist() | ItemVerdicts():
            return ""
        case _:
            assert_never(payload)


def _comment(interaction: Interaction, visit: Visit) -> Field | None:
    """Words that decide nothing, where the card has no place for own words as an answer."""
    payload = interaction.content.payload
    if isinstance(payload, Questions) and all(
        isinstance(one, ChoiceQuestion | ChoicesQuestion) and one.custom for one in payload.questions
    ):
        return None
    return _words(
        "comment",
        "Your words",
        f"They go to {who(interaction.creator)} and decide nothing: the question stays open.",
        visit,
    )


def _note(visit: Visit) -> Field:
    return _words("note", "Reason for closing it", "It is kept with the outcome and told to whoever asked.", visit)


def _words(name: str, label: str, hint: str, visit: Visit) -> Field:
    return Field(
        name=name,
        label=label,
        control=line_or_area(typed(visit.filled or {}, name), multiline=True, rows=3),
        hint=f"{hint} At most {LONGEST_WORDS:,} characters.",
        required=name == "comment",
        faults=faults_at(visit.wrong, name),
    )


def _closing(interaction: Interaction) -> tuple[Button, ...]:
    aside = (
        Button("dismiss", "Set aside", hint="No more reminders; it stays open and can still be answered.")
        if interaction.dismissed_at is None
        else Button("reopen", "Bring back", hint="It waits on people again, with reminders.")
    )
    return (
        aside,
        Button("skip", "Skip", hint="It ends here: no answer is needed."),
        Button("cancel", "Cancel", hint="It ends here: it will not be answered."),
        Button("withdraw", "Withdraw", hint="It ends here: it is taken back on behalf of whoever asked."),
    )


def _complaints(fields: list[Field], visit: Visit) -> tuple[Complaint, ...]:
    """Every fault, in the order of the fields, each leading to where it can be put right."""
    found: list[Complaint] = []
    placed: set[str] = set()
    for one in fields:
        for name, target, start, faults in _spots(one):
            placed.add(name)
            found += [Complaint(target, start + fault) for fault in faults]
    if visit.wrong is not None:
        stray = [
            fault for fault, name in zip(visit.wrong.faults, visit.wrong.fields, strict=True) if name not in placed
        ]
        found += [Complaint("", sentence(fault.detail)) for fault in stray]
    return tuple(found)


def _spots(field: Field) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Every place of a field that may have faults: its name, where to go, how the sentence begins, and its faults."""
    start = f"{field.unit} {field.place.split()[0]}: " if field.place else ""
    target = field.control.rows[0].name if isinstance(field.control, Rows) else field.name
    yield field.name, target, start, field.faults
    match field.control:
        case Pick(own=own) if own is not None:
            yield own.name, own.name, start, own.faults
        case Judging(reason=reason) if reason is not None:
            yield reason.name, reason.name, start, reason.faults
        case Rows(rows=rows):
            for row in rows:
                yield row.name, row.name, "", row.faults
                for one in row.edits:
                    yield one.name, one.name, f"{one.label} of “{isolate(row.choice.label)}”: ", one.faults
        case _:
            pass
