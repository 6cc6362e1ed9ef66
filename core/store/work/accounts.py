"""Whose an account is: given, taken away, and what comes along with it from whoever it was by itself."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select

from core.errors import Invalid
from core.people import Identity, Person
from core.store.directory import identity_row, is_identity
from core.store.tables import identities, people
from core.store.work.merging import MergingWork


class AccountsWork(MergingWork):
    """Attach and detach identities."""

    async def add_identity(self, person: str, workspace: str, identity: Identity) -> None:
        owner = await self.person_by_identity(workspace, identity)
        taker = await self.person(workspace, person)
        if taker is None:
            raise LookupError(f"there is no person {person}")
        if owner is None:
            await self._attach(taker, (identity,))
        elif owner.id != person:
            if not owner.automatic:
                raise Invalid.at(
                    "/identity",
                    f"this account is proved for someone else already, {owner.handle}; "
                    "two who were added become one by `sayso person merge`",
                )
            await self.merge_people(owner, taker)

    async def merge_people(self, old: Person, person: Person) -> None:
        await self._absorb(old, person)
        await self._attach(person, old.identities)

    async def _attach(self, person: Person, taken: tuple[Identity, ...]) -> None:
        last = await self._one(select(func.max(identities.c.place)).where(identities.c.person == person.id))
        first = 0 if last is None or last[0] is None else last[0] + 1
        rows = [identity_row(person.workspace, person.id, one, place) for place, one in enumerate(taken, first)]
        if rows:
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
