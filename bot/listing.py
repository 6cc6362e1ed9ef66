"""What waits on a person: cards and work orders for `/sayso`, `/inbox`, the Home tab and the inbox page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.authority import Authority
from bot.loop_reach import reach
from core.cards import Card
from core.errors import IdentityUndetermined, Refused
from core.loops.cards import LoopCard
from core.people import Identity, Membership, Person
from core.ports import Context, Work
from core.reading import Records
from core.records import Interaction
from core.replies import Listed
from core.use_cases.answer import admit
from core.use_cases.change import may_grant
from core.use_cases.later import zone_for
from core.use_cases.loop_recording import loop_url
from core.use_cases.transact import transact
from core.waiting import by_urgency

MOST = 50
MOST_ORDERS = 200
"""Work orders that are looked at, to list the most urgent of them."""
NEW_PLACES = 10
"""Conversations that a chat is asked about at once, whether somebody is in them."""


@dataclass(frozen=True)
class Waiting:
    """What waits on a person. `next` is where the following page begins, None after the last; `unsure`: a chat could
    not say whether some more are theirs."""

    cards: tuple[Card, ...]
    next: str | None
    unsure: bool


class Listing:
    """Lists open cards. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, context: Context, records: Records, authority: Authority, *, link_ok: bool) -> None:
        self._context = context
        self._records = records
        self._authority = authority
        self._link_ok = link_ok

    async def of_identity(self, workspace: str, identity: Identity) -> Listed:
        """What waits on whoever this identity is proved for, the most urgent first; nothing for a stranger."""
        async with self._context.work() as work:
            person = await work.person_by_identity(workspace, identity)
        if person is None:
            return Listed(())
        page = await self.page_of(person, identity, urgent=True)
        orders, more = await self.orders_of(person, identity)
        zone = await zone_for(self._records, person)
        return Listed(by_urgency((*page.cards, *orders)), zone, cut=more or page.next is not None)

    async def orders_of(self, person: Person, identity: Identity | None) -> tuple[tuple[LoopCard, ...], bool]:
        """Open work orders that wait on this person and that they may read now, and whether there may be more."""
        some = await self._records.loops_for(person.workspace, person, limit=MOST_ORDERS + 1, urgent=True)
        found = some[:MOST_ORDERS]
        known = await reach(self._authority, person, identity, found)
        cards = tuple(
            LoopCard(one.loop, loop_url(self._context, one.loop.name), self._link_ok)
            for one in found
            if known[one.loop.id] is Membership.YES
        )
        return cards, len(some) > MOST_ORDERS

    async def of_person(self, person: Person, identity: Identity | None) -> tuple[Card, ...]:
        """Open cards that the audience admits this person to now, newest first."""
        return (await self.page_of(person, identity)).cards

    def cards_of(self, interactions: Sequence[Interaction]) -> tuple[Card, ...]:
        """These as a list shows them."""
        return tuple(Card(one, 0, self._context.review_url(one.id), self._link_ok) for one in interactions)

    async def look_around(self, person: Person, identity: Identity) -> None:
        """Find out which conversations somebody is in that something is asked of, though they never acted there.

        Where they are is kept like a sighting, so every list of theirs has it from then on. Each time, a few are asked
        about.
        """
        copies = await self._records.unseen_places(person.workspace, person, NEW_PLACES)
        if not copies:
            return
        known = (await self._authority.candidate(person, identity, copies)).memberships
        inside = [place for place, membership in known.items() if membership is Membership.YES]

        async def note(work: Work) -> None:
            for place in inside:
                await work.note_seen(person.workspace, person.id, place, self._context.clock.now())

        if inside:
            await transact(self._context, note)

    async def page_of(
        self,
        person: Person,
        identity: Identity | None,
        *,
        after: str | None = None,
        limit: int = MOST,
        urgent: bool = False,
    ) -> Waiting:
        """The same, a page at a time: those older than the id `after`, out of at most `limit` that may be theirs.
        `urgent`: the one page of those that expire soonest."""
        workspace, now = person.workspace, self._context.clock.now()
        some = await self._records.open_for(workspace, person, after=after, limit=limit + 1, urgent=urgent)
        found = [await self._records.interaction(workspace, one.id, None) for one in some[:limit]]
        open_ones = [one for one in found if one and one.interaction.is_pending and not one.interaction.is_due(now)]
        # Each conversation is asked about once, however many of the cards are in it.
        copies = [copy for one in open_ones for copy in one.publications]
        candidate = await self._authority.candidate(person, identity, copies)
        cards, unsure = [], False
        for whole in open_ones:
            try:
                if not may_grant(whole.interaction, person):
                    admit(whole.interaction, whole.publications, candidate)
            except IdentityUndetermined:
                unsure = True
            except Refused:
                continue
            else:
                url = self._context.review_url(whole.interaction.id)
                cards.append(Card(whole.interaction, 0, url, self._link_ok))
        return Waiting(tuple(cards), some[limit - 1].id if len(some) > limit else None, unsure=unsure)
