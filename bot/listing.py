"""What waits on a person: the cards for `/sayso`, `/inbox`, the Home tab and the inbox page."""

from __future__ import annotations

from bot.authority import Authority
from core.cards import Card
from core.errors import Refused
from core.people import Identity, Person
from core.ports import Context
from core.reading import Records
from core.use_cases.answer import admit

MOST = 50


class Listing:
    """Lists open cards. `link_ok`: a chat may carry links to this service as controls."""

    def __init__(self, context: Context, records: Records, authority: Authority, *, link_ok: bool) -> None:
        self._context = context
        self._records = records
        self._authority = authority
        self._link_ok = link_ok

    async def of_identity(self, workspace: str, identity: Identity) -> tuple[Card, ...]:
        """What waits on whoever this identity is proved for; nothing for someone not known yet."""
        async with self._context.work() as work:
            person = await work.person_by_identity(workspace, identity)
        return await self.of_person(person, identity) if person else ()

    async def of_person(self, person: Person, identity: Identity | None) -> tuple[Card, ...]:
        """Open cards that the audience admits this person to now, newest first."""
        cards: list[Card] = []
        now = self._context.clock.now()
        for interaction in await self._records.open_for(person.workspace, person, limit=MOST):
            whole = await self._records.interaction(person.workspace, interaction.id, None)
            if whole is None or whole.interaction.is_due(now) or not whole.interaction.is_pending:
                continue
            candidate = await self._authority.candidate(person, identity, whole.publications)
            try:
                admit(whole.interaction, whole.publications, candidate)
            except Refused:
                continue
            url = self._context.review_url(interaction.id)
            cards.append(Card(whole.interaction, 0, url, self._link_ok))
        return tuple(cards)
