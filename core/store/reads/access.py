"""Agents, people, connections and sessions: who is there and who may come in."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, or_, select

from core.access import Session
from core.people import Agent, Identity, Person, Standing
from core.ports import Connection
from core.store.directory import (
    agent_of,
    connection_of,
    fold_people,
    is_identity,
    select_agents,
    select_connections,
    select_people,
)
from core.store.doors import session_of
from core.store.reads.snapshot import Reads
from core.store.tables import (
    agent_keys,
    agent_secrets,
    agents,
    connections,
    identities,
    people,
    profiles,
    sessions,
    sightings,
    workspaces,
)


class AccessReads(Reads):
    """Look at agents, people, connections and sessions."""

    async def agent_by_key(self, key_hash: str, now: datetime) -> Agent | None:
        good = or_(agent_keys.c.ends_at.is_(None), agent_keys.c.ends_at > now)
        row = await self._one(
            select(agents)
            .join(agent_keys, agent_keys.c.agent == agents.c.id)
            .where(agent_keys.c.hash == key_hash, good, agents.c.revoked_at.is_(None))
        )
        return agent_of(row) if row else None

    async def agent_given(self, key_hash: str) -> Agent | None:
        row = await self._one(
            select(agents).join(agent_keys, agent_keys.c.agent == agents.c.id).where(agent_keys.c.hash == key_hash)
        )
        return agent_of(row) if row else None

    async def agent(self, workspace: str, id: str) -> Agent | None:
        row = await self._one(select(agents).where(agents.c.workspace == workspace, agents.c.id == id))
        return agent_of(row) if row else None

    async def agents(self, workspace: str) -> tuple[Agent, ...]:
        return tuple(agent_of(row) for row in await self._all(select_agents(workspace)))

    async def webhook_secrets(self, agent: str, now: datetime) -> tuple[str, ...]:
        table = agent_secrets.c
        good = or_(table.ends_at.is_(None), table.ends_at > now)
        rows = await self._all(select(table.secret).where(table.agent == agent, good).order_by(table.seq.desc()))
        return tuple(self._vault.open(agent, row.secret) for row in rows)

    async def session(self, token: str, now: datetime) -> Session | None:
        table = sessions.c
        good = (table.token == token, table.expires_at > now, table.revoked_at.is_(None))
        row = await self._one(select(sessions).where(*good))
        return session_of(row) if row else None

    async def person(self, workspace: str, id: str) -> Person | None:
        return await self._person(people.c.workspace == workspace, people.c.id == id)

    async def person_by_handle(self, workspace: str, handle: str) -> Person | None:
        return await self._person(people.c.workspace == workspace, people.c.handle == handle)

    async def person_by_identity(self, workspace: str, identity: Identity) -> Person | None:
        owner = select(identities.c.person).where(is_identity(workspace, identity)).scalar_subquery()
        return await self._person(people.c.workspace == workspace, people.c.id == owner)

    async def _person(self, *which: ColumnElement[bool]) -> Person | None:
        found = fold_people(await self._all(select_people(*which)))
        return found[0] if found else None

    async def people(self, workspace: str) -> tuple[Person, ...]:
        return fold_people(await self._all(select_people(people.c.workspace == workspace)))

    async def workspaces(self) -> tuple[str, ...]:
        table = workspaces.c
        rows = await self._all(select(table.id).order_by(table.created_at, table.id))
        return tuple(row.id for row in rows)

    async def connections(self, workspace: str) -> tuple[Connection, ...]:
        return tuple(connection_of(row) for row in await self._all(select_connections(workspace)))

    async def connection_at(self, provider: str, account: str) -> Connection | None:
        table = connections.c
        row = await self._one(select(connections).where(table.provider == provider, table.account == account))
        return connection_of(row) if row else None

    async def standing(self, workspace: str, identity: Identity) -> tuple[Standing, datetime] | None:
        table = profiles.c
        row = await self._one(
            select(table.standing, table.fetched_at).where(
                table.workspace == workspace,
                table.provider == identity.provider,
                table.account == identity.account,
                table.user == identity.user,
            )
        )
        return (Standing.model_validate(row.standing), row.fetched_at) if row else None

    async def last_seen(self, workspace: str, identity: Identity, conversation: str) -> datetime | None:
        row = await self._one(
            select(sightings.c.seen_at)
            .join(identities, identities.c.person == sightings.c.person)
            .where(is_identity(workspace, identity), sightings.c.conversation == conversation)
        )
        return row.seen_at if row else None
