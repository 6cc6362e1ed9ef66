"""Whose an account is: given, taken away, and what comes along with it from whoever it was by itself."""

from __future__ import annotations

from sqlalchemy import Text, cast, delete, func, insert, or_, select, update

from core.errors import Invalid
from core.loops.outcomes import OPEN_STATES
from core.merging import with_acts_of, with_work_of
from core.people import Identity, Person
from core.store.directory import identity_row, is_identity
from core.store.loop_rows import loop_of, names_holder
from core.store.rows import interaction_of
from core.store.tables import (
    PENDING,
    answerers,
    drafts,
    identities,
    interactions,
    loop_prompts,
    loops,
    people,
    prompts,
    sightings,
)
from core.store.work.directory import DirectoryWork
from core.store.work.loops import LoopsWork


class AccountsWork(DirectoryWork, LoopsWork):
    """Attach and detach identities."""

    async def add_identity(self, person: str, workspace: str, identity: Identity) -> None:
        owner = await self.person_by_identity(workspace, identity)
        taker = await self.person(workspace, person)
        if taker is None:
            raise LookupError(f"there is no person {person}")
        if owner is not None and owner.id != person:
            if not owner.automatic:
                raise Invalid.at("/identity", "this account is proved for someone else already")
            await self._absorb(owner, taker)
        if owner is None or owner.id != person:
            last = await self._one(select(func.max(identities.c.place)).where(identities.c.person == person))
            first = 0 if last is None or last[0] is None else last[0] + 1
            taken = owner.identities if owner is not None else (identity,)
            rows = [identity_row(workspace, person, one, place) for place, one in enumerate(taken, first)]
            await self._run(insert(identities), rows)

    async def remove_identity(self, workspace: str, person: str, identity: Identity) -> bool:
        owner = (people.c.workspace == workspace, people.c.id == person)
        await self._one(select(people.c.id).where(*owner).with_for_update())
        known = await self.person(workspace, person)
        if known is None or identity not in known.identities:
            return False
        if len(known.identities) == 1:
            raise Invalid.at("/identity", "this is the only account, and whoever has none could never sign in again")
        which = (identities.c.person == person, is_identity(workspace, identity))
        return await self._changed(delete(identities).where(*which)) == 1

    async def _absorb(self, automatic: Person, taker: Person) -> None:
        """Make an automatic member one with the person they turned out to be."""
        await self._take_acts(automatic, taker)
        await self._take_work(automatic, taker)
        seen = select(sightings.c.conversation).where(sightings.c.person == taker.id).scalar_subquery()
        await self._run(
            update(sightings)
            .where(sightings.c.person == automatic.id, sightings.c.conversation.not_in(seen))
            .values(person=taker.id)
        )
        # What they have filled in in a chat goes on, and prompts still wait for their words.
        theirs = (drafts.c.person == automatic.id, ~drafts.c.scope.startswith("review:"))
        await self._run(update(drafts).where(*theirs).values(person=taker.id, name=taker.name))
        for table in (prompts, loop_prompts):
            await self._run(update(table).where(table.c.person == automatic.id).values(person=taker.id))
        await self.remove_person(automatic.workspace, automatic.id)

    async def _take_acts(self, automatic: Person, taker: Person) -> None:
        """What is pending knows them by the person's name from now on."""
        table = interactions.c
        named = select(answerers.c.interaction).where(
            answerers.c.workspace == taker.workspace, answerers.c.answerer == f"person:{automatic.handle}"
        )
        acted = (
            cast(column, Text).contains(automatic.id, autoescape=True)
            for column in (table.votes, table.ticks, table.verdicts, table.connecting, table.delegations)
        )
        found = await self._all(
            select(interactions)
            .where(
                table.workspace == taker.workspace,
                table.status == PENDING,
                or_(*acted, table.id.in_(named.scalar_subquery())),
            )
            .order_by(table.id)
            .with_for_update(key_share=True)
        )
        for row in found:
            before = interaction_of(row)
            await self.save_interaction(before, with_acts_of(before, automatic, taker), None)

    async def _take_work(self, automatic: Person, taker: Person) -> None:
        """Work orders that they have taken are theirs to end."""
        table = loops.c
        is_open = table.state.in_([state.value for state in OPEN_STATES])
        found = await self._all(
            select(loops)
            .where(table.workspace == taker.workspace, is_open, names_holder(automatic.id))
            .order_by(table.id)
            .with_for_update(key_share=True)
        )
        for row in found:
            loop = loop_of(row)
            await self.save_loop(loop, with_work_of(loop, automatic, taker))
