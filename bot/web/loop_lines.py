"""What the pages say of a work order, and what a posted form wants done about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from blocks.orders import label_of, slot_label
from blocks.web.later import local
from blocks.web.page import Entry, Tone
from blocks.web.parts import Area, Field, sentence, shown
from blocks.words import one_line, who
from bot.web.security import Posted
from core.errors import Invalid
from core.loops.acts import Acknowledge, Claim, Decline, LoopAct, NoAction, Result
from core.loops.cards import controls_of
from core.loops.controls import LoopAction
from core.loops.outcomes import LoopState
from core.loops.values import Loop, Slot
from core.loops.wording import told_step
from core.receipts import Receipt
from core.sentences import split_status

STATES: Final = {
    LoopState.OPEN: "Open",
    LoopState.ACKNOWLEDGED: "Seen",
    LoopState.CLAIMED: "Claimed",
    LoopState.RUNNING: "In work",
    LoopState.CLOSED: "Done",
    LoopState.DECLINED: "Declined",
    LoopState.NO_ACTION: "No action needed",
}
BUTTONS: Final[Mapping[LoopAction, str]] = {
    LoopAction.ACKNOWLEDGE: "acknowledge",
    LoopAction.CLAIM: "claim",
    LoopAction.DONE: "done",
    LoopAction.DECLINE: "decline",
    LoopAction.NO_ACTION: "no-action",
    LoopAction.DISPATCH_AGAIN: "dispatch-again",
}
"""What the forms call what they want done, which is also the name of the field for its words."""
_ASKS: Final[Mapping[LoopAction, tuple[str, str]]] = {
    LoopAction.DONE: ("What came of it", "It may begin with OK, DONE, FAIL, ERROR, PARTIAL or BLOCKED."),
    LoopAction.DECLINE: ("Why you decline it", "Whoever ordered it is told."),
    LoopAction.NO_ACTION: ("Why nothing needs doing", "Whoever ordered it is told."),
}
_LONGEST: Final = 20_000


@dataclass(frozen=True)
class Written:
    """A form with words: what its button does, and the field they are typed into."""

    act: str
    label: str
    field: Field

    @property
    def is_open(self) -> bool:
        """Whether somebody is at it."""
        return bool(self.field.control.value or self.field.faults) if isinstance(self.field.control, Area) else False


@dataclass(frozen=True)
class Moves:
    """What can be done about a work order on its page. `free` are the shares to claim one of, `unfinished` those that
    words may be about, each with its number; `chosen` is the one that was in the form of the button `of`."""

    pressed: tuple[tuple[str, str], ...] = ()
    written: tuple[Written, ...] = ()
    free: tuple[tuple[int, str], ...] = ()
    unfinished: tuple[tuple[int, str], ...] = ()
    of: str = ""
    chosen: int | None = None


def moves(loop: Loop, typed: Posted, invalid: Invalid | None, *, again: bool) -> Moves:
    """What is offered as things stand, with what was typed and chosen and what was wrong with it. `again`: it may be
    dispatched again."""
    usual = [one for one in controls_of(loop) if one in BUTTONS and one is not LoopAction.DISPATCH_AGAIN]
    offered = [*usual, *([LoopAction.DISPATCH_AGAIN] if again else [])]
    choosing = len(loop.free_slots) > 1
    return Moves(
        pressed=tuple((BUTTONS[one], label_of(one, loop, choosing=choosing)) for one in offered if one not in _ASKS),
        written=tuple(_written(one, loop, typed, invalid) for one in offered if one in _ASKS),
        free=tuple(_named(one) for one in loop.free_slots) if choosing else (),
        unfinished=tuple(_named(one) for one in loop.slots if one.done is None) if loop.is_open else (),
        of=typed.get("do", ("",))[-1],
        chosen=_slot(typed),
    )


def _named(slot: Slot) -> tuple[int, str]:
    has_it = f", {who(slot.claimed.by)} has it" if slot.claimed is not None else ""
    return slot.number, f"{slot_label(slot)}{has_it}"


def _written(action: LoopAction, loop: Loop, typed: Posted, invalid: Invalid | None) -> Written:
    name, (label, hint) = BUTTONS[action], _ASKS[action]
    words = typed.get(name, ("",))[-1]
    wrong = invalid is not None and typed.get("do", ("",))[-1] == name
    faults = tuple(sentence(fault.detail) for fault in invalid.faults) if invalid is not None and wrong else ()
    return Written(name, label_of(action, loop), Field(name, label, Area(words), hint=hint, faults=faults))


def act_of(posted: Posted) -> LoopAct | None:
    """What a posted form wants done; None for a button that there is not. Raises `Invalid`."""
    button, slot = posted.get("do", ("",))[-1], _slot(posted)
    words = posted.get(button, ("",))[-1].replace("\r\n", "\n")
    if len(words) > _LONGEST:
        raise Invalid.at("/words", f"write at most {_LONGEST:,} characters (now {len(words):,})")
    match button:
        case "acknowledge":
            return Acknowledge()
        case "claim":
            return Claim(slot)
        case "done":
            status, summary = split_status(words)
            return Result(summary, status, slot)
        case "decline":
            return Decline(words, slot)
        case "no-action":
            return NoAction(words, slot)
        case _:
            return None


def _slot(posted: Posted) -> int | None:
    text = posted.get("slot", ("",))[-1]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def line(loop: Loop, zone: str) -> dict[str, str]:
    """What a list says of one, for somebody in `zone` (an IANA name)."""
    ended = loop.outcome
    said = (ended.summary or ended.reason or "") if ended is not None else ""
    has_it = f", {who(loop.claimed.by)} has it" if loop.claimed is not None and ended is None else ""
    late = loop.overdue_at is not None and ended is None
    return {
        "name": loop.name,
        "parent": loop.parent or "",
        "title": one_line(loop.title) or "…",
        "state": f"Overdue, {STATES[loop.state].lower()}" if late else STATES[loop.state],
        "tone": "over" if ended is not None else "bad" if late else "open",
        "about": f"{loop.name}, ordered by {who(loop.sender)} for {for_whom(loop)}{has_it}",
        "due": f"{'Was due' if late else 'Due'} {local(loop.due_at, zone)}" if loop.due_at else "",
        "ended": f"By {who(ended.by)} on {local(ended.at, zone)}" if ended is not None else "",
        "result": ended.result.value if ended is not None and ended.result is not None else "",
        "said": shown(said),
    }


def for_whom(loop: Loop) -> str:
    """Whom an order is for, as people say it."""
    kind, _, name = loop.recipient.partition(":")
    match kind:
        case "person":
            return one_line(name)
        case "agent":
            return f"agent {one_line(name)}"
        case _:
            return "whoever is there"


def entry(loop: Loop, zone: str) -> Entry:
    """A work order as one line of a list that has cards in it as well."""
    told = line(loop, zone)
    return Entry(
        path=f"/loops/{loop.name}",
        title=told["title"],
        state=f"Work order: {told['state'].lower()}",
        tone=Tone(told["tone"]),
        about=told["about"],
        until=told["due"],
    )


def slots_told(loop: Loop, zone: str) -> Iterator[tuple[str, str, str]]:
    """Each share: its name, how it stands, and what came of it."""
    for slot in loop.slots:
        mark = slot.done or slot.claimed
        step = "Done" if slot.done else "Claimed"
        how = f"{step} by {who(mark.by)} on {local(mark.at, zone)}" if mark is not None else "Free"
        status = f"{slot.status.value} " if slot.status else ""
        yield slot_label(slot), how, shown(f"{status}{slot.summary or ''}".strip())


def trail(receipts: tuple[Receipt, ...], zone: str) -> list[tuple[datetime, str, str, str]]:
    """Everything that was done: when, when in words, who did what, and what they said."""
    told = []
    for receipt in receipts:
        step, said = told_step(receipt)
        told.append((receipt.at, local(receipt.at, zone), f"{who(receipt.by)} {step}", shown(said)))
    return told
