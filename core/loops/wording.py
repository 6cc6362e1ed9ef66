"""What loops say in words: to people in plain sentences, to agents in bracketed ones."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import assert_never

from core.loops.acts import (
    Acknowledge,
    Claim,
    Decline,
    Escalate,
    LoopAct,
    MarkOverdue,
    NoAction,
    Nudged,
    Result,
    Start,
    Track,
)
from core.loops.outcomes import LoopState, Mark
from core.loops.values import Loop, Slot
from core.people import By
from core.receipts import Receipt, ReceiptType
from core.sentences import (
    Ack,
    ContractFooter,
    Reference,
    Sentence,
    WorkOrder,
    parse,
    speakable,
    speakable_title,
    spell,
    split_status,
)
from core.sentences import Claim as ClaimSentence
from core.sentences import Decline as DeclineSentence
from core.sentences import JobMarker as JobSentence
from core.sentences import NoAction as NoActionSentence
from core.sentences import Nudge as NudgeSentence
from core.sentences import Result as ResultSentence
from core.telling import when, who

NEEDS_SUMMARY = "say what came of it"
NEEDS_REASON = "say why"
NO_SLOTS = "this work order has no slots"
UNKNOWN_REASON = "the answers to its post and to the replacement were both lost"
ENDINGS: Mapping[LoopState, str] = {
    LoopState.CLOSED: "closed",
    LoopState.DECLINED: "declined",
    LoopState.NO_ACTION: "closed without action",
}
GONE = "nobody does it unless it is dispatched again, for whoever takes it, or somebody else ends it."
NOT_YOURS = "You may not do this here, so nothing has changed."
LONGEST_SENDER = 80


def unknown_words(name: str) -> str:
    """That no loop has this name here."""
    return f"I know no work order {name} here, so nothing has changed."


def ended_words(loop: Loop) -> str:
    """Who ended it and when, and that nothing changed since."""
    ended = loop.outcome
    if ended is None:
        raise ValueError(f"{loop.id} has not ended")
    how = ENDINGS[ended.status]
    return f"{loop.name} was {how} by {who(ended.by)} at {when(ended.at)}. Nothing has changed."


def taken_words(loop: Loop, holder: Mark, slot: int | None) -> str:
    """Who has it."""
    what = loop.name if slot is None else f"Slot {slot} of {loop.name}"
    return f"{who(holder.by)} has {what} since {when(holder.at)}. Nothing has changed."


def done_words(loop: Loop, slot: Slot) -> str:
    """Who finished a slot."""
    by = f" by {who(slot.done.by)} at {when(slot.done.at)}" if slot.done else ""
    return f"Slot {slot.number} of {loop.name} was done{by}. Nothing has changed."


def all_taken_words(loop: Loop) -> str:
    """Who has the slots."""
    holders = [(one.number, one.done or one.claimed) for one in loop.slots]
    each = [f"{number}: {who(holder.by)}" for number, holder in holders if holder is not None]
    return f"No slot of {loop.name} is free ({', '.join(each)}). Nothing has changed."


def order_words(loop: Loop) -> str:
    """The order as a sentence, with how to reply below it: for agents who read the conversation."""
    order = WorkOrder(
        id=loop.name,
        title=speakable_title(loop.title),
        body=speakable(loop.body),
        claimed_sender=sender_name(loop.sender, loop.sender_label),
        priority=loop.priority,
        due=loop.due_at,
    )
    return _with_footer(spell(order), loop)


def _with_footer(sentence: str, loop: Loop) -> str:
    """The sentence and below it how to reply. Above it where the sentence ends in code that nobody closed: whoever
    reads the reminder as a part of that code would not know how to reply."""
    footer = footer_words(loop)
    below = f"{sentence}\n{footer}"
    return below if len(parse(below)) > 1 else f"{footer}\n{sentence}"


def footer_words(loop: Loop) -> str:
    """How to reply, as nobody's reply."""
    return spell(ContractFooter(Reference(loop.name)))


def sender_name(sender: By, label: str | None = None) -> str | None:
    """A sender's name as it may stand in a mark; None when nothing of it may."""
    name = "".join(" " if letter in "[]`\n\r\t" else letter for letter in (sender.handle or label or ""))
    return " ".join(name.split()).lstrip(" :")[:LONGEST_SENDER].strip() or None


def nudge_words(loop: Loop, number: int, prompt: str) -> str:
    """A reminder as a sentence."""
    deadline = loop.due_at or loop.created_at
    sentence = NudgeSentence(
        reference=Reference(loop.name), count=number, most=loop.reminders.max, deadline=deadline, prompt=prompt
    )
    return _with_footer(spell(sentence), loop)


def act_sentence(loop: Loop, act: LoopAct, by: By, slot: int | None = None) -> Sentence | None:
    """What somebody would say to do this; None for what nobody says."""
    reference = Reference(loop.name, slot)
    match act:
        case Acknowledge():
            return Ack(reference, claimed_sender=sender_name(by))
        case Claim():
            return ClaimSentence(reference)
        case Result():
            status, summary = (act.status, act.summary) if act.status else split_status(act.summary)
            if split_status(summary)[0] is not None:
                summary = f"– {summary}"
            return ResultSentence(reference, summary=speakable(summary), status=status)
        case Decline():
            return DeclineSentence(reference, reason=speakable(act.reason))
        case NoAction():
            return NoActionSentence(reference, reason=speakable(act.reason))
        case Track():
            return JobSentence(reference, task=speakable(act.task))
        case Start() | MarkOverdue() | Nudged() | Escalate():
            return None
        case _:
            assert_never(act)


