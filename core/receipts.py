"""Receipts: one append-only line per thing that happened, each carrying the hash of the one before it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from pydantic import Field, JsonValue

from core.canonical import canonical, digest, rfc3339
from core.people import By, Value, Via
from core.signing import Signer

FORMAT: Final = "sayso-receipt-2"
"""What is signed now. It says too that whoever is forgotten in the line is forgotten with a signature."""
FORMAT_BEFORE: Final = "sayso-receipt-1"
"""What was signed before redactions were signed too."""


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
    RESTORED = "restored"
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


class Redaction(Value):
    """That somebody was forgotten in a receipt, at `at`. `signature` (base64) by the key called `key` proves what is
    left of the line (`core.proving`): None where a program did it that is older than such signatures, empty where the
    line did not hold any more by then. `ordered`: in the first receipt of a work order, the digest of what that orders
    since."""

    at: datetime
    ordered: str | None = None
    key: str | None = None
    signature: str | None = None

    def wire(self) -> dict[str, Any]:
        """As the API shows it."""
        return {"at": rfc3339(self.at), "ordered": self.ordered, "key": self.key, "signature": self.signature}


class Receipt(ReceiptDraft):
    """A receipt in its place: `seq` counts from 1 in one interaction, `prev` is the hash of the one before.

    `salt` (hex) keeps others from finding out by trial what a hash was taken of, once that is gone. `signature` (in
    base64) is by the key called `key`; None on lines older than signing. `redaction`: somebody's personal data was
    taken out of it, so its hash stands for what it was, and the signature for the hash.
    """

    seq: int
    prev: str | None
    hash: str
    salt: str | None = None
    key: str | None = None
    signature: str | None = None
    redaction: Redaction | None = None

    def wire(self) -> dict[str, Any]:
        """As the API shows it; `hash` is taken of what stands before it here, and of the salt if there is one."""
        shown = _hashed_fields(self, self.seq, self.prev, None)
        marks = {
            "salt": self.salt,
            "key": self.key,
            "signature": self.signature,
            "redacted": self.redaction is not None,
        }
        redaction = self.redaction.wire() if self.redaction is not None else None
        return {**shown, "hash": self.hash, **marks, "redaction": redaction}


def _hashed_fields(draft: ReceiptDraft, seq: int, prev: str | None, salt: str | None) -> dict[str, Any]:
    fields: dict[str, Any] = {
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
    return fields if salt is None else {**fields, "salt": salt}


def hash_of(draft: ReceiptDraft, seq: int, prev: str | None, salt: str | None) -> str:
    """The hash that a receipt has in this place."""
    return digest(_hashed_fields(draft, seq, prev, salt))


def signed_part(subject: str, receipt: Mapping[str, Any], format_: str = FORMAT) -> bytes:
    """What a signature is made of: whose chain it is (`int_…`, `lop_…`), and of the receipt, or of the proof that is
    left of it, everything that stays when content and people are forgotten. `receipt` is in the API's shape."""
    kept = {name: receipt[name] for name in ("id", "seq", "type", "revision", "digest", "at", "prev", "hash")}
    return canonical({"format": format_, "of": subject, **kept})


def seal(draft: ReceiptDraft, previous: Receipt | None, subject: str = "", signer: Signer | None = None) -> Receipt:
    """Give a receipt its place after `previous` in the chain of `subject`, signed where there is a signer."""
    seq = previous.seq + 1 if previous else 1
    prev = previous.hash if previous else None
    salt = signer.salt() if signer else None
    fields = {name: getattr(draft, name) for name in ReceiptDraft.model_fields}
    receipt = Receipt(**fields, seq=seq, prev=prev, salt=salt, hash=hash_of(draft, seq, prev, salt))
    if signer is None:
        return receipt
    signed = signer.sign(signed_part(subject, receipt.wire()))
    return receipt.model_copy(update={"key": signed.key, "signature": signed.signature})
