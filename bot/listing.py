"""What waits on a person: cards and work orders for `/sayso`, `/inbox`, the Home tab and the inbox page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.authority import Authority
from bot.loop_reach import has_part, reach
from bot.message_links import Channels, MessageLinks
from core.cards import Card
from core.errors import IdentityUndetermined, Refused
from core.loops.cards import LoopCard
from core.loops.keeping import Ordered
from core.loops.values import Loop
from core.people import Identity, Membership, Person, Role
from core.ports import Context, Work
from core.reading import Records
from core.records import Interaction
from core.replies import Listed
from core.urgency import Urgency, in_order
from core.use_cases.answer import admit
from core.use_cases.change import may_grant
from core.use_cases.later import zone_for
from core.use_cases.loop_recording import loop_url
from core.use_cases.transact import transact
from core.waiting import Entry, by_urgency, urgency_of

MOST = 100
"""Cards and work orders that are looked at for a list in a chat."""
NEW_PLACES = 10
"""Conversations that a chat is asked about at once, whether somebody is in them."""


@dataclass(frozen=True)
class Waiting:
    """What waits on a person, the most urgent first. `next` is where the following page begins, None after the last;
    `unsure`: a chat could not say whether some more are theirs."""

    entries: tuple[Entry, ...]
    next: Urgency | None
    unsure: bool


class Listing:
    """Lists what waits. `channels` are the chats; `link_ok`: they may carry links to this service as controls."""

    def __init__(
        self, context: Context, records: Records, authority: Authority, channels: Channels, *, link_ok: bool
    ) -> None:
        self._context = context
        self._records = records
        self._authority = authority
        self._links = MessageLinks(channels)
        self._link_ok = link_ok

    async def of_identity(self, workspace: str, identity: Identity) -> Listed:
        """What waits on whoever this identity is proved for, the most urgent first; nothing for a stranger."""
        async with self._context.work() as work:
            person = await work.person_by_identity(workspace, identity)
        if person is None:
            return Listed(())
        page = await self.page_of(person, identity)
        return Listed(page.entries, await zone_for(self._records, person), cut=page.next is not None)

    async def page_of(
        self, person: Person, identity: Identity | None, *, after: Urgency | None = None, limit: int = MOST
    ) -> Waiting:
        """What waits on a person, the most urgent first, from the place `after` on, out of at most `limit` that may be
        theirs. A place is good for both kinds, so pages miss and repeat nothing."""
        workspace = person.workspace
        cards = await self._records.open_for(workspace, person, after=after, limit=limit + 1)
        orders = await self._records.loops_for(workspace, person, after=after, limit=limit + 1)
        found: list[Interaction | Loop] = [*cards, *(order.loop for order in orders)]
        listed = in_order(found, urgency_of)[:limit]
        taken = {one.id for one in listed}
        asked, unsure_cards = await self._cards(person, identity, [one for one in cards if one.id in taken])
        some = [one for one in orders if one.loop.id in taken]
        ordered, unsure_orders = await self._orders(person, identity, some)
        following = urgency_of(listed[-1]) if len(found) > limit else None
        return Waiting(by_urgency((*asked, *ordered)), following, unsure=unsure_cards or unsure_orders)

    async def entries_of(
        self,
        workspace: str,
        things: Iterable[Interaction | Loop],
        person: Person | None,
        reader: Identity,
        memberships: Mapping[str, Membership],
    ) -> tuple[Entry, ...]:
        """These as a list shows them that goes to `reader`'s own chat or, where it is nobody's in particular, to a
        conversation. Whoever gets it sees its messages in the chats of `memberships`, and in their own."""
        entries: list[Entry] = []
        for one in things:
            if isinstance(one, Loop):
                where = self._order_at(person, reader, one) if person is not None else None
                entries.append(replace(self._order(one), message_url=where))
                continue
            whole = await self._records.interaction(workspace, one.id, None)
            copies = whole.publications if whole is not None else ()
            where = self._links.nearest(workspace, reader, memberships, copies)
            entries.append(replace(self._card(one), message_url=where))
        return tuple(entries)

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

    async def _orders(
        self, person: Person, identity: Identity | None, found: Sequence[Ordered]
    ) -> tuple[tuple[LoopCard, ...], bool]:
        """Those that they may read now, and whether a chat could not say it of some."""
        known = await reach(self._authority, person, identity, found)
        cards = tuple(
            replace(self._order(one.loop), message_url=self._order_at(person, identity, one.loop))
            for one in found
            if known[one.loop.id] is Membership.YES
        )
        return cards, Membership.UNDETERMINED in known.values()

    def _order_at(self, person: Person, identity: Identity | None, loop: Loop) -> str | None:
        """Where they find its card. Operators read of all work, also of what is in conversations they are not in."""
        if loop.card is None or (person.role is Role.OPERATOR and not has_part(person, loop)):
            return None
        return self._links.of(person.workspace, identity, loop.card)

    async def _cards(
        self, person: Person, identity: Identity | None, some: Sequence[Interaction]
    ) -> tuple[tuple[Card, ...], bool]:
        """Those that the audience admits them to now, and whether a chat could not say it of some."""
        now = self._context.clock.now()
        found = [await self._records.interaction(person.workspace, one.id, None) for one in some]
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
                known = candidate.memberships
                where = self._links.nearest(person.workspace, identity, known, whole.publications)
                cards.append(replace(self._card(whole.interaction), message_url=where))
        return tuple(cards), unsure

    def _card(self, interaction: Interaction) -> Card:
        return Card(interaction, 0, self._context.review_url(interaction.id), self._link_ok)

    def _order(self, loop: Loop) -> LoopCard:
        return LoopCard(loop, loop_url(self._context, loop.name), self._link_ok)
