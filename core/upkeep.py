"""What keeps the service itself in order: remembered requests, waiting arrivals, profiles, attempts and leases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from core.people import Identity, Person, Standing
from core.retention import Step

REMEMBERED = timedelta(days=7)
"""How long an idempotency key is kept when nothing settles it first."""
INBOX_KEPT = timedelta(hours=48)
"""How long a done arrival is kept, so that a redelivery is known."""
OUTBOX_KEPT = timedelta(days=7)
"""How long a done or abandoned delivery is kept."""
SEEN_KEPT = timedelta(days=90)
"""How long it is known that somebody was in a conversation; whoever acts there is seen there anew."""
ARRIVAL_LEASE = timedelta(seconds=30)
"""How long an arrival is left to the process that took it in before another may take it up."""


@dataclass(frozen=True)
class WaitingArrival:
    """An arrival that was stored but not handled; `takes` counts how often it was taken up, this one included."""

    key: str
    provider: str
    raw: str
    received_at: datetime
    takes: int


@dataclass(frozen=True)
class Attempt:
    """One try to deliver an event to its asker. `status` is the HTTP status, None when there was no answer."""

    event: str
    number: int
    at: datetime
    status: int | None = None
    error: str | None = None


class Upkeep(Protocol):
    """The part of `core.ports.Work` that is about the service rather than about one interaction."""

    async def add_workspace(self, id: str, name: str, now: datetime) -> None:
        """Make a workspace; nothing happens when it is there already."""

    async def save_person(self, person: Person) -> None:
        """Write handle, name, role and `automatic`; identities are added by `add_identity`. `Raced` when the
        handle was taken."""

    async def name_person(self, person: Person) -> None:
        """Write the name alone."""

    async def remove_person(self, workspace: str, id: str) -> None:
        """Forget a person with their identities, sessions, sign-ins and links. Receipts keep who acted."""

    async def note_seen(self, workspace: str, person: str, conversation: str, now: datetime) -> None:
        """Note that a person was seen in a conversation (`slack:T1.C1`), for lists of what may wait on them."""

    async def remembered(self, agent: str, key: str) -> tuple[str, dict[str, Any]] | None:
        """What an idempotency key of an agent stands for: the digest of the body and the first answer."""

    async def remember(
        self, agent: str, key: str, digest: str, response: dict[str, Any], interaction: str, now: datetime
    ) -> None:
        """Keep an idempotency key until its interaction settles (`save_interaction` frees it) or `REMEMBERED` is
        over. `Raced` when another request took the key meanwhile: `remembered` has it then."""

    async def waiting_arrivals(self, now: datetime, lease_until: datetime, limit: int) -> Sequence[WaitingArrival]:
        """Take up stored arrivals that nobody handles, oldest first; others leave them alone until `lease_until`."""

    async def keep_standing(self, workspace: str, identity: Identity, standing: Standing, now: datetime) -> None:
        """Keep what a provider said of an identity."""

    async def kept_standing(self, workspace: str, identity: Identity) -> Standing | None:
        """What a provider said of an identity when it was last asked, however long ago; None: nothing is kept."""

    async def forget_standing(self, workspace: str, identity: Identity) -> None:
        """Drop what is kept of an identity: the provider says it changed."""

    async def note_attempt(self, attempt: Attempt) -> None:
        """Keep how one delivery of an event went."""

    async def take_lease(self, name: str, owner: str, now: datetime, until: datetime) -> int | None:
        """Take or extend the lease of this name and return its generation, which grows whenever the owner changes;
        None while someone else holds it."""

    async def lease_holders(self, names: Sequence[str], now: datetime) -> Mapping[str, str]:
        """Who holds which of these leases; those that nobody holds are not in it."""

    async def drop_lease(self, name: str, owner: str) -> None:
        """Give a lease back."""

    async def take_over(self, place: str, now: datetime) -> int:
        """The process that was at `place` is gone: what its owners (`place/…`) had claimed or leased is free from `now`
        on, and so is every arrival that nobody handled. Returns how many claims and leases these were."""

    async def extend_claims(self, owner: str, until: datetime) -> int:
        """Put off the end of every claim that `owner` still holds; return how many these are."""

    async def forget(self, now: datetime, after: str, limit: int) -> Step:
        """Delete at most so many rows of one kind whose time is past, from a mark on (`""`: the beginning): done
        arrivals, idempotency keys, sign-ins, sessions, links, finished deliveries, where people were last seen, drafts
        and prompts of what has ended, and the keys and secrets of agents that are good no more. Cards, receipts and
        events stay."""
