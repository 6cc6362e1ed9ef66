"""Values for the rules' tests: one person, one agent, one card of each kind, and stamps to act with."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from core.acts import Stamp
from core.audience import Audience, Candidate
from core.content import Content
from core.kinds import EXAMPLES, Kind
from core.people import (
    By,
    Identity,
    Membership,
    Person,
    Role,
    Standing,
    Via,
)
from core.policy import Policy
from core.records import Continuation, Interaction

NOW = datetime(2026, 12, 2, 14, 5, tzinfo=UTC)
ASKER = By(type="agent", id="agt_1", handle="builder")


def person(handle: str = "ana", *, role: Role = Role.MEMBER, slack: str = "U1") -> Person:
    return Person(
        id=f"per_{handle}",
        workspace="wsp_1",
        handle=handle,
        name=handle.capitalize(),
        role=role,
        identities=(Identity(provider="slack", account="T1", user=slack),),
    )


def by(handle: str = "ana") -> By:
    return By(type="person", id=f"per_{handle}", handle=handle, identity="slack:T1.U1", name=handle.capitalize())


def content(kind: Kind, **payload: Any) -> Content:
    example = EXAMPLES[kind]
    given = {"kind": kind, "title": example["title"], "body": example["body"], "payload": payload or example["payload"]}
    return Content.model_validate(given)


def card(kind: Kind = Kind.QUESTIONS, *, payload: dict[str, Any] | None = None, **changes: Any) -> Interaction:
    return Interaction(
        id="int_00000000000000000000000001",
        workspace="wsp_1",
        content=content(kind, **(payload or {})),
        audience=changes.pop("audience", Audience()),
        policy=changes.pop("policy", Policy()),
        continuation=Continuation(),
        to=("slack:C1",),
        creator=ASKER,
        created_at=NOW - timedelta(minutes=5),
        **changes,
    )


def stamp(who: By | None = None, *, now: datetime = NOW, receipt: str = "rcp_1", more: int = 0) -> Stamp:
    return Stamp(
        now=now,
        by=who or by(),
        via=Via.SLACK,
        receipt=receipt,
        provider_event="slack:1",
        more_receipts=tuple(f"rcp_more{number}" for number in range(more)),
    )


def candidate(who: Person | None = None, *, seen_in: str | None = "slack:T1.C1", **standing: Any) -> Candidate:
    someone = who or person()
    return Candidate(
        person=someone,
        identity=someone.identities[0] if someone.identities else None,
        standing=Standing(**standing),
        memberships={seen_in: Membership.YES} if seen_in else {},
    )
