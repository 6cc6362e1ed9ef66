"""The rules of what happens to a pending card with time: it is reminded of, escalated, put off, handed on. None of it
decides anything."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from core.acts import Delegate, Escalate, Nudge, Snooze, Stamp
from core.audience import MOST_ANSWERERS, Audience
from core.canonical import rfc3339
from core.deciding import Decision, changed
from core.errors import Invalid
from core.events import EventType
from core.receipts import ReceiptType
from core.records import Interaction
from core.reminding import Delegation
from core.reminding import Snooze as Kept
from core.telling import when
from core.traces import draft

MOST_DELEGATIONS = 20
FURTHEST_DAYS = 60
"""How far a reminder may be put off."""


def nudge(before: Interaction, act: Nudge, stamp: Stamp) -> Decision:
    """It was reminded of. No card changes, so no version does: a reminder is a message of its own."""
    reminding = before.reminding.model_copy(update={"done_to": act.done_to, "sent": before.reminding.sent + 1})
    after = before.model_copy(update={"reminding": reminding})
    data: dict[str, JsonValue] = {"number": act.number, "of": act.of, "to": list(act.to)}
    return Decision(after, (draft(after, ReceiptType.NUDGED, stamp, data),), (EventType.NUDGED,), {"nudge": data})


def escalate(before: Interaction, act: Escalate, stamp: Stamp) -> Decision:
    """Others may answer now as well."""
    if before.reminding.escalated_at is not None:
        return Decision(before, repeated=True)
    reminding = before.reminding.model_copy(update={"escalated_at": stamp.now})
    after = changed(before, reminding=reminding, audience=_widened(before, act.to))
    data: dict[str, JsonValue] = {"to": list(act.to), "not_told": list(act.not_told)}
    line = draft(after, ReceiptType.ESCALATED, stamp, data)
    return Decision(after, (line,), (EventType.ESCALATED,), {"escalation": data})


def snooze(before: Interaction, act: Snooze, stamp: Stamp) -> Decision:
    """Only whoever asks for it is left alone."""
    if not stamp.now < act.until:
        raise Invalid.at("/until", "name a time that is still to come")
    if before.expires_at is not None and act.until >= before.expires_at:
        raise Invalid.at("/until", f"this expires before then, on {when(before.expires_at)}; name an earlier time")
    if (act.until - stamp.now).days >= FURTHEST_DAYS:
        raise Invalid.at("/until", f"name a time within the next {FURTHEST_DAYS} days")
    kept = Kept(by=stamp.by, until=act.until, publication=act.publication)
    others = tuple(one for one in before.reminding.snoozes if not one.by.is_same(stamp.by))
    after = before.model_copy(update={"reminding": before.reminding.model_copy(update={"snoozes": (*others, kept)})})
    return Decision(after, (draft(after, ReceiptType.SNOOZED, stamp, {"until": rfc3339(act.until)}),))


def delegate(before: Interaction, act: Delegate, stamp: Stamp) -> Decision:
    """Whoever it is handed to may answer; whoever handed it on still may."""
    if act.to in before.audience.answerers:
        raise Invalid.at("/to", f"{act.called} may answer this already")
    if len(before.delegations) >= MOST_DELEGATIONS:
        raise Invalid.at("/to", "this was handed on as often as a card can be")
    handed = Delegation(by=stamp.by, to=act.to, name=act.called, at=stamp.now)
    _check_room(before, act.to)
    after = changed(before, audience=_widened(before, (act.to,)), delegations=(*before.delegations, handed))
    data: dict[str, JsonValue] = {"to": act.to, "name": act.called}
    line = draft(after, ReceiptType.DELEGATED, stamp, data)
    return Decision(after, (line,), (EventType.PROGRESSED,), {"delegated": dict(handed.wire())})


def _check_room(before: Interaction, to: str) -> None:
    """Raise `Invalid` where somebody more would take the place of those whom the policy brings in."""
    nudges = before.policy.nudges
    if len({*before.audience.answerers, to, *(nudges.escalate_to if nudges else ())}) > MOST_ANSWERERS:
        raise Invalid.at("/to", f"at most {MOST_ANSWERERS} answerers can be named on one card")


def _widened(before: Interaction, more: Sequence[str]) -> Audience:
    """The audience with as many more as it has room for; who asks and who hands on is told before it has none."""
    answerers = tuple(dict.fromkeys((*before.audience.answerers, *more)))[:MOST_ANSWERERS]
    return before.audience.model_copy(update={"answerers": answerers})
