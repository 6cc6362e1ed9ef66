"""Receipts: one append-only line per thing that happened, each carrying the hash of the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field, JsonValue

from core.canonical import digest, rfc3339
from core.people import By, Value, Via


class ReceiptType(StrEnum):
    """What happened."""

    CREATED = "created"
    PATCHED = "patched"
    VOTED = "voted"
    VOTE_VOIDED = "vote_voided"
    TICKED = "ticked"
    TICK_VOIDED = "tick_voided"
    JUDGED = "judged"
    VERDICT_VOIDED = "verdict_voided"
    CONNECTING = "connecting"
    ANSWERED = "answered"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    WITHDRAWN = "withdrawn"
    SKIPPED = "skipped"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    UNDELIVERABLE = "undeliverable"
    DISMISSED = "dismissed"
    REOPENED = "reopened"
    COMMENTED = "commented"
    REPLIED = "replied"
    LATE_ANSWER = "late_answer"
    # Of work orders, which have chains of their own.
    OPENED = "opened"
    ACKNOWLEDGED = "acknowledged"
    CLAIMED = "claimed"
    RUNNING = "running"
    SLOT_DONE = "slot_done"
    SLOT_FREED = "slot_freed"
    TRACKED = "tracked"
    CLOSED = "closed"
    DECLINED = "declined"
    NO_ACTION = "no_action"
    OVERDUE = "overdue"
    NUDGED = "nudged"
    ESCALATED = "escalated"
    SNOOZED = "snoozed"
    DELEGATED = "delegated"


class ReceiptDraft(Value):
    """A receipt before it has its place in the chain."""

    id: str
    type: ReceiptType
    by: By
    via: Via
    provider_event: str | None = None
    revision: int
    digest: str
    policy: dict[str, Any]
    at: datetime
    data: dict[str, JsonValue] = Field(default_factory=dict)


class Receipt(ReceiptDraft):
    """A receipt in its place: `seq` counts from 1 in one interaction, `prev` is the hash of the one before."""

    seq: int
    prev: str | None
    hash: str

    def wire(self) -> dict[str, Any]:
        """As the API shows it; `hash` is taken of all the other fields as they stand here."""
        return {**_hashed_fields(self, self.seq, self.prev), "hash": self.hash}


def _hashed_fields(draft: ReceiptDraft, seq: int, prev: str | None) -> dict[str, Any]:
    return {
        "id": draft.id,
        "seq": seq,
        "type": draft.type.value,
        "by": draft.by.wire(),
        "via": draft.via.value,
        "provider_event": draft.provider_event,
        "revision": draft.revision,
        "digest": draft.digest,
        "policy": draft.policy,
        "at": rfc3339(draft.at),
        "data": draft.data,
        "prev": prev,
    }


def seal(draft: ReceiptDraft, previous: Receipt | None) -> Receipt:
    """Give a receipt its place after `previous`."""
    seq = previous.seq + 1 if previous else 1
    prev = previous.hash if previous else None
    own = digest(_hashed_fields(draft, seq, prev))
    return Receipt(**{name: getattr(draft, name) for name in ReceiptDraft.model_fields}, seq=seq, prev=prev, hash=own)


def first_break(chain: Sequence[Receipt]) -> int | None:
    """Return the `seq` at which the chain does not hold, or None when it is whole."""
    previous: Receipt | None = None
    for expected, receipt in enumerate(chain, start=1):
        if receipt.seq != expected or seal(receipt, previous).hash != receipt.hash:
            return expected
        previous = receipt
    return None
