"""What says when people and workspaces want to be left alone."""

from __future__ import annotations

from collections.abc import Sequence

from core.held import Queued
from core.people import Identity, Person
from core.quiet import WorkingCalendar
from core.store.named import calendar, people_named, profile_zone, profile_zones
from core.store.queued import queued_of
from core.store.reads.snapshot import Reads


class TimesReads(Reads):
    """Look at calendars and zones."""

    async def calendar(self, workspace: str) -> WorkingCalendar | None:
        return await calendar(self._all, workspace)

    async def queued_reminders(self, workspace: str, interactions: Sequence[str]) -> dict[str, Queued]:
        return await queued_of(self._all, workspace, interactions)

    async def people_named(self, workspace: str, handles: Sequence[str], users: Sequence[str]) -> tuple[Person, ...]:
        return await people_named(self._all, workspace, handles, users)

    async def profile_zones(self, workspace: str, identities: Sequence[Identity]) -> dict[Identity, str]:
        return await profile_zones(self._all, workspace, identities)

    async def profile_zone(self, workspace: str, identity: Identity) -> str | None:
        return await profile_zone(self._all, workspace, identity)
