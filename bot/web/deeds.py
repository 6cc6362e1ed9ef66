"""What the buttons of the review page do: from a posted form to acts of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from blocks.web.item_verdicts import JUDGE
from blocks.web.later import TIMES
from blocks.web.parts import LONGEST_WORDS, typed
from blocks.web.reading import HAD, form_faults, ticked_ids
from blocks.web.suggested_tasks import LONGEST
from core.acts import Accept, Cancel, Comment, Dismiss, Judge, Reject, Reopen, Respond, Skip, Tick, Withdraw
from core.blank import is_blank
from core.errors import Fault, Forbidden, Invalid
from core.fields import Fields
from core.form_faults import name_fields
from core.forms import TASKS, TICKS, read_answers, read_edits, read_verdicts
from core.kinds import AnyPayload, Checklist, ConnectionRequest, ItemVerdicts, Questions, SuggestedTasks
from core.kinds.answers import check_answers
from core.kinds.base import Reason, pointer
from core.kinds.item_verdicts import Given
from core.kinds.suggested_tasks import Edit
from core.records import Interaction
from core.replies import Wrong
from core.use_cases.answer import Answering

Closing = Cancel | Skip | Dismiss | Reopen | Withdraw

DRAFT = "draft"
AS_REASON = "reject-words"
"""The words of a reply are sent as the reason of a reject."""
ANSWERS = frozenset({"submit", "accept", "reject", "comment", AS_REASON, TICKS, JUDGE})
CLOSES = frozenset({"cancel", "skip", "dismiss", "reopen", "withdraw"})
_TOO_LONG = f"at most {LONGEST_WORDS:,} characters"
_BLANK = "write at least one character"


def answering(
    interaction: Interaction, button: str, fields: Fields, revision: int
) -> tuple[Answering, ...]:  # one flat case per button
    """The acts of a button that people who may answer have, in order. Raises `Invalid`, or `Forbidden` where the card
    has no such button."""
    payload = interaction.content.payload
    match button, payload:
        case "submit", Questions():
            return (_respond(payload, fields, revision),)
        case "accept", Checklist():
            # What this person ticked is saved even when too little is ticked to complete it.
            return (*_ticks(fields, revision), Accept(revision))
        case "accept", SuggestedTasks():
            return (Accept(revision, ticked_ids(fields, TASKS), _edits(payload, fields)),)
        case "accept", _ if not isinstance(payload, Questions | ItemVerdicts | ConnectionRequest):
            return (Accept(revision),)
        case "reject", _ if not isinstance(payload, Questions | ItemVerdicts | Checklist):
            return (Reject(revision, typed(fields, "reason") or None),)
        case "reject-words", _ if not isinstance(payload, Questions | ItemVerdicts | Checklist):
            words = _words(fields, "comment", "/text")
            if is_blank(words):
                raise Invalid.at("/text", _BLANK)
            return (Reject(revision, words),)
        case "ticks", Checklist():
            return tuple(_ticks(fields, revision))
        case "verdicts", ItemVerdicts():
            return (Judge(revision, _given(payload, fields)),)
        case "comment", _:
            return (Comment(_words(fields, "comment", "/text")),)
        case _:
            raise Forbidden("This card has no such button, so nothing was done.")


def closing(button: str, fields: Fields, revision: int) -> Closing:
    """The act of a button that operators have. Raises `Invalid`."""
    note = _words(fields, "note", "/note") or None
    match button:
        case "cancel":
            return Cancel(note)
        case "skip":
            return Skip(note)
        case "withdraw":
            return Withdraw(note, revision)
        case "dismiss":
            return Dismiss()
        case "reopen":
            return Reopen()
        case _:
            raise Forbidden("There is no such button, so nothing was done.")


def rest_of(payload: AnyPayload, button: str, fields: Fields) -> Fields | None:
    """What of a form was not sent with a button and stays its person's draft; None: all of it is done with."""
    match button:
        case "comment":
            gone: tuple[str, ...] = ("comment",)
        case "dismiss" | "reopen":
            gone = ("comment", "note")
        case "ticks":
            gone = (TICKS, HAD)
        case "verdicts" if isinstance(payload, ItemVerdicts):
            gone = tuple(
                name
                for index in range(len(payload.items))
                if typed(fields, f"v{index}")
                for name in (f"v{index}", f"v{index}.reason")
            )
        case _:
            return None
    return {name: value for name, value in fields.items() if name not in gone}


