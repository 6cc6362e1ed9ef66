"""People and their zones, many at once, and calendars: statements shared by the work and the read side."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from sqlalchemy import Executable, Row, or_, select

from core.people import Identity, Person, Standing
from core.quiet import WorkingCalendar
from core.store.directory import fold_people, select_people
from core.store.tables import identities, people, profiles, workspaces

Ask = Callable[[Executable], Awaitable[Sequence[Row[Any]]]]
"""Returns the rows of a statement."""


async def people_named(ask: Ask, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
    """Those with one of these handles, or with an account whose name is one of `users` anywhere."""
    owned = select(identities.c.person).where(identities.c.workspace == workspace, identities.c.user.in_(users))
    meant = or_(people.c.handle.in_(handles), people.c.id.in_(owned))
    return fold_people(await ask(select_people(people.c.workspace == workspace, meant)))


async def profile_zones(ask: Ask, workspace: str, wanted: Sequence[Identity]) -> dict[Identity, str]:
    """The time zones that providers last said these are in."""
    table = profiles.c
    users = {one.user for one in wanted}
    found = await ask(
        select(table.provider, table.account, table.user, table.standing).where(
            table.workspace == workspace, table.user.in_(users)
        )
    )
    said = {
        Identity(provider=row.provider, account=row.account, user=row.user): Standing.model_validate(row.standing)
        for row in found
    }
    return {one: zone for one in wanted if one in said and (zone := said[one].timezone) is not None}


async def profile_zone(ask: Ask, workspace: str, wanted: Identity) -> str | None:
    """The time zone that a provider last said somebody is in."""
    return (await profile_zones(ask, workspace, [wanted])).get(wanted)


async def calendar(ask: Ask, workspace: str) -> WorkingCalendar | None:
    """When a workspace works; None: nobody said."""
    for row in await ask(select(workspaces.c.calendar).where(workspaces.c.id == workspace)):
        return WorkingCalendar.model_validate(row.calendar) if row.calendar is not None else None
    return None
