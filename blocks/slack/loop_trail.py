"""How a work order stands, in a few lines: its state, who did what and when, its slots, and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from blocks.orders import claim_example
from blocks.slack.parts import words
from blocks.slack.passages import Passage
from blocks.slack.prose import item, line, quotation
from blocks.slack.text import date, escape, moment
from blocks.words import isolate, neutralise, one_line, through, when, who
from core.loops.outcomes import LoopOutcome, LoopState
from core.loops.values import Loop, Slot

MOST_SLOTS: Final = 12
"""Slots that are listed; beyond them they are counted."""
MOST_TO_CHOOSE: Final = 25
"""Slots that a menu offers; to claim another of more, one says so."""
LONGEST_TASK: Final = 120
"""A longer task of a slot stands on the page alone."""
LONGEST_NAME: Final = 200
_MARKS: Final = {LoopState.CLOSED: "✓ ", LoopState.DECLINED: "✗ ", LoopState.NO_ACTION: ""}
_ENDED: Final = {
    LoopState.CLOSED: "Closed",
    LoopState.DECLINED: "Declined",
    LoopState.NO_ACTION: "Closed without action",
}


def state(loop: Loop) -> str:
    """How it stands, in one short line of plain text."""
    if loop.outcome is not None:
        return headline(loop.outcome)
    late = "Overdue: " if loop.overdue_at is not None else ""
    return f"{late}{_open_state(loop)}"


def notified(loop: Loop) -> str:
    """The same escaped, for notifications: Slack spells a time in each reader's own zone."""
    if loop.outcome is not None:
        return f"{escape(_how(loop.outcome))}, {date(loop.outcome.at)}"
    return escape(state(loop))


def headline(outcome: LoopOutcome) -> str:
    """`✓ Closed by Ana in Slack, 2 Dec 2026, 14:05 UTC`, with the status of the result where it has one."""
    return f"{_how(outcome)}, {when(outcome.at)}"


def _how(outcome: LoopOutcome) -> str:
    status = f" ({outcome.result.value})" if outcome.result is not None else ""
    means = through(outcome.via, "on its page")
    by = " ".join(part for part in (f"by {_name(who(outcome.by))}", means) if part)
    return f"{_MARKS.get(outcome.status, '')}{_ENDED[outcome.status]}{status} {by}"


def _open_state(loop: Loop) -> str:
    match loop.state:
        case LoopState.OPEN:
            return "open, not acknowledged yet"
        case LoopState.ACKNOWLEDGED:
            return "acknowledged, not claimed yet"
        case LoopState.CLAIMED:
            return f"claimed by {_holder(loop)}"
        case LoopState.RUNNING:
            return f"{_holder(loop)} is at work"
        case LoopState.CLOSED | LoopState.DECLINED | LoopState.NO_ACTION:
            return _ENDED[loop.state].lower()
        case _:
            assert_never(loop.state)


def _holder(loop: Loop) -> str:
    if loop.claimed is not None:
        return _name(who(loop.claimed.by))
    return "someone"


def trail(loop: Loop) -> Iterator[Passage]:
    """Who did what so far, oldest first. Nothing of a loop that nobody has touched."""
    for said, mark in (("Acknowledged", loop.acknowledged), ("Claimed", loop.claimed), ("Begun", loop.started)):
        if mark is not None:
            yield item(words(f"{said} by {_name(who(mark.by))}, "), moment(mark.at))
    if loop.nudges:
        yield item(words(f"Reminded {loop.nudges} of {loop.reminders.max} times"))
    if loop.overdue_at is not None:
        yield item(words("Overdue since "), moment(loop.overdue_at))
    if loop.escalated_at is not None:
        yield item(words("The sender and the operators were told, "), moment(loop.escalated_at))
    if len(loop.slots) <= MOST_SLOTS:
        for slot in loop.slots:
            yield item(words(_slot(slot)))
    else:
        done = sum(slot.done is not None for slot in loop.slots)
        taken = sum(slot.claimed is not None and slot.done is None for slot in loop.slots)
        yield item(
            words(f"{len(loop.slots)} slots: {done} done, {taken} claimed, {len(loop.slots) - done - taken} free")
        )
    example = claim_example(loop, MOST_TO_CHOOSE)
    if example:
        yield item(words("For a certain slot, say "), words(example, "code"))


def _slot(slot: Slot) -> str:
    if slot.done is not None:
        stands = f"done by {_name(who(slot.done.by))}" + (f" ({slot.status.value})" if slot.status else "")
    elif slot.claimed is not None:
        stands = f"claimed by {_name(who(slot.claimed.by))}"
    else:
        stands = "free"
    task = one_line(slot.task)
    about = f" – {isolate(task)}" if task and len(task) <= LONGEST_TASK else ""
    return f"Slot {slot.number}{about}: {stands}"


def ended(outcome: LoopOutcome, *, whole: bool) -> Iterator[Passage]:
    """How it ended and, with `whole`, what was said of it."""
    yield line(words(f"{_how(outcome)}, ", "bold"), moment(outcome.at))
    said = neutralise(outcome.summary or outcome.reason or "").strip()
    if said and whole:
        yield quotation(words(said))


def _name(text: str) -> str:
    """A name beyond any that Slack takes is left out, not cut."""
    return text if len(text) <= LONGEST_NAME else "someone"