def unsaved(payload: AnyPayload, button: str, fields: Fields) -> Fields:
    """What of a form is still its person's alone once a button was refused: ticks are saved before a list is
    completed."""
    saved = isinstance(payload, Checklist) and button == "accept"
    return (rest_of(payload, TICKS, fields) or {}) if saved else fields


def placed(interaction: Interaction, button: str, invalid: Invalid, fields: Fields) -> Wrong:
    """Say beside which field of the form each fault belongs."""
    payload = interaction.content.payload
    if button in TIMES:
        return Wrong(invalid.faults, tuple(fault.pointer.removeprefix("/") for fault in invalid.faults))
    if button in CLOSES:
        return Wrong(invalid.faults, tuple("note" for _ in invalid.faults))
    if button in ("comment", AS_REASON):
        return Wrong(invalid.faults, tuple("comment" for _ in invalid.faults))
    given = _given(payload, fields) if isinstance(payload, ItemVerdicts) else ()
    wrong = name_fields(payload, invalid.faults, given)
    if not isinstance(payload, SuggestedTasks):
        return wrong
    places = {task.key: index for index, task in enumerate(payload.tasks)}
    chosen = [f"t{places[key]}" for key in ticked_ids(fields, TASKS)]
    rows = {pointer("selected", index): name for index, name in enumerate(chosen)}
    names = (rows.get(fault.pointer, name) for fault, name in zip(wrong.faults, wrong.fields, strict=True))
    return Wrong(wrong.faults, tuple(names))


def _ticks(fields: Fields, revision: int) -> Iterator[Tick]:
    """What this person changed since the form was drawn, and nothing that others did."""
    before, after = ticked_ids(fields, HAD), ticked_ids(fields, TICKS)
    on = tuple(id for id in after if id not in before)
    off = tuple(id for id in before if id not in after)
    if on or off:
        yield Tick(revision, on, off)


def _given(payload: ItemVerdicts, fields: Fields) -> tuple[Given, ...]:
    """The verdicts that are chosen. A reason written for another verdict than the chosen one is not sent with it."""
    takes = {one.id for one in payload.verdicts if one.reason is not Reason.NONE}
    chosen = read_verdicts(payload, fields)
    return tuple(one if one.verdict in takes else replace(one, reason=None) for one in chosen)


def _edits(payload: SuggestedTasks, fields: Fields) -> dict[str, Edit]:
    try:
        return read_edits(payload, fields)
    except Invalid as invalid:
        raise Invalid([_plain(fault) for fault in invalid.faults]) from None


def _plain(fault: Fault) -> Fault:
    """A fault of a changed task in words for people."""
    what = fault.pointer.rpartition("/")[2]
    least = "from 1 to" if what == "title" else "at most"
    return Fault(fault.pointer, f"write {least} {LONGEST.get(what, 160)} characters")


def _respond(payload: Questions, fields: Fields, revision: int) -> Respond:
    answers = read_answers(payload, fields)
    own = form_faults(payload, fields)
    if own:
        try:
            check_answers(payload, answers)
        except Invalid as invalid:
            raise Invalid(_merged(payload, own, invalid.faults)) from None
        raise Invalid(own)
    return Respond(answers, revision)


def _merged(payload: Questions, own: tuple[Fault, ...], others: tuple[Fault, ...]) -> list[Fault]:
    """All faults; of a question that the form itself faults, only that one."""
    told = [pointer("answers", question.id) for question in payload.questions]
    named = {at for at in told if any(fault.pointer.startswith(f"{at}/") for fault in own)}
    rest = [
        fault for fault in others if not any(fault.pointer == at or fault.pointer.startswith(f"{at}/") for at in named)
    ]
    return [*own, *rest]


def _words(fields: Fields, name: str, at: str) -> str:
    words = typed(fields, name)
    if len(words) > LONGEST_WORDS:
        raise Invalid.at(at, f"{_TOO_LONG} (now {len(words):,})")
    return words
