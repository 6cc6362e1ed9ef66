"""What is left of what was purged: that it was there, how it ended, and the proof of each of its receipts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Literal, Protocol

from core.canonical import canonical, rfc3339
from core.people import Person
from core.pseudonyms import Chat, Pseudonym
from core.receipts import Receipt
from core.signing import Signer


@dataclass(frozen=True)
class Proof:
    """A purged receipt: all that its signature is made of, and the signature. Who and what is gone, with the salt."""

    id: str
    subject: str
    seq: int
    type: str
    revision: int
    digest: str
    at: datetime
    prev: str | None
    hash: str
    key: str | None = None
    signature: str | None = None

    def wire(self) -> dict[str, Any]:
        """As exports show it."""
        return {**asdict(self), "at": rfc3339(self.at)}


@dataclass(frozen=True)
class Purged:
    """An interaction or work order whose content was purged. `receipts` and `head` say how long its chain was and the
    hash of its last line; `signature` is over all of it."""

    id: str
    workspace: str
    what: Literal["interaction", "loop"]
    kind: str
    status: str
    revision: int
    digest: str
    created_at: datetime
    settled_at: datetime
    purged_at: datetime
    receipts: int
    head: str
    key: str | None = None
    signature: str | None = None

    def wire(self) -> dict[str, Any]:
        """As exports show it."""
        moments = ("created_at", "settled_at", "purged_at")
        return {**asdict(self), **{name: rfc3339(getattr(self, name)) for name in moments}}


@dataclass(frozen=True)
class Swept:
    """How much was purged, or would be."""

    interactions: int = 0
    loops: int = 0
    others: int = 0

    def __add__(self, other: Swept) -> Swept:
        """Both together."""
        return Swept(self.interactions + other.interactions, self.loops + other.loops, self.others + other.others)

    @property
    def total(self) -> int:
        """All of it."""
        return self.interactions + self.loops + self.others


@dataclass(frozen=True)
class Step:
    """How many were purged in one transaction, and the mark to go on from; None when that was all."""

    done: int
    mark: str | None


def proof_of(subject: str, receipt: Receipt) -> Proof:
    """What stays of a receipt."""
    return Proof(
        id=receipt.id,
        subject=subject,
        seq=receipt.seq,
        type=receipt.type.value,
        revision=receipt.revision,
        digest=receipt.digest,
        at=receipt.at,
        prev=receipt.prev,
        hash=receipt.hash,
        key=receipt.key,
        signature=receipt.signature,
    )


def signed_part(purged: Mapping[str, Any]) -> bytes:
    """What the signature on a purge is made of. `purged` is in the wire's shape."""
    kept = {name: value for name, value in purged.items() if name not in ("key", "signature")}
    return canonical({"format": "sayso-purged-1", **kept})


def signed(purged: Purged, signer: Signer | None) -> Purged:
    """The same with a signature."""
    if signer is None:
        return purged
    made = signer.sign(signed_part(purged.wire()))
    return replace(purged, key=made.key, signature=made.signature)


class RetentionWork(Protocol):
    """The part of `core.ports.Work` that takes content away for good. Each call is meant to be a transaction."""

    async def purge_interactions(self, workspace: str, before: datetime, now: datetime, after: str, limit: int) -> Step:
        """Purge at most `limit` settled interactions after the mark `after` (first: "") to which nothing happened since
        `before`."""

    async def purge_loops(self, workspace: str, before: datetime, now: datetime, after: str, limit: int) -> Step:
        """The same of work orders that have ended."""

    async def purge_said(self, workspace: str, before: datetime, limit: int) -> int:
        """Delete what was said in threads, alerts, and what was handed over or followed up, from before `before` and
        of no use to anything open; return how many rows, at most `limit` of each."""

    async def purge_answers(self, workspace: str, before: datetime, limit: int) -> int:
        """Forget what was answered before `before`: to requests about work orders, whose keys are free then, and to
        whoever pressed or wrote; return how many, at most `limit` of each. A redelivery is told nothing then."""

    async def chats_of(self, person: Person) -> tuple[Chat, ...]:
        """Their accounts, and the channels where direct messages to them arrive. Looks through all that was posted."""

    async def redact_person(self, who: Pseudonym, now: datetime, after: str, limit: int) -> str | None:
        """Put the alias in the place of a person in up to `limit` rows after the mark `after` (first: ""), and return
        the next mark; None when that was all. Receipts are signed anew (`core.proving`)."""


class RetentionReads(Protocol):
    """The part of `core.reading.Records` that knows what would be purged."""

    async def purgeable(self, workspace: str, before: datetime) -> Swept:
        """How much is to be purged."""

    async def position_of(self, workspace: str, event: str) -> int | None:
        """Where an event is, or was before it was purged; None: there never was one."""
