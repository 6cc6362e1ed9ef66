"""People, agents and connections as rows: shared by the work and the read side."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Row, Select, and_, select

from core.addresses import Provider
from core.people import Agent, AgentRole, Identity, Person, Role
from core.ports import Connection
from core.store.tables import agents, connections, identities, people


def select_people(*which: ColumnElement[bool]) -> Select[Any]:
    """People with their accounts, one row per account, by handle."""
    return (
        select(
            people,
            identities.c.provider.label("identity_provider"),
            identities.c.account.label("identity_account"),
            identities.c.user.label("identity_user"),
        )
        .outerjoin(identities, identities.c.person == people.c.id)
        .where(*which)
        .order_by(people.c.handle, people.c.id, identities.c.place, identities.c.provider, identities.c.user)
    )


def fold_people(rows: Iterable[Row[Any]]) -> tuple[Person, ...]:
    """The people that `select_people` found."""
    found: dict[str, Person] = {}
    for row in rows:
        person = found.get(row.id) or Person(
            id=row.id,
            workspace=row.workspace,
            handle=row.handle,
            name=row.name,
            role=Role(row.role),
            automatic=row.automatic,
            timezone=row.timezone,
            digest=row.digest,
        )
        if row.identity_provider is not None:
            identity = Identity(provider=row.identity_provider, account=row.identity_account, user=row.identity_user)
            person = person.model_copy(update={"identities": (*person.identities, identity)})
        found[row.id] = person
    return tuple(found.values())


def is_identity(workspace: str, identity: Identity) -> ColumnElement[bool]:
    """The condition for the row of an identity."""
    table = identities.c
    return and_(
        table.workspace == workspace,
        table.provider == identity.provider,
        table.account == identity.account,
        table.user == identity.user,
    )


def identity_row(workspace: str, person: str, identity: Identity, place: int) -> dict[str, Any]:
    """The columns of an identity."""
    return {**identity.model_dump(), "workspace": workspace, "person": person, "place": place}


def agent_of(row: Row[Any]) -> Agent:
    """The agent a row holds."""
    return Agent(
        id=row.id,
        workspace=row.workspace,
        name=row.name,
        role=AgentRole(row.role),
        revoked=row.revoked_at is not None,
    )


def select_agents(workspace: str) -> Select[Any]:
    """The agents of a workspace, by name."""
    return select(agents).where(agents.c.workspace == workspace).order_by(agents.c.name)


def connection_of(row: Row[Any]) -> Connection:
    """The connection a row holds."""
    return Connection(
        id=row.id,
        workspace=row.workspace,
        provider=Provider(row.provider),
        account=row.account,
        name=row.name,
        bot_user=row.bot_user,
        problem=row.problem,
    )


def select_connections(workspace: str | BindParameter[str]) -> Select[Any]:
    """The connections of a workspace, oldest first."""
    table = connections.c
    return select(connections).where(table.workspace == workspace).order_by(table.created_at, table.id)
