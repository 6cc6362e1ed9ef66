"""Values to store: loops, the conversations they are in, and what is kept there."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.addresses import Provider
from core.loops import Alert, Conversation, FollowUp, Handover, HandoverKind, Loop, LoopCopy, Saying
from core.people import By
from core.publications import PublicationState
from core.receipts import ReceiptDraft, ReceiptType
from tests.rules.making import ASKER, NOW, by
from tests.store.making import HERE, line, named

SENDER = ASKER


def place(number: int = 1, **changes: Any) -> Conversation:
    """A thread of a Slack channel."""
    values: dict[str, Any] = {"provider": "slack", "account": "T1", "place": f"C{number}", "thread": "1712.0001"}
    made = {"id": named("cnv", number), "workspace": HERE, "created_at": NOW}
    return Conversation.model_validate({**made, **values, **changes})


def order(number: int = 1, **changes: Any) -> Loop:
    values: dict[str, Any] = {
        "id": named("lop", number),
        "workspace": HERE,
        "name": f"wo-{number}",
        "conversation": named("cnv", 1),
        "title": "Audit the endpoints",
        "sender": SENDER,
        "recipient": "slack:T1.C1",
        "created_at": NOW,
    }
    return Loop.model_validate({**values, **changes})


def shown(message: str = "1712.5", channel: str = "C1") -> LoopCopy:
    return LoopCopy(
        provider=Provider.SLACK,
        account="T1",
        place=channel,
        channel=channel,
        message=message,
        state=PublicationState.POSTED,
    )


def moved(id: str, type_: ReceiptType = ReceiptType.ACKNOWLEDGED, who: By | None = None) -> ReceiptDraft:
    return line(id, type_, who)


def said(number: int, **changes: Any) -> Saying:
    values: dict[str, Any] = {"id": named("msg", number), "workspace": HERE, "conversation": named("cnv", 1)}
    return Saying.model_validate({**values, "by": by(), "text": "hello", "at": NOW, **changes})


def directive(number: int, **changes: Any) -> Handover:
    values: dict[str, Any] = {"id": named("hnd", number), "workspace": HERE, "conversation": named("cnv", 1)}
    kept = {"kind": HandoverKind.DIRECTIVE, "text": f"do {number}", "by": by(), "at": NOW}
    return Handover.model_validate({**values, **kept, **changes})


def follow_up(number: int = 1, **changes: Any) -> FollowUp:
    values: dict[str, Any] = {"id": named("fup", number), "workspace": HERE, "conversation": named("cnv", 1)}
    due = {"prompt": "look again", "due_at": NOW + timedelta(minutes=5), "by": by(), "created_at": NOW}
    return FollowUp.model_validate({**values, **due, **changes})


def alert(number: int = 1, **changes: Any) -> Alert:
    values: dict[str, Any] = {"id": named("alr", number), "workspace": HERE, "conversation": named("cnv", 1)}
    raised = {"severity": "CRITICAL", "message": "VM unreachable", "by": SENDER, "created_at": NOW}
    return Alert.model_validate({**values, **raised, **changes})
