"""What happened to a card, receipt by receipt, in plain words.

Words that somebody sent without deciding are between them and the asker: the line says that there were some.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never

from blocks.web.facts import HERE
from blocks.web.page import Happened
from blocks.web.parts import sentence
from blocks.words import isolate, listed, through, who
from core.content import Content
from core.endings import wording
from core.kinds import (
    AnyPayload,
    Checklist,
    Confirmation,
    ConnectionRequest,
    ItemVerdicts,
    Kind,
    Questions,
    SuggestedTasks,
)
from core.loops.wording import told_step
from core.outcomes import Status
from core.receipts import Receipt, ReceiptType
from core.telling import when


@dataclass(frozen=True)
class _Labels:
    """What items and verdicts are called, by id."""

    items: Mapping[str, str]
    verdicts: Mapping[str, str] = field(default_factory=dict)


def history(content: Content, receipts: Iterable[Receipt]) -> Iterator[Happened]:
    """One line per receipt, in order. `content` is what is asked now; what it does not name any more goes by its id."""
    labels = _labels(content.payload)
    for receipt in receipts:
        surface = through(receipt.via, HERE)
        told = _told(receipt, labels, content.kind)
        quoted = receipt.data.get("quoted")
        read = ""
        if isinstance(quoted, dict):
            agent = isolate(str(quoted.get("agent", "")))
            confirmed = quoted.get("message") == "connected"
            read = f"; agent {agent} {'confirmed it' if confirmed else 'read it from their message'}"
        acted = f"{who(receipt.by)} {told[0]}"
        line = f"{acted} {surface}{read}" if surface else f"{acted}{read}"
        yield Happened(receipt.at, sentence(f"{line}: {told[1]}" if told[1] else line))


def _labels(payload: AnyPayload) -> _Labels:
    match payload:
        case Checklist():
            return _Labels({item.id: item.label for item in payload.items})
        case ItemVerdicts():
            verdicts = {one.id: one.label for one in payload.verdicts}
            return _Labels({item.id: item.label for item in payload.items}, verdicts)
        case Questions() | Confirmation() | SuggestedTasks() | ConnectionRequest():
            return _Labels({})
        case _:
            assert_never(payload)


def _told(receipt: Receipt, labels: _Labels, kind: Kind) -> tuple[str, str]:  # noqa: C901, PLR0912  # one flat case each
    """What was done, as the rest of a sentence, and what there is to say of it."""
    data, reason = receipt.data, _words(receipt.data.get("reason"))
    match receipt.type:
        case ReceiptType.CREATED:
            return "asked this", ""
        case ReceiptType.PATCHED:
            return f"changed it to revision {receipt.revision}", ""
        case ReceiptType.VOTED:
            return f"voted {'to accept' if data.get('accepted') else 'to reject'}", reason
        case ReceiptType.VOTE_VOIDED:
            return "made a vote void by changing it", _of(data)
        case ReceiptType.TICKED:
            return _ticked(data, labels), ""
        case ReceiptType.TICK_VOIDED:
            return f"made the tick of {_named(data.get('item'), labels)} void by changing it", _of(data)
        case ReceiptType.JUDGED:
            return "decided", _judged(data, labels)
        case ReceiptType.VERDICT_VOIDED:
            return f"made the verdict on {_named(data.get('item'), labels)} void by changing it", _of(data)
        case ReceiptType.CONNECTING:
            return "set out to connect it", ""
        case ReceiptType.ANSWERED:
            return wording(kind, Status.ANSWERED).did, ""
        case ReceiptType.ACCEPTED:
            return wording(kind, Status.ACCEPTED).did, ""
        case ReceiptType.REJECTED:
            return wording(kind, Status.REJECTED).did, reason
        case ReceiptType.COMPLETED:
            return "completed it", ""
        case ReceiptType.CANCELLED:
            return "cancelled it", reason
        case ReceiptType.WITHDRAWN:
            return "took it back", reason
        case ReceiptType.SKIPPED:
            return "skipped it", reason
        case ReceiptType.EXPIRED:
            return "ended it, because the time to answer was over", ""
        case ReceiptType.SUPERSEDED:
            return "replaced it", ""
        case ReceiptType.UNDELIVERABLE:
            return "ended it, because it could not be delivered", reason
        case ReceiptType.DISMISSED:
            return "set it aside", ""
        case ReceiptType.REOPENED:
            return "brought it back", ""
        case ReceiptType.COMMENTED:
            return "replied in words", ""
        case ReceiptType.REPLIED:
            return "sent a result", _words(data.get("text"))
        case ReceiptType.LATE_ANSWER:
            return "came too late", ""
        case ReceiptType.RESTORED:
            return "restored it from an earlier copy", ""
        case ReceiptType.NUDGED:
            return f"sent reminder {data.get('number')} of {data.get('of')}", ""
        case ReceiptType.ESCALATED:
            return "let others answer as well", _names(data.get("to"))
        case ReceiptType.SNOOZED:
            return f"will be reminded {_moment(data.get('until'))}", ""
        case ReceiptType.DELEGATED:
            return "delegated it", f"{isolate(str(data.get('name')))} may answer too"
        case (
            ReceiptType.OPENED
            | ReceiptType.ACKNOWLEDGED
            | ReceiptType.CLAIMED
            | ReceiptType.RUNNING
            | ReceiptType.SLOT_DONE
            | ReceiptType.SLOT_FREED
            | ReceiptType.TRACKED
            | ReceiptType.CLOSED
            | ReceiptType.DECLINED
            | ReceiptType.NO_ACTION
            | ReceiptType.OVERDUE
        ):
            return told_step(receipt)
        case _:
            assert_never(receipt.type)


def _moment(value: object) -> str:
    """A stored moment as people read it."""
    return when(datetime.fromisoformat(value)) if isinstance(value, str) else "later"


def _names(value: object) -> str:
    return listed([isolate(str(one)) for one in value]) if isinstance(value, list) else ""


def _words(value: object) -> str:
    return isolate(value) if isinstance(value, str) else ""


def _of(data: Mapping[str, Any]) -> str:
    """Whose it was."""
    by = data.get("by")
    handle = by.get("handle") if isinstance(by, dict) else None
    return f"it was by {isolate(f'@{handle}')}" if handle else ""


def _named(id: object, labels: _Labels) -> str:
    return f"“{isolate(labels.items.get(str(id), str(id)))}”"


def _ticked(data: Mapping[str, Any], labels: _Labels) -> str:
    parts = [
        f"{word} {listed([_named(id, labels) for id in ids])}"
        for word, ids in (("ticked", data.get("tick") or ()), ("unticked", data.get("untick") or ()))
        if ids
    ]
    return " and ".join(parts)


def _judged(data: Mapping[str, Any], labels: _Labels) -> str:
    given = data.get("verdicts")
    parts = []
    for item, one in (given if isinstance(given, dict) else {}).items():
        id, reason = str(one.get("verdict")), _words(one.get("reason"))
        said = f"{_named(item, labels)} {isolate(labels.verdicts.get(id, id))}"
        parts.append(f"{said} ({reason})" if reason else said)
    return "; ".join(parts)
