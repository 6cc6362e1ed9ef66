"""What the buttons of the review page do: from a posted form to an act of the rules."""

from __future__ import annotations

from blocks.web.parts import LONGEST_WORDS, typed
from blocks.web.reading import form_faults
from core.acts import Accept, Cancel, Comment, Dismiss, Reject, Reopen, Respond, Skip, Withdraw
from core.errors import Fault, Forbidden, Invalid
from core.fields import Fields
from core.forms import name_fields, read_answers
from core.kinds import Questions
from core.kinds.answers import check_answers
from core.kinds.base import pointer
from core.records import Interaction
from core.replies import Wrong
from core.use_cases.answer import Answering

Closing = Cancel | Skip | Dismiss | Reopen | Withdraw

DRAFT = "draft"
ANSWERS = frozenset({"submit", "accept", "reject", "comment"})
CLOSES = frozenset({"cancel", "skip", "dismiss", "reopen", "withdraw"})
_TOO_LONG = f"at most {LONGEST_WORDS:,} characters"


def answering(interaction: Interaction, button: str, fields: Fields, revision: int) -> Answering:
    """The act of a button that people who may answer have. Raises `Invalid`, or `Forbidden` where the card has no
    such button."""
    payload = interaction.content.payload
    match button:
        case "submit" if isinstance(payload, Questions):
            return _respond(payload, fields, revision)
        case "accept" if not isinstance(payload, Questions):
            return Accept(revision)
        case "reject" if not isinstance(payload, Questions):
            return Reject(revision, typed(fields, "reason") or None)
        case "comment":
            return Comment(_words(fields, "comment", "/text"))
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


def placed(interaction: Interaction, button: str, invalid: Invalid) -> Wrong:
    """Say beside which field of the form each fault belongs."""
    payload = interaction.content.payload
    if button == "submit" and isinstance(payload, Questions):
        return name_fields(payload, invalid.faults)
    name = {"reject": "reason", "comment": "comment"}.get(button, "note" if button in CLOSES else "")
    return Wrong(invalid.faults, tuple(name for _ in invalid.faults))


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
