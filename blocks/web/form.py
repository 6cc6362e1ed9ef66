"""What a person may do with a card: the fields and buttons that answer, words that decide nothing, and closing it."""

from __future__ import annotations

from typing import assert_never

from blocks.web import confirmation, questions
from blocks.web.changes import seen
from blocks.web.facts import places
from blocks.web.page import Form, Visit
from blocks.web.parts import (
    LONGEST_WORDS,
    Button,
    Complaint,
    Field,
    Pick,
    faults_at,
    line_or_area,
    sentence,
    typed,
)
from blocks.words import who
from core.kinds import Confirmation, Questions
from core.kinds.questions import ChoiceQuestion, ChoicesQuestion
from core.records import Interaction


def form_for(interaction: Interaction, visit: Visit) -> Form | None:
    """The form of a card that is open, or None when this person may neither answer nor close it."""
    may_answer = visit.refusal is None
    if not may_answer and not visit.operator:
        return None
    fields, buttons = _answering(interaction, visit) if may_answer else ((), ())
    comment = _comment(interaction, visit) if may_answer else None
    note = _note(visit) if visit.operator else None
    payload = interaction.content.payload
    several = isinstance(payload, Questions) and len(payload.questions) > 1
    return Form(
        revision=interaction.revision,
        seen=seen(interaction.content),
        fields=fields,
        buttons=buttons,
        visible_to=f"Your answer goes to {who(interaction.creator)} and is shown where this was asked: "
        f"{places(interaction, visit.names)}.",
        comment=comment,
        closing=_closing(interaction) if visit.operator else (),
        note=note,
        guarded=several,
        complaints=_complaints([*fields, *(one for one in (comment, note) if one)], visit),
        drafted_at=visit.drafted_at,
        spacious=questions.spacious(payload) if isinstance(payload, Questions) else "",
    )


def _answering(interaction: Interaction, visit: Visit) -> tuple[tuple[Field, ...], tuple[Button, ...]]:
    payload = interaction.content.payload
    keep = Button("draft", "Save draft")
    match payload:
        case Questions():
            return tuple(questions.fields(payload, visit)), (Button("submit", "Submit", main=True), keep)
        case Confirmation():
            fields = tuple(confirmation.fields(payload, visit))
            return fields, (*confirmation.buttons(payload), *((keep,) if fields else ()))
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
    for one in fields:
        start = f"Question {one.place.split()[0]}: " if one.place else ""
        found += [Complaint(one.name, start + fault) for fault in one.faults]
        if isinstance(one.control, Pick) and one.control.own is not None:
            own = one.control.own
            found += [Complaint(own.name, start + fault) for fault in own.faults]
    if visit.wrong is not None:
        placed = {one.name for one in fields} | {f"{one.name}.custom" for one in fields}
        stray = [
            fault for fault, name in zip(visit.wrong.faults, visit.wrong.fields, strict=True) if name not in placed
        ]
        found += [Complaint("", sentence(fault.detail)) for fault in stray]
    return tuple(found)
