"""What says when people and workspaces want to be left alone."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from core.held import Queued
from core.people import Identity, Person, Standing
from core.quiet import WorkingCalendar
from core.store.named import people_named, profile_zones
from core.store.queued import queued_of
from core.store.reads.snapshot import Reads
from core.store.tables import profiles, workspaces


class TimesReads(Reads):
    """Look at calendars and zones."""

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        row = await self._one(select(workspaces.c.calendar).where(workspaces.c.id == workspace))
        return WorkingCalendar.model_validate(row.calendar) if row is not None and row.calendar is not None else None

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        return await queued_of(self._all, workspace, interactions)

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        return await people_named(self._all, workspace, handles, users)

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        return await profile_zones(self._all, workspace, identities)

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        table = profiles.c
        which = (
            table.workspace == workspace,
            table.provider == identity.provider,
            table.account == identity.account,
            table.user == identity.user,
        )
        row = await self._one(select(table.standing).where(*which))
        return Standing.model_validate(row.standing).timezone if row else None