def act_words(loop: Loop, act: LoopAct, by: By, slot: int | None = None) -> str | None:
    """The same as text."""
    sentence = act_sentence(loop, act, by, slot)
    return spell(sentence) if sentence is not None else None


_DONE: Mapping[str, str] = {
    "ack": "{name} is acknowledged.",
    "claim": "{name} is yours.",
    "start": "{name} is running.",
    "result": "The result of {name} is kept.",
    "decline": "{name} is declined.",
    "no_action": "{name} is closed without action.",
    "track": "{name} is followed.",
}


def done_sentence(loop: Loop, act: LoopAct, slot: int | None = None) -> str:
    """What somebody is told whose act took effect, or had before."""
    what = loop.name if slot is None else f"{loop.name}/{slot}"
    if isinstance(act, Claim) and slot is not None:
        return f"Slot {slot} of {loop.name} is yours; {len(loop.free_slots)} of {len(loop.slots)} are free."
    return _DONE.get(act.name.value, "{name} is noted.").format(name=what)


def escalation_words(loop: Loop) -> str:
    """What the sender and the operators are told."""
    asked = f"nobody has ended “{loop.title}” ({loop.name})"
    state = {
        LoopState.OPEN: "it was not acknowledged",
        LoopState.ACKNOWLEDGED: "it was seen, but nobody has claimed it",
    }.get(loop.state, f"{who(loop.claimed.by)} has it" if loop.claimed else "it is open")
    due = f" It was due {when(loop.due_at)}." if loop.due_at else ""
    return f"After {loop.nudges} reminders {asked}: {state}.{due}"


def abandoned_words(loop: Loop, agent: str) -> str:
    """What the sender and the operators are told when whoever should do it, or has it, was revoked."""
    what = f"“{loop.title}” ({loop.name})"
    ordered = loop.recipient == f"agent:{agent}"
    return f"{agent}, {'for whom' if ordered else 'who has'} {what}{' is' if ordered else ''}, was revoked: " + GONE


def forgotten_words(loop: Loop) -> str:
    """What they are told when whoever should do it, or has it, was forgotten."""
    return f"Whoever was to do “{loop.title}” ({loop.name}), or has it, was forgotten: " + GONE


def undelivered_words(loop: Loop, reason: str) -> str:
    """What the sender and the operators are told of an order that no chat shows."""
    return f"“{loop.title}” ({loop.name}) could not be delivered to {loop.recipient}, so nobody there sees it: {reason}"


def unseen_words(loop: Loop) -> str:
    """What the sender and the operators are told of an order that a chat shows or not."""
    return f"Nobody knows whether “{loop.title}” ({loop.name}) is in {loop.recipient}: {UNKNOWN_REASON}"


def declined_words(loop: Loop) -> str:
    """What the sender is told of a refusal, with how to order it again."""
    ended = loop.outcome
    by, reason = (who(ended.by), ended.reason or "") if ended else ("someone", "")
    return f"{by} declined “{loop.title}” ({loop.name}): {reason}"


def due_prompt(loop: Loop, now: datetime) -> str:
    """What a reminder asks for."""
    if loop.state in (LoopState.CLAIMED, LoopState.RUNNING):
        ask = "please post the result"
    else:
        ask = "please acknowledge it or post the result"
    late = "It is overdue; " if loop.due_at is not None and loop.due_at <= now else ""
    return speakable(f"{late}{ask}: {loop.title}" if late else f"{ask[0].upper()}{ask[1:]}: {loop.title}")


_STEPS: Mapping[ReceiptType, str] = {
    ReceiptType.OPENED: "ordered it",
    ReceiptType.ACKNOWLEDGED: "acknowledged it",
    ReceiptType.CLAIMED: "claimed it",
    ReceiptType.RUNNING: "began",
    ReceiptType.SLOT_DONE: "finished a slot",
    ReceiptType.SLOT_FREED: "gave a slot back",
    ReceiptType.TRACKED: "gave out a slot",
    ReceiptType.CLOSED: "closed it with a result",
    ReceiptType.DECLINED: "declined it",
    ReceiptType.NO_ACTION: "closed it without action",
    ReceiptType.NUDGED: "reminded of it",
    ReceiptType.OVERDUE: "marked it overdue",
    ReceiptType.RESTORED: "restored it from an earlier copy",
    ReceiptType.ESCALATED: "told the sender and the operators",
}


def told_step(receipt: Receipt) -> tuple[str, str]:
    """What a receipt of a loop says was done, as the rest of a sentence, and what there is to say of it."""
    data = receipt.data
    said = data.get("summary") or data.get("reason") or data.get("task") or ""
    result = data.get("result")
    number = data.get("slot")
    step = _STEPS.get(receipt.type, receipt.type.value)
    if number is not None:
        step = f"{step} (slot {number})"
    return step, " ".join(str(part) for part in (result, said) if part)
