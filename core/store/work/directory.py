"""Who is who: people and their proved identities, agents, connections, and what providers said of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, insert, select, update

from core.people import Agent, Identity, Person, Standing
from core.ports import Connection
from core.store.directory import (
    agent_of,
    connection_of,
    fold_people,
    identity_row,
    is_identity,
    select_people,
)
from core.store.rows import changeable
from core.store.statements import AGENT_BY_NAME, CONNECTIONS, PERSON_BY_IDENTITY, note_sighting
from core.store.tables import (
    agents,
    connections,
    drafts,
    identities,
    links,
    people,
    profiles,
    sessions,
    sightings,
    signins,
)
from core.store.work.interactions import InteractionsWork


class DirectoryWork(InteractionsWork):
    """Find, add and change people, agents and connections."""

    async def person(self, workspace: str, id: str) -> Person | None:
        return await self._person(people.c.workspace == workspace, people.c.id == id)

    async def people(self, workspace: str) -> tuple[Person, ...]:
        return fold_people(await self._all(select_people(people.c.workspace == workspace)))

    async def person_by_handle(self, workspace: str, handle: str) -> Person | None:
        return await self._person(people.c.workspace == workspace, people.c.handle == handle)

    async def person_by_identity(self, workspace: str, identity: Identity) -> Person | None:
        rows = await self._all(
            PERSON_BY_IDENTITY, {"workspace": workspace, **identity.model_dump()}, sees=(people, identities)
        )
        return next(iter(fold_people(rows)), None)

    async def _person(self, *which: ColumnElement[bool]) -> Person | None:
        found = fold_people(await self._all(select_people(*which)))
        return found[0] if found else None

    async def add_person(self, person: Person) -> None:
        await self._run(insert(people).values(_person_row(person)))
        rows = [identity_row(person.workspace, person.id, one, place) for place, one in enumerate(person.identities)]
        if rows:
            await self._run(insert(identities), rows)

    async def save_person(self, person: Person) -> None:
        which = (people.c.workspace == person.workspace, people.c.id == person.id)
        if await self._changed(update(people).where(*which).values(changeable(_person_row(person)))) != 1:
            raise LookupError(f"there is no person {person.id}")

    async def name_person(self, person: Person) -> None:
        which = (people.c.workspace == person.workspace, people.c.id == person.id)
        await self._run(update(people).where(*which).values(name=person.name))

    async def order_accounts(self, person: Person) -> None:
        for place, one in enumerate(person.identities):
            which = (is_identity(person.workspace, one), identities.c.person == person.id)
            await self._run(update(identities).where(*which).values(place=place))

    async def remove_person(self, workspace: str, id: str) -> None:
        which = (people.c.workspace == workspace, people.c.id == id)
        if await self._one(select(people.c.id).where(*which).with_for_update()) is None:
            return
        for table in (identities, sightings, sessions, signins, links, drafts):
            await self._run(delete(table).where(table.c.person == id))
        await self._run(delete(people).where(*which))

    async def note_seen(self, workspace: str, person: str, conversation: str, now: datetime) -> None:
        row = {"workspace": workspace, "person": person, "conversation": conversation, "seen_at": now}
        await self._later(note_sighting(on_postgres=self._on_postgres), row)

    async def agent(self, workspace: str, id: str) -> Agent | None:
        row = await self._one(select(agents).where(agents.c.workspace == workspace, agents.c.id == id))
        return agent_of(row) if row else None

    async def agent_by_name(self, workspace: str, name: str) -> Agent | None:
        row = await self._one(AGENT_BY_NAME, {"workspace": workspace, "name": name}, sees=(agents,))
        return agent_of(row) if row else None

    async def connections(self, workspace: str) -> tuple[Connection, ...]:
        rows = await self._all(CONNECTIONS, {"workspace": workspace}, sees=(connections,))
        return tuple(connection_of(row) for row in rows)

    async def add_connection(self, connection: Connection, now: datetime) -> None:
        await self._run(
            insert(connections).values(
                id=connection.id,
                workspace=connection.workspace,
                provider=connection.provider.value,
                account=connection.account,
                name=connection.name,
                bot_user=connection.bot_user,
                problem=connection.problem,
                created_at=now,
            )
        )

    async def save_connection(self, connection: Connection) -> None:
        which = (connections.c.workspace == connection.workspace, connections.c.id == connection.id)
        values = {"name": connection.name, "bot_user": connection.bot_user, "problem": connection.problem}
        if await self._changed(update(connections).where(*which).values(values)) != 1:
            raise LookupError(f"there is no connection {connection.id}")

    async def keep_standing(self, workspace: str, identity: Identity, standing: Standing, now: datetime) -> None:
        key = {"workspace": workspace, **identity.model_dump()}
        values = {"standing": standing.model_dump(mode="json"), "fetched_at": now}
        kept = self._upsert(profiles).values({**key, **values})
        await self._run(kept.on_conflict_do_update(index_elements=list(key), set_=values))

    async def kept_standing(self, workspace: str, identity: Identity) -> Standing | None:
        row = await self._one(select(profiles.c.standing).where(_is_profile(workspace, identity)))
        return Standing.model_validate(row.standing) if row else None

    async def forget_standing(self, workspace: str, identity: Identity) -> None:
        await self._run(delete(profiles).where(_is_profile(workspace, identity)))
        self._dropped.append((workspace, identity))


def _is_profile(workspace: str, identity: Identity) -> ColumnElement[bool]:
    table = profiles.c
    return and_(
        table.workspace == workspace,
        table.provider == identity.provider,
        table.account == identity.account,
        table.user == identity.user,
    )


def _person_row(person: Person) -> dict[str, Any]:
    return {
        "id": person.id,
        "workspace": person.workspace,
        "handle": person.handle,
        "name": person.name,
        "role": person.role.value,
        "automatic": person.automatic,
        "timezone": person.timezone,
        "digest": person.digest,
    }
